//! `Hooks`: the advisory hooks of one session process; `hooksEnabled`; `collectAndCheck`.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use camino::Utf8PathBuf;
use napi::Env;
use napi::bindgen_prelude::{Either, Object, Unknown};
use napi_derive::napi;

use super::callbacks::{self, Callback, RefreshArgs, Refreshes};
use super::calls::{ask, json};
use super::cancel::CancelHandle;
use super::environment::Environment;
use super::failure::{Thrown, guarded, refused};
use super::input::{self, SESSION_START};
use super::options::{Options, absolute};
use super::promise::{begun, here, promise};
use crate::hooks::{self, HookOutput, edits};
use crate::snapshot;

/// The hooks of one session process. `index.js` has the public class.
#[napi]
pub struct Hooks {
    /// None once disposed of: then nothing of JavaScript's is held any more.
    state: Mutex<Option<State>>,
}

#[derive(Clone)]
struct State {
    hooks: Arc<hooks::Hooks>,
    refreshes: Option<Arc<Refreshes>>,
}

/// What a hook tells a model.
#[napi(object, object_from_js = false)]
pub struct HookAnswer {
    /// At most 8000 characters.
    pub additional_context: String,
}

#[napi]
impl Hooks {
    /// Hooks with the environment `env` of the options. Neither function may throw.
    ///
    /// # Errors
    /// When an option is invalid.
    #[napi(
        constructor,
        ts_args_type = "options: object, log?: (line: string) => void, refresh?: (id: number, dir: string | null) => void"
    )]
    pub fn new(
        env: Env,
        options: Object,
        log: Option<Callback<'_, (&'static str,)>>,
        refresh: Option<Callback<'_, RefreshArgs>>,
    ) -> Result<Self, Thrown> {
        guarded(|| {
            let environment = Environment::of(env)?;
            let refreshes = refresh.map(|refresh| Refreshes::new(&refresh)).transpose()?;
            let hooks = Arc::new(hooks::Hooks::new(hooks::Options {
                env: Options::new(options).environ()?,
                owner: environment.owner,
                log: log.map(|log| callbacks::log(&log)).transpose()?,
                refresh: refreshes.as_ref().map(Refreshes::function),
                slots: environment.slots.clone(),
            }));
            environment.adopt(&hooks);
            Ok(Self { state: Mutex::new(Some(State { hooks, refreshes })) })
        })
    }

    /// The summary at the start of a session. Null once disposed of.
    ///
    /// # Errors
    /// When reading the input throws.
    #[napi(ts_args_type = "input: unknown", ts_return_type = "Promise<HookAnswer | undefined> | null")]
    pub fn on_session_start<'env>(
        &self,
        env: &'env Env,
        input: Unknown<'env>,
    ) -> Result<Option<Object<'env>>, Thrown> {
        guarded(|| {
            let Some(State { hooks, .. }) = self.state() else { return Ok(None) };
            let input = input::read(&input, SESSION_START).map_err(refused)?;
            promise(env, async move { Ok(hooks.on_session_start(&input).await) }, answer).map(Some)
        })
    }

    /// The note on an edit. Null where there is none at once: for a tool that does not edit, for an edit of which all
    /// is known and told, and once disposed of.
    ///
    /// # Errors
    /// When reading the input throws.
    #[napi(
        ts_args_type = "input: unknown",
        ts_return_type = "Promise<HookAnswer | undefined> | HookAnswer | null"
    )]
    pub fn on_post_tool_use<'env>(
        &self,
        env: &'env Env,
        input: Unknown<'env>,
    ) -> Result<Option<Either<Object<'env>, HookAnswer>>, Thrown> {
        guarded(|| {
            let Some(State { hooks, .. }) = self.state() else { return Ok(None) };
            let tool = input::tool_name(&input).map_err(refused)?;
            let Some(tool) = tool.filter(|name| edits::is_edit_tool(name)) else { return Ok(None) };
            let input = input::read_post_tool_use(&input, tool).map_err(refused)?;
            match here(|| hooks.on_post_tool_use_now(&input))? {
                Poll::Ready(output) => Ok(output.map(|output| Either::B(HookAnswer::from(output)))),
                Poll::Pending => {
                    let work = async move { Ok(hooks.on_post_tool_use(&input).await) };
                    begun(env, work, answer).map(|promise| Some(Either::A(promise)))
                }
            }
        })
    }

    /// A panel of `dir` opened.
    ///
    /// # Errors
    /// When `dir` is not absolute.
    #[napi(ts_args_type = "dir: unknown")]
    pub fn panel_opened(&self, dir: Either<String, Unknown>) -> Result<(), Thrown> {
        guarded(|| {
            let dir = directory(dir)?;
            if let Some(State { hooks, .. }) = self.state() {
                hooks.panel_opened(&dir);
            }
            Ok(())
        })
    }

    /// A panel of `dir` closed.
    ///
    /// # Errors
    /// When `dir` is not absolute.
    #[napi(ts_args_type = "dir: unknown")]
    pub fn panel_closed(&self, dir: Either<String, Unknown>) -> Result<(), Thrown> {
        guarded(|| {
            let dir = directory(dir)?;
            if let Some(State { hooks, .. }) = self.state() {
                hooks.panel_closed(&dir);
            }
            Ok(())
        })
    }

    /// The refresh `id` has ended.
    #[napi]
    pub fn refreshed(&self, id: u32, succeeded: bool) {
        if let Some(State { refreshes: Some(refreshes), .. }) = self.state() {
            refreshes.settled(id, succeeded);
        }
    }

    /// Ends what is under way.
    #[napi]
    pub fn dispose(&self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(State { hooks, .. }) = state {
            hooks.dispose();
        }
    }

    fn state(&self) -> Option<State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl From<HookOutput> for HookAnswer {
    fn from(HookOutput { additional_context }: HookOutput) -> Self {
        Self { additional_context }
    }
}

fn answer(output: Option<HookOutput>) -> Either<HookAnswer, ()> {
    match output {
        Some(output) => Either::A(output.into()),
        None => Either::B(()),
    }
}

fn directory(dir: Either<String, Unknown<'_>>) -> Result<Utf8PathBuf, Thrown> {
    absolute(
        "dir",
        match dir {
            Either::A(dir) => Some(dir),
            Either::B(_) => None,
        },
    )
}

/// Whether `ADRKIT_HOOKS` leaves the hooks on.
///
/// # Errors
/// When an option is invalid.
#[napi(ts_args_type = "options: object")]
pub fn hooks_enabled(options: Object) -> Result<bool, Thrown> {
    guarded(|| Ok(hooks::hooks_enabled(&Options::new(options).environ()?)))
}

/// What a review panel shows: the JSON of `{ changes, check, lint, queue }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn collect_and_check<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let options = Options::new(options);
        let base = options.text("base")?;
        let ask = ask(*env, &options)?;
        let slots = Environment::of(*env)?.slots.clone();
        let cancel = cancel.token.clone();
        let work =
            async move { json(&snapshot::collect_and_check(&ask, base.as_deref(), &slots, &cancel).await) };
        promise(env, work, |json| json)
    })
}
