//! The arguments of edit tools. A host may hand them over as values, or as the JSON text that the model wrote.

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::Value;

use super::json::{self, Text};
use super::patch;

/// What takes the paths. It breaks when it wants no more.
pub(super) type Found<'a> = dyn FnMut(&str) -> ControlFlow<()> + 'a;

/// The `path` of a tool that edits one file.
pub(super) fn path(arguments: &Value, found: &mut Found<'_>) -> ControlFlow<()> {
    match FileArguments::of(arguments).and_then(|a| a.path.0) {
        Some(path) => found(&path),
        None => ControlFlow::Continue(()),
    }
}

/// The `command` of a tool that does several things.
pub(super) fn command(arguments: &Value) -> Option<Cow<'_, str>> {
    FileArguments::of(arguments)?.command.0
}

/// The files of the patch.
pub(super) fn patched(arguments: &Value, found: &mut Found<'_>) -> ControlFlow<()> {
    match arguments {
        Value::String(text) => match text.trim_start().as_bytes().first() {
            Some(b'{') => match serde_json::from_str(text) {
                Ok(PatchArguments { input, patch }) => [input, patch]
                    .iter()
                    .filter_map(|t| t.0.as_deref())
                    .try_for_each(|t| patch::paths(t, found)),
                Err(_) => ControlFlow::Continue(()),
            },
            Some(b'[') => json::strings(text, &mut |word| patch::paths(word, found)),
            _ => patch::paths(text, found),
        },
        Value::Object(members) => ["input", "patch"]
            .iter()
            .filter_map(|key| members.get(*key)?.as_str())
            .try_for_each(|text| patch::paths(text, found)),
        Value::Array(words) => {
            words.iter().filter_map(Value::as_str).try_for_each(|word| patch::paths(word, found))
        }
        _ => ControlFlow::Continue(()),
    }
}

#[derive(Deserialize)]
struct FileArguments<'a> {
    #[serde(borrow, default)]
    path: Text<'a>,
    #[serde(borrow, default)]
    command: Text<'a>,
}

impl<'a> FileArguments<'a> {
    fn of(arguments: &'a Value) -> Option<Self> {
        match arguments {
            Value::Object(members) => {
                let member = |key| Text(members.get(key).and_then(Value::as_str).map(Cow::from));
                Some(Self { path: member("path"), command: member("command") })
            }
            // Serde would read an array as the members in order.
            Value::String(text) if text.trim_start().starts_with('{') => serde_json::from_str(text).ok(),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
struct PatchArguments<'a> {
    #[serde(borrow, default)]
    input: Text<'a>,
    #[serde(borrow, default)]
    patch: Text<'a>,
}
