//! One door to checks: whoever wants an answer asks here, and gets the same shapes from either engine.
//!
//! Which engine answers is the caller's or the environment's choice ([`EngineChoice`]). With `auto` the `adr` command
//! answers where one resolves, and the embedded engine otherwise. A command that the person named with `$ADRKIT_CLI`
//! is never replaced: what is wrong with it is told. One that was found on `PATH` (or in the repository, where that is
//! allowed) is replaced where it cannot be started or turns out to be another program of that name.

mod choice;
mod question;

use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use camino::{Utf8Path, Utf8PathBuf};
use tracing::Instrument as _;

pub use choice::{ADRKIT_ENGINE, EngineChoice, EngineName};
use question::{Check, Explain, Lint, Question, Queue};

use crate::cli::{self, Clock, ResolvedCli, Session};
use crate::corpus::date::Instant;
use crate::error::{Error, Result};
use crate::process::{Cancel, Owner};
use crate::report::{CheckReport, ExplainReport, LintReport, QueueReport};

/// Where the corpus is when nobody says otherwise.
pub const DEFAULT_DIR: &str = "docs/adr";
/// The deadline of a check when the caller gives none.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(30);

/// A report and who made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<R> {
    /// 0, or 1 where the report found something that fails a lint.
    pub exit_code: u8,
    /// Who answered.
    pub engine: EngineName,
    /// The report.
    pub report: R,
}

/// What every question has in common.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The directory that paths and the corpus are relative to. Absolute; both engines work in its canonical form.
    pub cwd: Utf8PathBuf,
    /// The corpus directory; [`DEFAULT_DIR`] when absent.
    pub dir: Option<String>,
    /// Who is to answer.
    pub engine: EngineChoice,
    /// When to give up. It bounds the question as a whole, however many calls of a command it takes.
    pub deadline: Duration,
    /// The environment in which a command is looked up and run.
    pub env: Vec<(OsString, OsString)>,
    /// Whose processes are started.
    pub owner: Owner,
}

/// Which decisions govern `paths`.
///
/// There is no limit to their number: where they are too many for one command line, the command is asked several times
/// and the reports are merged into the one that a single call would have given. To that end the embedded engine tells
/// which records a negated matcher takes out of the whole.
///
/// # Errors
/// By code; see [`Error`].
pub async fn check(ask: &Ask, paths: Vec<String>, cancel: &Cancel) -> Result<Answer<CheckReport>> {
    answer(ask, Check { paths }, cancel).await
}

/// Which decisions govern one path, with its markers.
///
/// # Errors
/// By code; see [`Error`].
pub async fn explain(ask: &Ask, path: String, cancel: &Cancel) -> Result<Answer<ExplainReport>> {
    answer(ask, Explain { path }, cancel).await
}

/// What is wrong with the records.
///
/// # Errors
/// By code; see [`Error`].
pub async fn lint(ask: &Ask, cancel: &Cancel) -> Result<Answer<LintReport>> {
    answer(ask, Lint, cancel).await
}

/// The proposed records that wait for a decision, judged on the date `as_of` (`YYYY-MM-DD`).
///
/// # Errors
/// By code; see [`Error`].
pub async fn queue(ask: &Ask, as_of: String, cancel: &Cancel) -> Result<Answer<QueueReport>> {
    answer(ask, Queue { as_of }, cancel).await
}

/// Today's date in UTC, `YYYY-MM-DD`: on which a queue is judged unless the caller names another.
#[must_use]
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since.as_millis()).ok().and_then(Instant::from_unix_ms);
    now.map(Instant::utc_date).unwrap_or_default()
}

/// The `adr` command that would be asked in `cwd`. It is not started, so it may still be another program.
///
/// # Errors
/// [`Error::CliUnresolved`] where the person named one that cannot be run, [`Error::CliNotFound`] where there is none,
/// [`Error::WorkingDirectoryGone`] where `cwd` is no directory.
pub async fn resolve_cli(cwd: &Utf8Path, env: &[(OsString, OsString)]) -> Result<ResolvedCli> {
    let (cwd, env) = (cwd.to_owned(), env.to_owned());
    let work = move || {
        let root = canonical(&cwd)?;
        let root = root.as_std_path();
        cli::resolve(root, cli::work_tree_around(root), &env)?.ok_or(Error::CliNotFound)
    };
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal)?
}

async fn answer<Q: Question>(ask: &Ask, question: Q, cancel: &Cancel) -> Result<Answer<Q::Report>> {
    let span = tracing::debug_span!("question", name = Q::NAME);
    let answered = decide(ask, question, cancel).instrument(span.clone()).await;
    span.in_scope(|| match &answered {
        Ok(Answer { exit_code, engine, .. }) => {
            tracing::debug!(exit_code, engine = engine.as_str(), "answered");
        }
        Err(error) => tracing::debug!(code = error.code(), "failed"),
    });
    answered
}

/// What a thread that may block has done of a question.
enum Begun<R> {
    /// The command is to be asked.
    Opened(Utf8PathBuf, Session),
    /// The embedded engine has answered.
    Answered((u8, R)),
}

async fn decide<Q: Question>(ask: &Ask, question: Q, cancel: &Cancel) -> Result<Answer<Q::Report>> {
    let clock = Clock::start(ask.deadline);
    let dir = ask.dir.as_deref().unwrap_or(DEFAULT_DIR).to_owned();
    let question = Arc::new(question);
    let (root, session) = match begin(ask, &question, &dir, clock, cancel).await? {
        Begun::Answered(done) => return Ok(by(EngineName::Embedded, done)),
        Begun::Opened(root, session) => (root, session),
    };
    match question.command(&session, &root, &dir, cancel).await {
        Err(error) if ask.engine == EngineChoice::Auto && session.is_replaceable(&error) => {
            tracing::debug!(code = error.code(), "the embedded engine answers instead");
        }
        done => return done.map(|done| by(EngineName::Cli, done)),
    }
    let done = blocking(clock, cancel, move || question.embedded(&root, &dir)).await?;
    Ok(by(EngineName::Embedded, done))
}

fn by<R>(engine: EngineName, (exit_code, report): (u8, R)) -> Answer<R> {
    Answer { exit_code, engine, report }
}

/// Finds the command that is to be asked; where there is none, the embedded engine answers on the same thread.
async fn begin<Q: Question>(
    ask: &Ask,
    question: &Arc<Q>,
    dir: &str,
    clock: Clock,
    cancel: &Cancel,
) -> Result<Begun<Q::Report>> {
    let (ask, question, dir) = (ask.clone(), Arc::clone(question), dir.to_owned());
    blocking(clock, cancel, move || open(&ask, &*question, &dir, clock)).await
}

/// The embedded engine's answer to a check where that is the engine to ask. None where a command is. Blocks, and does
/// not look at the time.
pub(crate) fn check_here(ask: &Ask, paths: Vec<String>) -> Result<Option<CheckReport>> {
    let dir = ask.dir.as_deref().unwrap_or(DEFAULT_DIR);
    match open(ask, &Check { paths }, dir, Clock::start(ask.deadline))? {
        Begun::Answered((_, report)) => Ok(Some(report)),
        Begun::Opened(..) => Ok(None),
    }
}

fn open<Q: Question>(ask: &Ask, question: &Q, dir: &str, clock: Clock) -> Result<Begun<Q::Report>> {
    let root = canonical(&ask.cwd)?;
    if ask.engine != EngineChoice::Embedded {
        if let Some(session) = Session::open(root.as_std_path(), &ask.env, ask.owner, clock)? {
            return Ok(Begun::Opened(root, session));
        }
        if ask.engine == EngineChoice::Cli {
            return Err(Error::EngineUnavailable);
        }
    }
    question.embedded(&root, dir).map(Begun::Answered)
}

/// `cwd` without links, in the form in which a shell would show it.
fn canonical(cwd: &Utf8Path) -> Result<Utf8PathBuf> {
    let found = cwd.canonicalize_utf8().map_err(|_| Error::WorkingDirectoryGone)?;
    if !found.is_dir() {
        return Err(Error::WorkingDirectoryGone);
    }
    Ok(if cfg!(windows) { plain(&found) } else { found })
}

/// A verbatim path of Windows, which canonicalisation gives and `cmd.exe` and many programs do not take, in its usual
/// form. One that has none, such as that of a volume without a letter, stays as it is.
fn plain(verbatim: &Utf8Path) -> Utf8PathBuf {
    let Some(rest) = verbatim.as_str().strip_prefix(r"\\?\") else { return verbatim.to_owned() };
    match (rest.strip_prefix(r"UNC\"), rest.as_bytes()) {
        (Some(share), _) => format!(r"\\{share}").into(),
        (None, [letter, b':', b'\\', ..]) if letter.is_ascii_alphabetic() => rest.into(),
        _ => verbatim.to_owned(),
    }
}

/// Runs `work` on a thread that may block, for as long as `clock` and `cancel` allow. The work itself goes on to its
/// end in any case: it only reads.
async fn blocking<T: Send + 'static>(
    clock: Clock,
    cancel: &Cancel,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    if cancel.is_cancelled() {
        return Err(Error::Aborted);
    }
    let job = tokio::task::spawn_blocking(work);
    tokio::select! {
        biased;
        done = job => done.map_err(|_| Error::Internal)?,
        () = cancel.cancelled() => Err(Error::Aborted),
        () = tokio::time::sleep(clock.left()) => Err(Error::TimedOut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbatim_paths_get_their_usual_form_where_they_have_one() {
        for (verbatim, want) in [
            (r"\\?\C:\w\t", r"C:\w\t"),
            (r"\\?\C:\", r"C:\"),
            (r"\\?\UNC\server\share\t", r"\\server\share\t"),
            (r"\\?\Volume{1}\t", r"\\?\Volume{1}\t"),
            (r"\\?\C:", r"\\?\C:"),
            (r"C:\w", r"C:\w"),
            ("/w/t", "/w/t"),
        ] {
            assert_eq!(plain(Utf8Path::new(verbatim)), want);
        }
    }
}
