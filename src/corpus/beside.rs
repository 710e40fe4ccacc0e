//! Two pieces of work at once.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// Both results, the first from a thread of its own if it is `worth` one and there is one.
pub(super) fn beside<A: Send, B>(
    worth: bool,
    one: impl Fn() -> A + Sync,
    other: impl FnOnce() -> B,
) -> (A, B) {
    thread::scope(|scope| {
        let started = worth.then(|| thread::Builder::new().spawn_scoped(scope, &one).ok()).flatten();
        let other = other();
        let one = match started.map(ScopedJoinHandle::join) {
            Some(Ok(one)) => one,
            Some(Err(panic)) => resume_unwind(panic),
            None => one(),
        };
        (one, other)
    })
}

#[cfg(test)]
mod tests {
    use std::thread::ThreadId;

    use super::*;

    #[test]
    fn only_what_is_worth_it_has_a_thread_of_its_own() {
        let here = || thread::current().id();
        let apart = |worth: bool| -> (ThreadId, ThreadId) { beside(worth, here, here) };
        assert_eq!(apart(false), (here(), here()));
        let (one, other) = apart(true);
        assert_ne!(one, here());
        assert_eq!(other, here());
    }
}
