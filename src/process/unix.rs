//! Processes on POSIX systems: a process group, two pipes that are polled, and what notices the exit.
//!
//! Nothing here needs SIGCHLD, which belongs to the host (libuv, in Node). The exit is told by a pidfd, or where there
//! is none by a thread that waits. Both look with `waitid` and `WNOWAIT`: the leader stays a zombie, so its number,
//! which is also the group's, cannot be given to another process before [`Leader::reap`].
//!
//! Where the host ignores SIGCHLD, the kernel reaps by itself. Then the status is lost and the group is not signalled
//! any more from the moment at which the leader is gone; its watcher, if it has one, ends what is left of it.
//!
//! A process that calls `setsid` or `setpgid` leaves the group and is out of reach.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command as StdCommand, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal as Signo, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, WaitStatus, kill_process_group,
    waitid, waitpid,
};

use super::capture::{Capture, Output};
use super::exit::Exit;
use super::lookup::resolve;
use super::machine::Signal;
use super::turn::{LONGEST_WAIT, Turns};
use super::watcher::Watch;
use super::{Command, Status, retry};
use crate::error::Error;

/// There is a polite signal.
pub(super) const HAS_TERMINATE: bool = true;

/// One read; as much as a pipe holds on Linux.
const READ_BYTES: usize = 64 * 1024;

/// What is read of one pipe at most after the drain has ended, so that an escaped writer cannot hold the call.
const LAST_READ_BYTES: usize = 1024 * 1024;

/// How often a program that is being written to at this moment (ETXTBSY) is tried again, and after which pause. In a
/// process with many threads another thread's fork can hold the writer's descriptor for an instant.
const BUSY_RETRIES: u32 = 10;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// The longest sleep in `poll`, whose argument is narrower than a `Duration` on some systems.
const LONGEST_POLL: Duration = Duration::from_secs(3600);

/// From the making of a process's pipes until only the process has their writing ends.
static TURNS: Turns = Turns::new();

impl From<WaitStatus> for Status {
    fn from(status: WaitStatus) -> Self {
        Self { code: status.exit_status(), signal: status.terminating_signal() }
    }
}

/// Wakes the supervisor from another thread.
#[derive(Debug, Clone)]
pub(super) struct Waker(Arc<PipeWriter>);

impl Waker {
    pub(super) fn wake(&self) {
        // A full pipe wakes as well, and a closed one has nobody to wake.
        let _ = (&*self.0).write(&[0]);
    }
}

/// The supervisor's side of a [`Waker`].
#[derive(Debug)]
pub(super) struct Wakeups(PipeReader);

/// A connected pair. Both ends are closed in children and never block.
pub(super) fn wake_pair() -> io::Result<(Waker, Wakeups)> {
    let (reader, writer) = io::pipe()?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    rustix::io::ioctl_fionbio(&writer, true)?;
    Ok((Waker(Arc::new(writer)), Wakeups(reader)))
}

/// What has come of a signal to a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delivery {
    Sent,
    /// Nobody is left who could be signalled.
    Gone,
    /// Somebody is, who runs with other rights (setuid).
    Refused,
}

impl Delivery {
    fn of(sent: rustix::io::Result<()>, leader_has_ended: bool) -> Self {
        match sent {
            Ok(()) => Self::Sent,
            Err(Errno::SRCH) => Self::Gone,
            // macOS says so of a group of zombies, where Linux says nothing.
            Err(Errno::PERM) if leader_has_ended => Self::Gone,
            Err(_) => Self::Refused,
        }
    }
}

/// The leader of a group that has not been reaped by us.
#[derive(Debug)]
pub(super) struct Leader(Pid);

impl Leader {
    /// Signals the whole group. Where that is refused the bounds of the call still hold.
    pub(super) fn signal(&self, signal: Signal) {
        if self.deliver(signal) == Some(Delivery::Refused) {
            tracing::debug!(?signal, "the group cannot be signalled");
        }
    }

    /// None where the number is not our child's any more: if the host has reaped it, it may be someone else's.
    fn deliver(&self, signal: Signal) -> Option<Delivery> {
        let signal = match signal {
            Signal::Terminate => Signo::TERM,
            Signal::Kill => Signo::KILL,
        };
        self.look().ok()?;
        let sent = kill_process_group(self.0, signal);
        // It can have ended since the first look.
        Some(Delivery::of(sent, sent.is_err() && matches!(self.look(), Ok(Some(_)))))
    }

    /// How the leader has ended, if it has. An error where the number is not our child's.
    fn look(&self) -> rustix::io::Result<Option<WaitIdStatus>> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        retry(|| waitid(WaitId::Pid(self.0), look))
    }

    /// Ends what is left of the group, then reaps the leader, which has ended.
    pub(super) fn reap(self) -> Status {
        self.signal(Signal::Kill);
        // Not `waitid`, which only waits here: the signal that it tells for a killed process is 0 on macOS.
        match retry(|| waitpid(Some(self.0), WaitOptions::NOHANG)) {
            Ok(Some((_, status))) => status.into(),
            Ok(None) | Err(_) => Status::default(),
        }
    }
}

/// One output stream: open until its end is read or [`Stream::close`].
#[derive(Debug)]
struct Stream {
    pipe: Option<PipeReader>,
    capture: Capture,
}

impl Stream {
    /// Reads once. True if there may be more at once.
    fn read(&mut self, buffer: &mut [u8]) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        match pipe.read(buffer) {
            Ok(n) if n > 0 => {
                self.capture.take(buffer.get(..n).unwrap_or_default());
                true
            }
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => false,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => true,
            Ok(_) | Err(_) => {
                self.pipe = None;
                false
            }
        }
    }

    /// Takes what is there, then closes. True if someone could still have written.
    fn close(&mut self, buffer: &mut [u8]) -> bool {
        let mut left = LAST_READ_BYTES / READ_BYTES;
        while left > 0 && self.read(buffer) {
            left -= 1;
        }
        self.pipe.take().is_some()
    }
}

/// The supervisor's view of a process: its pipes and its exit.
#[derive(Debug)]
pub(super) struct Running {
    streams: [Stream; 2],
    wakeups: Wakeups,
    exit: Exit,
    watch: Watch,
    buffer: Vec<u8>,
}

impl Running {
    pub(super) fn exited(&self) -> bool {
        self.exit.is_over()
    }

    pub(super) fn output_open(&self) -> bool {
        self.streams.iter().any(|stream| stream.pipe.is_some())
    }

    pub(super) fn over_limit(&self) -> bool {
        self.streams.iter().any(|stream| stream.capture.over_limit())
    }

    /// Waits for output, the exit or a wake, at most `timeout`, and takes the output. Has the group watched in time.
    pub(super) fn wait(&mut self, timeout: Duration) {
        let (exit, look_in) = self.exit.poll();
        let due = [self.watch.due_in(), look_in].into_iter().flatten().min();
        let timeout = timeout.min(due.unwrap_or(LONGEST_POLL)).min(LONGEST_POLL);
        let mut fds = vec![PollFd::new(&self.wakeups.0, PollFlags::IN)];
        let pipes = self.streams.iter().filter_map(|stream| stream.pipe.as_ref());
        fds.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(exit);
        let polled = poll(&mut fds, Timespec::try_from(timeout).ok().as_ref());
        drop(fds);
        if polled.is_err_and(|e| e != Errno::INTR) {
            // The system is out of memory for it: go on by looking from time to time.
            thread::sleep(timeout.min(BUSY_PAUSE));
        }
        // Every end is non-blocking, so those without news cost one call each.
        while matches!((&self.wakeups.0).read(&mut self.buffer), Ok(n) if n == self.buffer.len()) {}
        for stream in &mut self.streams {
            stream.read(&mut self.buffer);
        }
        self.exit.look();
        if !self.exited() {
            self.watch.keep(&TURNS);
        }
    }

    /// Ends the capture: takes what is there and closes our ends.
    pub(super) fn close_output(&mut self) -> Output {
        let mut incomplete = false;
        let mut kept = self.streams.each_mut().map(|stream| {
            incomplete |= stream.close(&mut self.buffer);
            incomplete |= stream.capture.over_limit();
            stream.capture.take_kept()
        });
        let [stdout, stderr] = kept.each_mut().map(std::mem::take);
        Output { stdout, stderr, incomplete }
    }

    /// Waits for the exit, however long it takes, and ends the watcher.
    pub(super) fn join(self) {
        self.exit.join();
        self.watch.end();
    }
}

/// Spawns `command` as the leader of a group of its own.
pub(super) fn spawn(command: &Command, waker: &Waker, wakeups: Wakeups) -> Result<(Leader, Running), Error> {
    let program = resolve(command)?;
    let mut exit = Exit::expect(waker).map_err(|e| start_error(&e))?;
    let turn = TURNS.take(LONGEST_WAIT);
    let (stdout, stdout_writer) = output_pipe().map_err(|e| start_error(&e))?;
    let (stderr, stderr_writer) = output_pipe().map_err(|e| start_error(&e))?;
    let mut std_command = StdCommand::new(&program);
    std_command
        .args(&command.args)
        .current_dir(&command.cwd)
        .env_clear()
        .envs(command.env.iter().map(|(key, value)| (key, value)))
        .stdin(Stdio::null())
        .stdout(stdout_writer)
        .stderr(stderr_writer)
        .process_group(0);
    let child = again_while_busy(|| std_command.spawn());
    // Our copies of the writing ends; with them open the pipes would never end.
    drop(std_command);
    drop(turn);
    let child = child.map_err(|e| spawn_error(&e, &program, &command.cwd))?;
    // `Child` neither kills nor reaps when it is dropped; `Leader` does the latter.
    let pid = Pid::from_child(&child);
    exit.of(pid);
    let stream = |pipe| Stream { pipe: Some(pipe), capture: Capture::new(command.max_output_bytes) };
    let streams = [stream(stdout), stream(stderr)];
    Ok((Leader(pid), Running { streams, wakeups, exit, watch: Watch::new(pid), buffer: vec![0; READ_BYTES] }))
}

/// Tries `start` again for a short while if its program is being written to.
fn again_while_busy<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..BUSY_RETRIES {
        match start() {
            Err(e) if Errno::from_io_error(&e) == Some(Errno::TXTBSY) => thread::sleep(BUSY_PAUSE),
            other => return other,
        }
    }
    start()
}

/// A pipe that is closed in children and whose reading end never blocks.
fn output_pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((reader, writer))
}

/// Why something that a process needs could not be had.
pub(super) fn start_error(error: &io::Error) -> Error {
    if let Some(Errno::MFILE | Errno::NFILE) = Errno::from_io_error(error) {
        return Error::TooManyOpenFiles;
    }
    tracing::debug!(%error, "a process or what it takes could not be had");
    Error::SpawnFailed
}

/// Why the program did not start. The system tells by one number what may concern the program, the interpreter in its
/// first line or the working directory, so the two paths are looked at again.
fn spawn_error(error: &io::Error, program: &Path, cwd: &Path) -> Error {
    let Some(errno) = Errno::from_io_error(error) else {
        // A NUL byte in a string.
        return Error::SpawnFailed;
    };
    match errno {
        Errno::TOOBIG => Error::CommandTooLong,
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG => {
            if !cwd.is_dir() {
                Error::WorkingDirectoryGone
            } else if program.exists() {
                Error::CommandNotExecutable
            } else {
                Error::CommandNotFound
            }
        }
        Errno::ACCESS if rustix::fs::access(cwd, rustix::fs::Access::EXEC_OK).is_err() => Error::SpawnFailed,
        Errno::ACCESS | Errno::NOEXEC | Errno::ISDIR | Errno::TXTBSY => Error::CommandNotExecutable,
        // EBADARCH, which has no name in rustix: a program for another processor.
        _ if cfg!(target_vendor = "apple") && errno.raw_os_error() == 86 => Error::CommandNotExecutable,
        _ => start_error(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_program_is_tried_again_a_bounded_number_of_times() {
        for (busy, expected) in [(0, Ok(1)), (2, Ok(3)), (1000, Err(BUSY_RETRIES + 1))] {
            let mut calls = 0;
            let result = again_while_busy(|| {
                calls += 1;
                if calls > busy { Ok(()) } else { Err(Errno::TXTBSY.into()) }
            });
            assert_eq!(result.map(|()| calls).map_err(|_| calls), expected);
        }
    }

    #[test]
    fn a_reaped_number_is_not_signalled_but_reported_as_unknown() {
        let mut child = StdCommand::new("/bin/sh").args(["-c", "exit 3"]).process_group(0).spawn().unwrap();
        let leader = Leader(Pid::from_child(&child));
        assert_eq!(child.wait().unwrap().code(), Some(3));
        assert_eq!(leader.deliver(Signal::Kill), None);
        assert_eq!(leader.reap(), Status::default());
    }

    #[test]
    fn a_group_that_cannot_be_signalled_is_gone_once_its_leader_has_ended() {
        for (sent, leader_has_ended, delivery) in [
            (Ok(()), false, Delivery::Sent),
            (Ok(()), true, Delivery::Sent),
            (Err(Errno::SRCH), false, Delivery::Gone),
            (Err(Errno::SRCH), true, Delivery::Gone),
            (Err(Errno::PERM), false, Delivery::Refused),
            (Err(Errno::PERM), true, Delivery::Gone),
            (Err(Errno::INVAL), true, Delivery::Refused),
        ] {
            assert_eq!(Delivery::of(sent, leader_has_ended), delivery, "{sent:?} {leader_has_ended}");
        }
    }

    #[test]
    fn a_zombie_refuses_no_signal_and_keeps_its_status() {
        let mut child = StdCommand::new("/bin/sh").args(["-c", "exit 3"]).process_group(0).spawn().unwrap();
        let leader = Leader(Pid::from_child(&child));
        retry(|| waitid(WaitId::Pid(leader.0), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)).unwrap();
        // Linux sends it to nobody, macOS says EPERM.
        let expected = if cfg!(target_vendor = "apple") { Delivery::Gone } else { Delivery::Sent };
        assert_eq!(leader.deliver(Signal::Terminate), Some(expected));
        assert_eq!(child.wait().unwrap().code(), Some(3));
    }
}
