//! The thread behind one process: it starts it, feeds the [`Machine`] with what it sees and does what that decides.

use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Context, Wake};
use std::time::Instant;

use super::capture::Output;
use super::machine::{Limits, Machine, Next, Reason, Seen};
use super::platform::{self, Running, Waker, Wakeups};
use super::registry::{Call, Entry};
use super::{Bounds, Cancel, Command, Done, Finished, Outcome, Status};

/// Wakes the supervisor when its token is cancelled.
struct OnCancel(Waker);

impl Wake for OnCancel {
    fn wake(self: Arc<Self>) {
        self.0.wake();
    }
}

/// Runs `command` to its end and tells what became of it. Returns once the process has been reaped.
pub(super) fn supervise(
    command: &Command,
    bounds: Bounds,
    entry: &Entry,
    cancel: &Cancel,
    waker: &Waker,
    wakeups: Wakeups,
    done: Done,
) {
    let call = entry.call();
    // Asked once, which has it call back; whether it is cancelled is then read from the token itself.
    let mut cancelled = pin!(cancel.cancelled());
    let on_cancel = task::Waker::from(Arc::new(OnCancel(waker.clone())));
    let is_cancelled = cancelled.as_mut().poll(&mut Context::from_waker(&on_cancel)).is_ready();
    if is_cancelled || !call.begin_start() {
        done.tell(Ok(Finished::never_started()));
        return;
    }
    match platform::spawn(command, waker, wakeups) {
        Err(error) => {
            call.not_started();
            tracing::debug!(code = error.code(), "process did not start");
            done.tell(Err(error));
        }
        Ok((leader, running)) => {
            let started = Instant::now();
            call.started(leader);
            let limits = Limits {
                deadline: command.deadline,
                grace: platform::HAS_TERMINATE.then_some(bounds.grace),
                drain: bounds.drain,
                unkillable: bounds.unkillable,
            };
            follow(Machine::new(limits), started, call, cancel, running, done);
        }
    }
}

fn follow(
    mut machine: Machine,
    started: Instant,
    call: &Call,
    cancel: &Cancel,
    mut running: Running,
    done: Done,
) {
    let died = loop {
        let seen = Seen {
            // The registry marks a call before it signals, so read the exit first: an exit by its signal is never
            // seen without the mark.
            exited: running.exited(),
            output_open: running.output_open(),
            over_limit: running.over_limit(),
            cancelled: call.is_cancelled() || cancel.is_cancelled(),
            doomed: call.is_doomed(),
        };
        let now = started.elapsed();
        let step = machine.step(now, seen);
        if let Some(signal) = step.signal {
            tracing::debug!(?signal, reason = ?machine.reason(), "ending the group");
            call.signal(signal);
        }
        match step.next {
            Next::Wait(until) => running.wait(until.saturating_sub(now)),
            Next::Finish => break true,
            Next::Abandon => break false,
        }
    };
    let output = running.close_output();
    // Both reap: the second as late as it must, after the caller has gone.
    if died {
        let status = call.reap();
        running.join();
        tell(&machine, status, output, started, done);
    } else {
        tracing::warn!("the process does not die");
        tell(&machine, Status::default(), output, started, done);
        running.join();
        call.reap();
    }
}

fn tell(machine: &Machine, status: Status, output: Output, started: Instant, done: Done) {
    let outcome = match machine.reason() {
        Some(Reason::TimedOut) => Outcome::TimedOut,
        Some(Reason::Aborted) => Outcome::Aborted,
        Some(Reason::OutputTooLarge) => Outcome::OutputTooLarge,
        None if status.signal.is_some() => Outcome::Signaled,
        None => Outcome::Exited,
    };
    let finished = Finished {
        outcome,
        exit_code: status.code,
        signal: status.signal,
        stdout: output.stdout,
        stderr: output.stderr,
        output_incomplete: output.incomplete,
        duration: started.elapsed(),
    };
    tracing::debug!(
        outcome = ?finished.outcome,
        exit_code = finished.exit_code,
        signal = finished.signal,
        duration_ms = finished.duration.as_secs_f64() * 1e3,
        stdout_bytes = finished.stdout.len(),
        stderr_bytes = finished.stderr.len(),
        output_incomplete = finished.output_incomplete,
        "process ended",
    );
    done.tell(Ok(finished));
}
