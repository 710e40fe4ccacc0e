//! Which executable answers: `$ADRKIT_CLI`, else the repository's where that is allowed, else `adr` on `PATH`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Env;
use super::launch::Launch;
use super::search::Search;
use crate::error::{Error, Result};
use crate::process::lookup::env_value;

/// The variable by which a person names the command.
pub const ADRKIT_CLI: &str = "ADRKIT_CLI";

/// The command's name on `PATH`.
const COMMAND: &str = "adr";

/// Who chose the executable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CliSource {
    /// The person, with [`ADRKIT_CLI`]. It is never replaced by another.
    Env,
    /// The repository, with the person's leave: `node_modules/.bin/adr` in the working directory.
    Repository,
    /// The person, by their `PATH`.
    Path,
}

impl CliSource {
    /// `env`, `repository` or `path`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Env => "env",
            Self::Repository => "repository",
            Self::Path => "path",
        }
    }
}

/// An executable that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedCli {
    /// The file that was chosen. Absolute; links are not followed.
    pub path: PathBuf,
    /// Who chose it.
    pub source: CliSource,
    /// How it is run.
    pub launch: Launch,
}

/// The `adr` command for `cwd`, an absolute directory; none where there is none. `work_tree` is the git work tree
/// around it, where that is known.
///
/// [`ADRKIT_CLI`] may be an absolute path, which counts wherever it leads; a bare name, which is looked up on `PATH`;
/// or a relative path as seen from `cwd`, which counts only with `ADRKIT_ALLOW_REPO_CLI=1`, because what lies there is
/// up to the repository. The empty value is as good as none. Entries of `PATH` that are relative, or lie in `cwd` or
/// `work_tree`, do not count without that switch either, and node is looked up under the same rule. A repository's
/// command or one on `PATH` that cannot be run is passed over.
///
/// # Errors
/// [`Error::CliUnresolved`] when [`ADRKIT_CLI`] is set and does not name a file that can be run.
pub fn resolve(cwd: &Path, work_tree: Option<&Path>, env: &Env) -> Result<Option<ResolvedCli>> {
    let search = Search::new(cwd, work_tree, env);
    let found = |path: PathBuf, source| {
        let launch = Launch::of(&path, &search, env)?;
        Some(ResolvedCli { path, source, launch })
    };
    if let Some(value) = env_value(env, ADRKIT_CLI).filter(|value| !value.is_empty()) {
        let file = named(cwd, value, &search).and_then(|path| found(path, CliSource::Env));
        return file.map(Some).ok_or(Error::CliUnresolved);
    }
    let of_repository = || {
        let bin = cwd.join("node_modules").join(".bin");
        let file = if cfg!(windows) { search.command_in(&bin, COMMAND.as_ref())? } else { bin.join(COMMAND) };
        found(file, CliSource::Repository)
    };
    let allowed = search.allows_repository().then(of_repository).flatten();
    let on_path = || search.command(COMMAND.as_ref()).and_then(|path| found(path, CliSource::Path));
    Ok(allowed.or_else(on_path))
}

/// The file that a value of [`ADRKIT_CLI`] means.
fn named(cwd: &Path, value: &OsStr, search: &Search) -> Option<PathBuf> {
    let path = Path::new(value);
    if path.parent() == Some(Path::new("")) {
        return search.command(value);
    }
    if !path.is_absolute() && !search.allows_repository() {
        return None;
    }
    let path = cwd.join(path);
    if path.is_file() || !cfg!(windows) {
        return Some(path);
    }
    search.command_in(path.parent()?, path.file_name()?)
}
