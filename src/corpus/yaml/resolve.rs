//! Gives the syntax tree its types: tags, plain scalars, unique keys, and which anchor an alias means.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::node::{Content, Node, Pair, Style};
use super::tags::{Directives, Tag};
use super::value::Value;
use super::{SyntaxError, schema};

/// A node with its type.
#[derive(Debug)]
pub(super) struct Typed {
    /// The number of its anchor.
    pub anchor: Option<usize>,
    /// The anchor and the tag as written, for keys that are collections.
    pub anchor_name: Option<String>,
    pub tag: Option<String>,
    pub body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    Scalar {
        value: Value,
        style: Style,
        /// The text, where the value is not text.
        source: Option<String>,
    },
    /// A `<<` that merges maps (YAML 1.1).
    Merge,
    Alias {
        name: String,
        /// The anchor of that name that was last set.
        target: Option<usize>,
    },
    Seq(Vec<Typed>),
    Map(Vec<TypedPair>),
    Set(Vec<TypedPair>),
    OrderedMap(Vec<TypedPair>),
    Pairs(Vec<TypedPair>),
}

#[derive(Debug)]
pub(super) struct TypedPair {
    pub key: Typed,
    pub value: Option<Typed>,
}

/// Types the tree under `root`.
pub(super) fn resolve(root: Node, directives: &Directives) -> Result<Typed, SyntaxError> {
    Resolver { directives, anchors: HashMap::new(), anchor_count: 0 }.node(root, false)
}

struct Resolver<'d> {
    directives: &'d Directives,
    anchors: HashMap<String, usize>,
    anchor_count: usize,
}

/// A key that another can be equal to.
#[derive(PartialEq, Eq, Hash)]
enum KeyId {
    Null,
    Bool(bool),
    Number(u64),
    Text(Arc<str>),
}

fn key_id(key: &Typed) -> Option<KeyId> {
    let Body::Scalar { value, .. } = &key.body else { return None };
    match value {
        Value::Null => Some(KeyId::Null),
        Value::Bool(b) => Some(KeyId::Bool(*b)),
        // 0 and -0 are equal, and nothing equals NaN.
        Value::Number(n) if n.is_nan() => None,
        Value::Number(n) => Some(KeyId::Number((n + 0.0).to_bits())),
        Value::String(s) => Some(KeyId::Text(Arc::clone(s))),
        _ => None,
    }
}

impl Resolver<'_> {
    fn node(&mut self, node: Node, is_key: bool) -> Result<Typed, SyntaxError> {
        let at = node.at;
        let tag = match &node.tag {
            Some(tag) => self.directives.resolve(tag).map_err(|m| SyntaxError::new(at, m))?,
            None => None,
        };
        let anchor = node.anchor.as_ref().map(|name| {
            let id = self.anchor_count;
            self.anchor_count += 1;
            self.anchors.insert(name.clone(), id);
            id
        });
        let body = match node.content {
            Content::Scalar { text, style } => self.scalar(text, style, tag, is_key, at)?,
            Content::Alias(name) => {
                let target = self.anchors.get(&name).copied();
                Body::Alias { name, target }
            }
            Content::Seq { items } => {
                let items = items.into_iter().map(|n| self.node(n, false)).collect::<Result<_, _>>()?;
                match tag {
                    Some(Tag::OrderedMap) => {
                        let pairs = to_pairs(items, at)?;
                        if !are_unique(&pairs) {
                            return Err(SyntaxError::new(at, "the keys of an ordered map must be unique"));
                        }
                        Body::OrderedMap(pairs)
                    }
                    Some(Tag::Pairs) => Body::Pairs(to_pairs(items, at)?),
                    _ => Body::Seq(items),
                }
            }
            Content::Map { pairs } => {
                let pairs = pairs.into_iter().map(|p| self.pair(p)).collect::<Result<Vec<_>, _>>()?;
                if !are_unique(&pairs) {
                    return Err(SyntaxError::new(at, "the keys of a map must be unique"));
                }
                if tag == Some(Tag::Set) {
                    if !pairs.iter().all(|p| p.value.as_ref().is_none_or(is_plain_null)) {
                        return Err(SyntaxError::new(at, "the entries of a set can have no value"));
                    }
                    Body::Set(pairs)
                } else {
                    Body::Map(pairs)
                }
            }
        };
        Ok(Typed { anchor, anchor_name: node.anchor, tag: node.tag, body })
    }

    fn pair(&mut self, pair: Pair) -> Result<TypedPair, SyntaxError> {
        let key = self.node(pair.key, true)?;
        let value = pair.value.map(|v| self.node(v, false)).transpose()?;
        Ok(TypedPair { key, value })
    }

    fn scalar(
        &self,
        text: String,
        style: Style,
        tag: Option<Tag>,
        is_key: bool,
        at: usize,
    ) -> Result<Body, SyntaxError> {
        let is_1_1 = self.directives.is_1_1;
        let is_merge = match tag {
            None => is_1_1 && is_key && style == Style::Plain && text == "<<",
            Some(tag) => tag == Tag::Merge && (!is_1_1 || text == "<<"),
        };
        if is_merge {
            return Ok(Body::Merge);
        }
        let value = match tag {
            None if style == Style::Plain => schema::plain(&text, is_1_1),
            None => Value::String(text.as_str().into()),
            Some(tag) => schema::tagged(&text, tag, is_1_1).map_err(|m| SyntaxError::new(at, m))?,
        };
        let source = (!matches!(value, Value::String(_))).then_some(text);
        Ok(Body::Scalar { value, style, source })
    }
}

fn are_unique(pairs: &[TypedPair]) -> bool {
    let mut seen = HashSet::with_capacity(pairs.len());
    pairs.iter().filter_map(|p| key_id(&p.key)).all(|id| seen.insert(id))
}

fn is_plain_null(node: &Typed) -> bool {
    matches!(&node.body, Body::Scalar { value: Value::Null, .. })
        && node.tag.is_none()
        && node.anchor.is_none()
}

/// The items of `!!omap` and `!!pairs`: maps of one entry, or lone keys.
fn to_pairs(items: Vec<Typed>, at: usize) -> Result<Vec<TypedPair>, SyntaxError> {
    items
        .into_iter()
        .map(|item| match item.body {
            Body::Map(pairs) if pairs.len() > 1 => {
                Err(SyntaxError::new(at, "each pair needs an item of its own"))
            }
            Body::Map(pairs) => Ok(pairs.into_iter().next().unwrap_or_else(|| {
                let body = Body::Scalar { value: Value::Null, style: Style::Plain, source: None };
                let key = Typed { anchor: None, anchor_name: None, tag: None, body };
                TypedPair { key, value: None }
            })),
            body => Ok(TypedPair { key: Typed { body, ..item }, value: None }),
        })
        .collect()
}
