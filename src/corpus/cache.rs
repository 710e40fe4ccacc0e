//! Records that were parsed before, and when they may still be believed.
//!
//! A file is parsed again unless everything that the system tells of it is as it was: device, inode, size, and the times
//! of its last write and last change, to the nanosecond. A file system's clock may be coarse, and a file can be
//! rewritten within one tick with the same size. So a file that was young when it was read is not believed: it is
//! parsed again until it has been left alone for [`SETTLED`].
//!
//! Where every file may be believed, so may what was made of them together.
//!
//! Of a file its record is kept, not its text, which is several times as large and of use to few answers
//! ([`Reading::All`]).
//!
//! Systems that do not tell a time of change (Windows) keep nothing.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use super::beside::beside;
use super::directory::{Directory, Stamp};
use super::discover::{self, RecordFile};
use super::load::{Corpus, Listener, ReadFile};
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

/// What a look at a directory tells.
struct Looked {
    /// None where the system keeps none open.
    directory: Option<Arc<Directory>>,
    /// Of its record files, in no order.
    names: Vec<String>,
    /// What they give together, unless one of them has to be read.
    corpus: Option<Arc<Corpus>>,
}

/// Which files are read.
pub(super) enum Reading<'l> {
    /// Those that may not be believed.
    Changed,
    /// Each, and the listener is told of it.
    All(Listener<'l>),
}

impl Known {
    /// Looks at all of it, without reading a file.
    fn look(self: &Arc<Self>, dir: &Utf8Path, given: &str) -> Result<Looked> {
        let directory = Directory::open(dir).map(Arc::new);
        // To list a directory takes about as long as to look at a third of its files.
        let (aside, all) = (self.files.len() / 3 * 2, self.files.len());
        let some_are = {
            let (known, directory) = (Arc::clone(self), directory.clone());
            move || known.are_as_known(directory.as_deref(), 0..aside)
        };
        let (some_are, (names, others_are)) =
            beside(self.corpus.is_some() && all >= LOOKED_AT_BESIDE_FROM, some_are, || {
                (discover::record_names(dir, given), self.are_as_known(directory.as_deref(), aside..all))
            });
        let names = names?;
        let is_unchanged = some_are
            && others_are
            && names.len() == all
            && names.iter().all(|name| self.files.contains_key(name));
        let corpus = self.corpus.as_ref().filter(|_| is_unchanged).map(Arc::clone);
        Ok(Looked { directory, names, corpus })
    }

    /// Whether the files at these places are as they were. Not if there was one that may not be believed.
    fn are_as_known(&self, directory: Option<&Directory>, places: Range<usize>) -> bool {
        let mut files = self.files.iter().skip(places.start).take(places.len());
        self.corpus.is_some() && files.all(|(name, entry)| entry.is_of(directory, name))
    }

    /// What is known of a file that is as it was.
    fn find(&self, directory: Option<&Directory>, name: &str) -> Option<&Entry> {
        self.files.get(name).filter(|entry| entry.is_of(directory, name))
    }
}

impl Entry {
    /// Whether the file `name` is as it was.
    fn is_of(&self, directory: Option<&Directory>, name: &str) -> bool {
        directory.and_then(|directory| directory.stamp(name)).is_some_and(|stamp| stamp == self.stamp)
    }
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
        reading: Reading<'_>,
    ) -> Result<Arc<Corpus>> {
        let key = (root.to_owned(), dir.to_owned());
        let (known, listener) = match reading {
            Reading::Changed => (self.known(&key), None),
            Reading::All(listener) => (Arc::default(), Some(listener)),
        };
        let Looked { directory, names, corpus } = known.look(dir, given)?;
        if let Some(corpus) = corpus {
            self.put(key, known);
            return Ok(corpus);
        }
        let mut reader = FileReader::new(listener);
        let files = discover::named(root, dir, names);
        let mut kept = HashMap::with_capacity(files.len());
        let read = files.iter().map(|file| {
            let name = file.file.file_name().unwrap_or_default();
            if let Some(entry) = known.find(directory.as_deref(), name) {
                kept.insert(name.to_owned(), entry.clone());
                return Arc::clone(&entry.file);
            }
            let (stamp, parsed) = reader.read(file);
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

    /// What [`Cache::load`] would give without reading any file; none where it has to read one.
    ///
    /// # Errors
    /// Where the directory cannot be read.
    pub(super) fn remembered(
        &self,
        root: &Utf8Path,
        dir: &Utf8Path,
        given: &str,
    ) -> Result<Option<Arc<Corpus>>> {
        let key = (root.to_owned(), dir.to_owned());
        let known = self.known(&key);
        if known.corpus.is_none() {
            return Ok(None);
        }
        let Looked { corpus, .. } = known.look(dir, given)?;
        if corpus.is_some() {
            self.put(key, known);
        }
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

/// Reads and parses files, one after the other.
pub(super) struct FileReader<'l> {
    listener: Option<Listener<'l>>,
    /// Of the latest file. One for all, so that what is kept of them does not lie scattered among what was given back.
    bytes: Vec<u8>,
}

impl<'l> FileReader<'l> {
    pub(super) fn new(listener: Option<Listener<'l>>) -> Self {
        Self { listener, bytes: Vec::new() }
    }

    /// Reads and parses a file. There is a stamp only if the file was the same before and after.
    pub(super) fn read(&mut self, file: &RecordFile) -> (Option<Stamp>, ReadFile) {
        self.bytes.clear();
        let Ok(stamp) = self.fill(file) else { return (None, ReadFile::unreadable(&file.shown)) };
        let listener: Option<Listener<'_>> = match &mut self.listener {
            Some(listener) => Some(&mut **listener),
            None => None,
        };
        (stamp, ReadFile::parse(&file.shown, &self.bytes, listener))
    }

    fn fill(&mut self, file: &RecordFile) -> io::Result<Option<Stamp>> {
        let open = File::open(&file.file)?;
        let before = Stamp::of(&open);
        // A file itself would ask for its size once more.
        (&open).take(u64::MAX).read_to_end(&mut self.bytes)?;
        Ok(before.filter(|_| before == Stamp::of(&open)))
    }
}
