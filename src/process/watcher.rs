//! What ends a group whose host has died without a word: killed with SIGKILL, aborted, or ended by a signal that
//! nobody listens to.
//!
//! A watcher is a shell that waits for the end of a pipe whose other end only the host has. It is a member of the group
//! that it watches: as long as it lives no other group can have the number, so what it signals, its own group, is never
//! somebody else's; and whatever ends the group ends the watcher as well, so none is ever left.
//!
//! Most processes are gone before a watcher would be of use. Only one that has run for [`WATCH_AFTER`] gets one.

use std::io::{self, PipeWriter};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::turn::Turns;
use super::{WATCH_AFTER, retry};

/// It is deaf to what a group is sent to end it politely, and to what a program may send to its own group.
const SCRIPT: &str = "trap '' HUP INT QUIT TERM USR1 USR2 ALRM; read -r _; kill -s KILL 0";

/// How a process list shows it, with the number of the group behind.
const NAME: &str = "adrkit-watcher";

/// The watcher of one group, when it is due.
#[derive(Debug)]
pub(super) struct Watch {
    group: Pid,
    state: State,
}

#[derive(Debug)]
enum State {
    Due(Instant),
    Watched(Watcher),
    /// It could not be started. The host ends the group as long as it lives, as ever.
    Unwatched,
}

impl Watch {
    /// A watch over a group that starts now.
    pub(super) fn new(group: Pid) -> Self {
        let due = Instant::now().checked_add(WATCH_AFTER);
        Self { group, state: due.map_or(State::Unwatched, State::Due) }
    }

    /// How long until [`Watch::keep`] has something to do.
    pub(super) fn due_in(&self) -> Option<Duration> {
        match self.state {
            State::Due(at) => Some(at.saturating_duration_since(Instant::now())),
            State::Watched(_) | State::Unwatched => None,
        }
    }

    /// Starts the watcher where it is due. The leader must not have been reaped.
    pub(super) fn keep(&mut self, turns: &Turns) {
        if self.due_in() != Some(Duration::ZERO) {
            return;
        }
        let turn = turns.take(Duration::ZERO);
        if !turn.is_ours() {
            // The supervisor has more urgent things to do than to wait for somebody else's start.
            *self = Self::new(self.group);
            return;
        }
        self.state = match Watcher::start(self.group) {
            Ok(watcher) => State::Watched(watcher),
            Err(error) => {
                tracing::debug!(kind = ?error.kind(), "no watcher");
                State::Unwatched
            }
        };
    }

    /// Ends the watcher, if there is one, and with it whatever is left of its group.
    pub(super) fn end(self) {
        if let State::Watched(watcher) = self.state {
            watcher.end();
        }
    }
}

#[derive(Debug)]
struct Watcher {
    pid: Pid,
    /// Nothing is ever written. The system closes it with the host.
    host: PipeWriter,
}

impl Watcher {
    fn start(group: Pid) -> io::Result<Self> {
        let (stdin, host) = io::pipe()?;
        let number = group.as_raw_nonzero().get();
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, NAME, &number.to_string()])
            .env_clear()
            .current_dir("/")
            .stdin(stdin)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(number)
            .spawn()?;
        Ok(Self { pid: Pid::from_child(&child), host })
    }

    fn end(self) {
        drop(self.host);
        // The end of the pipe, or a signal before it, ends it at once. Where the host has reaped it, it is gone too.
        let _ = retry(|| waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED));
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Child;

    use rustix::process::{Signal, kill_process_group};

    use super::*;

    /// A process that leads a group of its own, and ends by itself where a test fails.
    fn leader() -> (Child, Pid) {
        let child = Command::new("/bin/sleep").arg("20").process_group(0).spawn().unwrap();
        let group = Pid::from_child(&child);
        (child, group)
    }

    fn signal_of_the_end(mut leader: Child) -> Option<i32> {
        leader.wait().unwrap().signal()
    }

    fn watched(group: Pid) -> Watch {
        Watch { group, state: State::Watched(Watcher::start(group).unwrap()) }
    }

    #[test]
    fn the_end_of_the_pipe_ends_the_group() {
        let (leader, group) = leader();
        watched(group).end();
        assert_eq!(signal_of_the_end(leader), Some(9));
    }

    #[test]
    fn the_end_of_the_group_ends_the_watcher() {
        let (leader, group) = leader();
        let State::Watched(Watcher { pid, host }) = watched(group).state else { unreachable!() };
        kill_process_group(group, Signal::KILL).unwrap();
        assert_eq!(signal_of_the_end(leader), Some(9));
        let patience = Instant::now() + Duration::from_secs(20);
        let end = loop {
            // The pipe is still open.
            match waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG).unwrap() {
                None if Instant::now() < patience => std::thread::sleep(Duration::from_millis(1)),
                end => break end,
            }
        };
        assert_eq!(end.and_then(|end| end.terminating_signal()), Some(9));
        drop(host);
    }

    #[test]
    fn a_group_that_is_gone_gets_none() {
        let (leader, group) = leader();
        kill_process_group(group, Signal::KILL).unwrap();
        signal_of_the_end(leader);
        let mut watch = Watch { group, state: State::Due(Instant::now()) };
        watch.keep(&Turns::new());
        assert!(matches!(watch.state, State::Unwatched));
    }

    #[test]
    fn it_waits_for_its_time_and_its_turn() {
        let (leader, group) = leader();
        let turns = Turns::new();
        let later = Instant::now() + Duration::from_secs(3600);
        let mut watch = Watch { group, state: State::Due(later) };
        watch.keep(&turns);
        assert!(matches!(watch.state, State::Due(at) if at == later));
        let now = Instant::now();
        watch.state = State::Due(now);
        let turn = turns.take(Duration::ZERO);
        watch.keep(&turns);
        assert!(matches!(watch.state, State::Due(at) if at > now));
        drop(turn);
        watch.state = State::Due(now);
        watch.keep(&turns);
        assert!(matches!(watch.state, State::Watched(_)));
        watch.end();
        assert_eq!(signal_of_the_end(leader), Some(9));
    }
}
