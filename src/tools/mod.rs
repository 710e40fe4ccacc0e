//! The three read-only tools `adr_check`, `adr_explain` and `adr_lint`.
//!
//! A model that has just read untrusted text picks the arguments, and its host asks nobody before a call. So: the
//! executable is the environment's choice, never an argument's; arguments are judged before anything is opened or
//! started; only questions that read are asked; a failure has fixed words chosen by code; and no result names a
//! subcommand that writes.

mod arguments;
mod backend;
mod corpus_dir;
mod definitions;
pub mod fit;
mod names;
mod result;
pub mod scrub;
mod trace;
mod tree;

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tracing::{Instrument as _, debug};

pub use self::arguments::{MAX_ARGUMENTS_BYTES, Tool};
pub use self::corpus_dir::DIR_VARIABLE;
pub use self::definitions::definitions;
pub use self::result::{ResultType, ToolResult};
pub use self::trace::TraceContext;

use self::arguments::{Arguments, Files, Question, Refused};
use self::backend::{Backend, Changed, Native};
use self::corpus_dir::CorpusDir;
use self::result::{Failure, Success, render};
use self::tree::Tree;
use crate::contain::contained;
use crate::engine::{Answer, Ask, DEFAULT_DEADLINE, EngineChoice};
use crate::error::{Error, Result};
use crate::git;
use crate::process::{Cancel, Owner};
use crate::session_dir::SessionDir;
use crate::validate::{RepoPath, Revision};

/// The environment variable that picks the engine.
pub const ENGINE_VARIABLE: &str = "ADRKIT_ENGINE";
/// The deadline of the engine in one call.
pub const ENGINE_DEADLINE: Duration = DEFAULT_DEADLINE;
/// The deadline of each git process in one call.
pub const GIT_DEADLINE: Duration = Duration::from_secs(10);
/// How many calls work at once; the others wait. A model may ask many things in one turn, and each can start a
/// Node process.
pub const MAX_RUNNING_CALLS: usize = 8;

/// Said where git cannot diff and nobody named a base.
const NO_DEFAULT_BASE: &str = "Git cannot compare the work tree with the default base. Give a base.";

/// The tools of one session.
pub struct Tools {
    session: SessionDir,
    env: Vec<(OsString, OsString)>,
    owner: Owner,
    backend: Arc<dyn Backend>,
    running: Semaphore,
}

impl Tools {
    /// Tools for a session that starts in `cwd` (absolute). `env` is where the corpus directory, the engine and the
    /// executables are looked up, and what processes are given. `owner` is who starts them.
    #[must_use]
    pub fn new(cwd: Utf8PathBuf, env: Vec<(OsString, OsString)>, owner: Owner) -> Self {
        Self::with_backend(cwd, env, owner, Arc::new(Native))
    }

    fn with_backend(
        cwd: Utf8PathBuf,
        env: Vec<(OsString, OsString)>,
        owner: Owner,
        backend: Arc<dyn Backend>,
    ) -> Self {
        Self {
            session: SessionDir::new(cwd),
            env,
            owner,
            backend,
            running: Semaphore::new(MAX_RUNNING_CALLS),
        }
    }

    /// Takes an event of the host; see [`SessionDir::observe`].
    pub fn context_changed(&self, event: &Value) {
        self.session.observe(event);
    }

    /// Where the next call works.
    #[must_use]
    pub fn directory(&self) -> Utf8PathBuf {
        self.session.directory()
    }

    /// Answers one call. Never panics; every failure is a result with a code and fixed words.
    ///
    /// It works in the session's directory as it is when the call comes. Needs a tokio runtime with time.
    pub async fn call(&self, name: &str, arguments: &Value, cancel: &Cancel) -> ToolResult {
        let span = TraceContext::default().span();
        self.respond(name, Ok(arguments), cancel).instrument(span).await
    }

    /// As [`call`](Self::call), with arguments as JSON text of at most [`MAX_ARGUMENTS_BYTES`], and in the log with
    /// what the host tells about the call.
    pub async fn call_json(
        &self,
        name: &str,
        arguments: &str,
        trace: &TraceContext,
        cancel: &Cancel,
    ) -> ToolResult {
        let arguments = arguments::read(arguments);
        let arguments = arguments.as_ref().map_err(Clone::clone);
        self.respond(name, arguments, cancel).instrument(trace.span()).await
    }

    async fn respond(&self, name: &str, arguments: Result<&Value, Refused>, cancel: &Cancel) -> ToolResult {
        let begin = Instant::now();
        let tool = Tool::from_name(name);
        let answered = contained(async {
            let outcome = self.answer(tool, arguments, cancel).await;
            let code = outcome.as_ref().map_or_else(|failure| failure.refused.error.code(), |_| "ok");
            Ok((code, render(outcome)))
        });
        let (code, result) = answered.await.unwrap_or_else(|e| (e.code(), ToolResult::internal()));
        debug!(
            tool = tool.map(Tool::name),
            code,
            bytes = result.text_result_for_llm.len(),
            duration_ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX),
            "tool call"
        );
        result
    }

    async fn answer(
        &self,
        tool: Option<Tool>,
        arguments: Result<&Value, Refused>,
        cancel: &Cancel,
    ) -> Result<Success, Failure> {
        let tool = tool.ok_or(Error::UnknownTool)?;
        let Arguments { question, dir } = arguments::parse(tool, arguments?)?;
        let cwd = self.session.directory();
        let _running = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Error::Aborted.into()),
            permit = self.running.acquire() => permit.map_err(|_| Error::Internal)?,
        };
        let ask = self.ask(&cwd, dir, cancel).await?;
        match question {
            Question::Check(files) => self.check(&ask, files, cancel).await,
            Question::Explain(path) => {
                let path = path.into_string();
                let files = vec![path.clone()];
                success(self.backend.explain(&ask, path, cancel).await, 0, files)
            }
            Question::Lint => success(self.backend.lint(&ask, cancel).await, 0, Vec::new()),
        }
    }

    async fn ask(&self, cwd: &Utf8Path, dir: Option<RepoPath>, cancel: &Cancel) -> Result<Ask> {
        let engine = self.engine()?;
        let (cwd, env) = (cwd.to_owned(), self.env.clone());
        let resolve = tokio::task::spawn_blocking(move || corpus_dir::resolve(&cwd, dir.as_ref(), &env));
        // A directory on a dead network mount can hold the thread; it does not hold the call.
        let CorpusDir { root, dir } = tokio::select! {
            biased;
            resolved = resolve => resolved.map_err(|_| Error::Internal)??,
            () = cancel.cancelled() => return Err(Error::Aborted),
            () = tokio::time::sleep(ENGINE_DEADLINE) => return Err(Error::TimedOut),
        };
        let env = self.env.clone();
        Ok(Ask { cwd: root, dir: Some(dir), engine, deadline: ENGINE_DEADLINE, env, owner: self.owner })
    }

    fn engine(&self) -> Result<EngineChoice> {
        match variable(&self.env, ENGINE_VARIABLE) {
            Some(name) if !name.is_empty() => name.to_str().ok_or(Error::UnknownEngine)?.parse(),
            _ => Ok(EngineChoice::default()),
        }
    }

    async fn check(&self, ask: &Ask, files: Files, cancel: &Cancel) -> Result<Success, Failure> {
        let Changed { files, skipped } = match files {
            Files::Given(paths) => {
                Changed { files: paths.into_iter().map(RepoPath::into_string).collect(), skipped: 0 }
            }
            Files::Changed { base } => self.changed(ask, base.as_ref(), cancel).await?,
        };
        // Without a file there still is an answer: the findings about the records, or that there are none.
        success(self.backend.check(ask, files.clone(), cancel).await, skipped, files)
    }

    async fn changed(&self, ask: &Ask, base: Option<&Revision>, cancel: &Cancel) -> Result<Changed, Failure> {
        let options = git::Options { env: self.env.clone(), deadline: GIT_DEADLINE, owner: self.owner };
        match self.backend.changed(&ask.cwd, base.map(Revision::as_str), &options, cancel).await {
            Ok(Changed { files, skipped }) => {
                let (files, left_out) = names::keep_passable(files);
                Ok(Changed { files, skipped: skipped + left_out })
            }
            Err(error) => {
                let message = (base.is_none() && error == Error::BaseUndiffable).then_some(NO_DEFAULT_BASE);
                Err(Failure { message, ..error.into() })
            }
        }
    }
}

fn success<R: Serialize>(
    answer: Result<Answer<R>>,
    skipped: usize,
    files: Vec<String>,
) -> Result<Success, Failure> {
    match answer {
        Ok(Answer { exit_code, report, .. }) => {
            let report = Tree::of(&report).ok_or(Error::Internal)?;
            Ok(Success { exit_code, report, skipped })
        }
        Err(error) => Err(Failure { files, ..error.into() }),
    }
}

/// The value of an environment variable; its name is without case on Windows.
fn variable<'a>(env: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    let same = |key: &OsStr| if cfg!(windows) { key.eq_ignore_ascii_case(name) } else { key == name };
    env.iter().find(|(key, _)| same(key)).map(|(_, value)| value.as_os_str())
}

#[cfg(test)]
mod tests;
