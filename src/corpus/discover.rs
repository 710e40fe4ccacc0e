//! Which files of a directory are records, and which markdown files are passed over.

use std::fs::{self, DirEntry};
use std::io::{self, ErrorKind};

use camino::{Utf8Path, Utf8PathBuf};

use super::paths::{display, relative};
use crate::error::{Error, Result};
use crate::report::{Finding, Severity};
use crate::text::cmp_code_units;

/// How deep below a corpus directory passed-over markdown files are looked for.
pub const MAX_SKIPPED_DEPTH: usize = 8;

const TEMPLATE: &str = "0000-template.md";
const CONVENTIONAL: [&str; 4] = ["readme.md", "index.md", "contributing.md", "template.md"];

/// A file to read, and the path under which reports show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordFile {
    pub(crate) file: Utf8PathBuf,
    pub(crate) shown: String,
}

impl RecordFile {
    pub(crate) fn new(root: &Utf8Path, file: Utf8PathBuf) -> Self {
        let shown = display(root, &file);
        Self { file, shown }
    }
}

/// Is this the name of a record: four or more digits, a dash, something, `.md`, and not the template's?
pub(crate) fn is_record_name(name: &str) -> bool {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = name.len() - rest.len();
    digits >= 4
        && name != TEMPLATE
        && rest.strip_prefix('-').and_then(|r| r.strip_suffix(".md")).is_some_and(|middle| {
            !middle.is_empty() && !middle.chars().any(|c| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'))
        })
}

/// The names of the record files directly in `dir`, in no order.
///
/// # Errors
/// [`Error::Usage`] when the directory is missing or not readable; `given` is how the caller wrote it.
pub(crate) fn record_names(dir: &Utf8Path, given: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(dir).map_err(|e| directory_error(&e, given))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| directory_error(&e, given))?;
        let name = lossy_name(&entry);
        // A link is no record, even one to a file: what a record says must be in the tree that is reviewed.
        if is_record_name(&name) && entry.file_type().is_ok_and(|t| t.is_file()) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The record files directly in `dir`, in the order of their shown paths.
///
/// # Errors
/// As [`record_names`].
pub(crate) fn record_files(root: &Utf8Path, dir: &Utf8Path, given: &str) -> Result<Vec<RecordFile>> {
    Ok(named(root, dir, record_names(dir, given)?))
}

/// The files of `names` in `dir`, in the order of their shown paths.
pub(crate) fn named(root: &Utf8Path, dir: &Utf8Path, names: Vec<String>) -> Vec<RecordFile> {
    let parent = relative(root, dir);
    let place = |name: String| {
        let shown = if parent.is_empty() { name.clone() } else { format!("{parent}/{name}") };
        RecordFile { file: dir.join(name), shown }
    };
    let mut files: Vec<RecordFile> = names.into_iter().map(place).collect();
    sort(&mut files);
    files
}

/// Sorts by shown path.
pub(crate) fn sort(files: &mut [RecordFile]) {
    files.sort_by(|a, b| cmp_code_units(&a.shown, &b.shown));
}

fn directory_error(e: &io::Error, given: &str) -> Error {
    match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            Error::Usage { message: format!("Corpus directory not found: '{given}'.") }
        }
        ErrorKind::PermissionDenied => {
            Error::Usage { message: format!("Corpus directory not readable: '{given}'.") }
        }
        _ => Error::CorpusUnreadable,
    }
}

// A name that is not UTF-8 is shown with replacement characters and then cannot be opened, which is reported.
fn lossy_name(entry: &DirEntry) -> String {
    entry.file_name().to_string_lossy().into_owned()
}

/// Warnings about markdown files that look as if they should be records but are not read as such.
pub(crate) fn skipped_files(root: &Utf8Path, dir: &Utf8Path) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut pending = vec![(dir.to_owned(), 0)];
    while let Some((dir, depth)) = pending.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            let name = lossy_name(&entry);
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                if depth < MAX_SKIPPED_DEPTH {
                    pending.push((dir.join(name), depth + 1));
                }
            } else if kind.is_file() && is_skipped(&name, depth > 0) {
                let message = if depth > 0 {
                    "Not read as a record: records stand directly in the corpus directory."
                } else {
                    "Not read as a record: the name must be four or more digits, a dash, a title and .md."
                };
                found.push(
                    Finding::new("corpus-file-skipped", Severity::Warn, message)
                        .path(display(root, &dir.join(name))),
                );
            }
        }
    }
    found
}

fn is_skipped(name: &str, nested: bool) -> bool {
    name.strip_suffix(".md").is_some()
        && name != TEMPLATE
        && !CONVENTIONAL.contains(&name.to_lowercase().as_str())
        && (nested || !is_record_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_names() {
        for name in [
            "0001-a.md",
            "12345-a.md",
            "0000-x.md",
            "0000-TEMPLATE.md",
            "0001-a.b.md",
            "0001-é.md",
            "0001--.md",
        ] {
            assert!(is_record_name(name), "{name}");
        }
        for name in [
            "001-a.md",
            "0001-.md",
            "0001.md",
            "0001_a.md",
            "0001-a.MD",
            "0001-a\nb.md",
            "0000-template.md",
            "x0001-a.md",
            "٠٠٠١-a.md",
        ] {
            assert!(!is_record_name(name), "{name}");
        }
    }

    #[test]
    fn conventional_names_never_warn() {
        for name in
            ["README.md", "Index.md", "contributing.md", "TEMPLATE.md", "0000-template.md", "a.MD", "a.txt"]
        {
            assert!(!is_skipped(name, true), "{name}");
        }
        assert!(is_skipped("0001-a.md", true));
        assert!(!is_skipped("0001-a.md", false));
        assert!(is_skipped("notes.md", false));
    }
}
