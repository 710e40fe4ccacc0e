//! Which file a bare command name means: always an absolute path, never one that the working directory decides.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use super::Command;
use crate::error::Error;

/// The value of `name` in an environment; the last one where it stands twice, in any letter case on Windows.
#[must_use]
pub fn env_value<'a>(env: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    let same = |key: &OsStr| if cfg!(windows) { key.eq_ignore_ascii_case(name) } else { key == name };
    env.iter().rev().find(|(key, _)| same(key)).map(|(_, value)| value.as_os_str())
}

/// The first executable called `name` on `path` (the value of `PATH`), as an absolute path.
///
/// Entries that are empty or relative are skipped, since they mean whatever directory the process happens to be in;
/// so is every entry for which `exclude` is true (a caller's way to leave out directories inside a work tree).
///
/// On Unix an executable is a regular file, perhaps behind symbolic links, with any execute bit. On Windows it is a
/// file whose extension stands in `path_ext` (the value of `PATHEXT`, with the system's default where it is absent or
/// names nothing), tried in that order in each directory; `path_ext` means nothing elsewhere.
///
/// None if there is no such file, or if `name` is not a bare file name.
#[must_use]
pub fn find_executable(
    name: &OsStr,
    path: &OsStr,
    path_ext: Option<&OsStr>,
    exclude: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    if !is_bare_name(name) {
        return None;
    }
    let names = candidates(name, path_ext);
    std::env::split_paths(path)
        .filter(|dir| dir.is_absolute() && !exclude(dir))
        .find_map(|dir| names.iter().map(|name| dir.join(name)).find(|file| is_executable(file)))
}

/// The absolute path of a command's program. A relative path with a separator is relative to the working directory of
/// the child, a bare name never is. One with a drive and no root (`C:adr.exe`) is nowhere: it would mean whatever
/// directory this process is in on that drive.
pub(super) fn resolve(command: &Command) -> Result<PathBuf, Error> {
    let program = command.program.as_os_str();
    if command.program.is_absolute() {
        return Ok(command.program.clone());
    }
    if program.is_empty() {
        return Err(Error::CommandNotFound);
    }
    if is_bare_name(program) {
        let path = env_value(&command.env, "PATH").unwrap_or_default();
        let found = find_executable(program, path, env_value(&command.env, "PATHEXT"), |_| false);
        return found.ok_or(Error::CommandNotFound);
    }
    if matches!(command.program.components().next(), Some(Component::Prefix(_))) {
        return Err(Error::CommandNotFound);
    }
    std::path::absolute(command.cwd.join(program)).map_err(|_| Error::WorkingDirectoryGone)
}

/// Whether `name` is one normal path component and nothing else.
fn is_bare_name(name: &OsStr) -> bool {
    let mut components = Path::new(name).components();
    let Some(Component::Normal(only)) = components.next() else { return false };
    // `a/` has one component too, but is not equal to it. A colon makes a drive or a stream on Windows.
    components.next().is_none() && only == name && !(cfg!(windows) && name.as_encoded_bytes().contains(&b':'))
}

#[cfg(unix)]
fn candidates(name: &OsStr, _path_ext: Option<&OsStr>) -> Vec<OsString> {
    vec![name.to_owned()]
}

#[cfg(windows)]
fn candidates(name: &OsStr, path_ext: Option<&OsStr>) -> Vec<OsString> {
    windows_candidates(name, path_ext)
}

/// What Windows tries where `PATHEXT` is unset.
#[cfg(any(windows, test))]
const DEFAULT_PATH_EXT: &[&str] = &[".COM", ".EXE", ".BAT", ".CMD"];

/// The file names that `name` may mean: as it is where it has an extension of the list, then with each of the list.
#[cfg(any(windows, test))]
fn windows_candidates(name: &OsStr, path_ext: Option<&OsStr>) -> Vec<OsString> {
    let list = path_ext.and_then(OsStr::to_str).unwrap_or_default();
    let mut extensions: Vec<&str> = list.split(';').map(str::trim).filter(|ext| is_extension(ext)).collect();
    if extensions.is_empty() {
        extensions = DEFAULT_PATH_EXT.to_vec();
    }
    let has_one = Path::new(name).extension().and_then(OsStr::to_str).is_some_and(|own| {
        extensions.iter().any(|ext| ext.strip_prefix('.').is_some_and(|ext| ext.eq_ignore_ascii_case(own)))
    });
    let appended = extensions.iter().map(|ext| {
        let mut file = name.to_owned();
        file.push(ext);
        file
    });
    has_one.then(|| name.to_owned()).into_iter().chain(appended).collect()
}

#[cfg(any(windows, test))]
fn is_extension(ext: &str) -> bool {
    ext.strip_prefix('.').is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '\\', ':']))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(windows)]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_one_normal_component() {
        for good in ["adr", "adr.cmd", "...", "a b", "ä"] {
            assert!(is_bare_name(OsStr::new(good)), "{good:?}");
        }
        for bad in ["", ".", "..", "/", "./adr", "a/b", "/a", "a/", "a/."] {
            assert!(!is_bare_name(OsStr::new(bad)), "{bad:?}");
        }
    }

    #[test]
    fn windows_names_follow_pathext() {
        let names = |name: &str, list: Option<&str>| -> Vec<String> {
            windows_candidates(OsStr::new(name), list.map(OsStr::new))
                .into_iter()
                .map(|name| name.into_string().unwrap())
                .collect()
        };
        assert_eq!(names("adr", Some(".EXE;.CMD")), ["adr.EXE", "adr.CMD"]);
        assert_eq!(names("adr.cmd", Some(".EXE;.CMD")), ["adr.cmd", "adr.cmd.EXE", "adr.cmd.CMD"]);
        assert_eq!(names("adr.js", Some(".EXE")), ["adr.js.EXE"]);
        let default = ["adr.COM", "adr.EXE", "adr.BAT", "adr.CMD"];
        for nothing in [None, Some(""), Some(";;"), Some("EXE;.;./x;.a\\b;.c:d")] {
            assert_eq!(names("adr", nothing), default, "{nothing:?}");
        }
    }

    #[test]
    fn the_last_value_of_an_environment_counts() {
        let env =
            [("A", "1"), ("PATH", "x"), ("PATH", "y"), ("path", "z")].map(|(k, v)| (k.into(), v.into()));
        let expected = if cfg!(windows) { "z" } else { "y" };
        assert_eq!(env_value(&env, "PATH"), Some(OsStr::new(expected)));
        assert_eq!(env_value(&env, "HOME"), None);
    }

    #[cfg(unix)]
    mod on_disk {
        use super::*;
        use std::fs;
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        fn file(path: &Path, mode: u32) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }

        fn find(name: &str, dirs: &[&Path], exclude: impl Fn(&Path) -> bool) -> Option<PathBuf> {
            find_executable(name.as_ref(), &std::env::join_paths(dirs).unwrap(), None, exclude)
        }

        #[test]
        fn the_first_executable_file_wins() {
            let root = tempfile::tempdir().unwrap();
            let [plain, dir, link, real] = ["plain", "dir", "link", "real"].map(|d| root.path().join(d));
            file(&plain.join("adr"), 0o644);
            fs::create_dir_all(dir.join("adr")).unwrap();
            file(&real.join("adr"), 0o755);
            fs::create_dir(&link).unwrap();
            symlink(real.join("adr"), link.join("adr")).unwrap();
            symlink(root.path().join("nowhere"), link.join("dangling")).unwrap();

            let dirs = [&*plain, &dir, Path::new("/nonexistent"), &link, &real];
            assert_eq!(find("adr", &dirs, |_| false), Some(link.join("adr")));
            assert_eq!(find("adr", &dirs, |dir| dir == link), Some(real.join("adr")));
            assert_eq!(find("adr", &dirs[..3], |_| false), None);
            assert_eq!(find("dangling", &dirs, |_| false), None);
            assert_eq!(find("../real/adr", &dirs, |_| false), None);
        }

        #[test]
        fn the_working_directory_never_decides() {
            // Cargo runs unit tests in the directory of the package, so these entries do exist.
            let path = OsStr::new(":.:src/..:./");
            assert!(Path::new("build.rs").exists());
            let all_executable = find_executable(OsStr::new("build.rs"), path, None, |_| false);
            assert_eq!(all_executable, None);
            let here = tempfile::tempdir_in(".").unwrap();
            file(&here.path().join("adr"), 0o755);
            let relative = Path::new(here.path().file_name().unwrap());
            assert!(relative.join("adr").exists());
            assert_eq!(find("adr", &[relative], |_| false), None);
        }
    }
}
