//! What to do next with a running process, as a pure function of time and of what has been seen.
//!
//! Time is the span since the process started, so a test can drive it with a virtual clock.

use std::time::Duration;

/// The bounds of one process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// From the start to the first signal.
    pub(super) deadline: Duration,
    /// From the polite signal to the forced one; none where the system has no polite one.
    pub(super) grace: Option<Duration>,
    /// How long after the exit the pipes may stay open.
    pub(super) drain: Duration,
    /// How long after the forced signal the exit may stay away.
    pub(super) unkillable: Duration,
}

/// What is known at one moment.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent observations, not a state")]
pub(super) struct Seen {
    /// The leader of the group has ended.
    pub(super) exited: bool,
    /// At least one of stdout and stderr has not reached its end.
    pub(super) output_open: bool,
    /// One of them exceeded the limit.
    pub(super) over_limit: bool,
    /// The caller asked for the end, or went away.
    pub(super) cancelled: bool,
    /// The registry has sent the forced signal already.
    pub(super) doomed: bool,
}

/// Why we ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    TimedOut,
    Aborted,
    OutputTooLarge,
}

/// A signal to the whole group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// Asks.
    Terminate,
    /// Forces.
    Kill,
}

/// What to do once the signal has been sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Wait for news, at most until this time.
    Wait(Duration),
    /// Close the pipes, clear the group, reap, report.
    Finish,
    /// Report now; the leader does not die and is reaped whenever it does.
    Abandon,
}

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) signal: Option<Signal>,
    pub(super) next: Next,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    Grace { until: Duration },
    Killed { until: Duration },
    Draining { until: Duration },
}

/// The life of one process.
#[derive(Debug)]
pub(super) struct Machine {
    limits: Limits,
    phase: Phase,
    reason: Option<Reason>,
}

impl Machine {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, phase: Phase::Running, reason: None }
    }

    /// Why we ended it; none while we have not, and none if it ended by itself.
    pub(super) fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Decides. Call it after every wait; `now` never goes back and `exited` never becomes false again.
    pub(super) fn step(&mut self, now: Duration, seen: Seen) -> Step {
        // Output that was cut is never a success, even when the process has ended by itself.
        if seen.over_limit {
            self.reason.get_or_insert(Reason::OutputTooLarge);
        }
        if seen.exited {
            return self.after_exit(now, seen);
        }
        match self.phase {
            Phase::Running => self.running(now, seen),
            Phase::Grace { until } if seen.doomed || now >= until => self.kill(now),
            Phase::Killed { until } if now >= until => Step { signal: None, next: Next::Abandon },
            Phase::Grace { until } | Phase::Killed { until } | Phase::Draining { until } => wait(until),
        }
    }

    fn running(&mut self, now: Duration, seen: Seen) -> Step {
        if self.reason.is_none() {
            if seen.cancelled || seen.doomed {
                self.reason = Some(Reason::Aborted);
            } else if now >= self.limits.deadline {
                self.reason = Some(Reason::TimedOut);
            } else {
                return wait(self.limits.deadline);
            }
        }
        match self.limits.grace {
            Some(grace) if !seen.doomed && !grace.is_zero() => {
                let until = now.saturating_add(grace);
                self.phase = Phase::Grace { until };
                Step { signal: Some(Signal::Terminate), next: Next::Wait(until) }
            }
            _ => self.kill(now),
        }
    }

    fn kill(&mut self, now: Duration) -> Step {
        let until = now.saturating_add(self.limits.unkillable);
        self.phase = Phase::Killed { until };
        Step { signal: Some(Signal::Kill), next: Next::Wait(until) }
    }

    // An exit that is seen together with a passed deadline or a cancel came first: neither has sent a signal yet.
    // The registry sends its signal itself, so there the exit is its doing.
    fn after_exit(&mut self, now: Duration, seen: Seen) -> Step {
        let until = if let Phase::Draining { until } = self.phase {
            until
        } else {
            if seen.doomed {
                self.reason.get_or_insert(Reason::Aborted);
            }
            let until = now.saturating_add(self.limits.drain);
            self.phase = Phase::Draining { until };
            until
        };
        let nobody_listens = seen.doomed || (seen.cancelled && self.reason != Some(Reason::Aborted));
        if !seen.output_open || seen.over_limit || nobody_listens || now >= until {
            return Step { signal: None, next: Next::Finish };
        }
        wait(until)
    }
}

fn wait(until: Duration) -> Step {
    Step { signal: None, next: Next::Wait(until) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        deadline: Duration::from_secs(5),
        grace: Some(Duration::from_secs(1)),
        drain: Duration::from_millis(200),
        unkillable: Duration::from_secs(2),
    };

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn live() -> Seen {
        Seen { output_open: true, ..Seen::default() }
    }

    fn step(signal: Option<Signal>, next: Next) -> Step {
        Step { signal, next }
    }

    /// A script: at each time, what is seen and what must come out; then the reason at the end.
    fn play(limits: Limits, script: &[(u64, Seen, Option<Signal>, Next)], reason: Option<Reason>) {
        let mut machine = Machine::new(limits);
        for (at, seen, signal, next) in script {
            assert_eq!(machine.step(ms(*at), *seen), step(*signal, *next), "at {at} ms");
        }
        assert_eq!(machine.reason(), reason);
    }

    #[test]
    fn a_plain_life_waits_for_the_deadline_and_finishes_at_exit() {
        let gone = Seen { exited: true, ..Seen::default() };
        play(
            LIMITS,
            &[
                (0, live(), None, Next::Wait(ms(5000))),
                (40, live(), None, Next::Wait(ms(5000))),
                (41, gone, None, Next::Finish),
            ],
            None,
        );
    }

    #[test]
    fn a_deaf_process_is_asked_then_killed_then_abandoned() {
        play(
            LIMITS,
            &[
                (4999, live(), None, Next::Wait(ms(5000))),
                (5000, live(), Some(Signal::Terminate), Next::Wait(ms(6000))),
                (5999, live(), None, Next::Wait(ms(6000))),
                (6000, live(), Some(Signal::Kill), Next::Wait(ms(8000))),
                (7999, live(), None, Next::Wait(ms(8000))),
                (8000, live(), None, Next::Abandon),
            ],
            Some(Reason::TimedOut),
        );
    }

    #[test]
    fn each_reason_asks_first_and_the_first_reason_stays() {
        let cancelled = Seen { cancelled: true, ..live() };
        let over = Seen { over_limit: true, ..live() };
        let both = Seen { over_limit: true, ..cancelled };
        for (seen, reason) in
            [(cancelled, Reason::Aborted), (over, Reason::OutputTooLarge), (both, Reason::OutputTooLarge)]
        {
            play(
                LIMITS,
                &[
                    (10, seen, Some(Signal::Terminate), Next::Wait(ms(1010))),
                    (20, Seen { exited: true, ..both }, None, Next::Finish),
                ],
                Some(reason),
            );
        }
    }

    #[test]
    fn without_a_polite_signal_the_forced_one_comes_at_once() {
        for grace in [None, Some(Duration::ZERO)] {
            let cancelled = Seen { cancelled: true, ..live() };
            play(
                Limits { grace, ..LIMITS },
                &[(10, cancelled, Some(Signal::Kill), Next::Wait(ms(2010)))],
                Some(Reason::Aborted),
            );
        }
    }

    #[test]
    fn the_registry_skips_the_grace_in_every_phase() {
        let doomed = Seen { doomed: true, ..live() };
        play(LIMITS, &[(10, doomed, Some(Signal::Kill), Next::Wait(ms(2010)))], Some(Reason::Aborted));
        play(
            LIMITS,
            &[
                (5000, live(), Some(Signal::Terminate), Next::Wait(ms(6000))),
                (5100, doomed, Some(Signal::Kill), Next::Wait(ms(7100))),
            ],
            Some(Reason::TimedOut),
        );
        // The exit is seen before the decision: it is still the registry's doing.
        play(LIMITS, &[(10, Seen { exited: true, ..doomed }, None, Next::Finish)], Some(Reason::Aborted));
    }

    #[test]
    fn an_exit_that_is_seen_late_beats_the_deadline_and_the_cancel() {
        let gone = Seen { exited: true, ..Seen::default() };
        play(LIMITS, &[(9000, gone, None, Next::Finish)], None);
        play(LIMITS, &[(10, Seen { cancelled: true, ..gone }, None, Next::Finish)], None);
    }

    #[test]
    fn the_drain_is_bounded_and_does_not_restart() {
        let held = Seen { exited: true, ..live() };
        play(
            LIMITS,
            &[
                (100, held, None, Next::Wait(ms(300))),
                (250, held, None, Next::Wait(ms(300))),
                (300, held, None, Next::Finish),
            ],
            None,
        );
    }

    #[test]
    fn a_cancel_cuts_the_drain_of_a_process_that_ended_by_itself() {
        let held = Seen { exited: true, ..live() };
        for seen in [Seen { cancelled: true, ..held }, Seen { doomed: true, ..held }] {
            play(LIMITS, &[(100, held, None, Next::Wait(ms(300))), (150, seen, None, Next::Finish)], None);
        }
    }

    #[test]
    fn output_over_the_limit_after_the_exit_is_still_told() {
        let held = Seen { exited: true, ..live() };
        let over = Seen { over_limit: true, ..held };
        play(
            LIMITS,
            &[(100, held, None, Next::Wait(ms(300))), (110, over, None, Next::Finish)],
            Some(Reason::OutputTooLarge),
        );
    }

    #[test]
    fn endless_durations_do_not_overflow() {
        let limits = Limits {
            deadline: Duration::MAX,
            grace: Some(Duration::MAX),
            drain: Duration::MAX,
            unkillable: Duration::MAX,
        };
        let cancelled = Seen { cancelled: true, ..live() };
        play(
            limits,
            &[
                (1, live(), None, Next::Wait(Duration::MAX)),
                (2, cancelled, Some(Signal::Terminate), Next::Wait(Duration::MAX)),
                (3, Seen { exited: true, ..cancelled }, None, Next::Wait(Duration::MAX)),
            ],
            Some(Reason::Aborted),
        );
    }

    proptest::proptest! {
        /// Whatever is seen in whatever order: at most one polite and one forced signal, in that order, no signal
        /// after the exit, and an end within the sum of the bounds.
        #[test]
        fn every_life_is_bounded(events in proptest::collection::vec((0u64..9, 0u8..32), 1..40), exit_at in 0usize..60) {
            let mut machine = Machine::new(LIMITS);
            let (mut now, mut sent, mut seen, mut over) = (0, Vec::new(), live(), false);
            for (i, (pause, bits)) in events.into_iter().chain(std::iter::repeat((9, 0))).take(100).enumerate() {
                now += pause * 100;
                seen.exited |= i >= exit_at;
                seen.output_open &= bits & 1 == 0;
                seen.over_limit |= bits >> 1 & 3 == 3;
                seen.cancelled |= bits >> 3 == 3;
                seen.doomed |= bits == 31;
                let Step { signal, next } = machine.step(ms(now), seen);
                proptest::prop_assert!(!(seen.exited && signal.is_some()));
                sent.extend(signal);
                match next {
                    Next::Wait(until) => proptest::prop_assert!(until > ms(now)),
                    Next::Finish | Next::Abandon => { over = true; break; }
                }
            }
            proptest::prop_assert!(over);
            proptest::prop_assert!(
                matches!(sent[..], [] | [Signal::Terminate | Signal::Kill] | [Signal::Terminate, Signal::Kill])
            );
        }
    }
}
