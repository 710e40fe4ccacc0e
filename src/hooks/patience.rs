//! How long the notes may hold a session.
//!
//! The host runs the hooks of parallel tool calls one after another, so what each of them waits adds up: a deadline of
//! each does not bound the turn. So all waiting draws on one patience, which comes back slowly.

use std::time::Duration;

use tokio::time::Instant;

use super::limits::{NOTE_DEADLINE, NOTE_GLANCE, PATIENCE_RETURNS};

/// What has been waited, less what has come back since.
#[derive(Debug)]
pub(super) struct Patience {
    spent: Duration,
    waiting: usize,
    at: Instant,
}

impl Default for Patience {
    fn default() -> Self {
        Self { spent: Duration::ZERO, waiting: 0, at: Instant::now() }
    }
}

impl Patience {
    /// One more waits from `now` on; how long it may. Each call needs an [`Patience::end`].
    pub(super) fn begin(&mut self, now: Instant) -> Duration {
        self.advance(now);
        self.waiting += 1;
        NOTE_DEADLINE.saturating_sub(self.spent).max(NOTE_GLANCE)
    }

    /// One that waited waits no more.
    pub(super) fn end(&mut self, now: Instant) {
        self.advance(now);
        self.waiting = self.waiting.saturating_sub(1);
    }

    /// Those that wait at the same time hold nothing for longer than one alone.
    fn advance(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at);
        self.at = now;
        self.spent = if self.waiting == 0 {
            self.spent.saturating_sub(passed / PATIENCE_RETURNS)
        } else {
            (self.spent + passed).min(NOTE_DEADLINE)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waiting_adds_up_and_comes_back() {
        let mut now = Instant::now();
        let mut patience = Patience { spent: Duration::ZERO, waiting: 0, at: now };
        let mut wait = |idle: Duration, waited: Duration| {
            now += idle;
            let may = patience.begin(now);
            now += waited.min(may);
            patience.end(now);
            may
        };
        assert_eq!(wait(Duration::ZERO, SECOND), NOTE_DEADLINE);
        assert_eq!(wait(Duration::ZERO, SECOND) + SECOND, NOTE_DEADLINE);
        assert_eq!(wait(Duration::ZERO, Duration::ZERO), NOTE_GLANCE);
        assert_eq!(wait(SECOND * PATIENCE_RETURNS, Duration::ZERO), SECOND);
        assert_eq!(wait(SECOND * PATIENCE_RETURNS * 9, Duration::ZERO), NOTE_DEADLINE);
    }

    #[test]
    fn a_batch_of_any_size_holds_little_more_than_one_note() {
        let mut now = Instant::now();
        let mut patience = Patience { spent: Duration::ZERO, waiting: 0, at: now };
        let begin = now;
        for _ in 0..20 {
            now += patience.begin(now);
            patience.end(now);
        }
        assert_eq!(now - begin, NOTE_DEADLINE + NOTE_GLANCE * 19);
    }

    #[test]
    fn waiting_at_the_same_time_counts_once() {
        let now = Instant::now();
        let mut patience = Patience { spent: Duration::ZERO, waiting: 0, at: now };
        patience.begin(now);
        patience.begin(now);
        patience.end(now + SECOND);
        patience.end(now + SECOND);
        assert_eq!(patience.begin(now + SECOND) + SECOND, NOTE_DEADLINE);
    }
}
