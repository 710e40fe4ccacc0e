//! `lint`: what is wrong with the records of a directory, or with files that are named.

use std::collections::HashSet;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::check::{lint_answer, lint_findings};
use super::discover::{self, RecordFile};
use super::load::{Corpus, Reader};
use super::paths::resolve;
use super::sort_findings;
use crate::error::{Error, Result};
use crate::report::LintReport;

/// `adr lint`: the exit code and the report. `root` is absolute and free of links.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn lint(root: &Utf8Path, dir: &str) -> Result<(u8, LintReport)> {
    lint_by(Reader::default(), root, dir)
}

pub(super) fn lint_by(reader: Reader<'_>, root: &Utf8Path, dir: &str) -> Result<(u8, LintReport)> {
    let corpus = reader.load(root, dir)?;
    Ok(report(root, &corpus, &[resolve(root, dir)]))
}

/// `adr lint PATH...`: lints the named files, and the records of the named directories, among themselves.
/// `dir`, if given, only has to be readable.
///
/// # Errors
/// Where `dir` or a named directory cannot be read.
pub fn lint_paths(root: &Utf8Path, dir: Option<&str>, paths: &[String]) -> Result<(u8, LintReport)> {
    if let Some(dir) = dir {
        discover::record_files(root, &resolve(root, dir), dir)?;
    }
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    let mut dirs: Vec<Utf8PathBuf> = Vec::new();
    for path in paths {
        // Duplicates are told by the absolute text; one that was given absolute is not collapsed.
        let given = Utf8Path::new(path);
        let at = if given.is_absolute() { given.to_owned() } else { resolve(root, path) };
        match fs::metadata(&at) {
            Ok(kind) if kind.is_dir() => {
                let records = discover::record_files(root, &at, path).map_err(|_| Error::CorpusUnreadable)?;
                files.extend(records.into_iter().filter(|r| seen.insert(r.file.clone())));
                if !dirs.contains(&at) {
                    dirs.push(at);
                }
            }
            Ok(kind) if !kind.is_file() => {}
            // What cannot be looked at is reported when it is read.
            _ => {
                if seen.insert(at.clone()) {
                    files.push(RecordFile::new(root, at));
                }
            }
        }
    }
    discover::sort(&mut files);
    Ok(report(root, &Corpus::read(files), &dirs))
}

fn report(root: &Utf8Path, corpus: &Corpus, dirs: &[Utf8PathBuf]) -> (u8, LintReport) {
    let read: HashSet<&str> = corpus.files.iter().map(|f| f.shown.as_str()).collect();
    let mut findings = lint_findings(corpus);
    for dir in dirs {
        let skipped = discover::skipped_files(root, dir);
        findings.extend(skipped.into_iter().filter(|f| !f.path.as_deref().is_some_and(|p| read.contains(p))));
    }
    sort_findings(&mut findings);
    lint_answer(LintReport { checked: corpus.files.len(), findings })
}
