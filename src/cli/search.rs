//! Which directories of `PATH` are the person's choice rather than the repository's.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use super::Env;
use crate::process::lookup::{env_value, find_executable};
use crate::text::eq_on_windows;

/// With the value `1`, and no other, programs that the repository chose may be run.
pub(super) const ALLOW_REPO_CLI: &str = "ADRKIT_ALLOW_REPO_CLI";

/// What may start node on Windows: a batch file of that name would read the arguments once more.
const NODE_EXTENSIONS: &str = ".COM;.EXE";

/// The directories in which programs are looked up for one call.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    /// The value of `PATH` less what does not count.
    path: OsString,
    extensions: Option<OsString>,
    allows_repository: bool,
}

impl Search {
    /// Takes from the `PATH` of `env` the entries that are absolute and lie neither in `cwd` nor in `work_tree`, be it
    /// by name or behind links. With [`ALLOW_REPO_CLI`] all of them count, relative ones as seen from `cwd`.
    ///
    /// A `cwd` or `work_tree` that is the root of a file system excludes nothing: everything lies in it.
    pub(crate) fn new(cwd: &Path, work_tree: Option<&Path>, env: &Env) -> Self {
        let allows_repository = env_value(env, ALLOW_REPO_CLI) == Some(OsStr::new("1"));
        let given = env_value(env, "PATH").unwrap_or_default();
        let entries = std::env::split_paths(given);
        let counting: Vec<PathBuf> = if allows_repository {
            entries.map(|entry| cwd.join(entry)).collect()
        } else {
            let roots = Roots::new(cwd, work_tree);
            entries.filter(|entry| entry.is_absolute() && !roots.hold(entry)).collect()
        };
        // A directory with a separator in its name cannot stand in a list.
        let listable = counting.iter().filter(|entry| std::env::join_paths([entry]).is_ok());
        Self {
            path: std::env::join_paths(listable).unwrap_or_default(),
            extensions: env_value(env, "PATHEXT").map(OsStr::to_owned),
            allows_repository,
        }
    }

    /// May programs be run that the repository chose?
    pub(super) fn allows_repository(&self) -> bool {
        self.allows_repository
    }

    /// The first command called `name`.
    pub(super) fn command(&self, name: &OsStr) -> Option<PathBuf> {
        find_executable(name, &self.path, self.extensions.as_deref(), |_| false)
    }

    /// The command called `name` in one directory, whatever `PATH` says.
    pub(super) fn command_in(&self, dir: &Path, name: &OsStr) -> Option<PathBuf> {
        let list = std::env::join_paths([dir]).ok()?;
        find_executable(name, &list, self.extensions.as_deref(), |_| false)
    }

    /// Node, as a person would start it. The running executable is no substitute: in a host that is packed with Node
    /// into one file it is the host.
    pub(super) fn node(&self) -> Option<PathBuf> {
        find_executable(OsStr::new("node"), &self.path, Some(OsStr::new(NODE_EXTENSIONS)), |_| false)
    }

    /// `env` for a child. What the command itself looks up (`#!/usr/bin/env node`, a version manager's shim) is looked
    /// up under the same rule, and its order of text is the root collation whatever the person's locale.
    pub(super) fn child_env(&self, env: &Env) -> Vec<(OsString, OsString)> {
        let is = |key: &OsStr, name: &str| {
            if cfg!(windows) { key.eq_ignore_ascii_case(name) } else { key == name }
        };
        let mut child: Vec<(OsString, OsString)> =
            env.iter().filter(|(key, _)| !is(key, "PATH") && !is(key, "LC_ALL")).cloned().collect();
        child.push(("PATH".into(), self.path.clone()));
        child.push(("LC_ALL".into(), "C".into()));
        if cfg!(windows) && !self.allows_repository {
            // Else cmd.exe and its kin look into the working directory before PATH.
            child.push(("NoDefaultCurrentDirectoryInExePath".into(), "1".into()));
        }
        child
    }
}

/// The git work tree around `cwd`: the nearest directory that has a `.git`, which is a file in a linked work tree or a
/// submodule.
pub(crate) fn work_tree_around(cwd: &Path) -> Option<&Path> {
    cwd.ancestors().find(|dir| dir.join(".git").symlink_metadata().is_ok())
}

/// Directories whose content is the repository's, as they are named and without links.
struct Roots(Vec<PathBuf>);

impl Roots {
    fn new(cwd: &Path, work_tree: Option<&Path>) -> Self {
        let named = std::iter::once(cwd).chain(work_tree);
        let both = named.flat_map(|dir| std::iter::once(dir.to_owned()).chain(dir.canonicalize().ok()));
        Self(both.filter(|dir| dir.parent().is_some()).collect())
    }

    fn hold(&self, dir: &Path) -> bool {
        let within = |dir: &Path| self.0.iter().any(|root| lies_in(dir, root, cfg!(windows)));
        within(&collapsed(dir)) || dir.canonicalize().is_ok_and(|dir| within(&dir))
    }
}

/// Whether `dir` is `root` or lies below it, by name. On Windows a name is the same in any letter case.
fn lies_in(dir: &Path, root: &Path, ignores_case: bool) -> bool {
    let same = |a: Component, b: Component| {
        let (a, b) = (a.as_os_str(), b.as_os_str());
        a == b || ignores_case && a.to_str().zip(b.to_str()).is_some_and(|(a, b)| eq_on_windows(a, b))
    };
    let mut names = dir.components();
    root.components().all(|part| names.next().is_some_and(|name| same(name, part)))
}

/// `path` without `.` and `..`, by its text alone.
fn collapsed(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            out.pop();
        } else {
            out.push(component);
        }
    }
    out
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn kept(cwd: &Path, work_tree: Option<&Path>, path: &str, allow: &str) -> String {
        let env = [("PATH", path), (ALLOW_REPO_CLI, allow)].map(|(k, v)| (k.into(), v.into()));
        Search::new(cwd, work_tree, &env).path.into_string().unwrap()
    }

    #[test]
    fn entries_that_the_repository_decides_do_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (tree, cwd, outside) = (root.join("tree"), root.join("tree/sub"), root.join("out"));
        for made in [&cwd, &outside, &tree.join("bin")] {
            fs::create_dir_all(made).unwrap();
        }
        symlink(tree.join("bin"), outside.join("into")).unwrap();
        symlink(&outside, tree.join("away")).unwrap();
        let at = |path: &str| root.join(path).to_str().unwrap().to_owned();
        for gone in [
            "",
            ".",
            "bin",
            "../out",
            &at("tree/bin"),
            &at("tree/sub"),
            &at("tree"),
            &at("tree/away"),
            &at("out/into"),
            &at("out/../tree/gone"),
            &at("tree/../tree/bin"),
        ] {
            let path = format!("{gone}:{}", at("out"));
            assert_eq!(kept(&cwd, Some(&tree), &path, ""), at("out"), "{gone}");
        }
        for stays in [at("out"), at("treehouse"), at("tree/../out"), "/".into(), "/nonexistent".into()] {
            assert_eq!(kept(&cwd, Some(&tree), &stays, ""), stays, "{stays}");
        }
        assert_eq!(
            kept(&cwd, None, &at("tree/bin"), ""),
            at("tree/bin"),
            "only the directory itself is known"
        );
    }

    #[test]
    fn a_directory_lies_below_another_by_whole_names() {
        for (dir, root, by_name, in_any_case) in [
            ("/w/t/bin", "/w/t", true, true),
            ("/w/t", "/w/t", true, true),
            ("/w", "/w/t", false, false),
            ("/w/tree", "/w/t", false, false),
            ("/W/Été/bin", "/w/été", false, true),
            ("/w/ss", "/w/ß", false, false),
        ] {
            let found = [false, true].map(|any| lies_in(Path::new(dir), Path::new(root), any));
            assert_eq!(found, [by_name, in_any_case], "{dir} {root}");
        }
    }

    #[test]
    fn the_switch_is_exactly_one() {
        let cwd = Path::new("/nonexistent/r");
        assert_eq!(kept(cwd, None, "bin:/nonexistent/r/x:/b", "1"), "/nonexistent/r/bin:/nonexistent/r/x:/b");
        for off in ["", "0", "true", "yes", " 1", "11"] {
            assert_eq!(kept(cwd, None, "bin:/nonexistent/r/x:/b", off), "/b", "{off}");
        }
    }

    #[test]
    fn the_root_of_a_file_system_excludes_nothing() {
        assert_eq!(kept(Path::new("/"), Some(Path::new("/")), "/bin:x:/b", ""), "/bin:/b");
    }

    #[test]
    fn the_child_looks_up_under_the_same_rule() {
        let env =
            [("PATH", ".:/b"), ("LC_ALL", "da_DK.UTF-8"), ("X", "y")].map(|(k, v)| (k.into(), v.into()));
        let child = Search::new(Path::new("/nonexistent"), None, &env).child_env(&env);
        let want = [("X", "y"), ("PATH", "/b"), ("LC_ALL", "C")].map(|(k, v)| (k.into(), v.into()));
        assert_eq!(child, want);
    }

    #[test]
    fn the_nearest_work_tree_counts() {
        let dir = tempfile::tempdir().unwrap();
        let nested = dir.path().join("a/b/c");
        fs::create_dir_all(&nested).unwrap();
        fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(work_tree_around(&nested), Some(dir.path()));
        fs::write(dir.path().join("a/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(work_tree_around(&nested), Some(&*dir.path().join("a")));
    }
}
