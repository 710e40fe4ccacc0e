//! Two pieces of work at once.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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
