//! Reading the input of a hook.
//!
//! A host's input holds whole files and whatever a tool returned. Only the members that a hook looks at are taken over,
//! one by one, so that the rest costs nothing.

use napi::bindgen_prelude::{Array, Object, Unknown};
use napi::{JsString, JsStringUtf8, JsValue as _, Result, ValueType};
use serde_json::{Map, Value};
use tracing::level_filters::LevelFilter;

/// The most text that is taken over of one input, in bytes of UTF-8. A text that does not fit is left out.
const MAX_TEXT_BYTES: usize = 64 * 1024 * 1024;

/// The most entries that are taken over of one array.
const MAX_ENTRIES: u32 = 1024;

/// A member that is taken over: a text, an array of texts, or an object of which `members` are.
pub(super) struct Member {
    name: &'static str,
    members: &'static [Member],
    is_for_log: bool,
}

const fn leaf(name: &'static str) -> Member {
    Member { name, members: &[], is_for_log: false }
}

/// One that is only logged, and left out where nothing is.
const fn logged(name: &'static str) -> Member {
    Member { name, members: &[], is_for_log: true }
}

const fn object(name: &'static str, members: &'static [Member]) -> Member {
    Member { name, members, is_for_log: false }
}

/// Where the name of the tool stands.
const TOOL_NAME: &str = "toolName";

/// What the hook at the start of a session looks at.
pub(super) const SESSION_START: &[Member] = &[
    leaf("workingDirectory"),
    leaf("sessionId"),
    leaf("source"),
    logged("agentId"),
    logged("traceparent"),
    logged("tracestate"),
];

/// What the hook after a tool call looks at, but for the name of the tool.
const POST_TOOL_USE: &[Member] = &[
    leaf("workingDirectory"),
    leaf("sessionId"),
    logged("agentId"),
    logged("toolCallId"),
    logged("traceparent"),
    logged("tracestate"),
    object("toolArgs", &[leaf("path"), leaf("command"), leaf("input"), leaf("patch")]),
    object(
        "toolResult",
        &[
            leaf("resultType"),
            object(
                "toolTelemetry",
                &[object(
                    "restrictedProperties",
                    &[leaf("filePaths"), leaf("addedPaths"), leaf("deletedPaths"), leaf("movedFromPaths")],
                )],
            ),
        ],
    ),
];

/// The name of the tool, if `input` is an object and has one.
///
/// # Errors
/// When reading it throws.
pub(super) fn tool_name(input: &Unknown<'_>) -> Result<Option<String>> {
    Ok(match read(input, &[leaf(TOOL_NAME)])? {
        Value::Object(mut found) => match found.remove(TOOL_NAME) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        },
        _ => None,
    })
}

/// The input of the hook after a call of the tool `name`, which has been read.
///
/// # Errors
/// As [`read`].
pub(super) fn read_post_tool_use(input: &Unknown<'_>, name: String) -> Result<Value> {
    let mut found = read(input, POST_TOOL_USE)?;
    if let Value::Object(members) = &mut found {
        members.insert(TOOL_NAME.to_owned(), Value::String(name));
    }
    Ok(found)
}

/// `input` as far as `members` name it. What is of no use to a hook is null: a number, a function, a symbol.
///
/// # Errors
/// When reading it throws: a getter, or a proxy.
pub(super) fn read(input: &Unknown<'_>, members: &[Member]) -> Result<Value> {
    Reader { left: MAX_TEXT_BYTES }.value(input, members)
}

struct Reader {
    /// How much text may still be taken over, in bytes.
    left: usize,
}

impl Reader {
    fn value(&mut self, value: &Unknown<'_>, members: &[Member]) -> Result<Value> {
        match value.get_type()? {
            // SAFETY: the value is a string.
            ValueType::String => self.text(unsafe { value.cast()? }),
            // SAFETY: the value is an array.
            ValueType::Object if value.is_array()? => self.texts(&unsafe { value.cast()? }),
            // SAFETY: the value is an object.
            ValueType::Object => self.members(&unsafe { value.cast()? }, members),
            _ => Ok(Value::Null),
        }
    }

    fn text(&mut self, text: JsString<'_>) -> Result<Value> {
        match self.left.checked_sub(text.utf8_len()?) {
            Some(left) => {
                self.left = left;
                Ok(Value::String(text.into_utf8().and_then(JsStringUtf8::into_owned)?))
            }
            None => Ok(Value::Null),
        }
    }

    fn texts(&mut self, array: &Array<'_>) -> Result<Value> {
        let mut texts = Vec::new();
        for index in 0..array.len().min(MAX_ENTRIES) {
            if let Some(entry) = array.get::<Unknown>(index)?
                && entry.get_type()? == ValueType::String
            {
                texts.push(self.value(&entry, &[])?);
            }
        }
        Ok(Value::Array(texts))
    }

    fn members(&mut self, object: &Object<'_>, members: &[Member]) -> Result<Value> {
        let mut found = Map::new();
        let is_logged = LevelFilter::current() >= LevelFilter::DEBUG;
        for member in members.iter().filter(|member| is_logged || !member.is_for_log) {
            if let Some(value) = object.get::<Unknown>(member.name)? {
                found.insert(member.name.to_owned(), self.value(&value, member.members)?);
            }
        }
        Ok(Value::Object(found))
    }
}
