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

use super::beside::beside;
use super::directory::{Directory, Stamp};
use super::discover::{self, RecordFile};
use super::load::{Corpus, ReadFile};
use crate::error::Result;

/// How long a file must have been left alone before it was read: the coarsest tick in use is that of FAT, two seconds.
pub const SETTLED: Duration = Duration::from_secs(3);

/// How many corpus directories are remembered; the one that was not asked about for longest goes first.
pub const MAX_CORPORA: usize = 8;

/// From so many files on, they are looked at by two threads: a look takes a microsecond, and a thread some fifty.
const LOOKED_AT_BESIDE_FROM: usize = 150;

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
        let directory = Directory::open(dir);
        let is_as_known = |(name, entry): (&String, &Entry)| {
            directory.as_ref().and_then(|d| d.stamp(name)).is_some_and(|stamp| stamp == entry.stamp)
        };
        let are_as_known = |from, to| {
            known.corpus.is_some() && known.files.iter().skip(from).take(to - from).all(is_as_known)
        };
        // To list a directory takes about as long as to look at a third of its files.
        let (some, all) = (known.files.len() / 3 * 2, known.files.len());
        let (some_are, (names, others_are)) = beside(
            known.corpus.is_some() && all >= LOOKED_AT_BESIDE_FROM,
            || are_as_known(0, some),
            || (discover::record_names(dir, given), are_as_known(some, all)),
        );
        let names = names?;
        if let Some(corpus) = &known.corpus
            && some_are
            && others_are
            && names.len() == all
            && names.iter().all(|name| known.files.contains_key(name))
        {
            let corpus = Arc::clone(corpus);
            self.put(key, known);
            return Ok(corpus);
        }
        let find = |name: &str| {
            let (name, entry) = known.files.get_key_value(name)?;
            is_as_known((name, entry)).then_some(entry)
        };
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
