//! JavaScript regular expressions without flags, read into a tree.
//!
//! Only what the translation can produce matters, but patterns pass a good deal of regex syntax through, so this is the
//! whole grammar of a `RegExp` without flags, with the web-compatibility rules (Annex B of ECMA-262): legacy octal
//! escapes, identity escapes, a lone `]`, `{` or `}`. Text is UTF-16 code units throughout.

mod ast;
mod class;
mod escape;
mod name;
mod parse;
mod set;

#[cfg(test)]
mod tests;

pub use ast::{Ast, Node, NodeId};
pub use parse::parse;
pub use set::{Set, is_word};

/// The expression is one that `new RegExp` refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError;
