//! One git process: hardened options, the environment, and what its end means.

use std::ffi::OsString;
use std::future::Future;
use std::path::PathBuf;
use std::sync::OnceLock;

use camino::Utf8Path;
use tracing::debug;

use crate::error::{Error, Result};
use crate::git::{Options, environment, executable, failure};
use crate::process::{self, Cancel, Command, Outcome};

/// The most that a listing may print.
pub(super) const MAX_LISTING_BYTES: usize = 64 * 1024 * 1024;

/// The most that an answer of a few lines may print.
pub(super) const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// Before every subcommand. Each takes from the repository's configuration a way to name a program, or a setting
/// that would change what a listing holds.
const HARDENING: [&str; 6] = [
    "core.fsmonitor=false",
    // No file below /dev/null exists, on Windows neither.
    "core.hooksPath=/dev/null",
    // A program that some forks of git ask which files there are.
    "core.virtualFilesystem=",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
    // A file that does not exist is fatal.
    "diff.orderFile=/dev/null",
];

/// Asks git about one directory.
pub(super) struct Git<'a> {
    program: PathBuf,
    dir: &'a Utf8Path,
    env: Vec<(OsString, OsString)>,
    overrides: Vec<OsString>,
    options: &'a Options,
    cancel: Cancel,
}

/// How a git process that ran to its end did.
pub(super) struct Answer {
    pub(super) exit_code: i32,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

impl<'a> Git<'a> {
    /// Finds git; starts nothing. What it is asked ends with `cancel`.
    pub(super) fn new(dir: &'a Utf8Path, options: &'a Options, cancel: &Cancel) -> Result<Self> {
        if cancel.is_cancelled() {
            return Err(Error::Aborted);
        }
        if !dir.is_dir() {
            return Err(Error::WorkingDirectoryGone);
        }
        let program = executable::lookup(&options.env, dir.as_std_path()).ok_or(Error::GitUnavailable)?;
        let env = environment::for_git(&options.env);
        Ok(Self { program, dir, env, overrides: Vec::new(), options, cancel: cancel.child_token() })
    }

    /// With more options before the subcommand.
    pub(super) fn with_overrides(self, overrides: Vec<OsString>) -> Self {
        Self { overrides, ..self }
    }

    /// What git printed; a code other than 0 is an error.
    pub(super) async fn ask(&self, subcommand: &'static str, args: &[&str], max: usize) -> Result<Vec<u8>> {
        let answer = self.ask_code(subcommand, args, max).await?;
        if answer.exit_code == 0 {
            Ok(answer.stdout)
        } else {
            Err(failure::classify(answer.exit_code, &answer.stderr))
        }
    }

    /// What git printed and the code that it ended with.
    pub(super) async fn ask_code(
        &self,
        subcommand: &'static str,
        args: &[&str],
        max: usize,
    ) -> Result<Answer> {
        let mut command_line: Vec<OsString> = vec!["--no-pager".into()];
        command_line.extend(HARDENING.iter().flat_map(|setting| ["-c".into(), setting.into()]));
        command_line.extend(self.overrides.iter().cloned());
        command_line.push(subcommand.into());
        command_line.extend(args.iter().map(OsString::from));
        let command = Command {
            program: self.program.clone(),
            args: command_line,
            cwd: self.dir.as_std_path().to_owned(),
            env: self.env.clone(),
            deadline: self.options.deadline,
            max_output_bytes: max,
            owner: self.options.owner,
        };
        let done = process::run(command, self.cancel.clone()).await.map_err(cannot_start)?;
        debug!(
            subcommand,
            outcome = ?done.outcome,
            exit_code = done.exit_code,
            duration_ms = done.duration.as_millis(),
            stdout_bytes = done.stdout.len(),
            "git"
        );
        match (done.outcome, done.exit_code) {
            // Half a listing must not pass for a whole one.
            (Outcome::Exited, Some(_)) if done.output_incomplete => Err(Error::GitFailed),
            (Outcome::Exited, Some(exit_code)) => {
                Ok(Answer { exit_code, stdout: done.stdout, stderr: done.stderr })
            }
            (Outcome::TimedOut, _) => Err(Error::TimedOut),
            (Outcome::Aborted, _) => Err(Error::Aborted),
            (Outcome::OutputTooLarge, _) => Err(Error::OutputTooLarge),
            (Outcome::Signaled, _) => Err(Error::KilledBySignal),
            (Outcome::Exited, None) => Err(Error::GitFailed),
        }
    }
}

fn cannot_start(error: Error) -> Error {
    match error {
        Error::CommandNotFound | Error::CommandNotExecutable | Error::SpawnFailed => Error::GitUnavailable,
        other => other,
    }
}

/// Asks two questions at once. When one fails the other is ended, and waited for: no process outlives the call. The
/// failure that came first is told; the one that is ended for its sake may end in any way.
pub(super) async fn both<A, B>(
    a: impl Future<Output = Result<A>>,
    b: impl Future<Output = Result<B>>,
    git: &Git<'_>,
) -> Result<(A, B)> {
    let first = OnceLock::new();
    let fail = |error: &Error| {
        first.get_or_init(|| error.clone());
        git.cancel.cancel();
    };
    match tokio::join!(async { a.await.inspect_err(fail) }, async { b.await.inspect_err(fail) }) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(error), _) | (_, Err(error)) => Err(first.into_inner().unwrap_or(error)),
    }
}
