//! The YAML of front matter: the dialect of npm `yaml`, which the `adr` command reads records with.
//!
//! Which records are valid is decided by that package's reading of YAML, its leniencies included. The syntax is read by
//! `granit-parser`, strictly; [`repair`] mends the few places where the package reads on, and [`events`] refuses the
//! few where it stops. Types are given here, since they are the package's own: [`events`] makes a syntax tree,
//! [`resolve`] gives it types, and [`construct`] makes values of it.
//!
//! A document is read whole or not at all: the first error ends it.

mod construct;
mod events;
mod flow_text;
mod node;
mod repair;
mod resolve;
mod schema;
mod tags;
mod value;

pub use value::{Opaque, Value};

/// How deeply collections of a kind may be nested. Recursion follows the nesting, so this bounds the stack; the package
/// that is followed here gives up on deep nesting too, at a depth that depends on its own stack.
pub const MAX_DEPTH: usize = 200;

/// The text is not YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where it was noticed: a byte offset.
    pub at: usize,
    /// What is wrong.
    pub message: &'static str,
}

impl SyntaxError {
    fn new(at: usize, message: &'static str) -> Self {
        Self { at, message }
    }
}

/// The text is YAML, but no value can be made of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// No anchor of that name stands before the alias.
    #[error("no anchor &{0} stands before its alias *{0} (quote a value that begins with *)")]
    UnresolvedAlias(String),
    /// Aliases of aliases multiply beyond the limit.
    #[error("aliases are used too often")]
    TooManyAliases,
    /// A merge key's value is not a map, or merges itself.
    #[error("a merge key needs maps")]
    BadMerge,
}

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// See [`SyntaxError`].
    Syntax(SyntaxError),
    /// See [`ConvertError`].
    Convert(ConvertError),
}

/// Reads one document. Empty text is null.
///
/// # Errors
/// As [`LoadError`] says. An error of syntax anywhere comes before one of conversion.
pub fn load(source: &str) -> Result<Value, LoadError> {
    let document = events::parse(source).map_err(LoadError::Syntax)?;
    let Some(root) = document.root else { return Ok(Value::Null) };
    let typed = resolve::resolve(root, &document.directives).map_err(LoadError::Syntax)?;
    construct::construct(&typed).map_err(LoadError::Convert)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        match load(source) {
            Ok(value) => format!("{value:?}"),
            Err(LoadError::Syntax(_)) => "syntax".to_owned(),
            Err(LoadError::Convert(_)) => "convert".to_owned(),
        }
    }

    #[test]
    fn reads_on_where_npm_yaml_does() {
        for (source, same_as) in [
            ("a: {\n b: 1\n}\n", "a: {b: 1}"),
            ("k:\n  a: [\n    1\n  ]\n", "k: {a: [1]}"),
            ("a: \"\\ud800\"\n", "a: \"\\ufffd\""),
            ("a: \"\\ud83d\\ude00 \\udc00\"\n", "a: \"\u{1F600} \\ufffd\""),
            ("a: '0002''\nb: 'c'\n", "a: \"0002'\"\nb: c"),
            ("a: \u{FEFF}x\n", "a: \"\\ufeffx\""),
            ("a: x\u{1}y\u{7F}\n", "a: \"x\\x01y\\x7f\""),
            ("a: x\ry\r\n", "a: \"x\\ry\""),
            ("", "~"),
        ] {
            assert_eq!(shown(source), shown(same_as), "{source:?}");
            assert_ne!(shown(source), "syntax", "{source:?}");
        }
    }

    #[test]
    fn stops_where_npm_yaml_does() {
        for source in [
            "\ta: 1\n",
            "a:\n\tb: 1\n",
            "a:\n  b: 1\n: c: 2\n",
            "a: [\n1\n]\n",
            "k:\n  a: [\n 1 ]\n",
            "k:\n  a: [\n ]\n",
            "a: \"x\n",
            "a: 1\n---\nb: 2\n",
            "a: 1\n'a': 2\n",
            "1: a\n1.0: b\n",
        ] {
            assert_eq!(shown(source), "syntax", "{source:?}");
        }
        assert_eq!(shown("a: *b\n"), "convert");
    }

    #[test]
    fn deep_nesting_is_an_error_not_the_end() {
        for source in
            ["[".repeat(100_000), "- ".repeat(100_000), "a: {".repeat(100_000), "? ".repeat(100_000)]
        {
            assert_eq!(shown(&source), "syntax");
        }
    }
}
