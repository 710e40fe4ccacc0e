//! The few parts of a JSON text that matter, read without building the rest.
//!
//! An edit's arguments hold whole files. What is not asked for is skipped: it costs no memory, and its nesting no stack.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A string, or nothing where another value stands.
#[derive(Default)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Some(text.into())))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Some(text.to_owned().into())))
    }

    fn visit_unit<E>(self) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Text(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text(None))
    }
}

/// Hands over the strings of the array that `json` holds, until `found` breaks or the text is no JSON any more.
pub(super) fn strings(json: &str, found: &mut dyn FnMut(&str) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    let visitor = StringsVisitor { found, flow: &mut flow };
    // A text that goes wrong halfway has named what it has named.
    let _ = serde_json::Deserializer::from_str(json).deserialize_seq(visitor);
    flow
}

struct StringsVisitor<'a> {
    found: &'a mut dyn FnMut(&str) -> ControlFlow<()>,
    flow: &'a mut ControlFlow<()>,
}

impl<'de> Visitor<'de> for StringsVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(Text(text)) = seq.next_element()? {
            if let Some(text) = text {
                *self.flow = (self.found)(&text);
                if self.flow.is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}
