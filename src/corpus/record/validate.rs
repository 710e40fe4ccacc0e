//! Checks a value against a [`Type`]: all issues are found, and the value is rebuilt with its defaults.

use std::collections::HashSet;
use std::sync::Arc;

use super::grammar::Form;
use super::schema::{Absence, Field, Type};
use crate::corpus::js_number;
use crate::corpus::package::is_js_space;
use crate::corpus::yaml::{Opaque, Value};
use crate::text::len_code_units;

/// JavaScript's greatest exact integer.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// A kind of [`Issue`], which is also the rule of its finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IssueKind {
    Required,
    WrongType,
    NotInEnum,
    Format,
    Size,
    UnknownKey,
    NotUnique,
}

impl IssueKind {
    pub fn rule(self) -> &'static str {
        match self {
            Self::Required => "required-field",
            Self::WrongType => "invalid-type",
            Self::NotInEnum => "invalid-enum-value",
            Self::Format => "invalid-format",
            Self::Size => "invalid-size",
            Self::UnknownKey => "strict-unknown-key",
            Self::NotUnique => "unique-items",
        }
    }

    /// Is the record's shape broken, so that rules across its fields cannot be evaluated?
    pub fn breaks_shape(self) -> bool {
        matches!(self, Self::Required | Self::WrongType | Self::NotInEnum | Self::UnknownKey)
    }
}

/// Something that is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Issue {
    pub kind: IssueKind,
    /// The dotted path; nothing for the root.
    pub field: Option<String>,
    pub message: String,
}

/// Checks `value`. The result holds for fields without issues; a value whose shape is wrong is left as it is.
pub(super) fn validate(shape: &Type, value: &Value) -> (Value, Vec<Issue>) {
    let mut validator = Validator { path: Vec::new(), issues: Vec::new() };
    let value = validator.value(shape, value);
    (value, validator.issues)
}

struct Validator {
    path: Vec<Arc<str>>,
    issues: Vec<Issue>,
}

impl Validator {
    fn add(&mut self, kind: IssueKind, message: impl Into<String>) {
        let field = (!self.path.is_empty()).then(|| self.path.join("."));
        self.issues.push(Issue { kind, field, message: message.into() });
    }

    fn wrong_type(&mut self, expected: &str) {
        let name = self.name();
        self.add(IssueKind::WrongType, format!("{name} must be {expected}"));
    }

    /// The field in the words of a message: keys of the record's own are not repeated there.
    fn name(&self) -> String {
        match self.path.iter().rev().find(|s| s.parse::<usize>().is_err()) {
            None => "the front matter".to_owned(),
            Some(name) if self.path.last() == Some(name) => name.to_string(),
            Some(name) => format!("each item of {name}"),
        }
    }

    fn within<T>(&mut self, segment: Arc<str>, check: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(segment);
        let out = check(self);
        self.path.pop();
        out
    }

    fn value(&mut self, shape: &Type, value: &Value) -> Value {
        match shape {
            Type::Text => self.text(value, |_, _| None),
            Type::Sized { min, max } => self.sized(*min, *max, value),
            Type::Formed(form) => self.text(value, |this, text| this.formed(*form, text)),
            Type::OneOf(words) => {
                if !value.as_str().is_some_and(|s| words.contains(&s)) {
                    self.not_in_enum(words);
                }
                value.clone()
            }
            Type::Bool => {
                if !matches!(value, Value::Bool(_)) {
                    self.wrong_type("true or false");
                }
                value.clone()
            }
            Type::Number { min, max } => {
                match finite(value) {
                    None => self.wrong_type("a number"),
                    Some(n) if n < *min || n > *max => {
                        let message = format!("{} must be from {min} to {max}", self.name());
                        self.add(IssueKind::Size, message);
                    }
                    Some(_) => {}
                }
                value.clone()
            }
            Type::Integer { min } => {
                self.integer(*min, value);
                value.clone()
            }
            Type::List { items, unique } => self.list(items, *unique, value),
            Type::Object(fields) => self.object(fields, value),
            Type::Record(values) => self.record(values, value),
        }
    }

    fn not_in_enum(&mut self, words: &[&str]) {
        let message = format!("{} must be one of {}", self.name(), words.join(", "));
        self.add(IssueKind::NotInEnum, message);
    }

    fn text(&mut self, value: &Value, check: impl FnOnce(&mut Self, &str) -> Option<Value>) -> Value {
        let Some(text) = value.as_str() else {
            self.wrong_type("text (quote it)");
            return value.clone();
        };
        check(self, text).unwrap_or_else(|| value.clone())
    }

    fn formed(&mut self, form: Form, text: &str) -> Option<Value> {
        if !form.accepts(text) {
            let message = format!("{} must be {}", self.name(), form.description());
            self.add(IssueKind::Format, message);
        }
        (form == Form::Url).then(|| text.trim_matches(is_js_space).into())
    }

    /// The length is checked of whatever has one, as JavaScript code does; so a list that is too short is wrong twice.
    fn sized(&mut self, min: usize, max: Option<usize>, value: &Value) -> Value {
        if value.as_str().is_none() {
            self.wrong_type("text (quote it)");
        }
        let Some(length) = js_length(value) else { return value.clone() };
        #[expect(clippy::cast_precision_loss, reason = "the limits are small")]
        let (min_length, max_length) = (min as f64, max.map(|m| m as f64));
        // A length that is no number is both too short and too long.
        let too_short = length.is_nan() || length < min_length;
        let too_long = max_length.is_some_and(|m| length.is_nan() || length > m);
        let name = self.name();
        let limits = max.map_or(format!("at least {min}"), |max| format!("{min} to {max}"));
        for _ in 0..(usize::from(too_short) + usize::from(too_long)) {
            self.add(IssueKind::Size, format!("{name} must have {limits} characters"));
        }
        value.clone()
    }

    fn integer(&mut self, min: f64, value: &Value) {
        let Some(n) = finite(value).filter(|n| n.fract() == 0.0) else {
            self.wrong_type("a whole number");
            return;
        };
        let name = self.name();
        if n.abs() > MAX_SAFE_INTEGER {
            self.add(IssueKind::Size, format!("{name} is too large a number"));
        }
        if n < min {
            self.add(IssueKind::Size, format!("{name} must be at least {min}"));
        }
    }

    fn list(&mut self, items: &Type, unique: bool, value: &Value) -> Value {
        let Some(list) = value.as_seq() else {
            self.wrong_type("a list");
            return value.clone();
        };
        let before = self.issues.len();
        let checked: Vec<Value> = list
            .iter()
            .enumerate()
            .map(|(i, item)| self.within(i.to_string().into(), |this| this.value(items, item)))
            .collect();
        let has_shape = !self.issues[before..].iter().any(|i| i.kind.breaks_shape());
        if unique && has_shape {
            let mut seen = HashSet::new();
            if !checked.iter().filter_map(Value::as_str).all(|text| seen.insert(text)) {
                let message = format!("the items of {} must be unique", self.name());
                self.add(IssueKind::NotUnique, message);
            }
        }
        Value::Seq(checked.into())
    }

    fn object(&mut self, fields: &[Field], value: &Value) -> Value {
        let entries: &[(Arc<str>, Value)] = match value {
            Value::Map(entries) => entries,
            // JavaScript objects of other kinds have no fields of their own.
            Value::Opaque(Opaque::Date | Opaque::Set | Opaque::OrderedMap) => &[],
            _ => {
                self.wrong_type("a map of fields");
                return value.clone();
            }
        };
        let mut checked: Vec<(Arc<str>, Value)> = Vec::with_capacity(fields.len());
        for field in fields {
            let found = entries.iter().find(|(key, _)| &**key == field.name).map(|(_, value)| value);
            let value = self.within(field.name.into(), |this| this.field(field, found));
            checked.extend(value.map(|value| (field.name.into(), value)));
        }
        for (key, _) in entries {
            let is_known = fields.iter().any(|f| f.name == &**key);
            // The name of JavaScript's prototype accessor is passed over in silence.
            if !is_known && &**key != "__proto__" {
                self.within(Arc::clone(key), |this| {
                    this.add(IssueKind::UnknownKey, "there is no such field");
                });
            }
        }
        Value::Map(checked.into())
    }

    fn field(&mut self, field: &Field, value: Option<&Value>) -> Option<Value> {
        if let Some(value) = value {
            return Some(self.value(field.shape, value));
        }
        match field.absence {
            Absence::Fine => None,
            Absence::Word(word) => Some(word.into()),
            Absence::False => Some(Value::Bool(false)),
            Absence::EmptyList => Some(Value::Seq(Arc::from([]))),
            Absence::Error => {
                match field.shape {
                    Type::OneOf(words) => self.not_in_enum(words),
                    _ => self.add(IssueKind::Required, format!("{} is missing", field.name)),
                }
                None
            }
        }
    }

    fn record(&mut self, values: &Type, value: &Value) -> Value {
        let Some(entries) = value.as_map() else {
            self.wrong_type("a map");
            return value.clone();
        };
        let checked: Vec<(Arc<str>, Value)> = entries
            .iter()
            .filter(|(key, _)| &**key != "__proto__")
            .map(|(key, value)| {
                (Arc::clone(key), self.within(Arc::clone(key), |this| this.value(values, value)))
            })
            .collect();
        Value::Map(checked.into())
    }
}

fn finite(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) if n.is_finite() => Some(*n),
        _ => None,
    }
}

/// The `length` of a value in JavaScript, as a number; nothing where it has none.
fn js_length(value: &Value) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "no text or list is that long")]
    match value {
        Value::String(text) => Some(len_code_units(text) as f64),
        Value::Seq(items) => Some(items.len() as f64),
        Value::Map(_) => value.get("length").map(js_to_number),
        _ => None,
    }
}

/// A value in a comparison with a number.
fn js_to_number(value: &Value) -> f64 {
    match value {
        Value::Null => 0.0,
        Value::Bool(b) => f64::from(u8::from(*b)),
        Value::Number(n) => *n,
        Value::String(text) => js_parse_number(text),
        Value::Seq(_) => js_parse_number(&js_join(value)),
        Value::Map(_) | Value::Opaque(_) => f64::NAN,
    }
}

/// What `String(value)` gives for what can stand in a list.
fn js_join(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => js_number::to_text(*n),
        Value::String(text) => text.to_string(),
        Value::Seq(items) => items.iter().map(js_join).collect::<Vec<_>>().join(","),
        Value::Map(_) | Value::Opaque(_) => "[object Object]".to_owned(),
    }
}

/// `Number(text)` for decimal numbers, which is all that a length can reasonably be.
fn js_parse_number(text: &str) -> f64 {
    let text = text.trim_matches(is_js_space);
    if text.is_empty() {
        return 0.0;
    }
    let is_decimal = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if is_decimal { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}
