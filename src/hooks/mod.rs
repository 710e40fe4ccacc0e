//! The advisory hooks: what a session is told about decisions, without ever being held, blocked or changed.
//!
//! [`Hooks`] answers two events. At the start of a session it says which decisions govern the changed files; after an
//! edit, which govern the file just edited. An answer is a text, or nothing: there is no other key in [`HookOutput`],
//! and no hook before a tool. The text consists of record ids, statuses and sentences of this module (`words`).
//!
//! Failure is nothing, a panic too, with at most one fixed line for the person. Every answer comes within its deadline
//! whatever git, the command, the disk or the log do; see [`limits`]. Work that is past its deadline goes on for as
//! long as its own bounds allow.
//!
//! An edit also asks for a refresh of each open panel ([`Hooks::panel_opened`], [`crate::refresh`]).

mod budget;
mod cache;
pub mod edits;
mod event;
pub mod limits;
mod looks;
mod notes;
mod patience;
mod places;
mod post_tool_use;
mod repository;
mod rulings;
mod session_start;
mod switch;
mod warning;
mod words;

use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use camino::Utf8Path;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::Instrument as _;

pub use self::repository::{ADRKIT_DIR, Ahead, Changes, Later, Located, Repository};
pub(crate) use self::rulings::RecordId;
pub use self::switch::{ADRKIT_HOOKS, hooks_enabled};
pub use self::warning::LogFn;
use crate::contain::{contained, contained_now};
use crate::error::{Error, Result};
use crate::process::{Cancel, Owner};
pub use crate::refresh::RefreshFn;
use crate::refresh::RefreshScheduler;
use crate::report::CheckReport;
use crate::slots::{Slot, Slots};
use budget::Budget;
use cache::Cache;
use event::Event;
use limits::{CALL_DEADLINE, MAX_CHECKS_AHEAD, MAX_EMBEDDED_CHECKS};
use looks::Looks;
use notes::Sessions;
use patience::Patience;
use places::Places;
use repository::LocalRepository;
use warning::Warnings;

/// What a hook returns to the host: a text for the model, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookOutput {
    /// At most [`limits::MAX_CONTEXT_CHARS`] characters, ASCII.
    pub additional_context: String,
}

/// What [`Hooks`] are made with.
#[derive(Clone, Default)]
pub struct Options {
    /// The environment: where git and the command are looked up, and [`ADRKIT_DIR`], [`ADRKIT_HOOKS`] and
    /// [`crate::engine::ADRKIT_ENGINE`].
    pub env: Vec<(OsString, OsString)>,
    /// Whose the processes are.
    pub owner: Owner,
    /// Tells the person one fixed line, once. It is called on a thread of its own and nobody waits for it.
    pub log: Option<LogFn>,
    /// Refreshes the panels of one directory. See [`RefreshScheduler`].
    pub refresh: Option<RefreshFn>,
    /// Where processes run. Give [`crate::snapshot::collect_and_check`] the same.
    pub slots: Slots,
}

/// The hooks of one session process. They need a tokio runtime with time.
///
/// All state is here: what was checked, what each session was told, how many checks are left, and whether the person
/// has been told of a failure.
pub struct Hooks {
    core: Arc<Core>,
    is_enabled: bool,
}

/// What outlives a call, for work that goes on after it.
struct Core {
    repository: Box<dyn Repository>,
    slots: Slots,
    embedded: Semaphore,
    ahead: Semaphore,
    memory: Mutex<Memory>,
    warnings: Arc<Warnings>,
    refresh: Option<RefreshScheduler>,
    life: Cancel,
}

/// What is remembered. Locked for moments, never across a wait.
#[derive(Default)]
struct Memory {
    budget: Budget,
    cache: Cache,
    looks: Looks,
    places: Places,
    sessions: Sessions,
    patience: Patience,
}

impl Hooks {
    /// Hooks that ask git and an engine.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let repository = LocalRepository { env: options.env.clone(), owner: options.owner };
        Self::with_repository(options, repository)
    }

    /// Hooks that ask `repository`.
    #[must_use]
    pub fn with_repository(options: Options, repository: impl Repository) -> Self {
        let is_enabled = hooks_enabled(&options.env);
        let warnings = Arc::new(Warnings::new(options.log));
        let on_failure = Arc::clone(&warnings);
        let refresh = options.refresh.map(|refresh| {
            RefreshScheduler::new(refresh, Arc::new(move |error: &Error| on_failure.refresh_failed(error)))
        });
        let core = Core {
            repository: Box::new(repository),
            slots: options.slots,
            embedded: Semaphore::new(MAX_EMBEDDED_CHECKS),
            ahead: Semaphore::new(MAX_CHECKS_AHEAD),
            memory: Mutex::default(),
            warnings,
            refresh,
            life: Cancel::new(),
        };
        Self { core: Arc::new(core), is_enabled }
    }

    /// Which decisions govern what has changed in `input.workingDirectory`, within
    /// [`limits::SESSION_START_DEADLINE`]. Nothing where none does.
    ///
    /// A session is told once: an input with the `sessionId` of an earlier one is answered only where its `source` is
    /// `resume`, for then the host has forgotten the text.
    pub async fn on_session_start(&self, input: &Value) -> Option<HookOutput> {
        let event = Event(input);
        let work = async { self.alive(session_start::answer(&self.core, event)).await };
        self.quietly(work).instrument(event.span("session start")).await
    }

    /// Which accepted decisions govern the files that a tool has just edited, within [`limits::NOTE_DEADLINE`].
    /// Nothing where none does, where the session has been told, or for a tool that does not edit: for that, nothing
    /// is touched either.
    pub async fn on_post_tool_use(&self, input: &Value) -> Option<HookOutput> {
        let event = Event(input);
        let work = async { self.alive(post_tool_use::answer(&self.core, event)).await };
        self.quietly(work).instrument(event.span("post tool use")).await
    }

    /// The answer of [`Hooks::on_post_tool_use`] where everything that it takes is known: the files were edited before,
    /// and their checks have ended. Otherwise it is pending, and nothing has been done: ask the other.
    ///
    /// Nothing is asked of the disk, so it never waits. Whether the targets still lead where they led is looked at in
    /// the background, for the next answer: has to be called in a tokio runtime.
    pub fn on_post_tool_use_now(&self, input: &Value) -> Poll<Option<HookOutput>> {
        if !self.is_enabled || self.core.life.is_cancelled() {
            return Poll::Ready(None);
        }
        let event = Event(input);
        let _span = event.span("post tool use").entered();
        match contained_now(|| post_tool_use::answer_now(&self.core, event)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(text)) => Poll::Ready(self.output(Ok(text))),
            Err(error) => Poll::Ready(self.output(Err(error))),
        }
    }

    /// A panel opened that shows the review of `dir`: from now on edits refresh it.
    pub fn panel_opened(&self, dir: &Utf8Path) {
        if let Some(refresh) = &self.core.refresh {
            refresh.open(dir);
        }
    }

    /// A panel of `dir` closed. With the last one, a refresh that is due or under way is ended.
    pub fn panel_closed(&self, dir: &Utf8Path) {
        if let Some(refresh) = &self.core.refresh {
            refresh.close(dir);
        }
    }

    /// Ends what is under way, processes too, and answers nothing from now on. So does dropping the hooks.
    pub fn dispose(&self) {
        self.core.life.cancel();
        if let Some(refresh) = &self.core.refresh {
            refresh.stop();
        }
    }

    /// Runs `work` unless, and until, the hooks are off or disposed of.
    async fn alive<T>(&self, work: impl Future<Output = Result<Option<T>>>) -> Result<Option<T>> {
        if !self.is_enabled {
            return Ok(None);
        }
        tokio::select! {
            biased;
            () = self.core.life.cancelled() => Ok(None),
            done = work => done,
        }
    }

    async fn quietly(&self, work: impl Future<Output = Result<Option<String>>>) -> Option<HookOutput> {
        self.output(contained(work).await)
    }

    fn output(&self, answer: Result<Option<String>>) -> Option<HookOutput> {
        match answer {
            Ok(text) => {
                tracing::debug!(characters = text.as_ref().map(String::len), "answered");
                text.map(|additional_context| HookOutput { additional_context })
            }
            Err(error) => {
                tracing::debug!(code = error.code(), "nothing to say, for a failure");
                self.core.warnings.hook_failed(&error);
                None
            }
        }
    }
}

impl Drop for Hooks {
    fn drop(&mut self) {
        self.dispose();
    }
}

impl Core {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks `paths` when it is their turn; none where the budget is spent.
    async fn check(
        &self,
        cwd: &Utf8Path,
        paths: Vec<String>,
        cancel: &Cancel,
    ) -> Result<Option<CheckReport>> {
        let starts = timeout(CALL_DEADLINE, self.repository.starts_processes(cwd)).await;
        let _turn = if starts.map_err(|_| Error::TimedOut)? {
            if !self.memory().budget.take() {
                tracing::debug!("the budget of checks is spent");
                return Ok(None);
            }
            Turn::Process(self.slots.one(cancel).await?)
        } else {
            Turn::Embedded(self.embedded.acquire().await.map_err(|_| Error::Internal)?)
        };
        let cancel = cancel.child_token();
        if cancel.is_cancelled() {
            return Err(Error::Aborted);
        }
        let mut answer = self.repository.check(cwd, paths, &cancel);
        tokio::select! {
            biased;
            answer = &mut answer => answer.map(Some),
            () = sleep(CALL_DEADLINE) => {
                cancel.cancel();
                // Its process has the slot until it is gone.
                let _ = answer.await;
                Err(Error::TimedOut)
            }
        }
    }
}

/// Held while a check runs.
#[expect(dead_code, reason = "held for what its drop gives back")]
enum Turn<'a> {
    Process(Slot),
    Embedded(tokio::sync::SemaphorePermit<'a>),
}
