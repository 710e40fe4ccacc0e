//! The embedded engine: the `adr` command's answers without the command.
//!
//! It knows no process, no clock and no environment: it takes a root directory, a corpus directory relative to it,
//! and inputs.

use camino::Utf8Path;

use crate::error::{Error, Result};
use crate::report::{CheckReport, ExplainReport, LintReport, QueueReport};

pub mod glob;
pub mod record;

/// How many files of one check are searched for markers.
pub const MAX_MARKER_FILES: usize = 3000;

/// `adr check`: the exit code and the report.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn check(_root: &Utf8Path, _dir: &str, _paths: &[String]) -> Result<(u8, CheckReport)> {
    Err(Error::CorpusUnreadable)
}

/// `adr explain`: the exit code and the report.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn explain(_root: &Utf8Path, _dir: &str, _path: &str) -> Result<(u8, ExplainReport)> {
    Err(Error::CorpusUnreadable)
}

/// `adr lint`: the exit code and the report.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn lint(_root: &Utf8Path, _dir: &str) -> Result<(u8, LintReport)> {
    Err(Error::CorpusUnreadable)
}

/// `adr queue`: the exit code and the report.
///
/// # Errors
/// Where the corpus directory cannot be read, or a deadline lies beyond all dates.
pub fn queue(_root: &Utf8Path, _dir: &str, _as_of: &str) -> Result<(u8, QueueReport)> {
    Err(Error::CorpusUnreadable)
}
