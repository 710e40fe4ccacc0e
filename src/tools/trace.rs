//! What a host tells about a call, for whoever reads the log.

use tracing::Span;

/// The longest id of a session or a call that is logged, in bytes.
const MAX_ID_BYTES: usize = 256;
/// The longest `tracestate` that is logged, in bytes: what W3C Trace Context has everybody pass on.
const MAX_TRACESTATE_BYTES: usize = 512;

/// Which call this is to its host, each as far as it says. It changes nothing but the log.
///
/// Only what is well formed is logged: an id of visible ASCII characters, 256 at most; a `traceparent` as in W3C Trace
/// Context, and beside it a `tracestate` of 512 printable ones at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceContext {
    /// The session that the call belongs to. In a sub-agent it is the child's own.
    pub session_id: Option<String>,
    /// The call, within its session.
    pub tool_call_id: Option<String>,
    /// W3C `traceparent`.
    pub traceparent: Option<String>,
    /// W3C `tracestate`.
    pub tracestate: Option<String>,
}

impl TraceContext {
    pub(super) fn span(&self) -> Span {
        let traceparent = self.traceparent.as_deref().filter(|text| is_traceparent(text));
        tracing::debug_span!(
            "tool",
            session_id = self.session_id.as_deref().filter(|text| is_id(text)),
            tool_call_id = self.tool_call_id.as_deref().filter(|text| is_id(text)),
            traceparent,
            tracestate = traceparent.and(self.tracestate.as_deref()).filter(|text| is_tracestate(text)),
        )
    }
}

fn is_id(text: &str) -> bool {
    (1..=MAX_ID_BYTES).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

fn is_tracestate(text: &str) -> bool {
    (1..=MAX_TRACESTATE_BYTES).contains(&text.len()) && text.bytes().all(|b| matches!(b, b' '..=b'~'))
}

/// `version-trace-parent-flags`. A later version may go on after another `-`; that is not logged.
fn is_traceparent(text: &str) -> bool {
    let is_hex =
        |part: &str, len| part.len() == len && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let is_some = |part: &str, len| is_hex(part, len) && part.bytes().any(|b| b != b'0');
    let parts: Vec<&str> = text.splitn(5, '-').collect();
    matches!(parts[..], [version, trace, parent, flags]
        if is_hex(version, 2) && version != "ff" && is_some(trace, 32) && is_some(parent, 16) && is_hex(flags, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn ids_are_short_and_visible() {
        let long = "x".repeat(MAX_ID_BYTES);
        for good in ["direct-adr_lint", "call_1|fc_2", "0b6c7e2e-5f0e-4a39-9f5b-0d8f6f2a8f10", &long] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", " ", "a b", "a\nb", "\u{1b}[2J", "ü", &format!("{long}x")] {
            assert!(!is_id(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_traceparent_keeps_the_grammar_of_w3c() {
        assert!(is_traceparent(PARENT));
        assert!(is_traceparent(&PARENT.replacen("00", "cc", 1)));
        for bad in [
            "",
            "00",
            &PARENT.to_uppercase(),
            &PARENT.replacen("00", "ff", 1),
            &PARENT.replace("0af7651916cd43dd8448eb211c80319c", &"0".repeat(32)),
            &PARENT.replace("b7ad6b7169203331", &"0".repeat(16)),
            &PARENT[..54],
            &format!("{PARENT}1"),
            &format!("{PARENT}-"),
            &format!("{PARENT}\n"),
            &PARENT.replace('-', "_"),
        ] {
            assert!(!is_traceparent(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_tracestate_is_short_and_printable() {
        let long = "x".repeat(MAX_TRACESTATE_BYTES);
        for good in ["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a= b", &long] {
            assert!(is_tracestate(good), "{good}");
        }
        for bad in ["", "a=\n", "a=\t", "a=ü", &format!("{long}x")] {
            assert!(!is_tracestate(bad), "{bad:?}");
        }
    }
}
