//! Records that were parsed before, and when they may still be believed.
//!
//! A file is parsed again unless everything that the system tells of it is as it was: device, inode, size, and the times
//! of its last write and last change, to the nanosecond. A file system's clock may be coarse, and a file can be
//! rewritten within one tick with the same size. So a file that was young when it was read is not believed: it is
//! parsed again until it has been left alone for [`SETTLED`].
//!
//! Systems that do not tell a time of change (Windows) keep nothing.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use super::discover::RecordFile;
use super::load::ReadFile;

/// How long a file must have been left alone before it was read: the coarsest tick in use is that of FAT, two seconds.
pub const SETTLED: Duration = Duration::from_secs(3);

/// How many corpus directories are remembered; the one that was not asked about for longest goes first.
pub const MAX_CORPORA: usize = 8;

/// The memory of a process. It may be shared between threads.
#[derive(Debug, Default)]
pub struct Cache {
    /// The one that was asked about last stands last.
    corpora: Mutex<Vec<Remembered>>,
}

#[derive(Debug)]
struct Remembered {
    /// The root and the directory: shown paths depend on both.
    key: (Utf8PathBuf, Utf8PathBuf),
    files: Arc<HashMap<Utf8PathBuf, Entry>>,
}

#[derive(Debug, Clone)]
struct Entry {
    stamp: Stamp,
    file: Arc<ReadFile>,
}

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Cache {
    /// Reads `files`, the records of `dir` as seen from `root`. `now` is the time by the clock that the file system
    /// uses, taken before the files are looked at.
    pub(super) fn read(
        &self,
        root: &Utf8Path,
        dir: &Utf8Path,
        files: &[RecordFile],
        now: SystemTime,
    ) -> Vec<Arc<ReadFile>> {
        let key = (root.to_owned(), dir.to_owned());
        let known = self.known(&key);
        let find = |file: &RecordFile| known.get(&file.file).filter(|entry| is_unchanged(&file.file, entry));
        let found: Vec<Option<&Entry>> = files.iter().map(find).collect();
        if known.len() == files.len() && found.iter().all(Option::is_some) {
            let read = found.into_iter().flatten().map(|entry| Arc::clone(&entry.file)).collect();
            self.put(key, Arc::clone(&known));
            return read;
        }
        let mut kept = HashMap::with_capacity(files.len());
        let read = files.iter().zip(found).map(|(file, found)| {
            if let Some(entry) = found {
                kept.insert(file.file.clone(), entry.clone());
                return Arc::clone(&entry.file);
            }
            let (stamp, parsed) = read_file(file);
            let parsed = Arc::new(parsed);
            if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now)) {
                kept.insert(file.file.clone(), Entry { stamp, file: Arc::clone(&parsed) });
            }
            parsed
        });
        let read = read.collect();
        self.put(key, Arc::new(kept));
        read
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Remembered>> {
        self.corpora.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shared, so that nothing is locked while files are read.
    fn known(&self, key: &(Utf8PathBuf, Utf8PathBuf)) -> Arc<HashMap<Utf8PathBuf, Entry>> {
        let corpora = self.lock();
        corpora.iter().find(|r| r.key == *key).map(|r| Arc::clone(&r.files)).unwrap_or_default()
    }

    fn put(&self, key: (Utf8PathBuf, Utf8PathBuf), files: Arc<HashMap<Utf8PathBuf, Entry>>) {
        let mut corpora = self.lock();
        corpora.retain(|r| r.key != key);
        if corpora.len() == MAX_CORPORA {
            corpora.remove(0);
        }
        corpora.push(Remembered { key, files });
    }
}

fn is_unchanged(file: &Utf8Path, entry: &Entry) -> bool {
    fs::symlink_metadata(file).ok().and_then(|seen| Stamp::of(&seen)) == Some(entry.stamp)
}

/// Reads and parses a file. There is a stamp only if the file was the same before and after.
pub(super) fn read_file(file: &RecordFile) -> (Option<Stamp>, ReadFile) {
    let read = || -> io::Result<(Option<Stamp>, Vec<u8>)> {
        let mut open = File::open(&file.file)?;
        let before = Stamp::of(&open.metadata()?);
        let mut bytes = Vec::new();
        open.read_to_end(&mut bytes)?;
        let after = Stamp::of(&open.metadata()?);
        Ok((before.filter(|_| before == after), bytes))
    };
    match read() {
        Ok((stamp, bytes)) => (stamp, ReadFile::parse(&file.shown, &bytes)),
        Err(_) => (None, ReadFile::unreadable(&file.shown)),
    }
}

impl Stamp {
    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
    fn of(file: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Self {
            device: file.dev(),
            inode: file.ino(),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }

    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Option<Self> {
        None
    }

    /// Was the file left alone for long enough at the time `now`?
    fn is_settled(&self, now: SystemTime) -> bool {
        let Ok(now) = now.duration_since(SystemTime::UNIX_EPOCH) else { return false };
        let (last, _) = self.modified.max(self.changed);
        let settled = i64::try_from(now.saturating_sub(SETTLED).as_secs()).unwrap_or(i64::MAX);
        last < settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_was_left_alone_is_believed() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let stamp = |modified, changed| Stamp { device: 1, inode: 2, size: 3, modified, changed };
        assert!(stamp((1000, 0), (1000, 0)).is_settled(at(1004)));
        assert!(!stamp((1000, 0), (1000, 0)).is_settled(at(1003)));
        assert!(!stamp((1000, 0), (1002, 0)).is_settled(at(1004)));
        assert!(!stamp((2000, 0), (1000, 0)).is_settled(at(1004)), "a clock that is behind");
        assert!(!stamp((0, 0), (0, 0)).is_settled(at(0)));
    }
}
