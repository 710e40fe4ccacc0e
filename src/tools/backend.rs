//! Who answers a tool's question: git and the engine, or a test.

use std::future::Future;
use std::pin::Pin;

use camino::Utf8Path;

use crate::engine::{self, Answer, Ask};
use crate::error::Result;
use crate::git;
use crate::process::Cancel;
use crate::report::{CheckReport, ExplainReport, LintReport};

pub(super) type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// The files that changed, as git names them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Changed {
    pub(super) files: Vec<String>,
    /// Names that could not be told.
    pub(super) skipped: usize,
}

pub(super) trait Backend: Send + Sync {
    fn changed<'a>(
        &'a self,
        dir: &'a Utf8Path,
        base: Option<&'a str>,
        options: &'a git::Options,
        cancel: &'a Cancel,
    ) -> Pending<'a, Changed>;

    fn check<'a>(
        &'a self,
        ask: &'a Ask,
        paths: Vec<String>,
        cancel: &'a Cancel,
    ) -> Pending<'a, Answer<CheckReport>>;

    fn explain<'a>(
        &'a self,
        ask: &'a Ask,
        path: String,
        cancel: &'a Cancel,
    ) -> Pending<'a, Answer<ExplainReport>>;

    fn lint<'a>(&'a self, ask: &'a Ask, cancel: &'a Cancel) -> Pending<'a, Answer<LintReport>>;
}

/// Git and the engine.
pub(super) struct Native;

impl Backend for Native {
    fn changed<'a>(
        &'a self,
        dir: &'a Utf8Path,
        base: Option<&'a str>,
        options: &'a git::Options,
        cancel: &'a Cancel,
    ) -> Pending<'a, Changed> {
        Box::pin(async move {
            let changed = git::changed_files(dir, base, options, cancel).await?;
            Ok(Changed { files: changed.files, skipped: changed.skipped_non_utf8 })
        })
    }

    fn check<'a>(
        &'a self,
        ask: &'a Ask,
        paths: Vec<String>,
        cancel: &'a Cancel,
    ) -> Pending<'a, Answer<CheckReport>> {
        Box::pin(engine::check(ask, paths, cancel))
    }

    fn explain<'a>(
        &'a self,
        ask: &'a Ask,
        path: String,
        cancel: &'a Cancel,
    ) -> Pending<'a, Answer<ExplainReport>> {
        Box::pin(engine::explain(ask, path, cancel))
    }

    fn lint<'a>(&'a self, ask: &'a Ask, cancel: &'a Cancel) -> Pending<'a, Answer<LintReport>> {
        Box::pin(engine::lint(ask, cancel))
    }
}
