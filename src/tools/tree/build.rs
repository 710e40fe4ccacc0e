//! Makes a tree of whatever serializes, without text in between.

use std::fmt::Display;

use serde::Serialize;
use serde::de::value::Error;
use serde::ser::{
    Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};
use serde_json::Number;

use super::{Key, Tree};

/// Variants with content, and bytes, are in no report.
const NO_JSON: &str = "not in a report";

pub(super) struct Build;

macro_rules! numbers {
    ($($method:ident: $number:ty),*) => {
        $(fn $method(self, n: $number) -> Result<Tree, Error> {
            Ok(Tree::Number(n.into()))
        })*
    };
}

impl Serializer for Build {
    type Ok = Tree;
    type Error = Error;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = Impossible<Tree, Error>;
    type SerializeTupleVariant = Impossible<Tree, Error>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Impossible<Tree, Error>;

    numbers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    fn serialize_f32(self, n: f32) -> Result<Tree, Error> {
        self.serialize_f64(n.into())
    }

    fn serialize_f64(self, n: f64) -> Result<Tree, Error> {
        Ok(Number::from_f64(n).map_or(Tree::Null, Tree::Number))
    }

    fn serialize_bool(self, b: bool) -> Result<Tree, Error> {
        Ok(Tree::Bool(b))
    }

    fn serialize_char(self, c: char) -> Result<Tree, Error> {
        Ok(Tree::Text(c.into()))
    }

    fn serialize_str(self, text: &str) -> Result<Tree, Error> {
        Ok(text.into())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Tree, Error> {
        Err(Error::custom(NO_JSON))
    }

    fn serialize_none(self) -> Result<Tree, Error> {
        Ok(Tree::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Tree, Error> {
        Ok(Tree::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Tree, Error> {
        Ok(Tree::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Tree, Error> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Tree, Error> {
        Err(Error::custom(NO_JSON))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<List, Error> {
        Ok(List(Vec::with_capacity(len.unwrap_or_default())))
    }

    fn serialize_tuple(self, len: usize) -> Result<List, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(Error::custom(NO_JSON))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error::custom(NO_JSON))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Entries, Error> {
        Ok(Entries { entries: Vec::with_capacity(len.unwrap_or_default()), key: Key::default() })
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Entries, Error> {
        self.serialize_map(Some(len))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(Error::custom(NO_JSON))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<Tree, Error> {
        Ok(Tree::Text(value.to_string()))
    }
}

pub(super) struct List(Vec<Tree>);

impl SerializeSeq for List {
    type Ok = Tree;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.0.push(value.serialize(Build)?);
        Ok(())
    }

    fn end(self) -> Result<Tree, Error> {
        Ok(Tree::List(self.0))
    }
}

impl SerializeTuple for List {
    type Ok = Tree;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Tree, Error> {
        SerializeSeq::end(self)
    }
}

pub(super) struct Entries {
    entries: Vec<(Key, Tree)>,
    /// Of the value to come, in a map.
    key: Key,
}

impl SerializeMap for Entries {
    type Ok = Tree;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let Tree::Text(key) = key.serialize(Build)? else { return Err(Error::custom(NO_JSON)) };
        self.key = key.into();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.entries.push((key, value.serialize(Build)?));
        Ok(())
    }

    fn end(self) -> Result<Tree, Error> {
        Ok(Tree::Object(self.entries))
    }
}

impl SerializeStruct for Entries {
    type Ok = Tree;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.entries.push((key.into(), value.serialize(Build)?));
        Ok(())
    }

    fn end(self) -> Result<Tree, Error> {
        SerializeMap::end(self)
    }
}
