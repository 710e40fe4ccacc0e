//! The hooks from outside: what they say, when, and that they hold nobody.
//!
//! Time is tokio's paused clock: seconds pass when everything waits. Only `real` starts programs.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod bench;
mod boundary;
mod burst;
mod edits_of_the_corpus;
mod hostile;
mod known;
#[cfg(unix)]
mod real;
mod sessions;
mod signs_of_being_wrong;
#[path = "../support/mod.rs"]
#[cfg(unix)]
#[expect(dead_code, reason = "shared with other tests")]
mod support;
