//! What a review panel shows: the changed files, what governs them, and the state of the records.

use std::future::Future;
use std::time::Duration;

use camino::Utf8PathBuf;
use serde::{Serialize, Serializer};
use tokio::runtime::Handle;
use tracing::Instrument as _;

use crate::contain::contained;
use crate::engine::{self, Answer, Ask};
use crate::error::{Error, Result};
use crate::git;
use crate::process::Cancel;
use crate::report::{CheckReport, LintReport, QueueReport};
use crate::slots::Slots;

/// Deadline of the reading of the queue, or [`Ask::deadline`] where that is shorter. It holds beside whatever cancels
/// the snapshot as a whole.
pub const QUEUE_DEADLINE: Duration = Duration::from_secs(10);

/// How long a cancelled listing is waited for: as long as it takes to end a process. Only a disk that does not answer
/// takes longer.
const ABANDON: Duration = Duration::from_secs(3);

/// The code of a check that had nothing to ask about.
pub const CHANGES_UNKNOWN: &str = "changes-unknown";

const NOTHING_ASKED: &str = "Nothing was checked, because the changed files are not known.";
const USAGE: &str = "The adr command did not accept the question, or there are no records.";

/// What was found out. Each part stands for itself: one that failed leaves the others as they are.
///
/// As JSON, where a part is either what was found, with `ok: true`, or why it was not, with `ok: false`:
///
/// ```text
/// { "changes": { "ok": true, "files": [...], "base": "origin/main" | null, "label": "...", "skippedNonUtf8": 0 },
///   "check":   { "ok": true, "exitCode": 0 | 1, "engine": "cli" | "embedded", "report": {...} },
///   "lint":    { "ok": false, "code": "timed-out", "note": "The call took too long and was ended." },
///   "queue":   { ... } }
/// ```
///
/// `code` is that of an [`Error`], or [`CHANGES_UNKNOWN`]. `note` is the fixed
/// sentence of the code. Reports hold repository text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Snapshot {
    /// What has changed.
    pub changes: Part<Changes>,
    /// Which decisions govern it.
    pub check: Part<Reported<CheckReport>>,
    /// What is wrong with the records.
    pub lint: Part<Reported<LintReport>>,
    /// The proposals that wait for a decision, judged on today's date in UTC.
    pub queue: Part<Reported<QueueReport>>,
}

/// A part of a [`Snapshot`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<T> {
    /// It was found out.
    Ready(T),
    /// It was not.
    Missing(Missing),
}

/// Why a part is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// The stable code, in kebab case.
    pub code: &'static str,
    /// A fixed sentence for people.
    pub note: String,
}

/// The changed files, as [`git::ChangedFiles`] has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// Distinct paths relative to the directory, `/`-separated.
    pub files: Vec<String>,
    /// The base that was compared with; none where HEAD alone was.
    pub base: Option<String>,
    /// What was compared.
    pub label: String,
    /// How many names were left out because they are not UTF-8.
    #[serde(rename = "skippedNonUtf8")]
    pub skipped_non_utf8: usize,
}

/// A report and who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reported<R> {
    /// 0, or 1 where the report found something that fails a lint.
    pub exit_code: u8,
    /// `cli` or `embedded`.
    pub engine: &'static str,
    /// The report.
    pub report: R,
}

/// Collects what has changed in `ask.cwd` since `base` and checks it, and reads the lint and the queue of the corpus.
///
/// It never fails: what cannot be found out says so. [`Ask::deadline`] bounds each question, each git process has
/// [`git::DEFAULT_DEADLINE`], the queue also [`QUEUE_DEADLINE`]; none counts the wait for a slot. What has been found
/// when `cancel` is cancelled stands.
pub async fn collect_and_check(ask: &Ask, base: Option<&str>, slots: &Slots, cancel: &Cancel) -> Snapshot {
    // Boxed, or the future of the whole would be tens of kilobytes.
    let changes_and_check = Box::pin(async {
        let changes = part(changes(ask, base, slots, cancel)).await;
        let check = match &changes {
            Part::Ready(Changes { files, .. }) => {
                let files = files.clone();
                part(question(ask, slots, cancel, Box::pin(engine::check(ask, files, cancel)))).await
            }
            Part::Missing(_) => Part::Missing(Missing::new(CHANGES_UNKNOWN, NOTHING_ASKED)),
        };
        (changes, check)
    });
    let queue_ask = for_queue(ask);
    let lint = Box::pin(part(question(ask, slots, cancel, engine::lint(ask, cancel))));
    let queue = engine::queue(&queue_ask, engine::today(), cancel);
    let queue = Box::pin(part(question(ask, slots, cancel, queue)));
    let ((changes, check), lint, queue) = tokio::join!(changes_and_check, lint, queue);
    Snapshot { changes, check, lint, queue }
}

fn for_queue(ask: &Ask) -> Ask {
    Ask { deadline: ask.deadline.min(QUEUE_DEADLINE), ..ask.clone() }
}

async fn changes(ask: &Ask, base: Option<&str>, slots: &Slots, cancel: &Cancel) -> Result<Changes> {
    let options = git::Options { owner: ask.owner, ..git::Options::new(ask.env.clone()) };
    let _slots = slots.all(cancel).await?;
    let base = base.map(str::to_owned);
    let changed = changed_files(ask.cwd.clone(), base, options, cancel.clone()).await?;
    let git::ChangedFiles { files, base, label, skipped_non_utf8, .. } = changed;
    Ok(Changes { files, base, label, skipped_non_utf8 })
}

/// [`git::changed_files`] on a thread that may block: looking for git reads directories, on a disk that may be slow.
pub(crate) async fn changed_files(
    cwd: Utf8PathBuf,
    base: Option<String>,
    options: git::Options,
    cancel: Cancel,
) -> Result<git::ChangedFiles> {
    let (handle, ended) = (Handle::current(), cancel.clone());
    let span = tracing::Span::current();
    let work = move || {
        handle.block_on(git::changed_files(&cwd, base.as_deref(), &options, &cancel).instrument(span))
    };
    let too_late = async {
        ended.cancelled().await;
        tokio::time::sleep(ABANDON).await;
    };
    tokio::select! {
        biased;
        done = tokio::task::spawn_blocking(work) => done.map_err(|_| Error::Internal)?,
        () = too_late => Err(Error::Aborted),
    }
}

async fn question<R>(
    ask: &Ask,
    slots: &Slots,
    cancel: &Cancel,
    answer: impl Future<Output = Result<Answer<R>>>,
) -> Result<Reported<R>> {
    let _slot = slots.for_question(ask, cancel).await?;
    let Answer { exit_code, engine, report } = answer.await?;
    Ok(Reported { exit_code, engine: engine.as_str(), report })
}

async fn part<T>(work: impl Future<Output = Result<T>>) -> Part<T> {
    match contained(work).await {
        Ok(found) => Part::Ready(found),
        Err(error) => Part::Missing(Missing::from(&error)),
    }
}

impl<T> Part<T> {
    /// What was found.
    pub fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(found) => Some(found),
            Self::Missing(_) => None,
        }
    }

    /// The code of what was not found.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Self::Ready(_) => None,
            Self::Missing(missing) => Some(missing.code),
        }
    }
}

impl Missing {
    fn new(code: &'static str, note: impl Into<String>) -> Self {
        Self { code, note: note.into() }
    }
}

impl From<&Error> for Missing {
    fn from(error: &Error) -> Self {
        match error {
            // The command's own words stay out.
            Error::Usage { .. } => Self::new(error.code(), USAGE),
            fixed => Self::new(fixed.code(), fixed.to_string()),
        }
    }
}

impl<T: Serialize> Serialize for Part<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Ready<'a, T> {
            ok: bool,
            #[serde(flatten)]
            found: &'a T,
        }
        #[derive(Serialize)]
        struct NotReady<'a> {
            ok: bool,
            code: &'a str,
            note: &'a str,
        }
        match self {
            Self::Ready(found) => Ready { ok: true, found }.serialize(serializer),
            Self::Missing(Missing { code, note }) => NotReady { ok: false, code, note }.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::engine::EngineChoice;
    use crate::process::Owner;

    #[test]
    fn the_queue_has_a_deadline_of_its_own_and_never_a_longer_one() {
        let ask = |deadline| Ask {
            cwd: "/".into(),
            dir: None,
            engine: EngineChoice::Embedded,
            deadline,
            env: Vec::<(OsString, OsString)>::new(),
            owner: Owner::default(),
        };
        assert_eq!(for_queue(&ask(Duration::from_secs(60))).deadline, QUEUE_DEADLINE);
        assert_eq!(for_queue(&ask(Duration::from_secs(1))).deadline, Duration::from_secs(1));
    }

    #[test]
    fn a_usage_error_is_noted_without_its_words() {
        let missing = Missing::from(&Error::Usage { message: "secret".into() });
        assert_eq!((missing.code, missing.note.as_str()), ("usage-error", USAGE));
    }

    #[test]
    fn a_part_says_whether_it_is_there() {
        let json = |part: &Part<Reported<LintReport>>| serde_json::to_string(part).unwrap();
        let report = LintReport { checked: 2, findings: Vec::new() };
        assert_eq!(
            json(&Part::Ready(Reported { exit_code: 1, engine: "cli", report })),
            r#"{"ok":true,"exitCode":1,"engine":"cli","report":{"checked":2,"findings":[]}}"#
        );
        assert_eq!(
            json(&Part::Missing(Missing::from(&Error::Aborted))),
            r#"{"ok":false,"code":"aborted","note":"The call was aborted."}"#
        );
    }
}
