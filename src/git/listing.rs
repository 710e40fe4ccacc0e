//! Lists of names as `git -z` prints them: bytes, each ended by NUL.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::text::cmp_code_units;

/// The entries of a listing; none where the last is cut short.
pub(super) fn split(listing: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let (body, is_empty) = match listing {
        [] => (listing, true),
        [body @ .., 0] => (body, false),
        _ => return None,
    };
    Some(body.split(|&b| b == 0).skip(usize::from(is_empty)))
}

/// The files in `git ls-files -z -t --stage --cached --deleted`: `H 100644 <id> <stage>\t<name>` with another letter
/// for other states, and again with `R` where the file is deleted. None where an entry is of another shape.
pub(super) fn tracked(listing: &[u8]) -> Option<BTreeSet<&[u8]>> {
    const GITLINK: &[u8] = b"160000 ";
    let mut cached = BTreeSet::new();
    let mut deleted = BTreeSet::new();
    for entry in split(listing)? {
        let tab = entry.iter().position(|&b| b == b'\t')?;
        let (state, name) = (entry.get(..tab)?, entry.get(tab + 1..)?);
        match state {
            [b'R', b' ', ..] => deleted.insert(name),
            [_, b' ', mode @ ..] if mode.starts_with(GITLINK) => continue,
            [_, b' ', ..] => cached.insert(name),
            _ => return None,
        };
    }
    Some(cached.into_iter().filter(|name| !deleted.contains(name)).collect())
}

/// Distinct file names, as bytes until all of them are known.
#[derive(Debug, Default)]
pub(super) struct Names<'a>(BTreeSet<&'a [u8]>);

impl<'a> Names<'a> {
    /// Adds names. One that ends with a slash is a directory (a repository of its own) and is left out.
    pub(super) fn extend(&mut self, names: impl IntoIterator<Item = &'a [u8]>) {
        self.0.extend(names.into_iter().filter(|name| !name.is_empty() && !name.ends_with(b"/")));
    }

    /// Adds the names that lie below `prefix`, relative to it.
    pub(super) fn extend_below(&mut self, prefix: &Path, names: impl IntoIterator<Item = &'a [u8]>) {
        let prefix = prefix.as_os_str().as_encoded_bytes();
        let below = |name: &'a [u8]| match prefix {
            [] => Some(name),
            _ => name.strip_prefix(prefix)?.strip_prefix(b"/"),
        };
        self.extend(names.into_iter().filter_map(below));
    }

    /// The names that are UTF-8, in code-unit order, and how many are not.
    pub(super) fn finish(self) -> (Vec<String>, usize) {
        let total = self.0.len();
        let mut files: Vec<String> =
            self.0.into_iter().filter_map(|name| std::str::from_utf8(name).ok().map(str::to_owned)).collect();
        files.sort_by(|a, b| cmp_code_units(a, b));
        let skipped = total - files.len();
        (files, skipped)
    }
}

/// Git's bytes as a path. Windows, where git writes UTF-8, takes what is not for U+FFFD.
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        std::ffi::OsStr::from_bytes(bytes).into()
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(bytes).into_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&'static [u8]]) -> Names<'static> {
        let mut names = Names::default();
        names.extend(list.iter().copied());
        names
    }

    #[test]
    fn a_listing_is_whole_or_nothing() {
        let all = |listing| split(listing).map(Iterator::collect::<Vec<&[u8]>>);
        assert_eq!(all(b""), Some(vec![]));
        assert_eq!(all(b"a\0"), Some(vec![&b"a"[..]]));
        assert_eq!(all(b"a\nb\0 c\0"), Some(vec![&b"a\nb"[..], b" c"]));
        assert_eq!(all(b"a\0b"), None);
    }

    #[test]
    fn tracked_files_are_neither_deleted_nor_submodules() {
        let listing = b"H 100644 aa 0\ta\0R 100644 aa 0\ta\0H 160000 bb 0\tsub\0S 100644 cc 0\tb\tc\0M 100644 d 1\td\0M 100644 d 2\td\0";
        let want: Vec<&[u8]> = vec![b"b\tc", b"d"];
        assert_eq!(tracked(listing).unwrap().into_iter().collect::<Vec<_>>(), want);
        assert_eq!(tracked(b"H 100644 aa 0 a\0"), None);
        assert_eq!(tracked(b"H100644\ta\0"), None);
    }

    #[test]
    fn names_are_distinct_sorted_by_code_unit_and_utf8() {
        let (files, skipped) = names(&[
            b"b",
            b"a",
            b"b",
            b"nested/",
            b"\xff",
            b"x/\xfe",
            "\u{E000}".as_bytes(),
            "\u{1F600}".as_bytes(),
        ])
        .finish();
        assert_eq!(files, ["a", "b", "\u{1F600}", "\u{E000}"]);
        assert_eq!(skipped, 2);
    }

    #[test]
    fn only_what_lies_below_the_prefix_is_taken() {
        let list: [&[u8]; 5] = [b"a/b/c", b"a/bc", b"a/b", b"d", b"a/b/e/f"];
        let mut names = Names::default();
        names.extend_below(Path::new("a/b"), list);
        assert_eq!(names.finish().0, ["c", "e/f"]);
        let mut names = Names::default();
        names.extend_below(Path::new(""), list);
        assert_eq!(names.finish().0.len(), 5);
    }
}
