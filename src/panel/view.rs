//! What a page shows: the state of a review, as plain data.

use std::time::Duration;

use camino::Utf8PathBuf;

use super::coverage::Coverage;
use crate::corpus::date::Instant;
use crate::report::{CheckReport, LintReport, QueueReport};
use crate::snapshot::{Changes, Reported};

/// The note on a part where there is no directory of records.
pub const NO_RECORDS: &str = "There are no decision records here.";

/// What is reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The directory, absolute.
    pub directory: Utf8PathBuf,
    /// Where its records are, relative to it.
    pub corpus: String,
}

/// A part as it is held: the last result, and what went wrong since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held<T> {
    /// The last result; none where there never was one.
    pub value: Option<T>,
    /// A fixed sentence where the last attempt to get a newer one failed.
    pub note: Option<String>,
    /// The stable code of that failure.
    pub code: Option<&'static str>,
}

impl<T> Default for Held<T> {
    fn default() -> Self {
        Self { value: None, note: None, code: None }
    }
}

/// The results that are shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content {
    /// What has changed.
    pub changes: Held<Changes>,
    /// Which decisions govern it.
    pub check: Held<Reported<CheckReport>>,
    /// What is wrong with the records.
    pub lint: Held<Reported<LintReport>>,
    /// The proposals that wait.
    pub queue: Held<Reported<QueueReport>>,
    /// Derived from `check`: [`Coverage::of`].
    pub coverage: Coverage,
    /// There is no directory of records.
    pub no_corpus: bool,
    /// When `check` was made, or the others where there is none; none where nothing was found out yet.
    pub made: Option<Made>,
}

impl Content {
    /// The status says it all: a part without a result need not say why.
    pub(super) fn is_blank(&self) -> bool {
        self.made.is_none() || self.no_corpus
    }

    /// Who answered, `cli` or `embedded`; both where the parts disagree.
    #[must_use]
    pub fn engines(&self) -> Vec<&'static str> {
        let engines = [
            self.check.value.as_ref().map(|it| it.engine),
            self.lint.value.as_ref().map(|it| it.engine),
            self.queue.value.as_ref().map(|it| it.engine),
        ];
        let mut engines: Vec<&str> = engines.into_iter().flatten().collect();
        engines.sort_unstable();
        engines.dedup();
        engines
    }
}

/// When a refresh ended, and how long it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    /// When.
    pub at: Instant,
    /// How long.
    pub took: Duration,
}

/// What goes on besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Activity {
    /// A refresh is under way, or about to begin.
    pub refreshing: bool,
}
