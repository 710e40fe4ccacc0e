//! A small language for the shape of front matter. [`super::fields`] is written in it, [`super::validate`] reads it.

use super::grammar::Form;

/// The shape of a value.
#[derive(Debug)]
pub(super) enum Type {
    /// Any text.
    Text,
    /// Text of so many UTF-16 units.
    Sized { min: usize, max: Option<usize> },
    /// Text of a form.
    Formed(Form),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Bool,
    /// A finite number.
    Number { min: f64, max: f64 },
    /// A whole number that JavaScript can tell from its neighbours.
    Integer { min: f64 },
    /// A list, perhaps one where no item may occur twice.
    List { items: &'static Type, unique: bool },
    /// A map with these keys and no others.
    Object(&'static [Field]),
    /// A map of any keys to values of one type.
    Record(&'static Type),
}

/// A key of an [`Type::Object`].
#[derive(Debug)]
pub(super) struct Field {
    pub name: &'static str,
    pub shape: &'static Type,
    pub absence: Absence,
}

/// What it means that a key is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absence {
    /// It is an error.
    Error,
    /// Nothing.
    Fine,
    /// The value is this word.
    Word(&'static str),
    /// The value is `false`.
    False,
    /// The value is an empty list.
    EmptyList,
}

pub(super) const fn required(name: &'static str, shape: &'static Type) -> Field {
    Field { name, shape, absence: Absence::Error }
}

pub(super) const fn optional(name: &'static str, shape: &'static Type) -> Field {
    Field { name, shape, absence: Absence::Fine }
}

pub(super) const fn word(name: &'static str, shape: &'static Type, default: &'static str) -> Field {
    Field { name, shape, absence: Absence::Word(default) }
}

pub(super) const fn flag(name: &'static str) -> Field {
    Field { name, shape: &Type::Bool, absence: Absence::False }
}

/// A list that is empty where it is missing.
pub(super) const fn list(name: &'static str, shape: &'static Type) -> Field {
    Field { name, shape, absence: Absence::EmptyList }
}
