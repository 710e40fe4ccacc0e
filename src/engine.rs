//! One door to checks: whoever wants an answer asks an [`Engine`] and gets the same shapes from either kind.

use std::ffi::OsString;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use camino::Utf8PathBuf;

use crate::corpus;
use crate::corpus::date::Instant;
use crate::error::{Error, Result};
use crate::process::{Cancel, Owner};
use crate::report::{CheckReport, ExplainReport, LintReport, QueueReport};

/// Where the corpus is when nobody says otherwise.
pub const DEFAULT_DIR: &str = "docs/adr";
/// The deadline of a check when the caller gives none.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(30);

/// Which engine is to answer (`ADRKIT_ENGINE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// The `adr` command where there is one, else the embedded engine.
    #[default]
    Auto,
    /// The `adr` command only.
    Cli,
    /// The embedded engine only.
    Embedded,
}

impl FromStr for EngineChoice {
    type Err = Error;

    fn from_str(s: &str) -> Result<Self> {
        match s {
            "auto" => Ok(Self::Auto),
            "cli" => Ok(Self::Cli),
            "embedded" => Ok(Self::Embedded),
            _ => Err(Error::UnknownEngine),
        }
    }
}

/// Which engine answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    /// The `adr` command.
    Cli,
    /// The engine of this crate.
    Embedded,
}

impl EngineName {
    /// `cli` or `embedded`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Embedded => "embedded",
        }
    }
}

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
    /// The directory that paths and the corpus are relative to. Absolute.
    pub cwd: Utf8PathBuf,
    /// The corpus directory; [`DEFAULT_DIR`] when absent.
    pub dir: Option<String>,
    /// Who is to answer.
    pub engine: EngineChoice,
    /// When to give up.
    pub deadline: Duration,
    /// The environment in which a command is looked up and run.
    pub env: Vec<(OsString, OsString)>,
    /// Whose processes are started.
    pub owner: Owner,
}

impl Ask {
    fn dir(&self) -> &str {
        self.dir.as_deref().unwrap_or(DEFAULT_DIR)
    }
}

/// Which decisions govern `paths`.
///
/// # Errors
/// By code; see [`Error`].
pub async fn check(ask: &Ask, paths: Vec<String>, cancel: &Cancel) -> Result<Answer<CheckReport>> {
    let (cwd, dir) = (ask.cwd.clone(), ask.dir().to_owned());
    embedded(ask, cancel, move || corpus::check(&cwd, &dir, &paths)).await
}

/// Which decisions govern one path, with its markers.
///
/// # Errors
/// By code; see [`Error`].
pub async fn explain(ask: &Ask, path: String, cancel: &Cancel) -> Result<Answer<ExplainReport>> {
    let (cwd, dir) = (ask.cwd.clone(), ask.dir().to_owned());
    embedded(ask, cancel, move || corpus::explain(&cwd, &dir, &path)).await
}

/// What is wrong with the records.
///
/// # Errors
/// By code; see [`Error`].
pub async fn lint(ask: &Ask, cancel: &Cancel) -> Result<Answer<LintReport>> {
    let (cwd, dir) = (ask.cwd.clone(), ask.dir().to_owned());
    embedded(ask, cancel, move || corpus::lint(&cwd, &dir)).await
}

/// The proposed records that wait for a decision, judged on the date `as_of`.
///
/// # Errors
/// By code; see [`Error`].
pub async fn queue(ask: &Ask, as_of: String, cancel: &Cancel) -> Result<Answer<QueueReport>> {
    let (cwd, dir) = (ask.cwd.clone(), ask.dir().to_owned());
    embedded(ask, cancel, move || corpus::queue(&cwd, &dir, &as_of)).await
}

/// Today's date in UTC, `YYYY-MM-DD`: on which a queue is judged unless the caller names another.
#[must_use]
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since.as_millis()).ok().and_then(Instant::from_unix_ms);
    now.map(Instant::utc_date).unwrap_or_default()
}

/// Runs the embedded engine on a blocking thread, under the deadline.
async fn embedded<R: Send + 'static>(
    ask: &Ask,
    cancel: &Cancel,
    work: impl FnOnce() -> Result<(u8, R)> + Send + 'static,
) -> Result<Answer<R>> {
    if ask.engine == EngineChoice::Cli {
        return Err(Error::EngineUnavailable);
    }
    if cancel.is_cancelled() {
        return Err(Error::Aborted);
    }
    let job = tokio::task::spawn_blocking(work);
    tokio::select! {
        biased;
        done = job => {
            let (exit_code, report) = done.map_err(|_| Error::Internal)??;
            Ok(Answer { exit_code, engine: EngineName::Embedded, report })
        }
        () = cancel.cancelled() => Err(Error::Aborted),
        () = tokio::time::sleep(ask.deadline) => Err(Error::TimedOut),
    }
}
