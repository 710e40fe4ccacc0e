//! JSON in memory that keeps the order of its keys, so that a report reads as the `adr` command prints it.

mod build;

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Number;

use self::build::Build;

/// The name of a value in an object. Nearly all are written in the source.
pub(super) type Key = Cow<'static, str>;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Tree>),
    Object(Vec<(Key, Tree)>),
}

impl Tree {
    /// What `value` is in JSON; none where it has no JSON, as a map whose keys are no strings.
    pub(super) fn of(value: &impl Serialize) -> Option<Self> {
        value.serialize(Build).ok()
    }

    /// How long it is as compact JSON, in bytes.
    pub(super) fn json_len(&self) -> usize {
        self.json_len_within(usize::MAX).unwrap_or(usize::MAX)
    }

    /// The same if it is at most `most`; what is beyond is not looked at.
    pub(super) fn json_len_within(&self, most: usize) -> Option<usize> {
        let mut left = most;
        self.take_len(&mut left)?;
        Some(most - left)
    }

    /// Takes its length from what is `left`; none where that is too little.
    fn take_len(&self, left: &mut usize) -> Option<()> {
        match self {
            Self::Null => take(left, "null".len()),
            Self::Bool(b) => take(left, if *b { "true" } else { "false" }.len()),
            Self::Number(n) => take(left, n.to_string().len()),
            Self::Text(text) => take(left, text_len(text)),
            Self::List(items) => {
                take(left, enclosing_len(items.len()))?;
                items.iter().try_for_each(|item| item.take_len(left))
            }
            Self::Object(entries) => {
                take(left, enclosing_len(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| {
                    take(left, text_len(key) + ":".len())?;
                    value.take_len(left)
                })
            }
        }
    }

    pub(super) fn entries_mut(&mut self) -> Option<&mut Vec<(Key, Self)>> {
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

fn take(left: &mut usize, len: usize) -> Option<()> {
    *left = left.checked_sub(len)?;
    Some(())
}

/// The brackets around so many entries, and the commas between.
fn enclosing_len(count: usize) -> usize {
    "[]".len() + count.saturating_sub(1)
}

/// The quotes, and the text as JSON writes it.
fn text_len(text: &str) -> usize {
    "\"\"".len() + text.bytes().map(|byte| BYTE_LEN[usize::from(byte)]).sum::<usize>()
}

/// How long each byte of a text is in JSON. A table, since a report has hundreds of kilobytes.
const BYTE_LEN: [usize; 256] = {
    let mut lens = [1; 256];
    let mut at = 0;
    while at < 0x20 {
        lens[at] = r"\u0000".len();
        at += 1;
    }
    let short = b"\"\\\n\r\t\x08\x0C";
    at = 0;
    while at < short.len() {
        lens[short[at] as usize] = r"\n".len();
        at += 1;
    }
    lens
};

#[cfg(test)]
mod tests {
    use std::fmt;

    use proptest::prelude::*;
    use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

    use super::*;

    impl<'de> Deserialize<'de> for Tree {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            d.deserialize_any(Read)
        }
    }

    struct Read;

    impl<'de> Visitor<'de> for Read {
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

    #[test]
    fn keeps_order_and_every_kind_of_value() {
        let json = r#"{"z":null,"a":[true,-1,18446744073709551615,0.5,"\u0001\"\\é😀\u2028",[],{}],"m":{"z":1,"a":2}}"#;
        let tree: Tree = serde_json::from_str(json).unwrap();
        let back = serde_json::to_string(&tree).unwrap();
        assert_eq!(back, json.replace("\\u2028", "\u{2028}"));
        assert_eq!(tree.json_len(), back.len());
        assert_eq!(Tree::of(&tree), Some(tree));
    }

    proptest! {
        #[test]
        fn the_length_is_that_of_the_json(text in any::<String>(), n in any::<i64>(), real in any::<f64>()) {
            let value = serde_json::json!({ text.clone(): [n, real, true, false, null, text], "none": [], "b": {} });
            let tree = Tree::of(&value).unwrap();
            let len = value.to_string().len();
            prop_assert_eq!(tree.json_len(), len);
            prop_assert_eq!(tree.json_len_within(len), Some(len));
            prop_assert_eq!(tree.json_len_within(len - 1), None);
            prop_assert_eq!(serde_json::to_value(&tree).unwrap(), value);
        }
    }

    #[test]
    fn every_ascii_character_has_its_length() {
        for c in '\0'..='\u{7F}' {
            let tree = Tree::Text(c.into());
            assert_eq!(tree.json_len(), serde_json::to_string(&tree).unwrap().len(), "{c:?}");
        }
    }

    #[test]
    fn what_has_no_json_gives_none() {
        assert_eq!(Tree::of(&std::collections::BTreeMap::from([((), 1)])), None);
        assert_eq!(Tree::of(&[Some('a'), None]).map(|t| t.json_len()), Some(r#"["a",null]"#.len()));
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
