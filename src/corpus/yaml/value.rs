//! What YAML becomes: the values that JavaScript code would see.

use std::sync::Arc;

/// A value. Aliases share their anchor's value, so cloning is cheap.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number, integers too.
    Number(f64),
    /// Text.
    String(Arc<str>),
    /// A list.
    Seq(Arc<[Value]>),
    /// Keys, each once, in the order in which they were first written.
    Map(Arc<[(Arc<str>, Value)]>),
    /// Something that no JSON text stands for.
    Opaque(Opaque),
}

/// Why a [`Value`] is opaque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opaque {
    /// `!!timestamp`, or a plain date under `%YAML 1.1`.
    Date,
    /// `!!binary`; its bytes are not kept.
    Bytes,
    /// `!!set`.
    Set,
    /// `!!omap`.
    OrderedMap,
    /// `!!merge` where it merges nothing.
    Symbol,
    /// A list that contains the place where this stands.
    EnclosingSeq,
    /// A map that contains the place where this stands.
    EnclosingMap,
}

impl Value {
    /// The text, where it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(s) => Some(s),
            _ => None,
        }
    }

    /// The items, where it is a list.
    #[must_use]
    pub fn as_seq(&self) -> Option<&[Value]> {
        match self {
            Self::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, where it is a map.
    #[must_use]
    pub fn as_map(&self) -> Option<&[(Arc<str>, Value)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value under `key`, where it is a map that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.iter().find(|(k, _)| &**k == key).map(|(_, v)| v)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::String(s.into())
    }
}
