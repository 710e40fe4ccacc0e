//! What a hook reads of its input, which is data: any member may be missing or of another type.

use camino::Utf8Path;
use serde_json::Value;

use super::edits::MAX_PATH_BYTES;
use super::limits::MAX_SESSION_ID_BYTES;
use super::notes::SessionId;

/// The `source` of a session that goes on where another process left it.
const RESUME: &str = "resume";

/// The input of a hook.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event<'a>(pub(super) &'a Value);

impl<'a> Event<'a> {
    fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    /// The directory that the session works in, if it can be one.
    pub(super) fn working_directory(self) -> Option<&'a Utf8Path> {
        let dir = self.text("workingDirectory")?;
        let fits = dir.len() <= MAX_PATH_BYTES && !dir.contains('\0');
        Some(Utf8Path::new(dir)).filter(|dir| fits && dir.is_absolute())
    }

    /// Whose event it is: in a sub-agent the child's own.
    pub(super) fn session(self) -> SessionId {
        SessionId::new(self.text("sessionId"))
    }

    /// Whether the session goes on where another process left it. The host has forgotten the context by then.
    pub(super) fn is_resume(self) -> bool {
        self.text("source") == Some(RESUME)
    }

    /// Whether the texts of the input have at most `most` bytes in all.
    pub(super) fn fits(self, most: usize) -> bool {
        let mut left = most;
        let mut open = vec![self.0];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) if text.len() > left => return false,
                Value::String(text) => left -= text.len(),
                Value::Array(entries) => open.extend(entries),
                Value::Object(members) => open.extend(members.values()),
                _ => {}
            }
        }
        true
    }

    /// For the log.
    pub(super) fn span(self, name: &'static str) -> tracing::Span {
        let short = |name| self.text(name).filter(|text| text.len() <= MAX_SESSION_ID_BYTES);
        tracing::debug_span!(
            "hook",
            name,
            session_id = short("sessionId"),
            agent_id = short("agentId"),
            tool_call_id = short("toolCallId"),
            traceparent = short("traceparent"),
            tracestate = short("tracestate"),
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_directory_is_absolute_and_can_be_one() {
        let long = format!("/{}", "x".repeat(MAX_PATH_BYTES));
        for dir in [json!(null), json!(5), json!({}), json!(""), json!("src"), json!("/a\0b"), json!(long)] {
            let input = json!({ "workingDirectory": dir });
            assert_eq!(Event(&input).working_directory(), None, "{input}");
        }
        let input = json!({ "workingDirectory": &long[..MAX_PATH_BYTES] });
        assert_eq!(Event(&input).working_directory().is_some(), cfg!(unix));
        assert_eq!(Event(&json!([])).working_directory(), None);
    }
}
