//! Records that were parsed before, and when they may still be believed.
//!
//! A file is parsed again unless everything that the system tells of it is as it was: device, inode, size, and the times
//! of its last write and last change, to the nanosecond. A file system's clock may be coarse, and a file can be
//! rewritten within one tick with the same size. So a file that was young when it was read is not believed: it is
//! parsed again until it has been left alone for [`SETTLED`].
//!
//! Where every file may be believed, so may what was made of them together.
//!
//! Systems that do not tell a time of change (Windows) keep nothing.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use super::directory::{Directory, Stamp};
use super::discover::{self, RecordFile};
use super::load::{Corpus, ReadFile};
use crate::error::Result;

/// How long a file must have been left alone before it was read: the coarsest tick in use is that of FAT, two seconds.
pub const SETTLED: Duration = Duration::from_secs(3);

/// How many corpus directories are remembered; the one that was not asked about for longest goes first.
pub const MAX_CORPORA: usize = 8;

/// The memory of a process. It may be shared between threads.
#[derive(Debug, Default)]
pub struct Cache {
    /// The one that was asked about last stands last.
    corpora: Mutex<Vec<(Key, Arc<Known>)>>,
}

/// The root and the directory: shown paths depend on both.
type Key = (Utf8PathBuf, Utf8PathBuf);

/// What is known of a directory.
#[derive(Debug, Default)]
struct Known {
    /// The files that may be believed, by name.
    files: HashMap<String, Entry>,
    /// What they give together, unless there was a file that may not be believed.
    corpus: Option<Arc<Corpus>>,
}

#[derive(Debug, Clone)]
struct Entry {
    stamp: Stamp,
    file: Arc<ReadFile>,
}

impl Cache {
    /// Reads the records of `dir` as seen from `root`; `given` is how the caller wrote it. `now` is the time by the
    /// clock that the file system uses, taken before the files are looked at.
    ///
    /// # Errors
    /// Where the directory cannot be read.
    pub(super) fn load(
        &self,
        root: &Utf8Path,
        dir: &Utf8Path,
        given: &str,
        now: SystemTime,
    ) -> Result<Arc<Corpus>> {
        let key = (root.to_owned(), dir.to_owned());
        let known = self.known(&key);
        let names = discover::record_names(dir, given)?;
        let directory = Directory::open(dir);
        let find = |name: &str| -> Option<&Entry> {
            let entry = known.files.get(name)?;
            (directory.as_ref()?.stamp(name)? == entry.stamp).then_some(entry)
        };
        if let Some(corpus) = &known.corpus
            && names.len() == known.files.len()
            && names.iter().all(|name| find(name).is_some())
        {
            let corpus = Arc::clone(corpus);
            self.put(key, known);
            return Ok(corpus);
        }
        let files = discover::named(root, dir, names);
        let mut kept = HashMap::with_capacity(files.len());
        let read = files.iter().map(|file| {
            let name = file.file.file_name().unwrap_or_default();
            if let Some(entry) = find(name) {
                kept.insert(name.to_owned(), entry.clone());
                return Arc::clone(&entry.file);
            }
            let (stamp, parsed) = read_file(file);
            let parsed = Arc::new(parsed);
            if let Some(stamp) = stamp.filter(|stamp| stamp.is_older_than(SETTLED, now)) {
                kept.insert(name.to_owned(), Entry { stamp, file: Arc::clone(&parsed) });
            }
            parsed
        });
        let read: Vec<Arc<ReadFile>> = read.collect();
        let corpus = Arc::new(Corpus::of(files, &read));
        let is_whole = kept.len() == read.len();
        let known = Known { files: kept, corpus: is_whole.then(|| Arc::clone(&corpus)) };
        self.put(key, Arc::new(known));
        Ok(corpus)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Arc<Known>)>> {
        self.corpora.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shared, so that nothing is locked while files are read.
    fn known(&self, key: &Key) -> Arc<Known> {
        let corpora = self.lock();
        corpora.iter().find(|(of, _)| of == key).map(|(_, known)| Arc::clone(known)).unwrap_or_default()
    }

    fn put(&self, key: Key, known: Arc<Known>) {
        let mut corpora = self.lock();
        corpora.retain(|(of, _)| *of != key);
        if corpora.len() == MAX_CORPORA {
            corpora.remove(0);
        }
        corpora.push((key, known));
    }
}

/// Reads and parses a file. There is a stamp only if the file was the same before and after.
pub(super) fn read_file(file: &RecordFile) -> (Option<Stamp>, ReadFile) {
    let read = || -> io::Result<(Option<Stamp>, Vec<u8>)> {
        let mut open = File::open(&file.file)?;
        let before = Stamp::of(&open);
        let mut bytes = Vec::new();
        open.read_to_end(&mut bytes)?;
        Ok((before.filter(|_| before == Stamp::of(&open)), bytes))
    };
    match read() {
        Ok((stamp, bytes)) => (stamp, ReadFile::parse(&file.shown, &bytes)),
        Err(_) => (None, ReadFile::unreadable(&file.shown)),
    }
}
