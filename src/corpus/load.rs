//! A corpus in memory: its valid records, and what is wrong with the files that are none.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use camino::Utf8Path;

use super::affects::{Compiled, Matchers, Patterns};
use super::cache::{Cache, FileReader, Reading};
use super::discover::{self, RecordFile};
use super::paths::resolve;
use super::record::{self, Contents, Record};
use crate::error::Result;
use crate::report::{Finding, Severity};
use crate::text::cmp_code_units;

/// Is told what the file of each valid record holds, under its shown path, while that is at hand.
pub(super) type Listener<'l> = &'l mut dyn FnMut(&str, &Record, &Contents<'_>);

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

impl Valid {
    /// The matchers of the record, compiled.
    pub(super) fn compiled(&self) -> &[Compiled] {
        self.compiled.get_or_init(|| Compiled::all(&self.record))
    }
}

impl ReadFile {
    pub(super) fn parse(shown: &str, bytes: &[u8], listener: Option<Listener<'_>>) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let parsed = record::parse(shown, &text);
        if let (Some(tell), Some(record), Some(contents)) = (listener, &parsed.record, &parsed.contents) {
            tell(shown, record, contents);
        }
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
    pub(super) valid: Arc<Valid>,
    /// As reports show it.
    pub(crate) path: String,
}

impl Placed {
    pub(crate) fn record(&self) -> &Record {
        &self.valid.record
    }

    /// The matchers of the record, compiled.
    pub(crate) fn compiled(&self) -> &[Compiled] {
        self.valid.compiled()
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
            Some((cache, now)) => cache.load(root, &at, dir, now, Reading::Changed),
            None => Ok(Arc::new(Corpus::read(discover::record_files(root, &at, dir)?))),
        }
    }

    /// As [`Reader::load`], but each file is read, known or not, and `listener` is told what it holds: nobody keeps that.
    pub(super) fn load_listening(
        &self,
        root: &Utf8Path,
        dir: &str,
        listener: Listener<'_>,
    ) -> Result<Arc<Corpus>> {
        let at = resolve(root, dir);
        if let Some((cache, now)) = self.cache {
            return cache.load(root, &at, dir, now, Reading::All(listener));
        }
        let files = discover::record_files(root, &at, dir)?;
        Ok(Arc::new(Corpus::read_listening(files, Some(listener))))
    }

    /// What [`Reader::load`] would give without reading any file; none where it has to read one.
    pub(super) fn remembered(&self, root: &Utf8Path, dir: &str) -> Result<Option<Arc<Corpus>>> {
        match self.cache {
            Some((cache, _)) => cache.remembered(root, &resolve(root, dir), dir),
            None => Ok(None),
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
    patterns: OnceLock<Patterns>,
    pub(super) memo: Memo,
}

/// What was last made of all that the files of a corpus hold, and of something else.
#[derive(Debug, Default)]
pub(super) struct Memo(Mutex<Option<(Hash, String)>>);

/// Stands for the other thing, which may be large: a SHA-256.
pub(super) type Hash = [u8; 32];

impl Memo {
    /// What was made, if it was of this `other` thing.
    pub(super) fn of(&self, other: &Hash) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(with, _)| with == other).map(|(_, made)| made.clone())
    }

    pub(super) fn keep(&self, other: Hash, made: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((other, made));
    }
}

impl Corpus {
    /// Reads `files`, in the order of their shown paths.
    pub(super) fn read(files: Vec<RecordFile>) -> Self {
        Self::read_listening(files, None)
    }

    fn read_listening(files: Vec<RecordFile>, listener: Option<Listener<'_>>) -> Self {
        let mut reader = FileReader::new(listener);
        let read: Vec<Arc<ReadFile>> = files.iter().map(|file| Arc::new(reader.read(file).1)).collect();
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
        Self { files, records, findings, patterns: OnceLock::new(), memo: Memo::default() }
    }

    pub(crate) fn matchers(&self) -> Matchers<'_> {
        Matchers::new(&self.records, self.patterns.get_or_init(|| Patterns::of(&self.records)))
    }
}

/// The last of `records`, sorted by id, that bears `id`.
pub(crate) fn last_with_id<'a>(records: &'a [Placed], id: &str) -> Option<&'a Placed> {
    let after = records.partition_point(|placed| cmp_code_units(&placed.record().id, id).is_le());
    records[..after].last().filter(|placed| placed.record().id == id)
}
