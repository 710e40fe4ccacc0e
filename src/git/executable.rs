//! Which `git` is run: the person's, found on their `PATH`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::process::lookup::{env_value, find_executable};

/// The absolute path of git. `PATH` entries that are relative, or that lie inside the work tree around `dir`, are the
/// repository's choice and are skipped.
pub(super) fn lookup(env: &[(OsString, OsString)], dir: &Path) -> Option<PathBuf> {
    let inside = repository_around(dir);
    // On Windows only a real executable: `cmd.exe`, which a `.cmd` needs, expands what stands in arguments.
    let extensions = Some(OsStr::new(".EXE"));
    find_executable(OsStr::new("git"), env_value(env, "PATH")?, extensions, |entry| {
        lies_in(entry, inside.as_deref())
    })
}

/// The nearest directory at or above `dir` that looks like a work tree, or `dir` itself where none does. Git cannot be
/// asked yet.
fn repository_around(dir: &Path) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    let top = dir.ancestors().find(|at| at.join(".git").symlink_metadata().is_ok());
    Some(top.unwrap_or(&dir).to_owned())
}

fn lies_in(entry: &Path, root: Option<&Path>) -> bool {
    // A repository at the root of the file system (a container's image under version control) holds everything.
    root.is_some_and(|root| {
        root.parent().is_some() && entry.canonicalize().is_ok_and(|real| real.starts_with(root))
    })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn git_in(dir: &Path, mode: u32) {
        fs::create_dir_all(dir).unwrap();
        fs::write(dir.join("git"), "").unwrap();
        fs::set_permissions(dir.join("git"), fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_repositorys_own_git_is_skipped() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::create_dir_all(at("repo/.git")).unwrap();
        fs::create_dir_all(at("repo/sub")).unwrap();
        fs::create_dir_all(at("plain/git")).unwrap();
        git_in(&at("repo/bin"), 0o755);
        git_in(&at("data"), 0o644);
        git_in(&at("person"), 0o755);
        symlink(at("repo/bin"), at("link")).unwrap();
        let path = |entries: &[PathBuf]| vec![("PATH".into(), std::env::join_paths(entries).unwrap())];
        let (dir, person) = (at("repo/sub"), at("person"));

        // A relative way to a good one, from wherever this runs.
        let here = std::env::current_dir().unwrap();
        let up: PathBuf = here.ancestors().skip(1).map(|_| "..").collect();
        let relative = up.join(person.strip_prefix("/").unwrap());
        assert!(relative.join("git").is_file());

        let mut skipped = ["", ".", "bin", "../bin"].map(PathBuf::from).to_vec();
        skipped.extend([relative, at("repo/bin"), at("link"), at("data"), at("plain"), at("gone")]);
        assert_eq!(lookup(&path(&skipped), &dir), None);
        assert_eq!(
            lookup(&path(&[&skipped[..], std::slice::from_ref(&person)].concat()), &dir),
            Some(person.join("git"))
        );
        // Elsewhere the same directory is as good as any.
        assert_eq!(lookup(&path(&[at("repo/bin")]), &at("plain")), Some(at("repo/bin").join("git")));
        assert_eq!(lookup(&[], &dir), None);
    }
}
