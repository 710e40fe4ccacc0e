//! The tree of a regular expression, in an arena.

use std::ops::Range;

use super::set::Set;

/// Where a [`Node`] stands in its [`Ast`].
pub type NodeId = usize;

/// A piece of a regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// Matches the empty string.
    Empty,
    /// One code unit.
    Unit(u16),
    /// One code unit of a set, one of [`Ast::sets`].
    Set(usize),
    /// `^`
    Start,
    /// `$`
    End,
    /// `\b`, or `\B` when negated.
    WordBoundary { negated: bool },
    /// One after the other: a range of [`Ast::children`].
    Concat(Range<usize>),
    /// One of several: a range of [`Ast::children`].
    Alternation(Range<usize>),
    /// Between `min` and `max` times (no `max`: any number).
    Repeat { child: NodeId, min: u32, max: Option<u32>, captures: Range<usize> },
    /// A capture group, numbered from 1.
    Capture { child: NodeId, index: usize },
    /// A lookahead or lookbehind.
    Look { child: NodeId, behind: bool, negated: bool },
    /// What a capture group holds.
    Backreference(usize),
}

/// A regular expression.
#[derive(Debug, Clone, Default)]
pub struct Ast {
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    /// The sets.
    pub sets: Vec<Set>,
    /// The whole expression.
    pub root: NodeId,
    /// How many capture groups there are.
    pub captures: usize,
    /// Whether a [`Node::Backreference`] occurs.
    pub has_backreference: bool,
}

impl Ast {
    /// Adds a node.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds the node of a set.
    pub fn add_set(&mut self, set: Set) -> NodeId {
        // Expressions repeat few sets; looking at the latest finds most of them.
        let back = self.sets.iter().rev().take(4).position(|known| *known == set);
        let index = back.map_or(self.sets.len(), |back| self.sets.len() - 1 - back);
        if back.is_none() {
            self.sets.push(set);
        }
        self.add(Node::Set(index))
    }

    /// Adds a list of children, the last `from..` of `stack`, and takes them off it.
    pub fn add_children(&mut self, stack: &mut Vec<NodeId>, from: usize) -> Range<usize> {
        let begin = self.children.len();
        self.children.extend(stack.drain(from..));
        begin..self.children.len()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node at `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The children of a [`Node::Concat`] or [`Node::Alternation`].
    pub fn children(&self, range: &Range<usize>) -> &[NodeId] {
        &self.children[range.clone()]
    }

    /// Replaces a node.
    pub fn replace(&mut self, id: NodeId, node: Node) {
        self.nodes[id] = node;
    }
}
