//! How many processes may run at once for work that nobody asked for: the hooks and the refresh they trigger.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::engine::{self, Ask, EngineChoice};
use crate::error::{Error, Result};
use crate::process::Cancel;

/// How many processes may run at once.
pub const MAX_PROCESSES: u32 = 2;

/// The slots in which processes run, first come, first served. A clone shares them: give the same slots to everything
/// that works in the background.
#[derive(Debug, Clone)]
pub struct Slots(Arc<Semaphore>);

impl Default for Slots {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_PROCESSES as usize)))
    }
}

/// A place in which a process may run, until it is dropped.
#[must_use]
#[derive(Debug)]
pub(crate) struct Slot {
    _permit: OwnedSemaphorePermit,
}

impl Slots {
    /// Waits for one slot.
    pub(crate) async fn one(&self, cancel: &Cancel) -> Result<Slot> {
        self.take(1, cancel).await
    }

    /// Waits until nobody else has a slot, and takes all: for work that runs [`MAX_PROCESSES`] processes at once.
    pub(crate) async fn all(&self, cancel: &Cancel) -> Result<Slot> {
        self.take(MAX_PROCESSES, cancel).await
    }

    /// Waits for one slot where a question needs one.
    pub(crate) async fn for_question(&self, ask: &Ask, cancel: &Cancel) -> Result<Option<Slot>> {
        let starts = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Error::Aborted),
            starts = starts_processes(ask) => starts,
        };
        if starts { self.one(cancel).await.map(Some) } else { Ok(None) }
    }

    async fn take(&self, number: u32, cancel: &Cancel) -> Result<Slot> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::Aborted),
            permit = Arc::clone(&self.0).acquire_many_owned(number) => {
                // Nobody closes the semaphore.
                permit.map(|permit| Slot { _permit: permit }).map_err(|_| Error::Internal)
            }
        }
    }
}

/// Whether the answer to a question may start a process: it does where a command resolves, unless the embedded engine
/// was asked for. A command that turns out to be another program has been started by then.
pub(crate) async fn starts_processes(ask: &Ask) -> bool {
    ask.engine != EngineChoice::Embedded && engine::resolve_cli(&ask.cwd, &ask.env).await.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_third_waits_and_all_wait_for_both() {
        let (slots, cancel) = (Slots::default(), Cancel::new());
        let first = slots.one(&cancel).await.unwrap();
        let second = slots.clone().one(&cancel).await.unwrap();
        let waits = tokio::time::timeout(std::time::Duration::ZERO, slots.one(&cancel)).await;
        assert!(waits.is_err());
        drop(first);
        let waits = tokio::time::timeout(std::time::Duration::ZERO, slots.all(&cancel)).await;
        assert!(waits.is_err());
        drop(second);
        let _all = slots.all(&cancel).await.unwrap();
        cancel.cancel();
        assert_eq!(slots.one(&cancel).await.unwrap_err(), Error::Aborted);
    }
}
