//! From the typed tree to values: aliases are followed, keys become text.

use std::collections::HashMap;
use std::sync::Arc;

use super::flow_text;
use super::resolve::{Body, Typed, TypedPair};
use super::value::{Opaque, Value};
use super::{ConvertError, MAX_DEPTH};
use crate::corpus::js_number;

/// What the uses of an anchor times its weight must not exceed.
const MAX_ALIAS_COUNT: usize = 100;
/// How many nodes are looked at to find weights; only a document that is built to waste time needs more.
const MAX_WEIGHT_STEPS: usize = 1_000_000;

/// Builds the value of `root`.
pub(super) fn construct(root: &Typed) -> Result<Value, ConvertError> {
    Constructor { anchors: HashMap::new(), weight_steps: 0, merge_depth: 0 }.value(root)
}

struct Anchor<'n> {
    node: &'n Typed,
    /// One more than the aliases met so far.
    count: usize,
    weight: usize,
    /// Nothing while the node is being built.
    value: Option<Value>,
}

struct Constructor<'n> {
    anchors: HashMap<usize, Anchor<'n>>,
    weight_steps: usize,
    merge_depth: usize,
}

/// The entries of a map, in order of first mention.
#[derive(Default)]
struct Entries {
    list: Vec<(Arc<str>, Value)>,
    index: HashMap<Arc<str>, usize>,
}

impl Entries {
    fn set(&mut self, key: Arc<str>, value: Value) {
        if let Some(entry) = self.index.get(&key).and_then(|i| self.list.get_mut(*i)) {
            entry.1 = value;
        } else {
            self.index.insert(Arc::clone(&key), self.list.len());
            self.list.push((key, value));
        }
    }

    fn contains(&self, key: &str) -> bool {
        self.index.contains_key(key)
    }
}

impl<'n> Constructor<'n> {
    fn value(&mut self, node: &'n Typed) -> Result<Value, ConvertError> {
        if let Some(id) = node.anchor {
            self.anchors.insert(id, Anchor { node, count: 1, weight: 0, value: None });
        }
        let value = match &node.body {
            Body::Scalar { value, .. } => value.clone(),
            Body::Merge => Value::Opaque(Opaque::Symbol),
            Body::Alias { name, target } => self.alias(name, *target)?,
            Body::Seq(items) => {
                let items: Vec<Value> = items.iter().map(|n| self.value(n)).collect::<Result<_, _>>()?;
                Value::Seq(items.into())
            }
            Body::Map(pairs) => self.map(pairs)?,
            Body::Set(pairs) => {
                for pair in pairs {
                    self.value(&pair.key)?;
                }
                Value::Opaque(Opaque::Set)
            }
            Body::OrderedMap(pairs) => {
                for pair in pairs {
                    self.value(&pair.key)?;
                    pair.value.as_ref().map(|v| self.value(v)).transpose()?;
                }
                Value::Opaque(Opaque::OrderedMap)
            }
            Body::Pairs(pairs) => {
                let one = |pair| self.map(std::slice::from_ref(pair));
                let items: Vec<Value> = pairs.iter().map(one).collect::<Result<_, _>>()?;
                Value::Seq(items.into())
            }
        };
        if let Some(anchor) = node.anchor.and_then(|id| self.anchors.get_mut(&id)) {
            anchor.value = Some(value.clone());
        }
        Ok(value)
    }

    fn map(&mut self, pairs: &'n [TypedPair]) -> Result<Value, ConvertError> {
        let mut entries = Entries::default();
        for pair in pairs {
            if matches!(pair.key.body, Body::Merge) {
                let sources = pair.value.as_ref().ok_or(ConvertError::BadMerge)?;
                self.merge(&mut entries, sources)?;
                continue;
            }
            let key = self.value(&pair.key)?;
            let key = key_text(&pair.key, &key);
            let value = match &pair.value {
                Some(value) => self.value(value)?,
                None => Value::Null,
            };
            entries.set(key, value);
        }
        Ok(Value::Map(entries.list.into()))
    }

    /// The node that an alias means, else the node itself.
    fn target(&self, node: &'n Typed) -> Option<&'n Typed> {
        match &node.body {
            Body::Alias { target, .. } => Some(self.anchors.get(target.as_ref()?)?.node),
            _ => Some(node),
        }
    }

    fn merge(&mut self, entries: &mut Entries, sources: &'n Typed) -> Result<(), ConvertError> {
        let sources = self.target(sources).ok_or(ConvertError::BadMerge)?;
        let list = match &sources.body {
            Body::Seq(items) => items.as_slice(),
            _ => std::slice::from_ref(sources),
        };
        self.merge_depth += 1;
        if self.merge_depth > MAX_DEPTH {
            return Err(ConvertError::BadMerge);
        }
        for source in list {
            let Some(Body::Map(pairs)) = self.target(source).map(|n| &n.body) else {
                return Err(ConvertError::BadMerge);
            };
            if let Value::Map(merged) = self.map(pairs)? {
                for (key, value) in merged.iter() {
                    if !entries.contains(key) {
                        entries.set(Arc::clone(key), value.clone());
                    }
                }
            }
        }
        self.merge_depth -= 1;
        Ok(())
    }

    fn alias(&mut self, name: &str, target: Option<usize>) -> Result<Value, ConvertError> {
        let unresolved = || ConvertError::UnresolvedAlias(name.to_owned());
        let id = target.ok_or_else(unresolved)?;
        let anchor = self.anchors.get_mut(&id).ok_or_else(unresolved)?;
        anchor.count += 1;
        let node = anchor.node;
        if anchor.weight == 0 {
            let weight = self.weight(node).ok_or(ConvertError::TooManyAliases)?;
            if let Some(anchor) = self.anchors.get_mut(&id) {
                anchor.weight = weight;
            }
        }
        let anchor = self.anchors.get(&id).ok_or_else(unresolved)?;
        if anchor.count.saturating_mul(anchor.weight) > MAX_ALIAS_COUNT {
            return Err(ConvertError::TooManyAliases);
        }
        Ok(anchor.value.clone().unwrap_or(match node.body {
            Body::Seq(_) | Body::Pairs(_) => Value::Opaque(Opaque::EnclosingSeq),
            _ => Value::Opaque(Opaque::EnclosingMap),
        }))
    }

    /// How many aliases deep a node is, multiplied out; nothing where that takes too long to find.
    fn weight(&mut self, node: &Typed) -> Option<usize> {
        self.weight_steps += 1;
        if self.weight_steps > MAX_WEIGHT_STEPS {
            return None;
        }
        match &node.body {
            Body::Scalar { .. } | Body::Merge => Some(1),
            Body::Alias { target, .. } => {
                let anchor = target.as_ref().and_then(|id| self.anchors.get(id));
                Some(anchor.map_or(0, |a| a.count.saturating_mul(a.weight)))
            }
            Body::Seq(items) => {
                let mut max = 0;
                for item in items {
                    max = max.max(self.weight(item)?);
                }
                Some(max)
            }
            Body::Map(pairs) | Body::Set(pairs) | Body::OrderedMap(pairs) | Body::Pairs(pairs) => {
                let mut max = 0;
                for pair in pairs {
                    max = max.max(self.weight(&pair.key)?);
                    max = max.max(pair.value.as_ref().map_or(Some(1), |v| self.weight(v))?);
                }
                Some(max)
            }
        }
    }
}

fn key_text(node: &Typed, value: &Value) -> Arc<str> {
    match value {
        Value::Null => "".into(),
        Value::Bool(b) => if *b { "true" } else { "false" }.into(),
        Value::Number(n) => js_number::to_text(*n).into(),
        Value::String(s) => Arc::clone(s),
        _ => flow_text::of(node).into(),
    }
}
