//! One start of a process at a time.
//!
//! A child has all our descriptors until it has become its program. So one that is started while another's pipes are
//! made holds the writing ends of these too, and on a busy machine for long: then the other's output does not end
//! when its process does. A start waits for its turn, but not for ever: one that hangs, such as in a directory on a
//! dead mount, must not hold the others. What the host starts itself is out of reach.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long a start waits for the one before.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Whose turn it is.
pub(super) struct Turns {
    taken: Mutex<bool>,
    given_back: Condvar,
}

/// The turn of one start, given back when dropped.
#[must_use]
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    /// Not where the wait was too long.
    is_ours: bool,
}

impl Turns {
    pub(super) const fn new() -> Self {
        Self { taken: Mutex::new(false), given_back: Condvar::new() }
    }

    /// Waits for a turn, at most `longest`.
    pub(super) fn take(&self, longest: Duration) -> Turn<'_> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.given_back.wait_timeout_while(taken, longest, |taken| *taken);
        let (mut taken, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        let is_ours = !waited.timed_out();
        *taken = true;
        Turn { turns: self, is_ours }
    }
}

impl Turn<'_> {
    /// Whether the wait was short enough.
    pub(super) fn is_ours(&self) -> bool {
        self.is_ours
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if self.is_ours {
            *self.turns.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
            self.turns.given_back.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn one_at_a_time_and_each_gets_its_turn() {
        let turns = Turns::new();
        let (now, most, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let turn = turns.take(Duration::MAX);
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::yield_now();
                        now.fetch_sub(1, Ordering::SeqCst);
                        drop(turn);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((most.into_inner(), done.into_inner()), (1, 400));
    }

    #[test]
    fn one_that_hangs_does_not_hold_the_others() {
        let turns = Turns::new();
        let hangs = turns.take(Duration::ZERO);
        let late = turns.take(Duration::ZERO);
        assert_eq!((hangs.is_ours, late.is_ours), (true, false));
        drop(late);
        assert!(!turns.take(Duration::ZERO).is_ours, "the late one gives back nothing");
        drop(hangs);
        assert!(turns.take(Duration::ZERO).is_ours);
    }
}
