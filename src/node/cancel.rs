//! The way from an `AbortSignal` to a running call.

use napi::Env;
use napi_derive::napi;

use super::environment::Environment;
use super::failure::{Thrown, guarded};
use crate::process::Cancel;

/// Cancels the call that it was given to. `index.js` makes one per call.
#[napi]
pub struct CancelHandle {
    pub(super) token: Cancel,
}

#[napi]
impl CancelHandle {
    /// A handle that nobody has used.
    ///
    /// # Errors
    /// When the environment is being torn down.
    #[napi(constructor)]
    pub fn new(env: Env) -> Result<Self, Thrown> {
        guarded(|| Ok(Self { token: Environment::of(env)?.new_call() }))
    }

    /// Cancels the call, now or, where it has not begun, as soon as it does.
    #[napi]
    pub fn cancel(&self) {
        self.token.cancel();
    }
}
