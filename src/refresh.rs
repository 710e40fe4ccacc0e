//! When the panels of a review are refreshed: after edits, in the background, one refresh at a time.
//!
//! Timers are tokio's and run on whoever's runtime the hooks run in. None of them keeps a process alive: a runtime that
//! goes away takes them along.

use std::collections::HashMap;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::time::Instant;

use crate::contain::contained;
use crate::error::{Error, Result};
use crate::process::Cancel;

/// From the last edit to the refresh.
pub const DEBOUNCE: Duration = Duration::from_millis(1500);

/// How long a refresh as a whole may take before it is cancelled. The deadlines of what it does hold beside it.
pub const REFRESH_DEADLINE: Duration = Duration::from_secs(15);

/// Refreshes the panels of a directory. It has to end soon after the [`Cancel`] is cancelled: the directory is not
/// refreshed again before it has ended.
pub type RefreshFn =
    Arc<dyn Fn(Utf8PathBuf, Cancel) -> Pin<Box<dyn Future<Output = Result<()>> + Send>> + Send + Sync>;

/// Hears of a refresh that failed, or that was cancelled at its deadline.
pub type FailedFn = Arc<dyn Fn(&Error) + Send + Sync>;

/// Refreshes the directories that have an open panel.
///
/// A refresh begins [`DEBOUNCE`] after the last request. While one is under way, further requests for that directory
/// make one more, however many they are; directories do not wait for each other. A directory without an open panel is
/// never refreshed.
///
/// A clone is another handle on the same panels.
#[derive(Clone)]
pub struct RefreshScheduler(Arc<Shared>);

struct Shared {
    refresh: RefreshFn,
    failed: FailedFn,
    directories: Mutex<HashMap<Utf8PathBuf, Directory>>,
    life: Cancel,
}

/// A directory with open panels, or with a task that has yet to notice that the last one closed.
struct Directory {
    panels: usize,
    /// Cancelled with the last panel.
    closed: Cancel,
    is_driven: bool,
    requests: u64,
    served: u64,
    last_request: Instant,
}

/// What the task of a directory does next.
enum Next {
    Wait { until: Instant, closed: Cancel },
    Refresh { closed: Cancel },
    End,
}

impl RefreshScheduler {
    /// No panel is open.
    #[must_use]
    pub fn new(refresh: RefreshFn, failed: FailedFn) -> Self {
        Self(Arc::new(Shared { refresh, failed, directories: Mutex::default(), life: Cancel::new() }))
    }

    /// A panel of `dir` has opened. The name is the directory: another spelling is another one.
    pub fn open(&self, dir: &Utf8Path) {
        let closed = self.0.life.child_token();
        let mut directories = self.0.lock();
        let directory = directories.entry(dir.to_owned()).or_insert_with(|| Directory {
            panels: 0,
            closed: closed.clone(),
            is_driven: false,
            requests: 0,
            served: 0,
            last_request: Instant::now(),
        });
        if directory.panels == 0 {
            directory.closed = closed;
            directory.served = directory.requests;
        }
        directory.panels += 1;
    }

    /// A panel of `dir` has closed. With the last one, what is due is forgotten and what is under way is cancelled.
    pub fn close(&self, dir: &Utf8Path) {
        let mut directories = self.0.lock();
        let Some(directory) = directories.get_mut(dir) else { return };
        directory.panels = directory.panels.saturating_sub(1);
        if directory.panels == 0 {
            directory.closed.cancel();
            if !directory.is_driven {
                directories.remove(dir);
            }
        }
    }

    /// Something was edited: every directory with an open panel is to be refreshed. An edit in one directory can
    /// change what another shows, such as that of a part of the same work tree.
    ///
    /// Has to be called in a tokio runtime with time.
    pub fn request(&self) {
        if self.0.life.is_cancelled() {
            return;
        }
        let now = Instant::now();
        for (dir, directory) in self.0.lock().iter_mut() {
            directory.requests += 1;
            directory.last_request = now;
            if !std::mem::replace(&mut directory.is_driven, true) {
                tokio::spawn(drive(Arc::clone(&self.0), dir.clone()));
            }
        }
    }

    /// Cancels what is under way, forgets what is due, and refreshes nothing from now on.
    pub fn stop(&self) {
        self.0.life.cancel();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, HashMap<Utf8PathBuf, Directory>> {
        self.directories.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After [`Next::End`] the directory has no task, and after [`Next::Refresh`] all requests so far are served.
    fn next(&self, dir: &Utf8Path) -> Next {
        let mut directories = self.lock();
        let Some(directory) = directories.get_mut(dir) else { return Next::End };
        let closed = directory.closed.clone();
        if directory.panels == 0 {
            directories.remove(dir);
            return Next::End;
        }
        if directory.served == directory.requests || self.life.is_cancelled() {
            directory.is_driven = false;
            return Next::End;
        }
        let until = directory.last_request + DEBOUNCE;
        if Instant::now() < until {
            return Next::Wait { until, closed };
        }
        directory.served = directory.requests;
        Next::Refresh { closed }
    }

    async fn refresh(&self, dir: &Utf8Path, closed: Cancel) {
        let cancel = closed.child_token();
        let mut work = pin!(contained(async { (self.refresh)(dir.to_owned(), cancel.clone()).await }));
        let done = tokio::select! {
            biased;
            done = &mut work => done,
            () = tokio::time::sleep(REFRESH_DEADLINE) => {
                cancel.cancel();
                (self.failed)(&Error::TimedOut);
                // The next one begins when this one has ended, or they would pile up.
                let _ = work.await;
                return;
            }
        };
        if let Err(error) = done
            && !closed.is_cancelled()
        {
            (self.failed)(&error);
        }
    }
}

/// The task of one directory, while requests for it are not served.
async fn drive(shared: Arc<Shared>, dir: Utf8PathBuf) {
    loop {
        match shared.next(&dir) {
            Next::Wait { until, closed } => {
                tokio::select! {
                    () = tokio::time::sleep_until(until) => {}
                    () = closed.cancelled() => {}
                }
            }
            Next::Refresh { closed } => shared.refresh(&dir, closed).await,
            Next::End => return,
        }
    }
}
