//! A corpus in memory: its valid records, and what is wrong with the files that are none.

use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use camino::Utf8Path;

use super::affects::Compiled;
use super::cache::{Cache, read_file};
use super::discover::{self, RecordFile};
use super::paths::resolve;
use super::record::{self, Record};
use crate::error::Result;
use crate::report::{Finding, Severity};
use crate::text::cmp_code_units;

/// What one record file gave.
#[derive(Debug)]
pub(crate) struct ReadFile {
    record: Option<Arc<Valid>>,
    /// Unreadable, no front matter, against the schema.
    findings: Vec<Finding>,
}

/// A valid record. Its matchers are compiled when they are first asked for.
#[derive(Debug)]
pub(crate) struct Valid {
    record: Record,
    compiled: OnceLock<Vec<Compiled>>,
}

impl ReadFile {
    pub(super) fn parse(shown: &str, bytes: &[u8]) -> Self {
        let parsed = record::parse(shown, &String::from_utf8_lossy(bytes));
        let valid = |record| Arc::new(Valid { record, compiled: OnceLock::new() });
        Self { record: parsed.record.map(valid), findings: parsed.findings }
    }

    pub(super) fn unreadable(shown: &str) -> Self {
        let finding = Finding::new("file-read", Severity::Error, "The file could not be read.").path(shown);
        Self { record: None, findings: vec![finding] }
    }
}

/// A valid record and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    valid: Arc<Valid>,
    /// As reports show it.
    pub(crate) path: String,
}

impl Placed {
    pub(crate) fn record(&self) -> &Record {
        &self.valid.record
    }

    /// The matchers of the record, compiled.
    pub(crate) fn compiled(&self) -> &[Compiled] {
        self.valid.compiled.get_or_init(|| Compiled::all(&self.valid.record))
    }
}

/// Where records come from: from disk, or from what is remembered of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reader<'c> {
    cache: Option<(&'c Cache, SystemTime)>,
}

impl<'c> Reader<'c> {
    /// One that remembers in `cache`. `now` is the present time; see [`Cache`].
    #[must_use]
    pub fn remembering(cache: &'c Cache, now: SystemTime) -> Self {
        Self { cache: Some((cache, now)) }
    }

    /// Reads the record files of `dir`, given relative to `root`.
    pub(super) fn load(&self, root: &Utf8Path, dir: &str) -> Result<Arc<Corpus>> {
        let at = resolve(root, dir);
        match self.cache {
            Some((cache, now)) => cache.load(root, &at, dir, now),
            None => Ok(Arc::new(Corpus::read(discover::record_files(root, &at, dir)?))),
        }
    }
}

/// What reading a set of record files gave.
#[derive(Debug)]
pub(crate) struct Corpus {
    /// The files that were read or tried, by their shown paths.
    pub(crate) files: Vec<RecordFile>,
    /// By id, then by path.
    pub(crate) records: Vec<Placed>,
    /// Findings of the files themselves.
    pub(crate) findings: Vec<Finding>,
}

impl Corpus {
    /// Reads `files`, in the order of their shown paths.
    pub(super) fn read(files: Vec<RecordFile>) -> Self {
        let read: Vec<Arc<ReadFile>> = files.iter().map(|file| Arc::new(read_file(file).1)).collect();
        Self::of(files, &read)
    }

    /// Puts together what each of `files` gave.
    pub(super) fn of(files: Vec<RecordFile>, read: &[Arc<ReadFile>]) -> Self {
        let (mut records, mut findings) = (Vec::new(), Vec::new());
        for (file, read) in files.iter().zip(read) {
            findings.extend_from_slice(&read.findings);
            let place = |valid: &Arc<Valid>| Placed { valid: Arc::clone(valid), path: file.shown.clone() };
            records.extend(read.record.as_ref().map(place));
        }
        records.sort_by(|a: &Placed, b| cmp_code_units(&a.record().id, &b.record().id));
        Self { files, records, findings }
    }
}

/// The last of `records`, sorted by id, that bears `id`.
pub(crate) fn last_with_id<'a>(records: &'a [Placed], id: &str) -> Option<&'a Placed> {
    let after = records.partition_point(|placed| cmp_code_units(&placed.record().id, id).is_le());
    records[..after].last().filter(|placed| placed.record().id == id)
}
