//! The work tree and what has changed in it.

use std::ffi::OsString;
use std::time::Duration;

use camino::Utf8Path;

use crate::error::{Error, Result};
use crate::process::{Cancel, Owner};

/// The union of what a range, the work tree and the index say has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFiles {
    /// Distinct paths, relative to the directory that was asked about, `/`-separated, in code-unit order.
    pub files: Vec<String>,
    /// The base that was compared with, as it was given; none where HEAD alone was compared.
    pub base: Option<String>,
    /// What was compared, in words of ours: `origin/main...HEAD` and such.
    pub label: String,
    /// How many names were left out because they are not UTF-8.
    pub skipped_non_utf8: usize,
}

/// How the questions are asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// The environment that git's is made from (usually the process's own).
    pub env: Vec<(OsString, OsString)>,
    /// Deadline of each git process.
    pub deadline: Duration,
    /// Whose processes they are.
    pub owner: Owner,
}

/// What has changed in the work tree around `dir`.
///
/// # Errors
/// By code: not a work tree, unsafe directory, undiffable base, no git, or a process failure.
#[allow(clippy::unused_async)]
pub async fn changed_files(
    _dir: &Utf8Path,
    _base: Option<&str>,
    _options: &Options,
    _cancel: &Cancel,
) -> Result<ChangedFiles> {
    Err(Error::GitUnavailable)
}
