//! An open directory, in which names are looked up without walking the path to it each time, and what tells one state
//! of a file from another.

#[cfg(unix)]
pub(super) use unix::{Directory, Stamp};

#[cfg(not(unix))]
pub(super) use other::{Directory, Stamp};

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
    use std::time::{Duration, SystemTime};

    use camino::Utf8Path;
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, openat, statat};

    /// Everything that the system tells of a file that changes when it does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) struct Stamp {
        pub(super) device: i128,
        pub(super) inode: i128,
        pub(super) size: i128,
        pub(super) modified: (i128, i128),
        pub(super) changed: (i128, i128),
    }

    impl Stamp {
        /// None where the system does not tell.
        pub(in super::super) fn of(file: &File) -> Option<Self> {
            fstat(file).ok().map(Self::from)
        }

        /// Was the file left alone for longer than `time` at `now`?
        pub(in super::super) fn is_older_than(&self, time: Duration, now: SystemTime) -> bool {
            let Ok(now) = now.duration_since(SystemTime::UNIX_EPOCH) else { return false };
            let (last, _) = self.modified.max(self.changed);
            last < i128::from(now.saturating_sub(time).as_secs())
        }
    }

    impl From<Stat> for Stamp {
        // The types of these fields differ from system to system; this one holds them all.
        fn from(stat: Stat) -> Self {
            Self {
                device: i128::from(stat.st_dev),
                inode: i128::from(stat.st_ino),
                size: i128::from(stat.st_size),
                modified: (i128::from(stat.st_mtime), i128::from(stat.st_mtime_nsec)),
                changed: (i128::from(stat.st_ctime), i128::from(stat.st_ctime_nsec)),
            }
        }
    }

    /// An open directory.
    #[derive(Debug)]
    pub(in super::super) struct Directory(OwnedFd);

    impl Directory {
        /// Opens `dir`, through links too. None where it cannot be opened.
        pub(in super::super) fn open(dir: &Utf8Path) -> Option<Self> {
            Self::within(CWD, dir.as_str(), OFlags::empty())
        }

        /// Opens the directory `name` in it. None where it cannot be opened, and where it is a link.
        pub(in super::super) fn enter(&self, name: &str) -> Option<Self> {
            Self::within(self.0.as_fd(), name, OFlags::NOFOLLOW)
        }

        fn within(dir: BorrowedFd<'_>, path: &str, how: OFlags) -> Option<Self> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | how;
            openat(dir, path, flags, Mode::empty()).ok().map(Self)
        }

        /// The file `name` in it, which is not followed where it is a link.
        pub(in super::super) fn stamp(&self, name: &str) -> Option<Stamp> {
            statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(Stamp::from)
        }

        /// Opens the regular file `name` in it, and tells its size in bytes. None where it cannot be opened, and where
        /// it is something else: that is not opened, since opening can have effects.
        pub(in super::super) fn file(&self, name: &str) -> Option<(File, u64)> {
            let is_file = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
            statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok().filter(is_file)?;
            // NONBLOCK: a fifo put in the file's place must not hold the call.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = openat(&self.0, name, flags, Mode::empty()).ok()?;
            let opened = fstat(&file).ok().filter(is_file)?;
            Some((File::from(file), u64::try_from(opened.st_size).ok()?))
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    use camino::Utf8Path;

    /// There is none here: the time of change is not told.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) enum Stamp {}

    impl Stamp {
        pub(in super::super) fn of(_: &File) -> Option<Self> {
            None
        }

        pub(in super::super) fn is_older_than(&self, _: Duration, _: SystemTime) -> bool {
            match *self {}
        }
    }

    /// There is none here.
    #[derive(Debug)]
    pub(in super::super) enum Directory {}

    impl Directory {
        pub(in super::super) fn open(_: &Utf8Path) -> Option<Self> {
            None
        }

        pub(in super::super) fn enter(&self, _: &str) -> Option<Self> {
            match *self {}
        }

        pub(in super::super) fn stamp(&self, _: &str) -> Option<Stamp> {
            match *self {}
        }

        pub(in super::super) fn file(&self, _: &str) -> Option<(File, u64)> {
            match *self {}
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::Stamp;

    #[test]
    fn age_counts_from_the_last_write_or_change() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let stamp = |modified, changed| Stamp { device: 1, inode: 2, size: 3, modified, changed };
        let time = Duration::from_secs(3);
        assert!(stamp((1000, 0), (1000, 0)).is_older_than(time, at(1004)));
        assert!(!stamp((1000, 0), (1000, 0)).is_older_than(time, at(1003)));
        assert!(!stamp((1000, 0), (1002, 0)).is_older_than(time, at(1004)));
        assert!(!stamp((2000, 0), (1000, 0)).is_older_than(time, at(1004)), "a clock that is behind");
        assert!(!stamp((0, 0), (0, 0)).is_older_than(time, at(0)));
    }
}
