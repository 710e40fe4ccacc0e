//! Paths relative to the repository.

use std::fmt;

use camino::Utf8Path;

use super::{Rejection, text};
use crate::text::len_code_units;

/// The longest path, in UTF-16 code units: what JavaScript's `length` counts, so both sides of the binding agree.
pub const MAX_PATH_CHARS: usize = 1024;

/// The most paths in one list.
pub const MAX_PATHS: usize = 200;

/// A path relative to the repository that keeps the rules below. It can only be made by [`RepoPath::parse`].
///
/// The rules are lexical and the same on every platform, so that a verdict never depends on who asks:
/// - not empty, at most [`MAX_PATH_CHARS`];
/// - no control, line separator, bidirectional or invisible character ([`text`]). Ordinary blanks, the narrow
///   no-break space of macOS screenshots too, are fine, and so is one variation selector after an emoji;
/// - relative everywhere: no leading `/` or `\`, no drive letter;
/// - not starting with `-`, no `..` segment, no `:` at all (drive, alternate data stream, scheme);
/// - no segment that is a Windows device, with or without an extension, and none that ends in a dot or a space.
///
/// Both `/` and `\` end a segment for these rules. What is kept is the path without its `.` and empty segments
/// (between `/` only, since `\` may be part of a name): `./src//a.ts` is `src/a.ts`. Globs, changed records and
/// markers are compared as text and would miss the longer spellings. A trailing `/` stays.
///
/// Lexical also means that a symbolic link is not seen: who opens the path looks where it leads.
///
/// ```
/// use adrkit_native::validate::{Rejection, RepoPath};
///
/// assert_eq!(RepoPath::parse("./src/a.ts").unwrap().as_str(), "src/a.ts");
/// assert_eq!(RepoPath::parse("src/../../a.ts"), Err(Rejection::PathParentSegment));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(String);

impl RepoPath {
    /// Judges `path`.
    ///
    /// # Errors
    /// The first rule that is broken, in the order in which they are listed at [`RepoPath`].
    pub fn parse(path: &str) -> Result<Self, Rejection> {
        if path.is_empty() {
            return Err(Rejection::PathEmpty);
        }
        if len_code_units(path) > MAX_PATH_CHARS {
            return Err(Rejection::PathTooLong);
        }
        if path.chars().any(|c| text::is_control(c) || text::is_line_separator(c)) {
            return Err(Rejection::PathControlCharacter);
        }
        if text::has_hidden_character(path) {
            return Err(Rejection::PathHiddenCharacter);
        }
        let normal = normalize(path);
        judge_start(path)?;
        // Dropping `./` can bring forward what must not come first: `./-x`, `./\\host`.
        judge_start(&normal)?;
        judge_segments(path)?;
        Ok(Self(normal))
    }

    /// Judges a JavaScript string by its code units, which need not be well-formed: a lone surrogate names no file, and
    /// replacing it would name another one.
    ///
    /// # Errors
    /// As [`RepoPath::parse`], and [`Rejection::PathNotUnicode`].
    pub fn from_utf16(units: &[u16]) -> Result<Self, Rejection> {
        if units.len() > MAX_PATH_CHARS {
            return Err(Rejection::PathTooLong);
        }
        let path = String::from_utf16(units).map_err(|_| Rejection::PathNotUnicode)?;
        Self::parse(&path)
    }

    /// The path, without `.` and empty segments.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path as an owned string.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for RepoPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<Utf8Path> for RepoPath {
    fn as_ref(&self) -> &Utf8Path {
        Utf8Path::new(&self.0)
    }
}

/// Judges a list of paths: 1 to [`MAX_PATHS`] entries, each by [`RepoPath::parse`]. Order and duplicates are kept.
///
/// # Errors
/// The size of the list, or the first rule that an entry breaks.
pub fn paths<S: AsRef<str>>(list: &[S]) -> Result<Vec<RepoPath>, Rejection> {
    match list.len() {
        0 => Err(Rejection::PathsEmpty),
        1..=MAX_PATHS => list.iter().map(|p| RepoPath::parse(p.as_ref())).collect(),
        _ => Err(Rejection::PathsTooMany),
    }
}

/// Judges the directory of the corpus: the rules of a path. A trailing `/` is dropped.
///
/// # Errors
/// As [`RepoPath::parse`].
pub fn corpus_dir(dir: &str) -> Result<RepoPath, Rejection> {
    let RepoPath(mut path) = RepoPath::parse(dir)?;
    path.truncate(path.trim_end_matches('/').len());
    Ok(RepoPath(path))
}

fn judge_start(path: &str) -> Result<(), Rejection> {
    match path.as_bytes() {
        [b'/' | b'\\', ..] => Err(Rejection::PathAbsolute),
        // `C:\x` and `C:x` alike: the second starts in whatever directory that drive is in.
        [drive, b':', ..] if drive.is_ascii_alphabetic() => Err(Rejection::PathAbsolute),
        [b'-', ..] => Err(Rejection::PathLeadingDash),
        _ => Ok(()),
    }
}

fn judge_segments(path: &str) -> Result<(), Rejection> {
    let some = |breaks: fn(&str) -> bool| path.split(['/', '\\']).any(breaks);
    if some(|s| s == "..") {
        return Err(Rejection::PathParentSegment);
    }
    if path.contains(':') {
        return Err(Rejection::PathColon);
    }
    if some(is_device) {
        return Err(Rejection::PathDeviceName);
    }
    if some(|s| s != "." && s.ends_with(['.', ' '])) {
        return Err(Rejection::PathTrailingDotOrSpace);
    }
    Ok(())
}

/// Whether Windows opens a device for this name. It looks at what stands before the first dot, without blanks at its
/// end and in any case. COM0 and LPT0 are on Microsoft's list though systems differ: nobody needs a file of that name.
fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let named =
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].iter().any(|d| stem.eq_ignore_ascii_case(d));
    named || is_numbered_device(stem)
}

fn is_numbered_device(stem: &str) -> bool {
    let Some((name, number)) = stem.split_at_checked(3) else { return false };
    let mut number = number.chars();
    let one_number = matches!(number.next(), Some('0'..='9' | '¹' | '²' | '³')) && number.next().is_none();
    one_number && ["COM", "LPT"].iter().any(|d| name.eq_ignore_ascii_case(d))
}

/// Drops `.` and empty segments. `.` remains of a path that has nothing else.
fn normalize(path: &str) -> String {
    let kept: Vec<&str> = path.split('/').filter(|s| !matches!(*s, "" | ".")).collect();
    if kept.is_empty() {
        return ".".to_owned();
    }
    let names_directory = path.ends_with('/') || path.ends_with("/.");
    kept.join("/") + if names_directory { "/" } else { "" }
}

#[cfg(test)]
mod tests;
