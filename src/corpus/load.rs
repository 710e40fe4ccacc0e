//! A corpus in memory: its valid records, and what is wrong with the files that are none.

use std::fs;

use camino::Utf8Path;

use super::discover::{self, RecordFile};
use super::paths::resolve;
use super::record::{self, Record};
use crate::error::Result;
use crate::report::{Finding, Severity};
use crate::text::cmp_code_units;

/// A valid record and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) record: Record,
    /// As reports show it.
    pub(crate) path: String,
}

/// What reading a set of record files gave.
#[derive(Debug, Clone)]
pub(crate) struct Corpus {
    /// By id, then by path.
    pub(crate) records: Vec<Placed>,
    /// Findings of the files themselves: unreadable, no front matter, against the schema.
    pub(crate) findings: Vec<Finding>,
    /// How many files were read or tried.
    pub(crate) checked: usize,
}

impl Corpus {
    /// Reads the record files of `dir`, given relative to `root`.
    pub(crate) fn load(root: &Utf8Path, dir: &str) -> Result<Self> {
        Ok(Self::read(&discover::record_files(root, &resolve(root, dir), dir)?))
    }

    /// Reads `files`, which are in the order of their shown paths.
    pub(crate) fn read(files: &[RecordFile]) -> Self {
        let mut corpus = Self { records: Vec::new(), findings: Vec::new(), checked: files.len() };
        for RecordFile { file, shown } in files {
            let Ok(bytes) = fs::read(file) else {
                corpus.findings.push(
                    Finding::new("file-read", Severity::Error, "The file could not be read.").path(shown),
                );
                continue;
            };
            let parsed = record::parse(shown, &String::from_utf8_lossy(&bytes));
            corpus.findings.extend(parsed.findings);
            corpus.records.extend(parsed.record.map(|record| Placed { record, path: shown.clone() }));
        }
        corpus.records.sort_by(|a, b| cmp_code_units(&a.record.id, &b.record.id));
        corpus
    }
}
