//! What the hooks ask of the rest of the world, and who answers: git, an engine, the disk.

use std::ffi::OsString;
use std::future::Future;
use std::pin::Pin;

use camino::{Utf8Path, Utf8PathBuf};

use super::edits;
use super::limits::CALL_DEADLINE;
use crate::engine::{self, Ask, DEFAULT_DIR, EngineChoice};
use crate::error::{Error, Result};
use crate::git;
use crate::process::lookup::env_value;
use crate::process::{Cancel, Owner};
use crate::report::CheckReport;
use crate::{slots, snapshot};

/// The variable that names the corpus directory.
pub const ADRKIT_DIR: &str = "ADRKIT_DIR";

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where a hook's answers come from. Everything a hook does outside of its own memory goes through here.
///
/// An answer may take as long as it likes, fail or panic: the hooks keep their deadlines without it. It has to end soon
/// after the [`Cancel`] is cancelled, with whatever it started, and must not block the thread that polls it.
pub trait Repository: Send + Sync + 'static {
    /// What has changed around `cwd`, with at most [`slots::MAX_PROCESSES`] processes at a time.
    fn changed_files<'a>(&'a self, cwd: &'a Utf8Path, cancel: &'a Cancel) -> Later<'a, Result<Changes>>;

    /// Whether a check in `cwd` may start a process. Such a check waits for a slot, and counts.
    fn starts_processes<'a>(&'a self, cwd: &'a Utf8Path) -> Later<'a, bool>;

    /// Which decisions govern `paths`, with at most one process at a time. A corpus that is not there governs nothing.
    fn check<'a>(
        &'a self,
        cwd: &'a Utf8Path,
        paths: Vec<String>,
        cancel: &'a Cancel,
    ) -> Later<'a, Result<CheckReport>>;

    /// Where the targets of an edit lie.
    fn locate(&self, cwd: Utf8PathBuf, targets: Vec<String>) -> Later<'_, Result<Located>>;

    /// Where the target of an edit lies, and what a check of it says, where that takes no process and it lies outside of
    /// the corpus. Whoever can do both in one go spares the way back and forth.
    fn locate_and_check(&self, cwd: Utf8PathBuf, target: String) -> Later<'_, Result<Ahead>> {
        let located = self.locate(cwd, vec![target]);
        Box::pin(async { Ok(Ahead { located: located.await?, report: None }) })
    }
}

/// The answer to a check that nobody had to ask for.
#[derive(Debug, Clone, PartialEq)]
pub struct Ahead {
    /// Where the target lies.
    pub located: Located,
    /// What the check says. None where none was made.
    pub report: Option<Result<CheckReport>>,
}

/// The files that have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Relative to the directory that was asked about, `/`-separated, distinct.
    pub files: Vec<String>,
    /// What they were compared with, as [`git::ChangedFiles::label`].
    pub label: String,
}

/// Where the targets of an edit lie.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Located {
    /// Each target inside the working directory, links followed: relative to it, `/`-separated. None for one that is
    /// not. In the order of the targets.
    pub paths: Vec<Option<String>>,
    /// Whether one of them is in the corpus, wherever that is.
    pub in_corpus: bool,
}

/// The repository on this machine.
#[derive(Debug)]
pub(super) struct LocalRepository {
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) owner: Owner,
}

impl LocalRepository {
    fn corpus_dir(&self) -> &str {
        let named = env_value(&self.env, ADRKIT_DIR).and_then(|dir| dir.to_str());
        named.filter(|dir| !dir.is_empty()).unwrap_or(DEFAULT_DIR)
    }

    fn ask(&self, cwd: &Utf8Path) -> Result<Ask> {
        Ok(Ask {
            cwd: cwd.to_owned(),
            dir: Some(self.corpus_dir().to_owned()),
            engine: EngineChoice::from_env(&self.env)?,
            deadline: CALL_DEADLINE,
            env: self.env.clone(),
            owner: self.owner,
        })
    }
}

impl Repository for LocalRepository {
    fn changed_files<'a>(&'a self, cwd: &'a Utf8Path, cancel: &'a Cancel) -> Later<'a, Result<Changes>> {
        let options = git::Options { env: self.env.clone(), deadline: CALL_DEADLINE, owner: self.owner };
        let (cwd, cancel) = (cwd.to_owned(), cancel.clone());
        Box::pin(async move {
            let changed = snapshot::changed_files(cwd, None, options, cancel).await?;
            Ok(Changes { files: changed.files, label: changed.label })
        })
    }

    fn starts_processes<'a>(&'a self, cwd: &'a Utf8Path) -> Later<'a, bool> {
        Box::pin(async move {
            match self.ask(cwd) {
                Ok(ask) => slots::starts_processes(&ask).await,
                Err(_) => false,
            }
        })
    }

    fn check<'a>(
        &'a self,
        cwd: &'a Utf8Path,
        paths: Vec<String>,
        cancel: &'a Cancel,
    ) -> Later<'a, Result<CheckReport>> {
        Box::pin(async move {
            match engine::check(&self.ask(cwd)?, paths, cancel).await {
                Ok(answer) => Ok(answer.report),
                Err(error) => {
                    let dir = cwd.join(self.corpus_dir());
                    let work = move || unless_absent(error, &dir);
                    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal)?
                }
            }
        })
    }

    fn locate(&self, cwd: Utf8PathBuf, targets: Vec<String>) -> Later<'_, Result<Located>> {
        let corpus = self.corpus_dir().to_owned();
        Box::pin(async move {
            let work = move || locate(&cwd, &corpus, &targets);
            tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal)?
        })
    }

    fn locate_and_check(&self, cwd: Utf8PathBuf, target: String) -> Later<'_, Result<Ahead>> {
        let (ask, corpus) = (self.ask(&cwd), self.corpus_dir().to_owned());
        let span = tracing::Span::current();
        let work = move || {
            let _in_span = span.enter();
            let located = locate(&cwd, &corpus, &[target])?;
            let report = match (&ask, &located.paths[..]) {
                (Ok(ask), [Some(path)]) if !located.in_corpus => check_here(ask, path),
                _ => None,
            };
            Ok(Ahead { located, report })
        };
        Box::pin(async { tokio::task::spawn_blocking(work).await.map_err(|_| Error::Internal)? })
    }
}

/// Most repositories have no decisions; that is no failure to be told about.
fn unless_absent(error: Error, corpus: &Utf8Path) -> Result<CheckReport> {
    let is_absent = matches!(error, Error::Usage { .. }) && !corpus.is_dir();
    if is_absent { Ok(CheckReport::default()) } else { Err(error) }
}

/// What the embedded engine says, where that is the one to ask.
fn check_here(ask: &Ask, path: &str) -> Option<Result<CheckReport>> {
    let corpus = ask.cwd.join(ask.dir.as_deref().unwrap_or(DEFAULT_DIR));
    let said = engine::check_here(ask, vec![path.to_owned()]);
    said.or_else(|error| unless_absent(error, &corpus).map(Some)).transpose()
}

fn locate(cwd: &Utf8Path, corpus: &str, targets: &[String]) -> Result<Located> {
    if !cwd.is_dir() {
        return Err(Error::WorkingDirectoryGone);
    }
    let paths: Vec<Option<String>> = targets.iter().map(|target| edits::inside(cwd, target)).collect();
    let corpus_root = cwd.join(corpus);
    let in_corpus = targets.iter().any(|target| edits::inside(&corpus_root, cwd.join(target).as_str()).is_some())
        // The edit may have taken the directory away with the last record in it.
        || paths.iter().flatten().any(|path| plain(path).starts_with(plain(corpus)));
    Ok(Located { paths, in_corpus })
}

/// Without `.` and empty segments.
fn plain(path: &str) -> Utf8PathBuf {
    path.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(cwd: &Utf8Path, corpus: &str, target: &str) -> Located {
        locate(cwd, corpus, &[target.to_owned()]).unwrap()
    }

    #[test]
    fn the_corpus_is_known_by_name_by_link_and_from_outside() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().canonicalize().unwrap()).unwrap();
        let (cwd, elsewhere) = (root.join("repo"), root.join("records"));
        for dir in [&cwd.join("docs/adr"), &cwd.join("src"), &elsewhere] {
            std::fs::create_dir_all(dir).unwrap();
        }
        for (corpus, target, in_corpus) in [
            ("docs/adr", "docs/adr/0001.md", true),
            ("./docs//adr/", "docs/adr/0001.md", true),
            ("docs/adr", "docs/adr-notes.md", false),
            ("docs/adr", "src/a.rs", false),
            ("gone/adr", "gone/adr/0001.md", true),
            ("../records", "../records/0001.md", true),
            (elsewhere.as_str(), elsewhere.join("0001.md").as_str(), true),
            (elsewhere.as_str(), "src/a.rs", false),
        ] {
            assert_eq!(located(&cwd, corpus, target).in_corpus, in_corpus, "{corpus} {target}");
        }
        assert!(located(&cwd, "../records", "../records/0001.md").paths == [None]);
        assert_eq!(
            locate(&root.join("none"), "docs/adr", &["a".to_owned()]),
            Err(Error::WorkingDirectoryGone)
        );

        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&elsewhere, cwd.join("linked")).unwrap();
            assert!(located(&cwd, "linked", "linked/0001.md").in_corpus);
            assert!(located(&cwd, "linked", elsewhere.join("0001.md").as_str()).in_corpus);
            assert!(located(&cwd, "linked", "linked/0001.md").paths == [None]);
        }
    }
}
