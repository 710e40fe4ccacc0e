//! Where a target leads on disk.

use std::io::{self, ErrorKind};

use camino::{Utf8Path, Utf8PathBuf};

use super::MAX_PATH_BYTES;
use super::lexical::{Absolute, Style};

/// How the checks call the file that `target` names: relative to `directory`, links followed, `/`-separated. None
/// where it does not lie below `directory`, or where that cannot be told.
///
/// `directory` is the hook input's `workingDirectory`, absolute; `target` is relative to it or absolute. The checks run
/// in `directory`: records, patterns and changed files are seen from there, and a file above it has no name that they
/// could match. So `directory` is the boundary, also where it is a part of a larger work tree; and whatever is below a
/// directory of a work tree is in that work tree. No repository is searched for.
///
/// * Links are followed, in `directory` too: the answer is the name under which git lists the file, whichever way
///   led to it. One that leads out of `directory` is as good as a path that does.
/// * A file that is gone, or not written yet, lies where its nearest existing ancestor does. Behind a link that leads
///   nowhere a file could lie anywhere: none.
/// * `..` is collapsed in the text, as tools do. Where that is not what the system does, because a link stands before
///   it, it is unclear which of the two files was edited: none.
/// * A path through a `.git` is none: git tracks nothing there, and so no listing of changed files names it.
/// * On Windows names are the same in any letter case, `/` and `\` both separate, and `\\?\` in front changes nothing.
///   A drive's current directory (`C:x`), a device, a stream (`a:b`), and a name that ends in a dot or a space are none.
/// * A path with a NUL, longer than [`MAX_PATH_BYTES`], or not UTF-8 once links are followed is none. Other odd
///   names are answered (`-x`, control characters, bidirectional marks): files may have them, the changed files of
///   git list them, and this path is for a check to ask about, not for a model to read.
///
/// It asks the file system, opens nothing, and blocks as long as the file system does.
#[must_use]
pub fn inside(directory: &Utf8Path, target: &str) -> Option<String> {
    let style = Style::HOST;
    if directory.as_str().len() > MAX_PATH_BYTES || target.len() > MAX_PATH_BYTES {
        return None;
    }
    // Windows collapses `..` in the text itself before it looks at anything.
    let mut leaves_link = |left: &Absolute| style == Style::Posix && is_link(Utf8Path::new(&left.to_text()));
    let base = style.absolute_unless(directory.as_str(), &mut leaves_link)?;
    let named = style.resolve_unless(&base, target, &mut leaves_link)?;

    let root = style.absolute(directory.canonicalize_utf8().ok()?.as_str())?;
    let file = style.absolute(follow(Utf8Path::new(&named.to_text()))?.as_str())?;
    let way = file.below(&root)?;
    let tracked = !way.iter().any(|name| name.eq_ignore_ascii_case(".git"));
    tracked.then(|| way.join("/"))
}

/// `path`, its deepest existing ancestor without links.
fn follow(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut missing = Vec::new();
    for existing in path.ancestors() {
        match existing.canonicalize_utf8() {
            Ok(real) => return Some(missing.iter().rev().fold(real, |path, name| path.join(name))),
            Err(error) if is_absent(&error) && !is_link(existing) => missing.push(existing.file_name()?),
            Err(_) => return None,
        }
    }
    None
}

/// Whether there is nothing of that name, or what should be a directory is a file.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn is_link(path: &Utf8Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_symlink())
}
