//! The four questions, and how either engine is asked each of them.

use std::future::Future;
use std::sync::LazyLock;
use std::time::SystemTime;

use camino::Utf8Path;

use crate::cli::{Session, argv, batch, merge};
use crate::corpus::{Cache, Reader};
use crate::error::Result;
use crate::process::Cancel;
use crate::report::{CheckReport, ExplainReport, LintReport, QueueReport};

/// What the process remembers of the corpora that it was asked about.
static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);

fn reader() -> Reader<'static> {
    Reader::remembering(&CACHE, SystemTime::now())
}

/// A question: an exit code and a report from either engine.
pub(super) trait Question: Send + Sync + 'static {
    /// What answers it.
    type Report: Send + 'static;

    /// Its name in logs.
    const NAME: &'static str;

    /// The embedded engine's answer. `root` is absolute and free of links. Blocks.
    fn embedded(&self, root: &Utf8Path, dir: &str) -> Result<(u8, Self::Report)>;

    /// The answer of the `adr` command, which `session` runs in `root`.
    fn command(
        &self,
        session: &Session,
        root: &Utf8Path,
        dir: &str,
        cancel: &Cancel,
    ) -> impl Future<Output = Result<(u8, Self::Report)>> + Send;
}

pub(super) struct Check {
    pub(super) paths: Vec<String>,
}

impl Question for Check {
    type Report = CheckReport;
    const NAME: &'static str = "check";

    fn embedded(&self, root: &Utf8Path, dir: &str) -> Result<(u8, CheckReport)> {
        reader().check(root, dir, &self.paths)
    }

    async fn command(
        &self,
        session: &Session,
        root: &Utf8Path,
        dir: &str,
        cancel: &Cancel,
    ) -> Result<(u8, CheckReport)> {
        let batches = batch::split(&self.paths, session.batch_bytes());
        let mut exit_code = 0;
        let mut parts: Vec<CheckReport> = Vec::with_capacity(batches.len());
        for batch in &batches {
            let (code, part) = session.report(argv::check(dir, batch), cancel).await?;
            exit_code = exit_code.max(code);
            parts.push(part);
        }
        let mut report = match <[CheckReport; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => {
                let (root, dir, paths) = (root.to_owned(), dir.to_owned(), self.paths.clone());
                let work = move || {
                    let exceptions = reader().exceptions(&root, &dir, &paths)?;
                    Ok(merge::merge(&parts, &paths, &exceptions))
                };
                super::blocking(session.clock(), cancel, work).await?
            }
        };
        argv::restore(&mut report.changed_files, &self.paths);
        Ok((exit_code, report))
    }
}

pub(super) struct Explain {
    pub(super) path: String,
}

impl Question for Explain {
    type Report = ExplainReport;
    const NAME: &'static str = "explain";

    fn embedded(&self, root: &Utf8Path, dir: &str) -> Result<(u8, ExplainReport)> {
        reader().explain(root, dir, &self.path)
    }

    async fn command(
        &self,
        session: &Session,
        _root: &Utf8Path,
        dir: &str,
        cancel: &Cancel,
    ) -> Result<(u8, ExplainReport)> {
        let (code, report) = session.report::<ExplainReport>(argv::explain(dir, &self.path), cancel).await?;
        Ok((code, ExplainReport { path: self.path.clone(), ..report }))
    }
}

pub(super) struct Lint;

impl Question for Lint {
    type Report = LintReport;
    const NAME: &'static str = "lint";

    fn embedded(&self, root: &Utf8Path, dir: &str) -> Result<(u8, LintReport)> {
        reader().lint(root, dir)
    }

    async fn command(
        &self,
        session: &Session,
        _root: &Utf8Path,
        dir: &str,
        cancel: &Cancel,
    ) -> Result<(u8, LintReport)> {
        session.report(argv::lint(dir), cancel).await
    }
}

pub(super) struct Queue {
    pub(super) as_of: String,
}

impl Question for Queue {
    type Report = QueueReport;
    const NAME: &'static str = "queue";

    fn embedded(&self, root: &Utf8Path, dir: &str) -> Result<(u8, QueueReport)> {
        reader().queue(root, dir, &self.as_of)
    }

    async fn command(
        &self,
        session: &Session,
        _root: &Utf8Path,
        dir: &str,
        cancel: &Cancel,
    ) -> Result<(u8, QueueReport)> {
        session.report(argv::queue(dir, &self.as_of), cancel).await
    }
}
