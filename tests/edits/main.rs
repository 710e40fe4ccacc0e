//! From the input of a post-tool-use hook to the files that were edited, through the public interface.

mod agreement;
mod host;
#[cfg(unix)]
mod links;
mod places;
mod properties;
mod recorded;
mod shapes;

use adrkit_native::hooks::edits::{Edit, targets};
use serde_json::{Value, json};

/// The working directory of the inputs here. Nothing is there.
const WS: &str = if cfg!(windows) { "C:/ws" } else { "/ws" };

/// The input of the hook after `tool` was called with `arguments`.
fn input(tool: &str, arguments: impl Into<Value>) -> Value {
    let mut input = json!({ "toolName": tool, "workingDirectory": WS });
    input["toolArgs"] = arguments.into();
    input
}

/// The same, with what the host says of the files.
fn with_telemetry(mut input: Value, lists: impl Into<Value>) -> Value {
    input["toolResult"] = json!({ "resultType": "success", "toolTelemetry": {} });
    input["toolResult"]["toolTelemetry"]["restrictedProperties"] = lists.into();
    input
}

/// The paths of an edit that fits in the list; none where it is no edit.
fn paths(input: &Value) -> Option<Vec<String>> {
    match targets(input) {
        Edit::NotAnEdit => None,
        Edit::Targets { paths, truncated } => {
            assert!(!truncated, "{paths:?}");
            Some(paths)
        }
    }
}

/// The paths that the patch names, in its order.
fn patched(patch: &str) -> Vec<String> {
    paths(&input("apply_patch", patch)).expect("an edit")
}
