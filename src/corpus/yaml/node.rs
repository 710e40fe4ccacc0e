//! The syntax tree: what is written, before tags and plain scalars are given a type.

/// Where and how a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Block,
}

/// A node with its anchor and tag.
#[derive(Debug)]
pub(super) struct Node {
    /// The byte offset in the source.
    pub at: usize,
    /// The anchor's name.
    pub anchor: Option<String>,
    /// The tag as written, such as `!!str`.
    pub tag: Option<String>,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// Text; an absent node is an empty plain scalar.
    Scalar {
        text: String,
        style: Style,
    },
    /// The name of an anchor.
    Alias(String),
    Seq {
        items: Vec<Node>,
    },
    Map {
        pairs: Vec<Pair>,
    },
}

/// A key and its value; without a `:` there is no value.
#[derive(Debug)]
pub(super) struct Pair {
    pub key: Node,
    pub value: Option<Node>,
}
