//! The files that the host itself says a tool touched.

use std::ops::ControlFlow;

use serde_json::Value;

use super::arguments::Found;
use super::json;

/// Where the lists stand. A moved file is in the first under its new name, and in the last under its old one.
const LISTS: [&str; 4] = ["filePaths", "addedPaths", "deletedPaths", "movedFromPaths"];

/// The paths of every list.
pub(super) fn paths(input: &Value, found: &mut Found<'_>) -> ControlFlow<()> {
    let Some(properties) = input.pointer("/toolResult/toolTelemetry/restrictedProperties") else {
        return ControlFlow::Continue(());
    };
    LISTS.iter().filter_map(|name| properties.get(name)).try_for_each(|list| match list {
        Value::String(json) => json::strings(json, found),
        Value::Array(paths) => paths.iter().filter_map(Value::as_str).try_for_each(&mut *found),
        _ => ControlFlow::Continue(()),
    })
}
