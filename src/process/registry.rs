//! Every live process of this library, so that all can be ended at once.
//!
//! A call is entered before its process is spawned and leaves after it has been reaped. The number of a process is
//! only reachable through [`Stage::Running`], and both signal and reap happen under the lock of that stage: a number
//! that the system may have given to someone else is never signalled.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::machine::Signal;
use super::platform::{Leader, Waker};
use super::{Owner, SPAWN_WAIT, Status};

/// How far a call has come.
#[derive(Debug)]
enum Stage {
    /// Nothing has been spawned.
    Waiting,
    /// The system is starting the process; it cannot be signalled yet.
    Starting,
    /// It runs, or has ended and has not been reaped.
    Running(Leader),
    /// It has been reaped, or never started.
    Over,
}

/// One call of `run`, shared by the caller, the supervising thread and the registry.
#[derive(Debug)]
pub(super) struct Call {
    owner: Owner,
    stage: Mutex<Stage>,
    started_or_not: Condvar,
    cancelled: AtomicBool,
    doomed: AtomicBool,
    waker: Waker,
}

impl Call {
    /// The caller wants the end, or went away.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.waker.wake();
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// The registry has ended it.
    pub(super) fn is_doomed(&self) -> bool {
        self.doomed.load(Ordering::Acquire)
    }

    /// Announces the spawn. False if the call has been ended before it: then nothing may be spawned.
    #[must_use]
    pub(super) fn begin_start(&self) -> bool {
        let mut stage = self.lock();
        let wanted = !self.is_doomed() && !self.is_cancelled();
        *stage = if wanted { Stage::Starting } else { Stage::Over };
        wanted
    }

    /// The process runs. If the registry has ended the call meanwhile, so is the process.
    pub(super) fn started(&self, leader: Leader) {
        let mut stage = self.lock();
        if self.is_doomed() {
            leader.signal(Signal::Kill);
        }
        *stage = Stage::Running(leader);
        self.started_or_not.notify_all();
    }

    /// The process could not be started.
    pub(super) fn not_started(&self) {
        *self.lock() = Stage::Over;
        self.started_or_not.notify_all();
    }

    /// Signals the group, unless it has been reaped.
    pub(super) fn signal(&self, signal: Signal) {
        if let Stage::Running(leader) = &*self.lock() {
            leader.signal(signal);
        }
    }

    /// Ends what is left of the group and reaps the leader, which has ended.
    pub(super) fn reap(&self) -> Status {
        let mut stage = self.lock();
        match std::mem::replace(&mut *stage, Stage::Over) {
            Stage::Running(leader) => leader.reap(),
            Stage::Waiting | Stage::Starting | Stage::Over => Status::default(),
        }
    }

    /// Ends the group at once; true if there was one, or is about to be.
    fn doom(&self) -> bool {
        let stage = self.lock();
        self.doomed.store(true, Ordering::Release);
        let live = match &*stage {
            Stage::Running(leader) => {
                leader.signal(Signal::Kill);
                true
            }
            Stage::Starting => true,
            Stage::Waiting | Stage::Over => false,
        };
        drop(stage);
        self.waker.wake();
        live
    }

    /// Waits until the system has answered a spawn that is under way.
    fn wait_started(&self, until: Instant) {
        let mut stage = self.lock();
        while matches!(*stage, Stage::Starting) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            (stage, _) =
                self.started_or_not.wait_timeout(stage, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The presence of a call in the registry. It leaves when this is dropped.
#[derive(Debug)]
pub(super) struct Entry {
    id: u64,
    call: Arc<Call>,
}

impl Entry {
    pub(super) fn call(&self) -> &Arc<Call> {
        &self.call
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        // Only a defect of ours leaves a process running here; it must not outlive its supervisor.
        self.call.signal(Signal::Kill);
        registry().calls.remove(&self.id);
    }
}

#[derive(Debug, Default)]
struct Registry {
    calls: HashMap<u64, Arc<Call>>,
    next_id: u64,
    retired: HashSet<Owner>,
    shut_down: bool,
}

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);

/// The registry, locked. No stage is ever locked while it is.
fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Enters a call; none if its owner or the whole library starts nothing any more.
pub(super) fn enter(owner: Owner, waker: Waker) -> Option<Entry> {
    let mut registry = registry();
    if registry.shut_down || registry.retired.contains(&owner) {
        return None;
    }
    let call = Arc::new(Call {
        owner,
        stage: Mutex::new(Stage::Waiting),
        started_or_not: Condvar::new(),
        cancelled: AtomicBool::new(false),
        doomed: AtomicBool::new(false),
        waker,
    });
    let id = registry.next_id;
    registry.next_id += 1;
    registry.calls.insert(id, Arc::clone(&call));
    Some(Entry { id, call })
}

/// Which calls to end, and whether more may come.
#[derive(Debug, Clone, Copy)]
pub(super) enum Whose {
    /// Everybody's.
    All,
    /// Those of one owner.
    Of(Owner),
}

/// From now on [`enter`] refuses them. The nameless owner cannot be retired: it is nobody's end.
pub(super) fn refuse(whose: Whose) {
    let mut registry = registry();
    match whose {
        Whose::All => registry.shut_down = true,
        Whose::Of(owner) if owner != Owner::default() => {
            registry.retired.insert(owner);
        }
        Whose::Of(_) => {}
    }
}

/// Ends all of them at once and says how many there were.
pub(super) fn end(whose: Whose) -> usize {
    let calls: Vec<Arc<Call>> = registry()
        .calls
        .values()
        .filter(|call| match whose {
            Whose::All => true,
            Whose::Of(owner) => call.owner == owner,
        })
        .cloned()
        .collect();
    // First everything that runs, then the wait for what is just being started.
    let live = calls.iter().filter(|call| call.doom()).count();
    let until = Instant::now() + SPAWN_WAIT;
    for call in &calls {
        call.wait_started(until);
    }
    live
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Command, platform};
    use std::time::Duration;

    /// A call of an owner that no other test uses, and what it needs to spawn.
    fn call(owner: u64) -> (Entry, Waker, platform::Wakeups) {
        let (waker, wakeups) = platform::wake_pair().unwrap();
        (enter(Owner(owner), waker.clone()).unwrap(), waker, wakeups)
    }

    fn sleeper() -> Command {
        Command {
            program: "/bin/sleep".into(),
            args: vec!["600".into()],
            cwd: "/".into(),
            env: vec![],
            deadline: Duration::MAX,
            max_output_bytes: 0,
            owner: Owner::default(),
        }
    }

    #[test]
    fn a_call_that_is_ended_before_its_spawn_never_spawns() {
        let (entry, ..) = call(101);
        assert_eq!(end(Whose::Of(Owner(101))), 0);
        assert!(!entry.call().begin_start());
        let (entry, ..) = call(101);
        entry.call().cancel();
        assert!(!entry.call().begin_start());
        let (entry, ..) = call(101);
        assert!(entry.call().begin_start());
    }

    #[test]
    fn a_call_that_is_ended_during_its_spawn_is_killed_before_the_end_returns() {
        let (entry, waker, wakeups) = call(102);
        assert!(entry.call().begin_start());
        let ending = std::thread::spawn(|| end(Whose::Of(Owner(102))));
        while !entry.call().is_doomed() {
            std::thread::yield_now();
        }
        let (leader, running) = platform::spawn(&sleeper(), &waker, wakeups).unwrap();
        // No supervisor looks at this call: whatever ends the process has happened in here.
        entry.call().started(leader);
        assert_eq!(ending.join().unwrap(), 1);
        running.join();
        let status = entry.call().reap();
        assert_eq!((status.code, status.signal), (None, Some(9)));
        assert_eq!(end(Whose::Of(Owner(102))), 0);
    }

    #[test]
    fn nothing_is_signalled_before_the_start_or_after_the_reap() {
        let (entry, waker, wakeups) = call(103);
        entry.call().signal(Signal::Kill);
        assert_eq!(entry.call().reap(), Status::default());
        let (other, ..) = call(103);
        assert!(other.call().begin_start());
        let (leader, running) = platform::spawn(&sleeper(), &waker, wakeups).unwrap();
        other.call().started(leader);
        other.call().signal(Signal::Terminate);
        running.join();
        assert_eq!(other.call().reap().signal, Some(15));
        assert!(matches!(*other.call().lock(), Stage::Over));
        assert_eq!(other.call().reap(), Status::default());
    }

    #[test]
    fn an_entry_that_is_dropped_by_a_defect_takes_its_process_along() {
        let (entry, waker, wakeups) = call(104);
        assert!(entry.call().begin_start());
        let (leader, running) = platform::spawn(&sleeper(), &waker, wakeups).unwrap();
        entry.call().started(leader);
        let call = Arc::clone(entry.call());
        drop(entry);
        running.join();
        assert_eq!(call.reap().signal, Some(9));
        assert!(!registry().calls.values().any(|other| Arc::ptr_eq(other, &call)));
    }
}
