//! What every match must begin and end with, to turn most paths away at once.

use super::jsregex::{Ast, Node, NodeId};

pub(super) const SLASH: u16 = b'/' as u16;

/// The fixed ends of a pattern's matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Affixes {
    prefix: Box<[u16]>,
    suffix: Box<[u16]>,
    /// One slash may follow the suffix.
    slash: bool,
}

impl Affixes {
    /// Finds them in `^(?:…)$`; in other expressions there are none.
    pub fn new(ast: &Ast) -> Self {
        let mut affixes = Self::default();
        let Node::Concat(range) = ast.node(ast.root) else { return affixes };
        let &[start, body, end] = ast.children(range) else { return affixes };
        if *ast.node(start) != Node::Start || *ast.node(end) != Node::End {
            return affixes;
        }
        let (mut suffix, slash) = walk(ast, body, true);
        suffix.reverse();
        affixes.prefix = walk(ast, body, false).0.into();
        affixes.suffix = suffix.into();
        affixes.slash = slash;
        affixes
    }

    /// What every match begins with.
    pub fn prefix(&self) -> &[u16] {
        &self.prefix
    }

    /// What every match ends with, but for the slash of [`Affixes::may_end_in_slash`].
    pub fn suffix(&self) -> &[u16] {
        &self.suffix
    }

    /// Whether one slash may follow the suffix.
    pub fn may_end_in_slash(&self) -> bool {
        self.slash
    }

    /// Can `text` match at all?
    pub fn admit(&self, text: &[u16]) -> bool {
        if !text.starts_with(&self.prefix) {
            return false;
        }
        let without_slash = || text.strip_suffix(&[SLASH]).is_some_and(|text| text.ends_with(&self.suffix));
        text.ends_with(&self.suffix) || self.slash && without_slash()
    }
}

/// The units at one end, and whether an optional slash was stepped over. Assertions take nothing and are passed by.
fn walk(ast: &Ast, body: NodeId, backward: bool) -> (Vec<u16>, bool) {
    let mut units = Vec::new();
    let mut slash = false;
    let mut open = vec![body];
    while let Some(id) = open.pop() {
        match ast.node(id) {
            Node::Unit(unit) => units.push(*unit),
            Node::Concat(range) if backward => open.extend(ast.children(range)),
            Node::Concat(range) => open.extend(ast.children(range).iter().rev()),
            Node::Capture { child, .. } => open.push(*child),
            Node::Empty | Node::Start | Node::End | Node::WordBoundary { .. } | Node::Look { .. } => {}
            Node::Repeat { child, min: 0, max: Some(1), .. }
                if backward && !slash && units.is_empty() && *ast.node(*child) == Node::Unit(SLASH) =>
            {
                slash = true;
            }
            _ => break,
        }
    }
    (units, slash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::glob::{jsregex, translate};

    #[test]
    fn ends() {
        for (pattern, prefix, suffix, slash) in [
            ("src/a.ts", "src/a.ts", "src/a.ts", false),
            ("src/**", "src", "", false),
            ("**/*.ts", "", ".ts", true),
            ("src/*.ts", "src/", ".ts", false),
            ("src/*", "src/", "", true),
            ("a.b", "a.b", "a.b", false),
            ("a{b,c}d", "a", "d", false),
            ("a/[bc]", "a/", "", true),
            ("))|(", "", "", false),
        ] {
            let ast = translate::translate(pattern).ok().and_then(|source| jsregex::parse(&source).ok());
            let affixes = ast.map(|ast| Affixes::new(&ast));
            let units = |text: &str| text.encode_utf16().collect::<Box<[u16]>>();
            assert_eq!(
                affixes,
                Some(Affixes { prefix: units(prefix), suffix: units(suffix), slash }),
                "{pattern}"
            );
        }
    }

    #[test]
    fn admission() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
        let affixes = Affixes { prefix: units("a/").into(), suffix: units(".ts").into(), slash: true };
        for (text, admitted) in
            [("a/b.ts", true), ("a/.ts/", true), ("a/b.ts//", false), ("b/a.ts", false), ("a/", false)]
        {
            assert_eq!(affixes.admit(&units(text)), admitted, "{text}");
        }
    }
}
