//! What a check may see of a file: the first 8 KiB, never through a link, never outside the root.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::iter;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::directory::Directory;
use super::markers;
use super::paths::resolve;
use crate::report::DeclaredMarker;

/// How much of a file is searched for markers, in bytes.
pub const MARKER_WINDOW_BYTES: usize = 8192;

/// What looking at one file gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scan {
    /// The path is absolute, or leads to the root itself or out of it; nothing was opened.
    OutOfTree,
    /// There is no such file.
    Absent,
    /// It is behind a link, no regular file, or cannot be read.
    Unreadable,
    /// It was searched.
    Scanned(Scanned),
}

/// A searched file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scanned {
    pub(crate) declared: Vec<DeclaredMarker>,
    pub(crate) window_bytes: u64,
    pub(crate) file_bytes: u64,
    pub(crate) truncated: bool,
}

/// The form in which a path is scanned: every leading `./` dropped.
pub(crate) fn normalise(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path
}

/// How many directories a [`Scanner`] has open at most: those on the way to a file. What lies deeper is reached by name.
const MAX_OPEN_DIRECTORIES: usize = 32;

/// Looks at files below one root.
#[derive(Debug)]
pub(crate) struct Scanner<'r> {
    root: &'r Utf8Path,
    /// The way to the last file, from the root on: the next file often lies near it. The root's own name is empty.
    way: Vec<(String, Directory)>,
}

impl<'r> Scanner<'r> {
    /// `root` is absolute and free of links.
    pub(crate) fn new(root: &'r Utf8Path) -> Self {
        Self { root, way: Vec::new() }
    }

    /// Looks at `path` below the root.
    pub(crate) fn scan(&mut self, path: &str) -> Scan {
        let Some(inside) = inside(self.root, path) else { return Scan::OutOfTree };
        match self.open(&inside) {
            Ok(Some((file, size))) => read_window(file, size).map_or(Scan::Unreadable, |window| {
                let possible = markers::are_possible_in(&window.bytes).then(|| decode(&window.bytes));
                Scan::Scanned(Scanned {
                    declared: possible.map_or_else(Vec::new, |text| markers::declared(path, &text)),
                    window_bytes: window.bytes.len() as u64,
                    file_bytes: size,
                    truncated: window.truncated,
                })
            }),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Scan::Absent,
            Ok(None) | Err(_) => Scan::Unreadable,
        }
    }

    fn open(&mut self, inside: &Utf8Path) -> io::Result<Option<(File, u64)>> {
        // Where there is nothing to open, the walk along the path tells why.
        self.open_near(inside).map_or_else(|| open_without_links(self.root, inside), |found| Ok(Some(found)))
    }

    /// Opens a regular file none of whose components is a link.
    fn open_near(&mut self, inside: &Utf8Path) -> Option<(File, u64)> {
        let (parent, name) = (inside.parent()?, inside.file_name()?);
        let names: Vec<&str> = iter::once("").chain(parent.components().map(|c| c.as_str())).collect();
        if names.len() > MAX_OPEN_DIRECTORIES {
            return None;
        }
        let shared = self.way.iter().zip(&names).take_while(|((open, _), name)| open == *name).count();
        self.way.truncate(shared);
        for name in names.into_iter().skip(shared) {
            let directory = match self.way.last() {
                None => Directory::open(self.root)?,
                Some((_, parent)) => parent.enter(name)?,
            };
            self.way.push((name.to_owned(), directory));
        }
        self.way.last()?.1.file(name)
    }
}

/// The collapsed path relative to `root`, unless it is the root or leads out of it.
fn inside(root: &Utf8Path, path: &str) -> Option<Utf8PathBuf> {
    let given = Utf8Path::new(path);
    let leads_away = |c: Utf8Component| matches!(c, Utf8Component::Prefix(_) | Utf8Component::RootDir);
    if given.is_absolute() || given.components().any(leads_away) {
        return None;
    }
    let inside = resolve(root, path).strip_prefix(root).ok()?.to_owned();
    (!inside.as_str().is_empty()).then_some(inside)
}

/// Opens a regular file none of whose components is a link; `None` when it is something else.
fn open_without_links(root: &Utf8Path, inside: &Utf8Path) -> io::Result<Option<(File, u64)>> {
    let mut at = root.to_owned();
    let mut last: Option<Metadata> = None;
    for component in inside.components() {
        at.push(component);
        let seen = fs::symlink_metadata(&at)?;
        if seen.is_symlink() {
            return Ok(None);
        }
        last = Some(seen);
    }
    if !last.is_some_and(|m| m.is_file()) {
        return Ok(None);
    }
    let file = no_follow().open(&at)?;
    // The name may have been given to something else since.
    let opened = file.metadata()?;
    Ok(opened.is_file().then_some((file, opened.len())))
}

#[cfg(unix)]
fn no_follow() -> OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    // NONBLOCK: a fifo put in the file's place must not hold the call.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.read(true).custom_flags(flags.bits().cast_signed());
    options
}

#[cfg(not(unix))]
fn no_follow() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

struct Window {
    bytes: Vec<u8>,
    truncated: bool,
}

fn read_window(file: File, size: u64) -> io::Result<Window> {
    let most = MARKER_WINDOW_BYTES as u64 + 1;
    // A size of 0 tells nothing: the files of /proc have it.
    let limit = if size == 0 { most } else { size.min(most) };
    let mut bytes = Vec::with_capacity(usize::try_from(limit).unwrap_or(MARKER_WINDOW_BYTES + 1));
    file.take(limit).read_to_end(&mut bytes)?;
    let truncated = bytes.len() > MARKER_WINDOW_BYTES;
    if truncated {
        bytes.truncate(MARKER_WINDOW_BYTES);
        // A cut line could read as another reference than the whole one.
        let end = bytes.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |i| i + 1);
        bytes.truncate(end);
    }
    Ok(Window { bytes, truncated })
}

/// UTF-8 with replacement characters; a byte order mark, and a second one behind it, are dropped.
fn decode(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_away_are_not_opened() {
        let root = Utf8Path::new("/r/x");
        for path in ["", ".", "..", "../x", "a/..", "/r/x/a", "/", "a/../../y"] {
            assert_eq!(inside(root, path), None, "{path}");
        }
        for (path, want) in [("a", "a"), ("a/../b", "b"), ("../x/b", "b"), ("a/./b/", "a/b"), ("...", "...")]
        {
            assert_eq!(inside(root, path).as_deref(), Some(Utf8Path::new(want)), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn one_scanner_sees_what_many_see() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().canonicalize().unwrap()).unwrap();
        let deep = "d/".repeat(MAX_OPEN_DIRECTORIES + 1) + "x";
        for path in ["x", "a/x", "a/b/x", "a/b/y", "c/b/x", deep.as_str()] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), format!("// @adr {path}")).unwrap();
        }
        std::os::unix::fs::symlink(root.join("a"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("x"), root.join("a/link")).unwrap();
        let paths = [
            "a/b/x", "a/b/y", "a/x", "x", "c/b/x", "a/b/x", &deep, "a/b", "a/x/y", "gone/x", "link/x",
            "a/link",
        ];
        let states = "sssssssuaauu";
        let (mut forward, mut backward) = (Scanner::new(&root), Scanner::new(&root));
        let alone: Vec<Scan> = paths.iter().map(|path| Scanner::new(&root).scan(path)).collect();
        let letter = |scan: &Scan| match scan {
            Scan::Scanned(_) => 's',
            Scan::Absent => 'a',
            Scan::Unreadable => 'u',
            Scan::OutOfTree => 'o',
        };
        assert_eq!(alone.iter().map(letter).collect::<String>(), states);
        assert_eq!(paths.map(|path| forward.scan(path)), *alone);
        let mut reversed = paths;
        reversed.reverse();
        let mut seen = reversed.map(|path| backward.scan(path));
        seen.reverse();
        assert_eq!(seen, *alone);
    }

    #[test]
    fn leading_dot_slashes_are_dropped() {
        for (path, want) in [("././a", "a"), (".//a", "/a"), ("a/./b", "a/./b"), ("./", ""), ("../a", "../a")]
        {
            assert_eq!(normalise(path), want);
        }
    }
}
