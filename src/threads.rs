//! Threads for work that blocks or computes. One that has nothing to do any more rests for a while: to start another takes
//! about a twentieth of the time that a short process does, and it may begin milliseconds late, since the system likes
//! to put it on the processor of the thread that started it, which is busy. One that rests is awake in microseconds.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The stack of a thread, of which only what is used takes memory.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// How long a thread rests before it ends.
const REST: Duration = Duration::from_secs(5);

/// How many rest at most. The start of a session has about as many processes at once.
const MAX_RESTING: usize = 4;

type Job = Box<dyn FnOnce() + Send>;

static RESTING: Mutex<Vec<(ThreadId, Sender<Job>)>> = Mutex::new(Vec::new());

/// A thread that waits for its job, and ends without one when this is dropped.
#[must_use]
pub(crate) struct Ready(Sender<Job>);

impl Ready {
    /// One that rests, or else a new one.
    ///
    /// # Errors
    /// Where the system starts no thread.
    pub(crate) fn take() -> io::Result<Self> {
        if let Some((_, thread)) = resting().pop() {
            return Ok(Self(thread));
        }
        let (thread, jobs) = mpsc::channel();
        let work = move || work(&jobs, REST);
        thread::Builder::new().name("adrkit-work".to_owned()).stack_size(STACK_BYTES).spawn(work)?;
        Ok(Self(thread))
    }

    pub(crate) fn run(self, job: impl FnOnce() + Send + 'static) {
        // It waits as long as this is there.
        let _ = self.0.send(Box::new(job));
    }
}

/// Does one job after the other. A panic ends the thread.
fn work(jobs: &Receiver<Job>, rest: Duration) {
    let mut next = jobs.recv().ok();
    while let Some(job) = next {
        job();
        next = wait(rest);
    }
}

/// Rests until there is a job. None where it rests too long, or where enough others do.
fn wait(rest: Duration) -> Option<Job> {
    let this = thread::current().id();
    let (sender, jobs) = mpsc::channel();
    {
        let mut resting = resting();
        if resting.len() >= MAX_RESTING {
            return None;
        }
        resting.push((this, sender));
    }
    match jobs.recv_timeout(rest) {
        Ok(job) => Some(job),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            let mut resting = resting();
            if let Some(at) = resting.iter().position(|(thread, _)| *thread == this) {
                resting.remove(at);
                return None;
            }
            drop(resting);
            // Somebody has taken it a moment ago.
            jobs.recv().ok()
        }
    }
}

fn resting() -> MutexGuard<'static, Vec<(ThreadId, Sender<Job>)>> {
    RESTING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};

    use super::*;

    fn thread_of_a_job() -> ThreadId {
        let (sender, receiver) = mpsc::channel();
        Ready::take().unwrap().run(move || sender.send(thread::current().id()).unwrap());
        receiver.recv().unwrap()
    }

    #[test]
    fn every_job_is_done() {
        let (sender, receiver) = mpsc::channel();
        for n in 0..50 {
            let sender = sender.clone();
            Ready::take().unwrap().run(move || sender.send(n).unwrap());
        }
        let mut done: Vec<i32> = receiver.iter().take(50).collect();
        done.sort_unstable();
        assert_eq!(done, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn only_so_many_rest() {
        let together = Arc::new(Barrier::new(3 * MAX_RESTING));
        let threads: Vec<_> = (0..3 * MAX_RESTING)
            .map(|_| {
                let (sender, jobs) = mpsc::channel::<Job>();
                let together = Arc::clone(&together);
                sender
                    .send(Box::new(move || {
                        together.wait();
                    }))
                    .unwrap();
                thread::spawn(move || work(&jobs, Duration::from_millis(200)))
            })
            .collect();
        let mut most = 0;
        while !threads.iter().all(thread::JoinHandle::is_finished) {
            most = most.max(resting().len());
            thread::yield_now();
        }
        assert!(most <= MAX_RESTING, "{most}");
    }

    #[test]
    fn a_panic_takes_its_thread_along_and_no_other() {
        Ready::take().unwrap().run(|| {
            let none: Option<()> = None;
            assert_eq!(none, Some(()), "on purpose");
        });
        drop(Ready::take().unwrap());
        assert_ne!(thread_of_a_job(), thread::current().id());
    }

    #[test]
    fn a_thread_that_rests_long_enough_ends() {
        let (sender, jobs) = mpsc::channel::<Job>();
        let thread = thread::spawn(move || work(&jobs, Duration::ZERO));
        sender.send(Box::new(|| ())).unwrap();
        let id = thread.thread().id();
        thread.join().unwrap();
        assert!(resting().iter().all(|(thread, _)| *thread != id));
    }
}
