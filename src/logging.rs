//! Spans and events on stderr, for whoever debugs the host. Silent unless asked.

use std::io;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt, registry};

/// The variable that turns logging on: a level (`debug`), or levels by module (`adrkit_native::git=trace,info`).
pub const ADRKIT_LOG: &str = "ADRKIT_LOG";

/// Starts logging where [`ADRKIT_LOG`] asks for it. A filter that cannot be read turns nothing on, and a host that has
/// a subscriber of its own keeps it.
pub fn init() {
    let Some(filter) = std::env::var(ADRKIT_LOG).ok().and_then(|text| parse(&text)) else { return };
    let layer = fmt::layer().with_writer(io::stderr).with_ansi(false).with_filter(filter);
    let _ = registry().with(layer).try_init();
}

fn parse(text: &str) -> Option<Targets> {
    let text = text.trim();
    if text.is_empty() { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn filters_by_level_and_module() {
        let filter = parse("adrkit_native::git=trace,info").unwrap();
        assert!(filter.would_enable("adrkit_native::git", &Level::TRACE));
        assert!(!filter.would_enable("adrkit_native::engine", &Level::DEBUG));
        for silent in ["", " ", "adrkit_native=loud"] {
            assert!(parse(silent).is_none(), "{silent:?}");
        }
    }
}
