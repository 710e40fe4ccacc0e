//! The refresh of open panels: when it happens, and what a snapshot holds.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod scheduler;
#[cfg(unix)]
mod snapshot;
#[cfg(unix)]
#[expect(dead_code, reason = "shared with other tests")]
#[path = "../support/mod.rs"]
mod support;
