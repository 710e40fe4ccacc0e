//! Which files a tool has just edited: from the input of a post-tool-use hook to paths.
//!
//! The input comes from the host and, in its arguments, from a model: everything in it may be missing, wrongly typed,
//! huge or hostile. [`targets`] reads it without touching the disk; [`inside`] then asks the disk where each target
//! leads and how the checks call it.

mod arguments;
mod distinct;
mod follow;
mod json;
mod lexical;
mod patch;
mod telemetry;
mod windows;

use serde_json::Value;

use distinct::Distinct;
use lexical::Style;

pub use follow::inside;

/// The most files that one tool call is said to have edited.
pub const MAX_TARGETS: usize = 20;

/// The longest path that counts, in bytes of UTF-8: Linux opens none that is longer, and no tool elsewhere needs one.
pub const MAX_PATH_BYTES: usize = 4096;

/// What a finished tool call did to files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It edited none: another kind of tool, or a call that did not succeed.
    NotAnEdit,
    /// It edited files.
    Targets {
        /// Each distinct file once, as it was first named: absolute, or relative to the input's `workingDirectory`. At
        /// most [`MAX_TARGETS`]. Empty where no name could be read.
        paths: Vec<String>,
        /// Whether more files were named than are listed.
        truncated: bool,
    },
}

/// The files that the tool call of a post-tool-use `input` edited. No I/O; the work is linear in the input.
///
/// An edit is a call of `edit`, `create`, `str_replace` or `apply_patch`, or of `str_replace_editor` with the command
/// `create`, `str_replace` or `insert`. For every other tool nothing but its name is looked at. A call whose
/// `toolResult.resultType` is a string other than `success` is no edit; where there is none the call counts, since
/// hosts run this hook after a success.
///
/// Files are named in two places, and the union counts, in this order:
/// 1. `toolArgs`. Of `apply_patch` it is the patch, as a string, as the member `input` or `patch` of an object, or among
///    the words of a command (`["apply_patch", "..."]`); of the other tools the member `path` of an object. An object
///    or an array may itself be written as JSON in a string.
/// 2. `filePaths`, `addedPaths`, `deletedPaths` and `movedFromPaths` of
///    `toolResult.toolTelemetry.restrictedProperties`: arrays of strings, or JSON strings that hold one. It says what
///    the arguments left unclear, and is all there is where they cannot be read.
///
/// Whatever is not of these shapes is passed over, and so is a path that can name no file ([`inside`] lists them).
/// Reading stops at the first file past [`MAX_TARGETS`], wherever that is.
///
/// Two names are one file where they are the same after `.` and `..` are collapsed. Which file it is, and whether it
/// lies where checks are made, only [`inside`] can tell.
///
/// ```
/// use adrkit_native::hooks::edits::{Edit, targets};
///
/// let patch = "*** Begin Patch\n*** Update File: a.rs\n*** Move to: b.rs\n@@\n-x\n+y\n*** End Patch\n";
/// let input = serde_json::json!({ "toolName": "apply_patch", "toolArgs": patch, "workingDirectory": "/ws" });
/// assert_eq!(targets(&input), Edit::Targets { paths: vec!["a.rs".into(), "b.rs".into()], truncated: false });
/// ```
#[must_use]
pub fn targets(input: &Value) -> Edit {
    targets_of(Style::HOST, input)
}

/// Whether a tool of this name may edit. For any other, [`targets`] finds [`Edit::NotAnEdit`] whatever the rest of the
/// input is, so that it need not be collected.
#[must_use]
pub fn is_edit_tool(name: &str) -> bool {
    Tool::named(name).is_some()
}

fn targets_of(style: Style, input: &Value) -> Edit {
    let arguments = input.get("toolArgs").unwrap_or(&Value::Null);
    let Some(tool) = text(input.get("toolName")).and_then(Tool::named) else { return Edit::NotAnEdit };
    if !tool.edits(arguments) || !succeeded(input) {
        return Edit::NotAnEdit;
    }
    let mut files = Distinct::new(style, text(input.get("workingDirectory")));
    let named = match tool {
        Tool::OneFile | Tool::Editor => arguments::path(arguments, &mut |path| files.add(path)),
        Tool::Patch => arguments::patched(arguments, &mut |path| files.add(path)),
    };
    if named.is_continue() {
        let _ = telemetry::paths(input, &mut |path| files.add(path));
    }
    files.into_edit()
}

enum Tool {
    OneFile,
    Patch,
    /// By its command, it edits one file or only reads.
    Editor,
}

impl Tool {
    fn named(name: &str) -> Option<Self> {
        match name {
            "edit" | "create" | "str_replace" => Some(Self::OneFile),
            "apply_patch" => Some(Self::Patch),
            "str_replace_editor" => Some(Self::Editor),
            _ => None,
        }
    }

    fn edits(&self, arguments: &Value) -> bool {
        match self {
            Self::OneFile | Self::Patch => true,
            Self::Editor => {
                let command = arguments::command(arguments);
                matches!(command.as_deref(), Some("create" | "str_replace" | "insert"))
            }
        }
    }
}

fn succeeded(input: &Value) -> bool {
    text(input.pointer("/toolResult/resultType")).is_none_or(|result| result == "success")
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_one_file_are_told_by_the_rules_of_the_system() {
        let patch =
            "*** Begin Patch\n*** Delete File: src\\a.ts\n*** Delete File: C:b.ts\n*** Delete File: x:y\n";
        let telemetry = json!({ "restrictedProperties": { "filePaths": r#"["C:\\ws\\src\\a.ts", "\\\\?\\c:\\ws\\src\\a.ts", "C:/ws/c.ts"]"# } });
        let input = json!({
            "toolName": "apply_patch",
            "toolArgs": patch,
            "toolResult": { "resultType": "success", "toolTelemetry": telemetry },
            "workingDirectory": r"c:\ws",
        });
        let listed = |style| match targets_of(style, &input) {
            Edit::Targets { paths, .. } => paths,
            Edit::NotAnEdit => vec!["not an edit".to_owned()],
        };
        assert_eq!(listed(Style::Windows), [r"src\a.ts", "C:/ws/c.ts"]);
        let posix = [r"src\a.ts", "C:b.ts", "x:y", r"C:\ws\src\a.ts", r"\\?\c:\ws\src\a.ts", "C:/ws/c.ts"];
        assert_eq!(listed(Style::Posix), posix);
    }

    #[test]
    fn what_is_no_edit_tool_is_no_edit() {
        let tools = ["edit", "create", "str_replace", "apply_patch", "str_replace_editor"];
        for name in tools.into_iter().chain(["view", "bash", "Edit", "edit ", "", "adr_check"]) {
            let arguments = json!({ "path": "a", "command": "create", "patch": "*** Add File: a\n" });
            let input = json!({ "toolName": name, "toolArgs": arguments });
            assert_eq!(is_edit_tool(name), targets(&input) != Edit::NotAnEdit, "{name:?}");
            assert_eq!(is_edit_tool(name), tools.contains(&name), "{name:?}");
        }
    }
}
