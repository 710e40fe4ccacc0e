//! What every match must begin and end with, to turn most paths away at once.

use super::jsregex::{Ast, Node, NodeId};

pub(super) const SLASH: u16 = b'/' as u16;

/// How many texts there may be of one end; a pattern with more alternatives has none for what lies beyond them.
const MAX_ENDS: usize = 16;

/// How deep groups may lie in each other; a pattern that is deeper has none for what lies there.
const MAX_DEPTH: usize = 32;

/// Texts of which every match has one; none where there is no such text.
type Ends = Box<[Box<[u16]>]>;

/// The fixed ends of a pattern's matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Affixes {
    prefixes: Ends,
    suffixes: Ends,
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
        let mut forward = Walk::new(ast, false);
        forward.pass(body);
        let mut backward = Walk::new(ast, true);
        backward.pass(body);
        affixes.slash = backward.slash;
        affixes.prefixes = forward.ends();
        affixes.suffixes = backward.ends();
        affixes
    }

    /// Every match begins with one of these; any where there are none.
    pub fn prefixes(&self) -> &[Box<[u16]>] {
        &self.prefixes
    }

    /// Every match ends with one of these, but for the slash of [`Affixes::may_end_in_slash`]; any where there are none.
    pub fn suffixes(&self) -> &[Box<[u16]>] {
        &self.suffixes
    }

    /// Whether one slash may follow the suffix.
    pub fn may_end_in_slash(&self) -> bool {
        self.slash
    }

    /// Can `text` match at all?
    pub fn admit(&self, text: &[u16]) -> bool {
        let ends =
            |text: &[u16]| self.suffixes.is_empty() || self.suffixes.iter().any(|end| text.ends_with(end));
        (self.prefixes.is_empty() || self.prefixes.iter().any(|start| text.starts_with(start)))
            && (ends(text) || self.slash && text.strip_suffix(&[SLASH]).is_some_and(ends))
    }
}

/// Collects what stands at one end. Assertions take nothing and are passed by.
struct Walk<'a> {
    ast: &'a Ast,
    backward: bool,
    /// The alternatives so far, in the direction of the walk.
    texts: Vec<Vec<u16>>,
    /// Whether an optional slash was stepped over at the very end.
    slash: bool,
    /// Whether this is one of several alternatives.
    nested: bool,
    /// How much deeper it may go.
    depth: usize,
}

impl<'a> Walk<'a> {
    fn new(ast: &'a Ast, backward: bool) -> Self {
        Self { ast, backward, texts: vec![Vec::new()], slash: false, nested: false, depth: MAX_DEPTH }
    }

    /// Whether the walk goes on beyond this node.
    fn pass(&mut self, id: NodeId) -> bool {
        let Some(deeper) = self.depth.checked_sub(1) else { return false };
        self.depth = deeper;
        let goes_on = self.pass_inside(id);
        self.depth += 1;
        goes_on
    }

    fn pass_inside(&mut self, id: NodeId) -> bool {
        match self.ast.node(id) {
            Node::Unit(unit) => {
                self.texts.iter_mut().for_each(|text| text.push(*unit));
                true
            }
            Node::Concat(range) => {
                let children = self.ast.children(range);
                if self.backward {
                    children.iter().rev().all(|id| self.pass(*id))
                } else {
                    children.iter().all(|id| self.pass(*id))
                }
            }
            Node::Capture { child, .. } => self.pass(*child),
            Node::Empty | Node::Start | Node::End | Node::WordBoundary { .. } | Node::Look { .. } => true,
            Node::Alternation(range) => self.pass_alternatives(self.ast.children(range)),
            Node::Repeat { child, min: 0, max: Some(1), .. }
                if self.backward
                    && !self.nested
                    && !self.slash
                    && self.texts.iter().all(Vec::is_empty)
                    && *self.ast.node(*child) == Node::Unit(SLASH) =>
            {
                self.slash = true;
                true
            }
            _ => false,
        }
    }

    fn pass_alternatives(&mut self, alternatives: &[NodeId]) -> bool {
        let mut goes_on = true;
        let mut tails: Vec<Vec<u16>> = Vec::new();
        for id in alternatives {
            let mut walk = Walk { nested: true, depth: self.depth, ..Walk::new(self.ast, self.backward) };
            goes_on &= walk.pass(*id);
            tails.append(&mut walk.texts);
            if self.texts.len() * tails.len() > MAX_ENDS {
                return false;
            }
        }
        let with = |text: &Vec<u16>| tails.iter().map(|tail| [&text[..], tail].concat()).collect::<Vec<_>>();
        self.texts = self.texts.iter().flat_map(with).collect();
        goes_on
    }

    fn ends(self) -> Ends {
        if self.texts.iter().any(Vec::is_empty) {
            return Ends::default();
        }
        let mut texts = self.texts;
        texts.sort();
        // Whatever has the longer one has the shorter one.
        texts.dedup_by(|longer, shorter| longer.starts_with(shorter));
        if self.backward {
            for text in &mut texts {
                text.reverse();
            }
        }
        texts.into_iter().map(Vec::into_boxed_slice).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::glob::{jsregex, translate};

    fn units(text: &str) -> Box<[u16]> {
        text.encode_utf16().collect()
    }

    fn ends(texts: &[&str]) -> Ends {
        texts.iter().map(|text| units(text)).collect()
    }

    #[test]
    fn fixed_ends() {
        for (pattern, prefixes, suffixes, slash) in [
            ("src/a.ts", &["src/a.ts"][..], &["src/a.ts"][..], false),
            ("src/**", &["src"], &[], false),
            ("**/*.ts", &[], &[".ts"], true),
            ("src/*.ts", &["src/"], &[".ts"], false),
            ("src/*", &["src/"], &[], true),
            ("a.b", &["a.b"], &["a.b"], false),
            ("a{b,c}d", &["abd", "acd"], &["abd", "acd"], false),
            ("{src,lib}/**", &["lib", "src"], &[], false),
            ("{src/*,lib}/a.ts", &["lib", "src/"], &["/a.ts"], false),
            ("src/*.{ts,tsx}", &["src/"], &[".ts", ".tsx"], false),
            ("{a,b}{c,d}", &["ac", "ad", "bc", "bd"], &["ac", "bc", "ad", "bd"], false),
            ("{a,*}/b", &[], &["/b"], false),
            ("x{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,g}", &["x"], &[], false),
            ("a/[bc]", &["a/"], &[], true),
            ("))|(", &[], &[], false),
        ] {
            let ast = translate::translate(pattern).ok().and_then(|source| jsregex::parse(&source).ok());
            let affixes = ast.map(|ast| Affixes::new(&ast));
            assert_eq!(
                affixes,
                Some(Affixes { prefixes: ends(prefixes), suffixes: ends(suffixes), slash }),
                "{pattern}"
            );
        }
    }

    #[test]
    fn admission() {
        for (prefixes, suffixes, text, admitted) in [
            (&["a/"][..], &[".ts"][..], "a/b.ts", true),
            (&["a/"], &[".ts"], "a/.ts/", true),
            (&["a/"], &[".ts"], "a/b.ts//", false),
            (&["a/"], &[".ts"], "b/a.ts", false),
            (&["a/"], &[".ts"], "a/", false),
            (&["a/", "b/"], &[".js", ".ts"], "b/a.ts", true),
            (&["a/", "b/"], &[".js", ".ts"], "b/a.js/", true),
            (&["a/", "b/"], &[".js", ".ts"], "c/a.ts", false),
            (&[], &[], "c", true),
        ] {
            let affixes = Affixes { prefixes: ends(prefixes), suffixes: ends(suffixes), slash: true };
            assert_eq!(affixes.admit(&units(text)), admitted, "{affixes:?} {text}");
        }
    }

    #[test]
    fn deep_groups_end_the_walk() {
        let nested = |depth: usize| format!("^(?:{}a{}b)$", "(".repeat(depth), ")".repeat(depth));
        let prefixes = |source: &str| Affixes::new(&jsregex::parse(source).unwrap()).prefixes;
        assert_eq!(prefixes(&nested(3)), ends(&["ab"]));
        assert_eq!(prefixes(&nested(MAX_DEPTH)), ends(&[]));
        assert_eq!(prefixes(&nested(20_000)), ends(&[]));
    }
}
