//! Which directory holds the records, and whether it stays within the session's.
//!
//! The directory is computed once, here, and what was judged is what the engine is given. Only where it comes from the
//! repository or a model (the argument, or [`DEFAULT_DIR`]) is it followed through symbolic links: a committed link
//! would have the names of a stranger's files listed. One from [`DIR_VARIABLE`] is the person's own choice and may be
//! anywhere.
//!
//! The border is the session's directory, not the work tree around it: where that ends is for git to say, and nothing
//! may be started before the check. A session below the top of a work tree that links to the corpus at the top is
//! refused; the variable is the way out.
//!
//! The check and the use are two steps. A link that is swapped between them is not seen: who can do that can write to
//! the work tree, and so read with other tools what the link would show.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};

use super::variable;
use crate::engine::DEFAULT_DIR;
use crate::error::{Error, Result};
use crate::validate::{Rejection, RepoPath};

/// The environment variable that names the corpus directory where no argument does.
pub const DIR_VARIABLE: &str = "ADRKIT_DIR";

/// A corpus directory that may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CorpusDir {
    /// The session's directory, free of links where the system allows it.
    pub(super) root: Utf8PathBuf,
    /// The corpus directory as it was given, relative to the root unless it comes from the variable.
    pub(super) dir: String,
}

/// Picks the corpus directory and judges it. Reads directories, so it may block.
///
/// # Errors
/// [`Error::WorkingDirectoryGone`] when `cwd` is not (any more) a directory, [`Error::SymlinkEscape`],
/// [`Error::CorpusUnreadable`] when a link cannot be followed, and [`Error::Rejected`] for a variable that is not
/// Unicode. That the directory does not exist is no error: the engine says that in its own words.
pub(super) fn resolve(
    cwd: &Utf8Path,
    argument: Option<&RepoPath>,
    env: &[(OsString, OsString)],
) -> Result<CorpusDir> {
    let real_root = real_directory(cwd)?;
    let from_variable = variable(env, DIR_VARIABLE).filter(|dir| !dir.is_empty());
    let dir = match (argument, from_variable) {
        (Some(dir), _) => dir.as_str().to_owned(),
        (None, Some(dir)) => {
            let dir = dir.to_str().ok_or(Rejection::PathNotUnicode)?.to_owned();
            return Ok(CorpusDir { root: link_free(cwd, real_root), dir });
        }
        (None, None) => DEFAULT_DIR.to_owned(),
    };
    stays_within(&real_root, &dir)?;
    Ok(CorpusDir { root: link_free(cwd, real_root), dir })
}

fn real_directory(cwd: &Utf8Path) -> Result<PathBuf> {
    if !cwd.is_absolute() {
        return Err(Error::WorkingDirectoryGone);
    }
    let real = fs::canonicalize(cwd).map_err(|_| Error::WorkingDirectoryGone)?;
    if real.is_dir() { Ok(real) } else { Err(Error::WorkingDirectoryGone) }
}

/// The embedded engine wants a root without links. Windows spells such a path in a way that other programs do not
/// take as their directory (`\\?\C:\`), so there it stays as it was given.
fn link_free(cwd: &Utf8Path, real: PathBuf) -> Utf8PathBuf {
    if cfg!(windows) {
        cwd.to_owned()
    } else {
        Utf8PathBuf::from_path_buf(real).unwrap_or_else(|_| cwd.to_owned())
    }
}

/// Follows as much of `dir` as exists. What does not exist leads nowhere, a link to it neither.
fn stays_within(root: &Path, dir: &str) -> Result<()> {
    let inside = Path::new(dir);
    for way in inside.ancestors() {
        match fs::canonicalize(root.join(way)) {
            Ok(real) if real.starts_with(root) => return Ok(()),
            Ok(_) => return Err(Error::SymlinkEscape),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(_) => return Err(Error::CorpusUnreadable),
        }
    }
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    struct Place {
        _tmp: TempDir,
        root: Utf8PathBuf,
    }

    /// `session/` beside `outside/adr/`.
    fn place() -> Place {
        let tmp = TempDir::new().unwrap();
        let top = Utf8PathBuf::from_path_buf(tmp.path().canonicalize().unwrap()).unwrap();
        fs::create_dir_all(top.join("outside/adr")).unwrap();
        fs::create_dir_all(top.join("session/docs")).unwrap();
        Place { _tmp: tmp, root: top.join("session") }
    }

    fn ask(place: &Place, argument: Option<&str>, variable: Option<&str>) -> Result<String> {
        let argument = argument.map(|a| RepoPath::parse(a).unwrap());
        let env: Vec<(OsString, OsString)> =
            variable.map(|v| (DIR_VARIABLE.into(), v.into())).into_iter().collect();
        resolve(&place.root, argument.as_ref(), &env).map(|c| {
            assert_eq!(c.root, place.root);
            c.dir
        })
    }

    #[test]
    fn the_argument_comes_before_the_variable_and_that_before_the_default() {
        let place = place();
        assert_eq!(ask(&place, Some("a"), Some("b")).as_deref(), Ok("a"));
        assert_eq!(ask(&place, None, Some("b")).as_deref(), Ok("b"));
        assert_eq!(ask(&place, None, Some("")).as_deref(), Ok(DEFAULT_DIR));
        assert_eq!(ask(&place, None, None).as_deref(), Ok(DEFAULT_DIR));
        assert_eq!(ask(&place, Some("."), None).as_deref(), Ok("."));
    }

    #[test]
    fn a_link_out_of_the_session_is_an_escape_wherever_it_stands() {
        let links: [(&str, &str, &str); 6] = [
            ("docs/adr", "../../outside/adr", "docs/adr"),
            ("docs/up", "../..", "docs/up"),
            ("a", "../outside", "a/adr"),
            ("b", "../outside", "b/not/there"),
            ("c", "/", "c"),
            ("d", "a", "d/adr"),
        ];
        let place = place();
        for (link, target, _) in links {
            symlink(target, place.root.join(link)).unwrap();
        }
        for (_, _, dir) in links {
            assert_eq!(ask(&place, Some(dir), None), Err(Error::SymlinkEscape), "{dir}");
        }
        assert_eq!(ask(&place, None, None), Err(Error::SymlinkEscape));
    }

    #[test]
    fn a_neighbour_whose_name_begins_like_the_session_is_outside() {
        let place = place();
        fs::create_dir(format!("{}-2", place.root)).unwrap();
        symlink("../session-2", place.root.join("near")).unwrap();
        assert_eq!(ask(&place, Some("near"), None), Err(Error::SymlinkEscape));
    }

    #[test]
    fn links_within_the_session_and_missing_directories_are_fine() {
        let place = place();
        fs::create_dir(place.root.join("real")).unwrap();
        fs::write(place.root.join("file"), "").unwrap();
        symlink("../real", place.root.join("docs/adr")).unwrap();
        symlink("../outside/../session/real", place.root.join("round")).unwrap();
        symlink("nowhere", place.root.join("dangling")).unwrap();
        for dir in ["docs/adr", "round", "dangling", "dangling/adr", "no/such/directory", "file", "file/adr"]
        {
            assert_eq!(ask(&place, Some(dir), None).as_deref(), Ok(dir));
        }
    }

    #[test]
    fn a_link_that_cannot_be_followed_is_not_trusted() {
        let place = place();
        symlink("loop", place.root.join("loop")).unwrap();
        assert_eq!(ask(&place, Some("loop"), None), Err(Error::CorpusUnreadable));
    }

    #[test]
    fn the_persons_own_directory_may_be_anywhere() {
        let place = place();
        symlink("../outside", place.root.join("away")).unwrap();
        for dir in ["../outside/adr", "/", "away/adr", "-x"] {
            assert_eq!(ask(&place, None, Some(dir)).as_deref(), Ok(dir));
        }
    }

    #[test]
    fn a_session_that_itself_is_a_link_is_where_it_leads() {
        let place = place();
        let link = place.root.parent().unwrap().join("link");
        symlink(&place.root, &link).unwrap();
        let found = resolve(&link, None, &[]).unwrap();
        assert_eq!(found, CorpusDir { root: place.root, dir: DEFAULT_DIR.to_owned() });
    }

    #[test]
    fn a_session_directory_must_be_there() {
        let place = place();
        fs::write(place.root.join("file"), "").unwrap();
        for gone in [place.root.join("gone"), place.root.join("file"), "src".into(), ".".into(), "".into()] {
            for env in [vec![], vec![(DIR_VARIABLE.into(), "/".into())]] {
                assert_eq!(resolve(&gone, None, &env), Err(Error::WorkingDirectoryGone), "{gone}");
            }
        }
    }

    #[test]
    fn a_variable_that_is_not_unicode_names_no_other_directory() {
        use std::os::unix::ffi::OsStringExt;
        let place = place();
        let env = [(DIR_VARIABLE.into(), OsString::from_vec(vec![b'a', 0xff]))];
        let refused = Err(Error::Rejected(Rejection::PathNotUnicode));
        assert_eq!(resolve(&place.root, None, &env), refused);
    }
}
