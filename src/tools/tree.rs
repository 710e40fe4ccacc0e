//! JSON in memory that keeps the order of its keys, so that a report reads as the `adr` command prints it.

use std::fmt;
use std::io::{self, Write};

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// What `value` is in JSON; none where it has no JSON, as a map whose keys are no strings.
    pub(super) fn of(value: &impl Serialize) -> Option<Self> {
        serde_json::from_str(&serde_json::to_string(value).ok()?).ok()
    }

    /// How long it is as compact JSON, in bytes.
    pub(super) fn json_len(&self) -> usize {
        let mut bytes = Count(0);
        // Neither this type nor that writer ever fails.
        let _ = serde_json::to_writer(&mut bytes, self);
        bytes.0
    }

    pub(super) fn entries_mut(&mut self) -> Option<&mut Vec<(String, Self)>> {
        match self {
            Self::Object(entries) => Some(entries),
            _ => None,
        }
    }

    pub(super) fn list_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The value at the end of a way of keys.
    pub(super) fn at_mut(&mut self, way: &[&str]) -> Option<&mut Self> {
        way.iter().try_fold(self, |tree, key| {
            tree.entries_mut()?.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v)
        })
    }
}

impl From<usize> for Tree {
    fn from(n: usize) -> Self {
        Self::Number(n.into())
    }
}

impl From<&str> for Tree {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => s.serialize_unit(),
            Self::Bool(b) => s.serialize_bool(*b),
            Self::Number(n) => n.serialize(s),
            Self::Text(text) => s.serialize_str(text),
            Self::List(items) => s.collect_seq(items),
            Self::Object(entries) => s.collect_map(entries.iter().map(|(k, v)| (k, v))),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(Build)
    }
}

struct Build;

impl<'de> Visitor<'de> for Build {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(b))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Tree, E> {
        Ok(Tree::Number(n.into()))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Tree, E> {
        Ok(Tree::Number(n.into()))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(n).map_or(Tree::Null, Tree::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Tree, E> {
        Ok(Tree::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Object(entries))
    }
}

struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_every_kind_of_value() {
        let json = r#"{"z":null,"a":[true,-1,18446744073709551615,0.5,"\u0001\"\\é😀\u2028",[],{}],"m":{"z":1,"a":2}}"#;
        let tree: Tree = serde_json::from_str(json).unwrap();
        let back = serde_json::to_string(&tree).unwrap();
        assert_eq!(back, json.replace("\\u2028", "\u{2028}"));
        assert_eq!(tree.json_len(), back.len());
        assert_eq!(Tree::of(&tree), Some(tree));
    }

    #[test]
    fn finds_by_way() {
        let mut tree: Tree = serde_json::from_str(r#"{"a":{"b":[1]}}"#).unwrap();
        assert_eq!(tree.at_mut(&["a", "b"]).and_then(Tree::list_mut).map(|l| l.len()), Some(1));
        assert_eq!(tree.at_mut(&["a", "c"]), None);
        assert_eq!(tree.at_mut(&["a", "b", "c"]), None);
        assert!(tree.at_mut(&[]).is_some());
    }
}
