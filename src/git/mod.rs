//! The work tree and what has changed in it, asked of the `git` command.
//!
//! The questions are read-only, and no program that the repository chose runs: neither a file system monitor, a
//! filter, a diff driver or a hook, nor a transport for objects that are missing. Nothing is locked or written, the
//! index included. The limits: git itself reads the repository's configuration, and the person's own git is trusted.
//!
//! One call of [`changed_files`] starts five short processes, at most two at a time: where are we and which filters
//! are configured; then the state of the work tree, and beside it the base and what the range from it changed.

mod environment;
mod executable;
mod failure;
mod filters;
mod invoke;
mod listing;
mod revision;
mod status;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use camino::Utf8Path;
use tracing::debug;

use crate::error::{Error, Result};
use crate::git::invoke::{Git, MAX_LISTING_BYTES, both};
use crate::git::listing::Names;
use crate::process::{Cancel, Owner};
use crate::validate::Revision;

/// What is compared with where the caller names no base.
pub const DEFAULT_BASE: &str = "origin/main";

/// The deadline of each git process unless [`Options::deadline`] says otherwise.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(5);

/// The union of what a range, the work tree and the index say has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedFiles {
    /// Distinct paths, relative to the directory that was asked about, `/`-separated, in code-unit order. Changes
    /// outside that directory are left out. A path need not exist: deleted files count.
    pub files: Vec<String>,
    /// The base that was compared with, as it was given; none where HEAD alone was compared.
    pub base: Option<String>,
    /// What was compared, in words of ours: `origin/main...HEAD`, `HEAD`, or `the empty tree` before the first
    /// commit.
    pub label: String,
    /// How many names were left out because they are not UTF-8.
    pub skipped_non_utf8: usize,
    /// The work tree that holds the directory.
    pub work_tree: WorkTree,
}

/// A work tree, seen from a directory in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkTree {
    /// Its top level: absolute, symbolic links resolved.
    pub root: PathBuf,
    /// The way from the root to the directory, `/`-separated; empty at the root.
    pub prefix: PathBuf,
}

/// How the questions are asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// The environment that git's is made from (usually the process's own). Of its `GIT_*` variables only those
    /// that name the person's own configuration or bound the search for a repository reach git.
    pub env: Vec<(OsString, OsString)>,
    /// Deadline of each git process.
    pub deadline: Duration,
    /// Whose processes they are.
    pub owner: Owner,
}

impl Options {
    /// The default deadline, on behalf of nobody.
    #[must_use]
    pub fn new(env: Vec<(OsString, OsString)>) -> Self {
        Self { env, deadline: DEFAULT_DEADLINE, owner: Owner::default() }
    }
}

/// What has changed in the work tree around `dir`: the union of `<base>...HEAD` (what HEAD has done since its merge
/// base with `base`), of every difference from HEAD in the index or in the work tree, and of the untracked files
/// that are not ignored. Without a base it is [`DEFAULT_BASE`], or HEAD alone where that does not exist or shares no
/// history (a shallow clone).
///
/// * Both sides of a rename count, and so do deleted files, unresolved conflicts and intent-to-add entries.
/// * A file that was staged and then restored in the work tree counts: it is about to be committed.
/// * A file that was only touched does not count, unless a filter (such as git-lfs) stands between its content and
///   git's: no filter is run, so a touched file that has one counts as changed.
/// * Entries outside a sparse checkout are not deletions.
/// * A submodule counts, as one path, when it has moved to another commit; what goes on inside it never does. An
///   untracked directory that is a repository of its own does not count.
///
/// # Errors
/// * [`Error::NotWorkTree`]: `dir` lies in no work tree, in a bare repository, or in a `.git` directory.
/// * [`Error::GitUnsafeDirectory`]: git refuses the repository because of its owner.
/// * [`Error::BaseUndiffable`]: the given base is no revision that we accept, names no commit, or shares no history
///   with HEAD. Never for the default base.
/// * [`Error::GitUnavailable`]: there is no git outside the work tree on `PATH`, or it does not start.
/// * [`Error::GitFailed`]: anything else that git says no to, and filters that cannot be neutralised.
/// * [`Error::WorkingDirectoryGone`], [`Error::Aborted`], [`Error::TimedOut`], [`Error::OutputTooLarge`],
///   [`Error::KilledBySignal`]: from the process.
#[tracing::instrument(level = "debug", skip_all)]
pub async fn changed_files(
    dir: &Utf8Path,
    base: Option<&str>,
    options: &Options,
    cancel: &Cancel,
) -> Result<ChangedFiles> {
    if base.is_some_and(|base| Revision::parse(base).is_err()) {
        return Err(Error::BaseUndiffable);
    }
    let git = Git::new(dir, options, cancel)?;
    let (work_tree, filters) = both(probe(&git), filters::list(&git), &git).await?;
    let git = git.with_overrides(filters);

    let (state, range) = both(state(&git), range(&git, base), &git).await?;
    let state = status::parse(&state).ok_or(Error::GitFailed)?;
    let mut names = Names::default();
    names.extend_below(&work_tree.prefix, state.paths);
    if let Some(range) = &range {
        names.extend(listing::split(&range.listing).ok_or(Error::GitFailed)?);
    }
    let (files, skipped_non_utf8) = names.finish();
    let (base, label) = match range {
        Some(Range { base, .. }) => (Some(base.to_owned()), format!("{base}...HEAD")),
        None if state.unborn => (None, "the empty tree".to_owned()),
        None => (None, "HEAD".to_owned()),
    };
    debug!(files = files.len(), skipped_non_utf8, has_base = base.is_some(), "changed files");
    Ok(ChangedFiles { files, base, label, skipped_non_utf8, work_tree })
}

/// The tracked files in and below `dir`: distinct paths relative to it, `/`-separated, in code-unit order. Files
/// that were deleted from the work tree are left out, and so are submodules and names that are not UTF-8. Entries
/// outside a sparse checkout are tracked, though the work tree does not hold them.
///
/// # Errors
/// As [`changed_files`], without the base.
#[tracing::instrument(level = "debug", skip_all)]
pub async fn tracked_files(dir: &Utf8Path, options: &Options, cancel: &Cancel) -> Result<Vec<String>> {
    let git = Git::new(dir, options, cancel)?;
    let out =
        git.ask("ls-files", &["-z", "-t", "--stage", "--cached", "--deleted"], MAX_LISTING_BYTES).await?;
    let mut names = Names::default();
    names.extend(listing::tracked(&out).ok_or(Error::GitFailed)?);
    Ok(names.finish().0)
}

/// The work tree that holds `dir`. A path to it with a line break in it is not understood ([`Error::GitFailed`]).
///
/// # Errors
/// As [`changed_files`], without the base.
#[tracing::instrument(level = "debug", skip_all)]
pub async fn work_tree(dir: &Utf8Path, options: &Options, cancel: &Cancel) -> Result<WorkTree> {
    probe(&Git::new(dir, options, cancel)?).await
}

async fn probe(git: &Git<'_>) -> Result<WorkTree> {
    let args = ["--is-inside-work-tree", "--show-prefix", "--show-toplevel"];
    let out = git.ask("rev-parse", &args, invoke::MAX_ANSWER_BYTES).await?;
    let lines: Vec<&[u8]> = out.strip_suffix(b"\n").unwrap_or(&out).split(|&b| b == b'\n').collect();
    match lines[..] {
        [b"true", prefix, root] if !root.is_empty() => {
            let prefix = prefix.strip_suffix(b"/").unwrap_or(prefix);
            Ok(WorkTree { root: listing::path(root), prefix: listing::path(prefix) })
        }
        [b"false", ..] => Err(Error::NotWorkTree),
        _ => Err(Error::GitFailed),
    }
}

/// The index and the work tree against HEAD, and the untracked files: all at once, and unlike `git diff`, which
/// rewrites the index when it meets a touched file, without a lock.
async fn state(git: &Git<'_>) -> Result<Vec<u8>> {
    let args = [
        "--porcelain=v2",
        "-z",
        "--branch",
        "--no-ahead-behind",
        "--untracked-files=all",
        "--no-renames",
        "--ignore-submodules=dirty",
        "--",
        ".",
    ];
    git.ask("status", &args, MAX_LISTING_BYTES).await
}

struct Range<'a> {
    base: &'a str,
    listing: Vec<u8>,
}

/// What HEAD changed since its merge base with `base`; none where nobody named one and the default cannot serve.
async fn range<'a>(git: &Git<'_>, base: Option<&'a str>) -> Result<Option<Range<'a>>> {
    let given = base.is_some();
    let base = base.unwrap_or(DEFAULT_BASE);
    match diff_from(git, base).await {
        Ok(listing) => Ok(Some(Range { base, listing })),
        Err(Error::BaseUndiffable) if !given => Ok(None),
        Err(error) => Err(error),
    }
}

async fn diff_from(git: &Git<'_>, base: &str) -> Result<Vec<u8>> {
    let undiffable = |error| if error == Error::GitFailed { Error::BaseUndiffable } else { error };
    let commit = format!("{base}^{{commit}}");
    let args = ["--verify", "--quiet", "--end-of-options", &commit];
    let out = git.ask("rev-parse", &args, invoke::MAX_ANSWER_BYTES).await.map_err(undiffable)?;
    let id = revision::object_id(&out).ok_or(Error::BaseUndiffable)?;
    let range = format!("{id}...HEAD");
    let args = [
        "-z",
        "--name-only",
        "--no-renames",
        "--relative",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        &range,
        "--",
    ];
    git.ask("diff", &args, MAX_LISTING_BYTES).await.map_err(undiffable)
}
