//! The questions about a repository: `changedFiles`, `check`, `explain`, `lint`, `queue`, `resolveCli`; and `killAll`.

use std::time::Duration;

use camino::Utf8PathBuf;
use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;
use serde::Serialize;

use super::cancel::CancelHandle;
use super::environment::Environment;
use super::failure::{Thrown, guarded, invalid};
use super::options::{Environ, Options};
use super::promise::{bounded, promise};
use crate::engine::{self, Answer, Ask};
use crate::error::{Error, Result};
use crate::git::{self, ChangedFiles};
use crate::process::{Cancel, Owner};

/// What has changed in the work tree: the JSON of `{ files, base, label, skippedNonUtf8 }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn changed_files<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let options = Options::new(options);
        let question = Changes::read(*env, &options)?;
        let cancel = cancel.token.clone();
        let work = async move { json(&Changed::from(question.answer(&cancel).await?)) };
        promise(env, work, |json| json)
    })
}

/// Which decisions govern the paths: the JSON of `{ exitCode, engine, report }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn check<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let options = Options::new(options);
        let subject = match options.texts("paths")? {
            None => Subject::Changes(Changes::read(*env, &options)?),
            Some(_) if options.text("base")?.is_some() => {
                return Err(invalid("base", "absent where paths are given"));
            }
            Some(paths) => Subject::Paths(paths),
        };
        let ask = ask(*env, &options)?;
        let cancel = cancel.token.clone();
        let work = async move {
            let answer = bounded(ask.deadline, &cancel, async |cancel: &Cancel| {
                let paths = match subject {
                    Subject::Paths(paths) => paths,
                    Subject::Changes(changes) => changes.answer(cancel).await?.files,
                };
                engine::check(&ask, paths, cancel).await
            });
            reply(answer.await?)
        };
        promise(env, work, |json| json)
    })
}

/// Which decisions govern one path, with its markers: the JSON of `{ exitCode, engine, report }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn explain<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let options = Options::new(options);
        let path = options.required_text("path")?;
        let ask = ask(*env, &options)?;
        let cancel = cancel.token.clone();
        promise(env, async move { reply(engine::explain(&ask, path, &cancel).await?) }, |json| json)
    })
}

/// What is wrong with the records: the JSON of `{ exitCode, engine, report }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn lint<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let ask = ask(*env, &Options::new(options))?;
        let cancel = cancel.token.clone();
        promise(env, async move { reply(engine::lint(&ask, &cancel).await?) }, |json| json)
    })
}

/// The proposed records that wait for a decision: the JSON of `{ exitCode, engine, report }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn queue<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let options = Options::new(options);
        let as_of = options.required_text("asOf")?;
        let ask = ask(*env, &options)?;
        let cancel = cancel.token.clone();
        promise(env, async move { reply(engine::queue(&ask, as_of, &cancel).await?) }, |json| json)
    })
}

/// The `adr` command that would be asked: the JSON of `{ path, source }`.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<string>")]
pub fn resolve_cli<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let ask = ask(*env, &Options::new(options))?;
        let cancel = cancel.token.clone();
        let work = async move {
            let found = bounded(ask.deadline, &cancel, async |_: &Cancel| {
                engine::resolve_cli(&ask.cwd, &ask.env).await
            });
            let found = found.await?;
            json(&Resolved { path: found.path.to_string_lossy().into_owned(), source: found.source.as_str() })
        };
        promise(env, work, |json| json)
    })
}

/// Ends every live process group and aborts the calls of this environment; how many groups there were.
///
/// # Errors
/// When the environment is being torn down.
#[napi]
pub fn kill_all(env: Env) -> Result<u32, Thrown> {
    guarded(|| Ok(u32::try_from(Environment::of(env)?.kill_all()).unwrap_or(u32::MAX)))
}

/// As `killAll`, for the exit of the process: nothing can be started from now on.
///
/// # Errors
/// When the environment is being torn down.
#[napi]
pub fn shut_down(env: Env) -> Result<u32, Thrown> {
    guarded(|| Ok(u32::try_from(Environment::of(env)?.shut_down()).unwrap_or(u32::MAX)))
}

/// What a check is about.
enum Subject {
    Paths(Vec<String>),
    Changes(Changes),
}

/// The question of `changedFiles`.
struct Changes {
    cwd: Utf8PathBuf,
    base: Option<String>,
    environ: Environ,
    deadline: Duration,
    owner: Owner,
}

impl Changes {
    fn read(env: Env, options: &Options<'_>) -> Result<Self, Thrown> {
        Ok(Self {
            cwd: options.cwd()?,
            base: options.text("base")?,
            environ: options.environ()?,
            deadline: options.deadline()?,
            owner: Environment::of(env)?.owner,
        })
    }

    async fn answer(self, cancel: &Cancel) -> Result<ChangedFiles> {
        let Self { cwd, base, environ, deadline, owner } = self;
        let options = git::Options { env: environ, deadline, owner };
        bounded(deadline, cancel, async |cancel: &Cancel| {
            git::changed_files(&cwd, base.as_deref(), &options, cancel).await
        })
        .await
    }
}

pub(super) fn ask(env: Env, options: &Options<'_>) -> Result<Ask, Thrown> {
    let environ = options.environ()?;
    Ok(Ask {
        cwd: options.cwd()?,
        dir: options.text("dir")?,
        engine: options.engine(&environ)?,
        deadline: options.deadline()?,
        env: environ,
        owner: Environment::of(env)?.owner,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    files: Vec<String>,
    base: Option<String>,
    label: String,
    #[serde(rename = "skippedNonUtf8")]
    skipped_non_utf8: usize,
}

impl From<ChangedFiles> for Changed {
    fn from(it: ChangedFiles) -> Self {
        Self { files: it.files, base: it.base, label: it.label, skipped_non_utf8: it.skipped_non_utf8 }
    }
}

#[derive(Serialize)]
struct Resolved {
    path: String,
    source: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<R> {
    exit_code: u8,
    engine: &'static str,
    report: R,
}

fn reply<R: Serialize>(answer: Answer<R>) -> Result<String> {
    json(&Reply { exit_code: answer.exit_code, engine: answer.engine.as_str(), report: answer.report })
}

pub(super) fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|_| Error::Internal)
}
