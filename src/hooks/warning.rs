//! The one line for the person when a hook or a refresh fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::error::Error;

/// Tells a person; see [`super::Options::log`].
pub type LogFn = Arc<dyn Fn(&'static str) + Send + Sync>;

/// What is said when an automatic refresh fails or is ended.
const REFRESH: &str = "adrkit: an automatic refresh of the decision review failed or took too long. The panel may show an older result; refresh it by hand.";

/// Sends at most one line in its life: the first failure's.
pub(super) struct Warnings {
    log: Option<LogFn>,
    is_spent: AtomicBool,
}

impl Warnings {
    pub(super) fn new(log: Option<LogFn>) -> Self {
        Self { log, is_spent: AtomicBool::new(false) }
    }

    /// A hook could not do its work.
    pub(super) fn hook_failed(&self, error: &Error) {
        tracing::debug!(code = error.code(), "a hook has nothing to say");
        if let Some(line) = line(error) {
            self.send(line);
        }
    }

    /// A refresh failed, or was ended at its deadline.
    pub(super) fn refresh_failed(&self, error: &Error) {
        tracing::debug!(code = error.code(), "a refresh failed");
        self.send(REFRESH);
    }

    /// On a thread of its own: the log may panic, or never return, and nobody waits for it.
    fn send(&self, line: &'static str) {
        let Some(log) = self.log.clone() else { return };
        if self.is_spent.swap(true, Ordering::Relaxed) {
            return;
        }
        let work = move || {
            let _ = catch_unwind(AssertUnwindSafe(|| log(line)));
        };
        // Where there is no thread to be had there is no line either.
        let _ = thread::Builder::new().name("adrkit-log".into()).spawn(work);
    }
}

/// The line for a failure, by its code. None for what is no failure of ours: a directory without git, an end that
/// someone asked for.
fn line(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::NotWorkTree | Error::Aborted => return None,
        Error::TimedOut => {
            "adrkit: git or the adr command took too long, so an advisory was left out. Nothing was blocked."
        }
        Error::KilledBySignal => {
            "adrkit: git or the adr command was ended by a signal, so an advisory was left out. Nothing was blocked."
        }
        Error::CommandTooLong => {
            "adrkit: there are too many changed files for one command line, so an advisory was left out. Nothing was blocked."
        }
        Error::OutputTooLarge => {
            "adrkit: git or the adr command printed too much, so an advisory was left out. Nothing was blocked."
        }
        Error::WorkingDirectoryGone => {
            "adrkit: the session's working directory does not exist, so an advisory was left out. Nothing was blocked."
        }
        Error::GitUnavailable => {
            "adrkit: there is no usable git, so an advisory was left out. Nothing was blocked."
        }
        Error::GitUnsafeDirectory => {
            "adrkit: git refuses this repository because it is owned by someone else (see safe.directory), so an advisory was left out. Nothing was blocked."
        }
        Error::BaseUndiffable | Error::GitFailed => {
            "adrkit: git could not list the changed files, so an advisory was left out. Nothing was blocked."
        }
        Error::CliUnresolved => {
            "adrkit: ADRKIT_CLI does not name a command that can be run, so an advisory was left out. Nothing was blocked."
        }
        Error::UnknownEngine => {
            "adrkit: ADRKIT_ENGINE must be auto, cli or embedded; an advisory was left out. Nothing was blocked."
        }
        Error::CliNotFound | Error::CliForeign | Error::EngineUnavailable => {
            "adrkit: there is no adr command of adrkit's, so an advisory was left out. Nothing was blocked."
        }
        Error::CommandNotFound
        | Error::CommandNotExecutable
        | Error::SpawnFailed
        | Error::TooManyOpenFiles
        | Error::ArgumentExpandable => {
            "adrkit: a command could not be started, so an advisory was left out. Nothing was blocked."
        }
        Error::Usage { .. } | Error::NoReport { .. } | Error::CorpusUnreadable | Error::Rejected(_) => {
            "adrkit: the decision records could not be checked, so an advisory was left out. Nothing was blocked."
        }
        // The rest comes from tool calls, which no hook makes.
        _ => "adrkit: an internal error occurred, so an advisory was left out. Nothing was blocked.",
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn recorded() -> (Warnings, mpsc::Receiver<&'static str>) {
        let (sender, receiver) = mpsc::channel();
        (Warnings::new(Some(Arc::new(move |line| sender.send(line).unwrap()))), receiver)
    }

    #[test]
    fn the_first_failure_takes_the_line() {
        let (warnings, lines) = recorded();
        warnings.hook_failed(&Error::NotWorkTree);
        warnings.hook_failed(&Error::Aborted);
        warnings.hook_failed(&Error::CommandTooLong);
        warnings.hook_failed(&Error::TimedOut);
        warnings.refresh_failed(&Error::TimedOut);
        assert!(lines.recv_timeout(PATIENCE).unwrap().contains("too many changed files"));
        drop(warnings);
        // The sender is gone with the log, and nothing else was sent.
        assert_eq!(lines.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
    }

    #[test]
    fn a_usage_error_is_told_without_its_words() {
        let error = Error::Usage { message: "Corpus directory not found: 'secret'.".into() };
        assert!(!line(&error).unwrap().contains("secret"));
    }

    #[test]
    fn a_log_that_panics_or_never_returns_holds_nobody() {
        let (sender, entered) = mpsc::channel();
        let log: LogFn = Arc::new(move |_| {
            sender.send(()).unwrap();
            loop {
                thread::park();
            }
        });
        Warnings::new(Some(log)).hook_failed(&Error::TimedOut);
        entered.recv_timeout(PATIENCE).unwrap();
        let log: LogFn = Arc::new(|_| panic!("no"));
        Warnings::new(Some(log)).hook_failed(&Error::TimedOut);
        Warnings::new(None).hook_failed(&Error::TimedOut);
    }
}
