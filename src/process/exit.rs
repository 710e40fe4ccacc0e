//! What notices that a process has ended (POSIX), without reaping it.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::platform::Waker;
use super::{THREAD_STACK_BYTES, retry};

/// How often a process is looked at whose exit nothing tells, for want of a descriptor.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What notices the exit. It is there before the process is, so that no process is ever unwatched.
#[derive(Debug)]
pub(super) enum Exit {
    /// The kernel tells by a descriptor, once the process is there.
    Told { pidfd: Option<OwnedFd>, pid: Option<Pid>, exited: bool },
    /// A thread waits.
    Awaited(Waiter),
}

impl Exit {
    /// Before the start. Starts the thread where one is needed.
    pub(super) fn expect(waker: &Waker) -> io::Result<Self> {
        if pidfd::is_known() {
            return Ok(Self::Told { pidfd: None, pid: None, exited: false });
        }
        Waiter::start(waker.clone()).map(Self::Awaited)
    }

    /// The process is there.
    pub(super) fn of(&mut self, leader: Pid) {
        match self {
            // Where no descriptor is left for it, the leader is looked at from time to time.
            Self::Told { pidfd, pid, .. } => (*pidfd, *pid) = (pidfd::open(leader), Some(leader)),
            // The waiter cannot be gone: it waits for this number.
            Self::Awaited(waiter) => drop(waiter.pid.send(leader)),
        }
    }

    /// What to poll, and when to look at the latest without news.
    pub(super) fn poll(&self) -> (Option<PollFd<'_>>, Option<Duration>) {
        match self {
            Self::Told { exited: true, .. } | Self::Awaited(_) => (None, None),
            Self::Told { pidfd: Some(pidfd), .. } => (Some(PollFd::new(pidfd, PollFlags::IN)), None),
            Self::Told { .. } => (None, Some(LOOK_EVERY)),
        }
    }

    /// Looks whether the leader has ended.
    pub(super) fn look(&mut self) {
        if let Self::Told { pid: Some(pid), exited: exited @ false, .. } = self {
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            // An error (ECHILD) means that the host has reaped it: gone all the same.
            *exited = !matches!(retry(|| waitid(WaitId::Pid(*pid), look)), Ok(None));
        }
    }

    /// Whether the leader had ended when it was last looked at.
    pub(super) fn is_over(&self) -> bool {
        match self {
            Self::Told { exited, .. } => *exited,
            Self::Awaited(waiter) => waiter.exited.load(Ordering::Acquire),
        }
    }

    /// Waits for the exit, however long it takes.
    pub(super) fn join(self) {
        match self {
            Self::Told { exited: true, .. } | Self::Told { pid: None, .. } => {}
            Self::Told { pid: Some(pid), .. } => {
                let _ = retry(|| waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
            }
            // The thread cannot panic: it only waits.
            Self::Awaited(waiter) => drop(waiter.thread.join()),
        }
    }
}

/// Descriptors of processes: Linux from 5.3 on.
#[cfg(target_os = "linux")]
mod pidfd {
    use std::os::fd::OwnedFd;
    use std::sync::LazyLock;

    use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open};

    /// Whether this kernel has them, and lets us.
    pub(super) fn is_known() -> bool {
        static KNOWN: LazyLock<bool> = LazyLock::new(|| open(getpid()).is_some());
        *KNOWN
    }

    pub(super) fn open(process: Pid) -> Option<OwnedFd> {
        pidfd_open(process, PidfdFlags::empty()).ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod pidfd {
    use std::os::fd::OwnedFd;

    use rustix::process::Pid;

    pub(super) fn is_known() -> bool {
        false
    }

    pub(super) fn open(_: Pid) -> Option<OwnedFd> {
        None
    }
}

/// The thread that waits for the exit.
#[derive(Debug)]
pub(super) struct Waiter {
    pid: mpsc::Sender<Pid>,
    thread: JoinHandle<()>,
    exited: Arc<AtomicBool>,
}

impl Waiter {
    fn start(waker: Waker) -> io::Result<Self> {
        let (pid, receiver) = mpsc::channel();
        let exited = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&exited);
        let wait = move || {
            if let Ok(pid) = receiver.recv() {
                // An error (ECHILD) means that the host has reaped it: gone all the same.
                let _ = retry(|| waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
                flag.store(true, Ordering::Release);
                waker.wake();
            }
        };
        let thread =
            thread::Builder::new().name("adrkit-waiter".into()).stack_size(THREAD_STACK_BYTES).spawn(wait)?;
        Ok(Self { pid, thread, exited })
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::super::platform::wake_pair;
    use super::*;

    #[test]
    fn the_exit_is_noticed_with_a_descriptor_without_one_and_by_a_thread() {
        for (by_thread, has_descriptor) in [(false, true), (false, false), (true, false)] {
            let (waker, _wakeups) = wake_pair().unwrap();
            let mut exit = if by_thread {
                Exit::Awaited(Waiter::start(waker).unwrap())
            } else {
                Exit::Told { pidfd: None, pid: None, exited: false }
            };
            let mut command = Command::new("/bin/sh");
            let mut child = command.args(["-c", "read x; exit 3"]).stdin(Stdio::piped()).spawn().unwrap();
            exit.of(Pid::from_child(&child));
            if let Exit::Told { pidfd, .. } = &mut exit
                && !has_descriptor
            {
                *pidfd = None;
            }
            let is_polled = cfg!(target_os = "linux") && has_descriptor;
            assert_eq!(exit.poll().0.is_some(), is_polled);
            exit.look();
            assert!(!exit.is_over());
            drop(child.stdin.take());
            while !exit.is_over() {
                thread::sleep(Duration::from_millis(1));
                exit.look();
            }
            exit.join();
            // It was not reaped.
            assert_eq!(child.wait().unwrap().code(), Some(3));
        }
    }
}
