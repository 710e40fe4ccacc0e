//! Promises for work that runs off the event loop.
//!
//! The binding brings its own executor because napi's starts one thread per core when the addon is *loaded*. This one
//! is a single thread, started by the first call: it only waits. Processes have threads of their own and file work
//! goes to blocking threads.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use napi::bindgen_prelude::{Object, ToNapiValue};
use napi::{Env, JsError};
use tokio::runtime::{Builder, Handle};

use super::failure::{Thrown, refused, thrown};
use crate::contain::contained;
use crate::error::{Error, Result};
use crate::process::Cancel;

/// The name of the thread on which calls wait.
const THREAD_NAME: &str = "adrkit";

/// The executor, once it runs. It lives as long as the process: idle, it holds one parked thread.
static EXECUTOR: Mutex<Option<Handle>> = Mutex::new(None);

/// The promise of `work`, settled on the JavaScript thread with what `convert` makes of its result.
///
/// While it is pending, Node stays alive. When its environment is gone, the result is dropped.
///
/// # Errors
/// When Node-API refuses, or the executor's thread cannot be started.
pub(super) fn promise<T, V, W, C>(env: &Env, work: W, convert: C) -> Result<Object<'_>, Thrown>
where
    T: Send + 'static,
    V: ToNapiValue + 'static,
    W: Future<Output = Result<T>> + Send + 'static,
    C: FnOnce(T) -> V + Send + 'static,
{
    let executor = executor().map_err(|e| thrown(&e))?;
    let (settle, promise) = settled(env, convert)?;
    executor.spawn(async move { settle(contained(work).await) });
    Ok(promise)
}

/// As [`promise`], but `work` begins on this thread, from where it may start more in the background: what it waits for is
/// under way a thread sooner.
///
/// # Errors
/// As [`promise`].
pub(super) fn begun<T, V, W, C>(env: &Env, work: W, convert: C) -> Result<Object<'_>, Thrown>
where
    T: Send + 'static,
    V: ToNapiValue + 'static,
    W: Future<Output = Result<T>> + Send + 'static,
    C: FnOnce(T) -> V + Send + 'static,
{
    let executor = executor().map_err(|e| thrown(&e))?;
    let (settle, promise) = settled(env, convert)?;
    let mut work = Box::pin(contained(work));
    let _context = executor.enter();
    // The executor polls it again, and so hears of whatever this waker was to be told.
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => settle(outcome),
        Poll::Pending => drop(executor.spawn(async move { settle(work.await) })),
    }
    Ok(promise)
}

/// The promise of what `start` begins, which has to tell once what became of it, from any thread. The promise is made
/// while that is under way.
///
/// # Errors
/// When Node-API refuses. What was begun goes on then.
pub(super) fn started<T, V, C>(
    env: &Env,
    start: impl FnOnce(Settle<T>),
    convert: C,
) -> Result<Object<'_>, Thrown>
where
    T: Send + 'static,
    V: ToNapiValue + 'static,
    C: FnOnce(T) -> V + Send + 'static,
{
    silence_panics();
    let meeting = Arc::new(Meeting::new());
    let there = Arc::clone(&meeting);
    start(Box::new(move |outcome| there.bring(Some(outcome), None)));
    let (settle, promise) = settled(env, convert)?;
    meeting.bring(None, Some(Box::new(settle)));
    Ok(promise)
}

/// What settles a promise.
pub(super) type Settle<T> = Box<dyn FnOnce(Result<T>) + Send>;

/// Where an outcome and what it settles meet. Who comes second has the one settle the other.
struct Meeting<T>(Mutex<Halves<T>>);

struct Halves<T> {
    outcome: Option<Result<T>>,
    settle: Option<Settle<T>>,
}

impl<T> Meeting<T> {
    fn new() -> Self {
        Self(Mutex::new(Halves { outcome: None, settle: None }))
    }

    fn bring(&self, outcome: Option<Result<T>>, settle: Option<Settle<T>>) {
        let mut there = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (outcome.or(there.outcome.take()), settle.or(there.settle.take())) {
            (Some(outcome), Some(settle)) => {
                drop(there);
                settle(outcome);
            }
            (outcome, settle) => *there = Halves { outcome, settle },
        }
    }
}

/// A promise, and what settles it from any thread, on the JavaScript thread with what `convert` makes of the result.
///
/// While it is pending, Node stays alive. When its environment is gone, the result is dropped.
///
/// # Errors
/// When Node-API refuses.
pub(super) fn settled<T, V, C>(
    env: &Env,
    convert: C,
) -> Result<(impl FnOnce(Result<T>) + Send + use<T, V, C>, Object<'_>), Thrown>
where
    T: Send + 'static,
    V: ToNapiValue + 'static,
    C: FnOnce(T) -> V + Send + 'static,
{
    silence_panics();
    let (deferred, promise) = env.create_deferred().map_err(refused)?;
    let settle = move |outcome: Result<T>| {
        deferred.resolve(move |env| outcome.map(convert).map_err(|e| rejection(env, &e)));
    };
    Ok((settle, promise))
}

/// Runs `work` on this thread, from where it may start more in the background.
///
/// # Errors
/// When the executor's thread cannot be started.
pub(super) fn here<T>(work: impl FnOnce() -> T) -> Result<T, Thrown> {
    let executor = executor().map_err(|e| thrown(&e))?;
    let _context = executor.enter();
    Ok(work())
}

/// Bounds `work` as a whole: past the deadline its own `cancel` is told, and it is waited for, so that nothing it
/// started is still alive when the answer comes.
pub(super) async fn bounded<T>(
    deadline: Duration,
    cancel: &Cancel,
    work: impl AsyncFnOnce(&Cancel) -> Result<T>,
) -> Result<T> {
    let inner = cancel.child_token();
    let mut work = pin!(work(&inner));
    tokio::select! {
        biased;
        result = &mut work => result,
        () = tokio::time::sleep(deadline) => {
            inner.cancel();
            let _ = work.await;
            Err(Error::TimedOut)
        }
    }
}

/// An error object with `code`, in the form in which a deferred rejects with the object itself.
fn rejection(env: Env, error: &Error) -> napi::Error {
    napi::Error::from_unknown_without_coercion(JsError::from(thrown(error)).into_unknown(env))
}

fn executor() -> Result<Handle> {
    let mut slot = EXECUTOR.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = &*slot {
        return Ok(handle.clone());
    }
    silence_panics();
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|_| Error::Internal)?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new()
        .name(THREAD_NAME.to_owned())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))
        .map_err(|_| Error::Internal)?;
    *slot = Some(handle.clone());
    Ok(handle)
}

/// Sends panics to the log instead of stderr, without their message, which may hold repository text. The hook is this
/// library's own: an addon has its own copy of the standard library.
fn silence_panics() {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string);
            tracing::error!(place, "panicked");
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn a_panic_of_the_work_is_an_internal_error() {
        let outcome = block_on(contained(async {
            tokio::task::yield_now().await;
            None::<()>.ok_or(Error::Aborted).map_err(|_| panic!("secret"))
        }));
        assert_eq!(outcome, Err(Error::Internal));
    }

    #[test]
    fn an_outcome_settles_whether_it_is_first_or_second() {
        for outcome_first in [true, false] {
            let (sender, settled) = std::sync::mpsc::channel();
            let meeting = Meeting::new();
            let settle = || -> Settle<u8> {
                let sender = sender.clone();
                Box::new(move |outcome| sender.send(outcome).unwrap())
            };
            if outcome_first {
                meeting.bring(Some(Ok(1)), None);
                assert!(settled.try_recv().is_err());
                meeting.bring(None, Some(settle()));
            } else {
                meeting.bring(None, Some(settle()));
                assert!(settled.try_recv().is_err());
                meeting.bring(Some(Ok(1)), None);
            }
            drop((meeting, sender));
            assert_eq!(settled.iter().collect::<Vec<_>>(), [Ok(1)]);
        }
    }

    #[test]
    fn past_the_deadline_the_work_is_cancelled_and_waited_for() {
        let mut ended = false;
        let outcome = block_on(bounded(Duration::ZERO, &Cancel::new(), async |cancel: &Cancel| {
            cancel.cancelled().await;
            ended = true;
            Ok(())
        }));
        assert_eq!(outcome, Err(Error::TimedOut));
        assert!(ended);
    }

    #[test]
    fn a_cancel_from_outside_reaches_the_work() {
        let cancel = Cancel::new();
        cancel.cancel();
        let outcome = block_on(bounded(Duration::MAX, &cancel, async |cancel: &Cancel| {
            tokio::select! {
                () = cancel.cancelled() => Err::<(), _>(Error::Aborted),
                () = pending() => Ok(()),
            }
        }));
        assert_eq!(outcome, Err(Error::Aborted));
    }
}
