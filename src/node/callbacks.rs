//! Calls from the hooks' background into JavaScript. They are weak: none keeps Node alive, and none is waited for on a
//! thread. `index.js` passes functions that never throw.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use camino::Utf8PathBuf;
use napi::Status;
use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode, UnknownReturnValue};
use tokio::sync::oneshot;

use super::failure::{Thrown, refused};
use crate::error::{Error, Result};
use crate::hooks::{LogFn, RefreshFn};
use crate::process::Cancel;

/// What a callback takes and nothing else: its result is not looked at.
pub(super) type Callback<'a, Args> = Function<'a, FnArgs<Args>, UnknownReturnValue>;

type Weak<Args> = ThreadsafeFunction<FnArgs<Args>, UnknownReturnValue, FnArgs<Args>, Status, false, true>;

/// The log of the hooks: `log(line)`.
///
/// # Errors
/// When Node-API refuses.
pub(super) fn log(log: &Callback<'_, (&'static str,)>) -> Result<LogFn, Thrown> {
    let log: Weak<_> = log.build_threadsafe_function().weak().build().map_err(refused)?;
    Ok(Arc::new(move |line| {
        // Refused only where the environment is going away.
        let _ = log.call((line,).into(), ThreadsafeFunctionCallMode::NonBlocking);
    }))
}

/// `refresh(id, dir)` begins a refresh, and `refresh(id, null)` aborts it. How it ended comes by
/// [`Refreshes::settled`].
pub(super) type RefreshArgs = (u32, Option<String>);

/// The refreshes that JavaScript has under way.
pub(super) struct Refreshes {
    call: Weak<RefreshArgs>,
    pending: Mutex<Pending>,
}

#[derive(Default)]
struct Pending {
    last: u32,
    settle: HashMap<u32, oneshot::Sender<bool>>,
}

impl Refreshes {
    /// None is under way.
    ///
    /// # Errors
    /// When Node-API refuses.
    pub(super) fn new(refresh: &Callback<'_, RefreshArgs>) -> Result<Arc<Self>, Thrown> {
        let call = refresh.build_threadsafe_function().weak().build().map_err(refused)?;
        Ok(Arc::new(Self { call, pending: Mutex::default() }))
    }

    /// The function that the hooks call.
    pub(super) fn function(self: &Arc<Self>) -> RefreshFn {
        let refreshes = Arc::clone(self);
        Arc::new(move |dir, cancel| {
            let refreshes = Arc::clone(&refreshes);
            Box::pin(async move { refreshes.run(dir, cancel).await })
        })
    }

    /// The refresh `id` has ended.
    pub(super) fn settled(&self, id: u32, succeeded: bool) {
        if let Some(settle) = self.pending().settle.remove(&id) {
            let _ = settle.send(succeeded);
        }
    }

    async fn run(&self, dir: Utf8PathBuf, cancel: Cancel) -> Result<()> {
        let (id, mut settled) = self.begin();
        let began = self.tell(id, Some(dir.into_string()));
        if began {
            tokio::select! {
                biased;
                succeeded = &mut settled => return outcome(succeeded.ok()),
                () = cancel.cancelled() => {}
            }
            if self.tell(id, None) {
                return outcome(settled.await.ok());
            }
        }
        // The environment is gone, and with it whatever was under way.
        self.pending().settle.remove(&id);
        Err(Error::Aborted)
    }

    fn begin(&self) -> (u32, oneshot::Receiver<bool>) {
        let (settle, settled) = oneshot::channel();
        let mut pending = self.pending();
        pending.last = pending.last.wrapping_add(1);
        let id = pending.last;
        pending.settle.insert(id, settle);
        (id, settled)
    }

    fn tell(&self, id: u32, dir: Option<String>) -> bool {
        self.call.call((id, dir).into(), ThreadsafeFunctionCallMode::NonBlocking) == Status::Ok
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a refresh failed is for its author to say. Here it counts that it did.
fn outcome(succeeded: Option<bool>) -> Result<()> {
    match succeeded {
        Some(true) => Ok(()),
        Some(false) => Err(Error::Internal),
        None => Err(Error::Aborted),
    }
}
