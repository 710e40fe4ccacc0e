//! The decision review of one directory: what its page shows, and when a newer result takes its place.
//!
//! One refresh is under way at a time. Whoever asks meanwhile waits for one more, however many ask, and leaves by
//! cancelling: a refresh that nobody waits for any more is cancelled. What a refresh did not find out keeps its last
//! result, with a fixed note.

mod ledger;
mod summary;
#[cfg(test)]
mod tests;
mod words;

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tokio::time::Instant;

pub use ledger::{Collected, Cut};
pub use summary::{MAX_GOVERNING_IDS, MAX_HISTORY_IDS, MAX_PROPOSAL_IDS, MAX_SUMMARY_BYTES, Summary};

use crate::corpus::date;
use crate::engine::{Ask, DEFAULT_DIR};
use crate::error::Error;
use crate::panel::{self, Activity, Content, Frame, Made, Part, Subject};
use crate::process::Cancel;
use crate::refresh::REFRESH_DEADLINE;
use crate::slots::Slots;
use crate::snapshot::collect_and_check;

use ledger::{Ledger, Taken};

/// How long a refresh as a whole may take that a person asked for, by opening the panel or by its button. One that
/// follows an edit has [`REFRESH_DEADLINE`].
pub const ASKED_DEADLINE: Duration = Duration::from_secs(60);

/// How long a refresh that was told to end is waited for. Only a disk that does not answer takes longer; what it finds
/// after all is taken when it comes, unless there is something newer.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Why a refresh was asked for. Where several asked for the same one, the last of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trigger {
    /// An edit, by way of [`crate::refresh`]. Whoever cancels it does so because its time is up.
    Edit,
    /// A panel has opened.
    Open,
    /// A person asked for it.
    Manual,
}

impl Trigger {
    /// How long the refresh may take.
    #[must_use]
    pub fn deadline(self) -> Duration {
        match self {
            Self::Edit => REFRESH_DEADLINE,
            Self::Open | Self::Manual => ASKED_DEADLINE,
        }
    }
}

/// Collects, within a deadline for each question. It has to end soon after it is cancelled.
pub type CollectFn =
    Arc<dyn Fn(Duration, Cancel) -> Pin<Box<dyn Future<Output = Collected> + Send>> + Send + Sync>;

/// Tells the time.
pub type NowFn = fn() -> Option<date::Instant>;

/// The review of one directory. A clone is another handle on the same one.
#[derive(Clone)]
pub struct Review(Arc<Shared>);

struct Shared {
    subject: Subject,
    collect: CollectFn,
    now: NowFn,
    state: Mutex<State>,
    /// Held while a result is taken, which can take a while.
    ledger: Mutex<Ledger>,
    life: Cancel,
}

/// The parts of a page in document order, and the version that they are of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fragments {
    /// The version.
    pub version: u64,
    /// The parts.
    pub parts: Vec<Part>,
}

/// What is shown, and who waits for what.
struct State {
    version: u64,
    content: Arc<Content>,
    parts: Arc<[Part]>,
    /// The number of the last refresh that was asked for.
    last: u64,
    running: Option<Refresh>,
    next: Option<Refresh>,
    is_driven: bool,
}

/// A refresh that callers wait for.
#[derive(Clone)]
struct Refresh {
    number: u64,
    trigger: Trigger,
    callers: usize,
    cancel: Cancel,
    /// Cancelled when it has ended.
    ended: Cancel,
}

/// A caller's place in a refresh.
struct Place {
    shared: Arc<Shared>,
    number: u64,
    ended: Cancel,
    has_left: bool,
}

impl Review {
    /// The review of `ask.cwd`, compared with `base`. Its processes run in `slots`.
    #[must_use]
    pub fn new(ask: Ask, base: Option<String>, slots: Slots) -> Self {
        let corpus = ask.dir.clone().unwrap_or_else(|| DEFAULT_DIR.to_owned());
        let subject = Subject { directory: ask.cwd.clone(), corpus };
        let corpus = subject.directory.join(&subject.corpus);
        let collect: CollectFn = Arc::new(move |deadline, cancel| {
            let ask = Ask { deadline, ..ask.clone() };
            let (base, slots, corpus) = (base.clone(), slots.clone(), corpus.clone());
            Box::pin(async move {
                let snapshot = collect_and_check(&ask, base.as_deref(), &slots, &cancel).await;
                let usage = snapshot.lint.missing() == Some(Error::Usage { message: String::new() }.code());
                let no_corpus =
                    usage && !tokio::task::spawn_blocking(move || corpus.is_dir()).await.unwrap_or(true);
                Collected { snapshot, no_corpus }
            })
        });
        Self::with(subject, collect, now)
    }

    /// The review of `subject` by way of `collect`.
    #[must_use]
    pub fn with(subject: Subject, collect: CollectFn, now: NowFn) -> Self {
        let content = Content::default();
        let parts = panel::content_parts(&subject, &content).into();
        let state = State {
            version: 1,
            content: Arc::new(content),
            parts,
            last: 0,
            running: None,
            next: None,
            is_driven: false,
        };
        Self(Arc::new(Shared {
            subject,
            collect,
            now,
            state: Mutex::new(state),
            ledger: Mutex::default(),
            life: Cancel::new(),
        }))
    }

    /// What is reviewed.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.0.subject
    }

    /// Rises whenever what is shown changes.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.0.state().version
    }

    /// Collects again: joins the refresh that begins next. The future ends when that has ended, or, where others wait
    /// for it too, as soon as `cancel` is cancelled. Dropping it is the same as cancelling.
    ///
    /// It has to be polled in a tokio runtime with time.
    pub fn refresh(&self, trigger: Trigger, cancel: Cancel) -> impl Future<Output = ()> + Send + use<> {
        let place = self.0.join(trigger);
        async move {
            let Some(mut place) = place else { return };
            if place.shared.needs_a_driver() {
                tokio::spawn(drive(Arc::clone(&place.shared)));
            }
            tokio::select! {
                biased;
                () = place.ended.cancelled() => {}
                () = cancel.cancelled() => {
                    if place.leave() {
                        place.ended.cancelled().await;
                    }
                }
            }
        }
    }

    /// The whole page.
    #[must_use]
    pub fn document(&self, frame: Frame<'_>) -> String {
        panel::document(&self.0.subject, &self.fragments().parts, frame)
    }

    /// What the page is made of now.
    #[must_use]
    pub fn fragments(&self) -> Fragments {
        let (version, content, parts, activity) = {
            let state = self.0.state();
            (state.version, Arc::clone(&state.content), Arc::clone(&state.parts), state.activity())
        };
        let status = panel::status(&self.0.subject, &content, activity);
        Fragments { version, parts: std::iter::once(status).chain(parts.iter().cloned()).collect() }
    }

    /// What a model may know of it.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let (version, content, activity) = {
            let state = self.0.state();
            (state.version, Arc::clone(&state.content), state.activity())
        };
        Summary::of(version, &content, activity)
    }

    /// Cancels what is under way. From now on a refresh does nothing.
    pub fn dispose(&self) {
        self.0.life.cancel();
        let mut state = self.0.state();
        if let Some(next) = state.next.take() {
            next.ended.cancel();
            state.version += 1;
        }
    }
}

impl State {
    fn activity(&self) -> Activity {
        Activity { refreshing: self.running.is_some() || self.next.is_some() }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place in the refresh that begins next.
    fn join(self: &Arc<Self>, trigger: Trigger) -> Option<Place> {
        let mut state = self.state();
        if self.life.is_cancelled() {
            return None;
        }
        if !state.activity().refreshing {
            state.version += 1;
        }
        let mut next = state.next.take().unwrap_or_else(|| {
            state.last += 1;
            Refresh {
                number: state.last,
                trigger,
                callers: 0,
                cancel: self.life.child_token(),
                ended: Cancel::new(),
            }
        });
        next.callers += 1;
        next.trigger = next.trigger.max(trigger);
        let (number, ended) = (next.number, next.ended.clone());
        state.next = Some(next);
        Some(Place { shared: Arc::clone(self), number, ended, has_left: false })
    }

    /// A caller does not wait any more. Whether it was the last one, so that the refresh is cancelled.
    fn leave(&self, number: u64) -> bool {
        let mut state = self.state();
        let State { running, next, .. } = &mut *state;
        let Some(refresh) = [running, next].into_iter().flatten().find(|it| it.number == number) else {
            return false;
        };
        refresh.callers = refresh.callers.saturating_sub(1);
        if refresh.callers > 0 {
            return false;
        }
        refresh.cancel.cancel();
        // One that has not begun never does.
        if let Some(next) = state.next.take_if(|it| it.number == number) {
            next.ended.cancel();
            if !state.activity().refreshing {
                state.version += 1;
            }
        }
        true
    }

    fn needs_a_driver(&self) -> bool {
        !std::mem::replace(&mut self.state().is_driven, true)
    }

    /// The refresh that is to begin now. Without one there is no driver any more.
    fn begin(&self) -> Option<Refresh> {
        let mut state = self.state();
        let next = state.next.take();
        state.is_driven = next.is_some();
        state.running.clone_from(&next);
        next
    }

    async fn run(self: &Arc<Self>, refresh: &Refresh) {
        let begin = Instant::now();
        let deadline = refresh.trigger.deadline();
        let mut work = tokio::spawn((self.collect)(deadline, refresh.cancel.clone()));
        let (mut done, cut) = tokio::select! {
            biased;
            done = &mut work => (Some(done), None),
            () = tokio::time::sleep(deadline) => (None, Some(Cut::TimedOut)),
            () = refresh.cancel.cancelled() => (None, Some(Cut::Stopped)),
        };
        if cut.is_some() {
            refresh.cancel.cancel();
            done = tokio::time::timeout(PATIENCE, &mut work).await.ok();
        }
        tracing::debug!(number = refresh.number, trigger = ?refresh.trigger, ?cut, ended = done.is_some(), took = ?begin.elapsed(), "refreshed");
        let taken = |collected| Taken {
            number: refresh.number,
            collected,
            trigger: refresh.trigger,
            cut,
            made: (self.now)().map(|at| Made { at, took: begin.elapsed() }),
        };
        match done {
            Some(Ok(collected)) => self.take(taken(collected)).await,
            // It panicked.
            Some(Err(_)) => self.take(taken(Collected::failed(&Error::Internal))).await,
            None => {
                let (shared, late) = (Arc::clone(self), taken(Collected::failed(&Error::Aborted)));
                self.take(late.clone()).await;
                tokio::spawn(async move {
                    if let Ok(collected) = work.await {
                        shared.take(Taken { collected, ..late }).await;
                    }
                });
            }
        }
    }

    /// Takes a result over and shows it. Matching and rendering are work, so they are done on a thread that may block.
    async fn take(self: &Arc<Self>, taken: Taken) {
        let shared = Arc::clone(self);
        let work = move || {
            let mut ledger = shared.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            ledger.take(taken);
            let content = Arc::new(ledger.content().clone());
            let parts = panel::content_parts(&shared.subject, &content).into();
            let mut state = shared.state();
            (state.content, state.parts) = (content, parts);
            state.version += 1;
        };
        // A panic is a defect; the page stays as it is.
        let _ = tokio::task::spawn_blocking(work).await;
    }

    fn end(&self, refresh: &Refresh) {
        let mut state = self.state();
        state.running = None;
        state.version += 1;
        drop(state);
        refresh.ended.cancel();
    }
}

impl Place {
    /// Whether it was the last one in the refresh, which is cancelled then.
    fn leave(&mut self) -> bool {
        !std::mem::replace(&mut self.has_left, true) && self.shared.leave(self.number)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The task that refreshes, while somebody waits for it.
async fn drive(shared: Arc<Shared>) {
    while let Some(refresh) = shared.begin() {
        shared.run(&refresh).await;
        shared.end(&refresh);
    }
}

fn now() -> Option<date::Instant> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    date::Instant::from_unix_ms(i64::try_from(since.as_millis()).ok()?)
}
