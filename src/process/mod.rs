//! Supervised processes: an own group, a deadline, a cap on output, and a registry of what is alive.
//!
//! Each process is the leader of a process group of its own (POSIX) or lives in a job object (Windows), has no stdin
//! and is followed by a thread of its own. That thread drains both pipes all the time, so a process never blocks on
//! them, and ends the whole group when the deadline passes, the caller cancels or drops the future, or a stream
//! exceeds its limit: SIGTERM, [`Bounds::grace`], SIGKILL. On Windows there is no polite signal: the job is terminated
//! at once.
//!
//! Nothing outlives a call except a process that leaves the group (`setsid`), which is out of reach on POSIX. A group
//! member that is left when the leader ends has [`Bounds::drain`] to let go of the pipes and is killed then.
//!
//! Nothing outlives this process either. Whoever hosts it calls [`shut_down`] when it can; where it dies without a word,
//! the job object (Windows) or a watcher (POSIX, from [`WATCH_AFTER`] on) ends the groups.
//!
//! No call needs SIGCHLD or an async runtime: the future only waits to be woken. A pidfd spares a thread where there is
//! one.

mod capture;
#[cfg(any(windows, test))]
mod command_line;
#[cfg(unix)]
mod exit;
pub mod lookup;
mod machine;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
mod platform;
mod registry;
mod signal_name;
mod supervise;
#[cfg(unix)]
mod turn;
#[cfg(unix)]
mod watcher;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
pub use tokio_util::sync::CancellationToken as Cancel;

pub use self::signal_name::signal_name;
use crate::error::{Error, Result};
use crate::threads::Ready;

/// From the polite signal to the forced one.
pub const GRACE: Duration = Duration::from_secs(1);

/// How long after the exit of the leader the pipes may stay open in someone else's hands.
pub const DRAIN: Duration = Duration::from_millis(200);

/// How long after the forced signal an exit may stay away (a process in an uninterruptible system call) before the
/// call returns without it.
pub const UNKILLABLE: Duration = Duration::from_secs(1);

/// How long [`kill_all`] and its kin wait for the system to answer a spawn that is under way.
pub const SPAWN_WAIT: Duration = Duration::from_secs(1);

/// How long a process must have run until its group gets a watcher, which ends it should this process die without a
/// word. POSIX only: on Windows the job object does that, from the start.
pub const WATCH_AFTER: Duration = Duration::from_millis(10);

/// The stack of each thread of a call. They hold their buffers on the heap.
const THREAD_STACK_BYTES: usize = 256 * 1024;

/// What to run and under which bounds.
#[derive(Debug, Clone)]
pub struct Command {
    /// The executable: absolute, or a bare name that is looked up on the `PATH` of [`Command::env`], as
    /// [`lookup::find_executable`] does. A relative path with a separator is taken from [`Command::cwd`].
    pub program: PathBuf,
    /// The arguments, without the program.
    pub args: Vec<OsString>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The whole environment of the child; of two equal names the later counts.
    pub env: Vec<(OsString, OsString)>,
    /// From the start of the process to the first signal.
    pub deadline: Duration,
    /// What is kept of each of stdout and stderr; more ends the group.
    pub max_output_bytes: usize,
    /// Who started it; see [`kill_owner`].
    pub owner: Owner,
}

/// The bounds that are the house's rather than a command's. A call returns at most the sum of these after its
/// deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// See [`GRACE`].
    pub grace: Duration,
    /// See [`DRAIN`].
    pub drain: Duration,
    /// See [`UNKILLABLE`].
    pub unkillable: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { grace: GRACE, drain: DRAIN, unkillable: UNKILLABLE }
    }
}

/// Whose process it is: ended together when its environment (a Node worker) is torn down. 0 is "nobody's".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Owner(pub u64);

/// How a process ended.
///
/// Whoever was first decides: a process that has exited when its deadline passes is [`Outcome::Exited`], even if that
/// is noticed late. Output over the limit is told in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// By itself; [`Finished::exit_code`] is set, unless the host ignores SIGCHLD or reaps children that are not its
    /// own: then the code is lost. No code is no success.
    Exited,
    /// By a signal that was not ours; [`Finished::signal`] is set.
    Signaled,
    /// We ended it: the deadline passed.
    TimedOut,
    /// We ended it, or never started it: the caller cancelled, or [`kill_all`] or its kin were called.
    Aborted,
    /// It printed more than the limit, and we ended it unless it already had.
    OutputTooLarge,
}

/// A process that has been reaped.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// The exit code, where there is one. Windows codes are the same 32 bits.
    pub exit_code: Option<i32>,
    /// The number of the signal that ended it, where one did (whoever sent it). See [`signal_name`].
    pub signal: Option<i32>,
    /// What it wrote to stdout, up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote to stderr, up to the limit.
    pub stderr: Vec<u8>,
    /// Something still held a pipe when the drain bound passed, or output was dropped.
    pub output_incomplete: bool,
    /// From start to reap; zero if it was never started.
    pub duration: Duration,
}

/// How the system says that the leader ended; nothing if it was the host that reaped it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Status {
    code: Option<i32>,
    signal: Option<i32>,
}

impl Finished {
    fn never_started() -> Self {
        Self {
            outcome: Outcome::Aborted,
            exit_code: None,
            signal: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
            output_incomplete: false,
            duration: Duration::ZERO,
        }
    }
}

/// A system call, again as long as a signal interrupts it.
#[cfg(unix)]
fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            other => return other,
        }
    }
}

/// Runs `command` to its end, under the default [`Bounds`].
///
/// A `cancel` that is cancelled already means that nothing is spawned; the answer is [`Outcome::Aborted`] as for one
/// that comes later. Dropping the future ends the group in the background.
///
/// # Errors
/// When the process cannot start, by reason: [`Error::CommandNotFound`], [`Error::CommandNotExecutable`] (its
/// interpreter may be missing), [`Error::CommandTooLong`], [`Error::WorkingDirectoryGone`],
/// [`Error::TooManyOpenFiles`], or [`Error::SpawnFailed`] for anything else, such as a NUL byte in a string.
pub async fn run(command: Command, cancel: Cancel) -> Result<Finished> {
    run_within(command, cancel, Bounds::default()).await
}

/// Runs `command` to its end, as [`run`] does, under `bounds`.
///
/// # Errors
/// As [`run`].
pub async fn run_within(command: Command, cancel: Cancel, bounds: Bounds) -> Result<Finished> {
    let (report, finished) = oneshot::channel();
    // The caller may have dropped its future; the process was ended for that very reason.
    let mut on_drop = CancelOnDrop(begin(command, cancel, bounds, |result| drop(report.send(result))));
    let finished = finished.await;
    // It is over: there is nobody left to wake.
    on_drop.0 = None;
    finished.unwrap_or(Err(Error::Internal))
}

/// Runs `command` to its end, as [`run`] does, but without a future: `done` is told what became of it, once, by the
/// thread that followed the process, or by this one where there was nothing to follow.
pub fn start(command: Command, cancel: Cancel, done: impl FnOnce(Result<Finished>) + Send + 'static) {
    // It is ended by its token, and by nothing else.
    let _ = begin(command, cancel, Bounds::default(), done);
}

/// The call, where there is one.
fn begin(
    command: Command,
    cancel: Cancel,
    bounds: Bounds,
    done: impl FnOnce(Result<Finished>) + Send + 'static,
) -> Option<Arc<registry::Call>> {
    // Names of programs are ours or the person's; arguments may be anybody's.
    let program = command.program.file_name().unwrap_or_default().to_string_lossy();
    let span = tracing::debug_span!("process", program = &*program);
    let done = Done::new(done);
    let in_span = span.enter();
    let prepared = prepare(command.owner, &cancel);
    drop(in_span);
    match prepared {
        Ok(Some((entry, waker, wakeups, thread))) => {
            let call = Arc::clone(entry.call());
            thread.run(move || {
                let _in_span = span.enter();
                supervise::supervise(&command, bounds, &entry, &cancel, &waker, wakeups, done);
            });
            Some(call)
        }
        Ok(None) => {
            done.tell(Ok(Finished::never_started()));
            None
        }
        Err(error) => {
            done.tell(Err(platform::start_error(&error)));
            None
        }
    }
}

/// What following a process takes. None where it may not be started.
fn prepare(
    owner: Owner,
    cancel: &Cancel,
) -> io::Result<Option<(registry::Entry, platform::Waker, platform::Wakeups, Ready)>> {
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let (waker, wakeups) = platform::wake_pair()?;
    let Some(entry) = registry::enter(owner, waker.clone()) else { return Ok(None) };
    Ok(Some((entry, waker, wakeups, Ready::take()?)))
}

/// Who waits for the end, and is told once: of a panic, if nothing else comes.
struct Done(Option<Box<dyn FnOnce(Result<Finished>) + Send>>);

impl Done {
    fn new(done: impl FnOnce(Result<Finished>) + Send + 'static) -> Self {
        Self(Some(Box::new(done)))
    }

    fn tell(mut self, result: Result<Finished>) {
        if let Some(done) = self.0.take() {
            done(result);
        }
    }
}

impl Drop for Done {
    fn drop(&mut self) {
        if let Some(done) = self.0.take() {
            done(Err(Error::Internal));
        }
    }
}

/// Ends the group when the future of its call goes away before the end.
struct CancelOnDrop(Option<Arc<registry::Call>>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(call) = &self.0 {
            call.cancel();
        }
    }
}

/// Ends every live group at once, by force; how many there were. Their calls settle as [`Outcome::Aborted`].
///
/// What holds when this returns: every process whose call was made (polled) before has been killed, including one
/// that was being spawned meanwhile, for which it waits up to [`SPAWN_WAIT`]; a call that had not come to the spawn
/// spawns nothing. Calls made later are not affected; see [`shut_down`]. It blocks on nothing else and needs no
/// runtime, so an exit hook may call it. A signal handler may not: it takes locks.
#[must_use]
pub fn kill_all() -> usize {
    registry::end(registry::Whose::All)
}

/// Ends every live group that `owner` started, as [`kill_all`] does; how many there were.
#[must_use]
pub fn kill_owner(owner: Owner) -> usize {
    registry::end(registry::Whose::Of(owner))
}

/// Like [`kill_all`], and from now on every call is [`Outcome::Aborted`] without a process: for the end of the host,
/// where a call that is made late would leave its process behind.
#[must_use]
pub fn shut_down() -> usize {
    registry::refuse(registry::Whose::All);
    registry::end(registry::Whose::All)
}

/// Like [`kill_owner`], and from now on this owner starts nothing: for the end of a Node worker. Owner 0 is nobody and
/// can start processes even so.
#[must_use]
pub fn retire_owner(owner: Owner) -> usize {
    registry::refuse(registry::Whose::Of(owner));
    registry::end(registry::Whose::Of(owner))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn who_waits_is_told_of_a_panic_too() {
        let (sender, receiver) = mpsc::channel();
        let done = Done::new(move |result| sender.send(result.map(|it| it.outcome)).unwrap());
        let panics = std::panic::AssertUnwindSafe(|| {
            let _done = done;
            panic!("on purpose");
        });
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [Err(Error::Internal)]);
    }
}
