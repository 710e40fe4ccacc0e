//! The embedded engine: the `adr` command's answers without the command.
//!
//! It knows no process, no clock and no environment: it takes a root directory, a corpus directory relative to it,
//! and inputs.

use std::cmp::Ordering;

use camino::Utf8Path;

use crate::error::Result;
use crate::report::{CheckReport, ExplainReport, Finding, LintReport, QueueReport};
use crate::text::cmp_code_units;

mod affects;
mod beside;
mod cache;
mod check;
pub mod date;
mod decide;
mod directory;
mod discover;
pub mod glob;
mod invariants;
pub mod js_number;
mod lint;
mod load;
pub mod locale;
mod markers;
pub mod package;
mod parts;
mod paths;
mod queue;
pub mod record;
mod reference;
pub mod survey;
mod window;
pub mod yaml;

pub use cache::{Cache, MAX_CORPORA, SETTLED};
pub use check::{check, explain};
pub use discover::MAX_SKIPPED_DEPTH;
pub use lint::{lint, lint_paths};
pub use load::Reader;
pub(crate) use parts::Exceptions;
pub use queue::{queue, queue_markdown};
pub use window::MARKER_WINDOW_BYTES;
pub(crate) use window::normalise as marker_path;

/// How many files of one check are searched for markers.
pub const MAX_MARKER_FILES: usize = 3000;

/// The same questions, asked through a reader that may remember.
impl Reader<'_> {
    /// As [`check()`].
    ///
    /// # Errors
    /// As there.
    pub fn check(self, root: &Utf8Path, dir: &str, paths: &[String]) -> Result<(u8, CheckReport)> {
        check::check_by(self, root, dir, paths)
    }

    /// As [`explain()`].
    ///
    /// # Errors
    /// As there.
    pub fn explain(self, root: &Utf8Path, dir: &str, path: &str) -> Result<(u8, ExplainReport)> {
        check::explain_by(self, root, dir, path)
    }

    /// As [`lint()`].
    ///
    /// # Errors
    /// As there.
    pub fn lint(self, root: &Utf8Path, dir: &str) -> Result<(u8, LintReport)> {
        lint::lint_by(self, root, dir)
    }

    /// As [`queue()`].
    ///
    /// # Errors
    /// As there.
    pub fn queue(self, root: &Utf8Path, dir: &str, as_of: &str) -> Result<(u8, QueueReport)> {
        queue::queue_by(self, root, dir, as_of)
    }

    pub(crate) fn exceptions(self, root: &Utf8Path, dir: &str, files: &[String]) -> Result<Exceptions> {
        parts::exceptions(self, root, dir, files)
    }
}

/// The order of findings in every report.
pub(crate) fn sort_findings(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let optional = |x: &Option<String>, y: &Option<String>| {
            cmp_code_units(x.as_deref().unwrap_or(""), y.as_deref().unwrap_or(""))
        };
        let keys = [
            cmp_code_units(&a.rule, &b.rule),
            optional(&a.id, &b.id),
            optional(&a.pattern, &b.pattern),
            optional(&a.path, &b.path),
            optional(&a.field, &b.field),
            cmp_code_units(&a.message, &b.message),
        ];
        keys.into_iter().fold(Ordering::Equal, Ordering::then)
    });
}
