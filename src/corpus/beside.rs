//! Two pieces of work at once, and work that two share.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use crate::threads::Ready;

/// Both results. If it is `worth` another thread, the first comes from one, unless that is so late that this one can take
/// it on after the second.
pub(super) fn beside<A: Send + 'static, B>(
    worth: bool,
    one: impl FnOnce() -> A + Send + 'static,
    other: impl FnOnce() -> B,
) -> (A, B) {
    let thread = worth.then(|| Ready::take().ok()).flatten();
    let open = Arc::new(Mutex::new(Some(one)));
    let (done, result) = mpsc::channel();
    if let Some(thread) = thread {
        let open = Arc::clone(&open);
        thread.run(move || {
            if let Some(one) = take(&open) {
                let _ = done.send(catch_unwind(AssertUnwindSafe(one)));
            }
        });
    }
    let other = other();
    let one = match take(&open) {
        Some(one) => one(),
        None => result
            .recv()
            .unwrap_or_else(|lost| Err(Box::new(lost)))
            .unwrap_or_else(|panic| resume_unwind(panic)),
    };
    (one, other)
}

/// Work on a list, of which each thread takes what nobody has begun, some places at a time.
pub(super) struct Shared<R> {
    next: AtomicUsize,
    count: usize,
    step: usize,
    work: Box<dyn Fn(Range<usize>) -> Vec<R> + Send + Sync>,
}

/// What a thread has done of it: results from a place on.
pub(super) type Part<R> = Vec<(usize, Vec<R>)>;

impl<R> Shared<R> {
    /// `work` gives a result for each place.
    pub(super) fn new(
        count: usize,
        step: usize,
        work: impl Fn(Range<usize>) -> Vec<R> + Send + Sync + 'static,
    ) -> Self {
        Self { next: AtomicUsize::new(0), count, step, work: Box::new(work) }
    }

    /// Does what is left to do.
    pub(super) fn take_part(&self) -> Part<R> {
        let mut part = Part::new();
        loop {
            let from = self.next.fetch_add(self.step, Ordering::Relaxed);
            if from >= self.count {
                return part;
            }
            part.push((from, (self.work)(from..self.count.min(from + self.step))));
        }
    }
}

/// The results in the order of their places.
pub(super) fn joined<R>(one: Part<R>, other: Part<R>) -> Vec<R> {
    let mut parts = one;
    parts.extend(other);
    parts.sort_by_key(|(from, _)| *from);
    parts.into_iter().flat_map(|(_, results)| results).collect()
}

fn take<T>(open: &Mutex<Option<T>>) -> Option<T> {
    open.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_what_is_worth_it_has_a_thread_of_its_own() {
        let here = thread::current().id();
        // Time enough for another thread to take it.
        let slowly = || {
            thread::sleep(Duration::from_millis(50));
            thread::current().id()
        };
        assert_eq!(beside(false, || thread::current().id(), slowly), (here, here));
        let (begun, wait) = mpsc::channel();
        let one = move || {
            begun.send(()).unwrap();
            thread::current().id()
        };
        let (one, other) = beside(true, one, || {
            wait.recv().unwrap();
            thread::current().id()
        });
        assert_ne!(one, here);
        assert_eq!(other, here);
    }

    #[test]
    fn each_is_done_once_whoever_is_late() {
        for n in 0..1000 {
            let list = vec![n];
            assert_eq!(beside(true, move || list, || n + 1), (vec![n], n + 1));
        }
    }

    #[test]
    fn what_is_shared_is_done_once_by_both() {
        for count in [0, 1, 6, 7, 8, 1000] {
            let shared = Arc::new(Shared::new(count, 7, |range| range.map(|at| at * 2).collect()));
            let aside = Arc::clone(&shared);
            let (one, other) = beside(true, move || aside.take_part(), || shared.take_part());
            assert_eq!(joined(one, other), (0..count).map(|at| at * 2).collect::<Vec<_>>(), "{count}");
        }
    }

    #[test]
    fn a_panic_on_the_other_thread_is_one_here() {
        let (begun, wait) = mpsc::channel();
        let one = move || {
            begun.send(()).unwrap();
            let none: Option<()> = None;
            assert_eq!(none, Some(()), "on purpose");
        };
        let both = AssertUnwindSafe(|| beside(true, one, || wait.recv().unwrap()));
        assert!(catch_unwind(both).is_err());
    }
}
