//! The grammar. Nesting is kept on a stack of our own, so depth is bounded by memory only.

use std::collections::HashMap;

use super::ast::{Ast, Node, NodeId};
use super::set::Set;
use super::{SyntaxError, escape, name};

/// The highest group number that a backreference may have.
const MAX_GROUP: usize = 65_535;

/// What a parenthesis opened.
#[derive(Debug, Clone, Copy)]
enum Group {
    Plain,
    Capture(usize),
    Look { behind: bool, negated: bool },
}

/// An open parenthesis, and where its terms and alternatives begin on the stacks.
struct Frame {
    group: Group,
    terms: usize,
    alternatives: usize,
    captures: usize,
}

pub struct Parser<'a> {
    pub units: &'a [u16],
    pub at: usize,
    ast: Ast,
    terms: Vec<NodeId>,
    alternatives: Vec<NodeId>,
    frames: Vec<Frame>,
    names: HashMap<String, usize>,
    /// `\k<name>` that may stand before its group.
    named_references: Vec<(NodeId, String)>,
    /// Number of groups, and whether one has a name; counted when first asked.
    census: Option<(usize, bool)>,
    /// The captures begun inside the last term, for repetitions.
    term_captures: usize,
}

/// Parses a regular expression as `new RegExp(source)` does.
pub fn parse(source: &str) -> Result<Ast, SyntaxError> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let mut parser = Parser {
        units: &units,
        at: 0,
        ast: Ast::default(),
        terms: Vec::new(),
        alternatives: Vec::new(),
        frames: Vec::new(),
        names: HashMap::new(),
        named_references: Vec::new(),
        census: None,
        term_captures: 0,
    };
    parser.open(Group::Plain);
    while let Some(unit) = parser.peek() {
        parser.term(unit)?;
    }
    let Some(frame) = parser.frames.pop() else { return Err(SyntaxError) };
    if !parser.frames.is_empty() {
        return Err(SyntaxError);
    }
    parser.ast.root = parser.close(&frame);
    let mut ast = parser.ast;
    for (id, name) in parser.named_references {
        let index = *parser.names.get(&name).ok_or(SyntaxError)?;
        ast.replace(id, Node::Backreference(index));
    }
    Ok(ast)
}

impl Parser<'_> {
    pub fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    pub fn peek_byte(&self, ahead: usize) -> Option<u8> {
        self.units.get(self.at + ahead).and_then(|&unit| u8::try_from(unit).ok())
    }

    fn open(&mut self, group: Group) {
        let (terms, alternatives) = (self.terms.len(), self.alternatives.len());
        self.frames.push(Frame { group, terms, alternatives, captures: self.ast.captures });
        if let Group::Capture(_) = group {
            self.ast.captures += 1;
        }
    }

    /// Makes one node of the terms of the current alternative.
    fn sequence(&mut self, from: usize) -> NodeId {
        match self.terms.len() - from {
            0 => self.ast.add(Node::Empty),
            1 => self.terms.remove(from),
            _ => {
                let children = self.ast.add_children(&mut self.terms, from);
                self.ast.add(Node::Concat(children))
            }
        }
    }

    fn close(&mut self, frame: &Frame) -> NodeId {
        let last = self.sequence(frame.terms);
        let body = if self.alternatives.len() == frame.alternatives {
            last
        } else {
            self.alternatives.push(last);
            let children = self.ast.add_children(&mut self.alternatives, frame.alternatives);
            self.ast.add(Node::Alternation(children))
        };
        match frame.group {
            Group::Plain => body,
            Group::Capture(index) => self.ast.add(Node::Capture { child: body, index }),
            Group::Look { behind, negated } => self.ast.add(Node::Look { child: body, behind, negated }),
        }
    }

    fn push(&mut self, node: Node) {
        let id = self.ast.add(node);
        self.terms.push(id);
    }

    fn push_set(&mut self, set: Set) {
        let id = self.ast.add_set(set);
        self.terms.push(id);
    }

    /// Reads one term with its quantifier, or one piece of structure.
    fn term(&mut self, unit: u16) -> Result<(), SyntaxError> {
        self.term_captures = self.ast.captures;
        self.at += 1;
        match u8::try_from(unit).unwrap_or(b'a') {
            b'|' => {
                let Some(from) = self.frames.last().map(|frame| frame.terms) else { return Err(SyntaxError) };
                let sequence = self.sequence(from);
                self.alternatives.push(sequence);
                return Ok(());
            }
            b'^' => {
                self.push(Node::Start);
                return Ok(());
            }
            b'$' => {
                self.push(Node::End);
                return Ok(());
            }
            b'(' => return self.group(),
            b')' => {
                if self.frames.len() < 2 {
                    return Err(SyntaxError);
                }
                let Some(frame) = self.frames.pop() else { return Err(SyntaxError) };
                self.term_captures = frame.captures;
                let node = self.close(&frame);
                self.terms.push(node);
                if let Group::Look { behind: true, .. } = frame.group {
                    return if self.at_quantifier()? { Err(SyntaxError) } else { Ok(()) };
                }
            }
            b'*' | b'+' | b'?' => return Err(SyntaxError),
            b'{' => {
                self.at -= 1;
                if self.interval()?.is_some() {
                    return Err(SyntaxError);
                }
                self.at += 1;
                self.push(Node::Unit(unit));
            }
            b'.' => self.push_set(Set::dot()),
            b'[' => {
                let set = self.class()?;
                self.push_set(set);
            }
            b'\\' => {
                if self.escape()? {
                    return Ok(());
                }
            }
            _ => self.push(Node::Unit(unit)),
        }
        self.quantifier()
    }

    /// After `(`: what kind of group it is.
    fn group(&mut self) -> Result<(), SyntaxError> {
        if self.peek_byte(0) != Some(b'?') {
            let index = self.ast.captures + 1;
            self.open(Group::Capture(index));
            return Ok(());
        }
        let (skip, group) = match (self.peek_byte(1), self.peek_byte(2)) {
            (Some(b':'), _) => (2, Group::Plain),
            (Some(b'='), _) => (2, Group::Look { behind: false, negated: false }),
            (Some(b'!'), _) => (2, Group::Look { behind: false, negated: true }),
            (Some(b'<'), Some(b'=')) => (3, Group::Look { behind: true, negated: false }),
            (Some(b'<'), Some(b'!')) => (3, Group::Look { behind: true, negated: true }),
            (Some(b'<'), _) => {
                let (name, next) = name::read(self.units, self.at + 2)?;
                let index = self.ast.captures + 1;
                if self.names.insert(name, index).is_some() {
                    return Err(SyntaxError);
                }
                self.at = next;
                self.open(Group::Capture(index));
                return Ok(());
            }
            _ => return Err(SyntaxError),
        };
        self.at += skip;
        self.open(group);
        Ok(())
    }

    /// After a backslash. True where the term is an assertion, which takes no quantifier.
    fn escape(&mut self) -> Result<bool, SyntaxError> {
        let byte = self.peek_byte(0);
        match byte {
            Some(b @ (b'b' | b'B')) => {
                self.at += 1;
                self.push(Node::WordBoundary { negated: b == b'B' });
                return Ok(true);
            }
            Some(b @ (b'd' | b'D' | b's' | b'S' | b'w' | b'W')) => {
                self.at += 1;
                self.push_set(Set::class_escape(b).finish(false));
                return Ok(false);
            }
            Some(b'1'..=b'9') if self.backreference() => return Ok(false),
            Some(b'k') if self.census().1 => {
                if self.peek_byte(1) != Some(b'<') {
                    return Err(SyntaxError);
                }
                let (name, next) = name::read(self.units, self.at + 2)?;
                self.at = next;
                self.push(Node::Empty);
                self.ast.has_backreference = true;
                if let Some(&id) = self.terms.last() {
                    self.named_references.push((id, name));
                }
                return Ok(false);
            }
            _ => {}
        }
        let (unit, next) = escape::unit(self.units, self.at, false, false)?;
        self.at = next;
        self.push(Node::Unit(unit));
        Ok(false)
    }

    /// `\1` and up, where so many groups exist; otherwise nothing is read.
    fn backreference(&mut self) -> bool {
        let mut index = 0;
        let mut next = self.at;
        while let Some(digit) =
            self.units.get(next).map(|&u| usize::from(u.wrapping_sub(48))).filter(|&d| d < 10)
        {
            index = index * 10 + digit;
            next += 1;
            if index > MAX_GROUP {
                return false;
            }
        }
        if index > self.ast.captures && index > self.census().0 {
            return false;
        }
        self.at = next;
        self.ast.has_backreference = true;
        self.push(Node::Backreference(index));
        true
    }

    /// Number of groups in the whole expression, and whether one is named.
    pub fn census(&mut self) -> (usize, bool) {
        if let Some(census) = self.census {
            return census;
        }
        let byte = |at: usize| self.units.get(at).and_then(|&unit| u8::try_from(unit).ok());
        let (mut groups, mut named, mut in_class, mut at) = (0, false, false, 0);
        while at < self.units.len() {
            match byte(at) {
                Some(b'\\') => at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'(') if !in_class => {
                    let has_name = byte(at + 1) == Some(b'?')
                        && byte(at + 2) == Some(b'<')
                        && !matches!(byte(at + 3), Some(b'=' | b'!'));
                    named |= has_name;
                    groups += usize::from(has_name || byte(at + 1) != Some(b'?'));
                }
                _ => {}
            }
            at += 1;
        }
        self.census = Some((groups, named));
        (groups, named)
    }

    fn at_quantifier(&mut self) -> Result<bool, SyntaxError> {
        Ok(match self.peek_byte(0) {
            Some(b'*' | b'+' | b'?') => true,
            Some(b'{') => self.interval()?.is_some(),
            _ => false,
        })
    }

    /// Wraps the last term in the quantifier that follows, if one does.
    fn quantifier(&mut self) -> Result<(), SyntaxError> {
        let (min, max) = match self.peek_byte(0) {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            Some(b'{') => match self.interval()? {
                Some(bounds) => {
                    self.at -= 1;
                    bounds
                }
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        self.at += 1;
        // Laziness changes which match is found, not whether one is.
        self.at += usize::from(self.peek_byte(0) == Some(b'?'));
        if max.is_some_and(|max| min > max) {
            return Err(SyntaxError);
        }
        let Some(child) = self.terms.pop() else { return Err(SyntaxError) };
        let captures = self.term_captures..self.ast.captures;
        self.push(Node::Repeat { child, min, max, captures });
        Ok(())
    }

    /// Reads `{n}`, `{n,}` or `{n,m}`; where it is none of these nothing is read.
    fn interval(&mut self) -> Result<Option<(u32, Option<u32>)>, SyntaxError> {
        let mut at = self.at + 1;
        let Some(min) = self.number(&mut at) else { return Ok(None) };
        let mut max = Some(min);
        if self.units.get(at) == Some(&u16::from(b',')) {
            at += 1;
            max = self.number(&mut at);
        }
        if self.units.get(at) != Some(&u16::from(b'}')) {
            return Ok(None);
        }
        if max.is_some_and(|max| min > max) {
            return Err(SyntaxError);
        }
        self.at = at + 1;
        // The largest number stands for infinity.
        Ok(Some((min, max.filter(|&max| max < i32::MAX.unsigned_abs()))))
    }

    fn number(&self, at: &mut usize) -> Option<u32> {
        let begin = *at;
        let mut value = 0u32;
        while let Some(digit) =
            self.units.get(*at).map(|&u| u32::from(u.wrapping_sub(48))).filter(|&d| d < 10)
        {
            value = value.saturating_mul(10).saturating_add(digit).min(i32::MAX.unsigned_abs());
            *at += 1;
        }
        (*at > begin).then_some(value)
    }
}
