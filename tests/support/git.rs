//! Scratch repositories, apart from the machine's and the person's own configuration.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use adrkit_native::error::Result;
use adrkit_native::git::{self, ChangedFiles, Options};
use adrkit_native::process::Cancel;
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

/// A directory for repositories, with a home of its own.
pub struct Scratch {
    temp: TempDir,
}

/// One work tree in it.
#[derive(Clone)]
pub struct Repo {
    pub dir: Utf8PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Scratch {
    pub fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir(temp.path().join("home")).unwrap();
        Self { temp }
    }

    /// Absolute, with symbolic links resolved.
    pub fn path(&self, name: &str) -> Utf8PathBuf {
        let real = Utf8PathBuf::from_path_buf(self.temp.path().canonicalize().unwrap()).unwrap();
        // The form that Windows gives is not one that git takes.
        let plain = real.as_str().strip_prefix(r"\\?\").unwrap_or(real.as_str());
        Utf8Path::new(plain).join(name)
    }

    /// The environment of the library's git.
    pub fn env(&self) -> Vec<(OsString, OsString)> {
        let home = self.path("home");
        let system = ["PATH", "SystemRoot", "TEMP"].into_iter();
        let mut env: Vec<_> = system.filter_map(|n| Some((n.into(), std::env::var_os(n)?))).collect();
        env.extend([
            ("HOME".into(), home.clone().into()),
            ("XDG_CONFIG_HOME".into(), home.join("xdg").into()),
            ("GIT_CONFIG_GLOBAL".into(), home.join(".gitconfig").into()),
            ("GIT_CONFIG_NOSYSTEM".into(), "1".into()),
        ]);
        env
    }

    /// A handle on any directory.
    pub fn at(&self, name: &str) -> Repo {
        let mut env = self.env();
        for role in ["AUTHOR", "COMMITTER"] {
            env.push((format!("GIT_{role}_NAME").into(), "Somebody".into()));
            env.push((format!("GIT_{role}_EMAIL").into(), "somebody@example.org".into()));
        }
        Repo { dir: self.path(name), env }
    }

    /// An empty repository.
    pub fn init(&self, name: &str, args: &[&str]) -> Repo {
        let repo = self.at(name);
        fs::create_dir_all(&repo.dir).unwrap();
        repo.git([&["init", "-q", "-b", "main"], args].concat());
        repo
    }

    /// A repository with one commit of `files`, each holding its own name.
    pub fn repo(&self, name: &str, files: &[&str]) -> Repo {
        let repo = self.init(name, &[]);
        for file in files {
            repo.write(file, file);
        }
        repo.commit();
        repo
    }
}

impl Repo {
    /// The same repository from a directory below.
    pub fn sub(&self, name: &str) -> Self {
        Self { dir: self.dir.join(name), env: self.env.clone() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name).into()
    }

    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new("git");
        command.args(args).current_dir(&self.dir).env_clear().envs(self.env.iter().cloned());
        command
    }

    /// Runs git and gives what it prints, without the line break.
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let mut command = self.command(args);
        let Output { status, stdout, stderr } = command.output().unwrap();
        assert!(status.success(), "{command:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8_lossy(&stdout).trim_end().to_owned()
    }

    /// Runs git and takes no notice of how it ends.
    pub fn try_git(&self, args: &[&str]) {
        self.command(args).output().unwrap();
    }

    pub fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let file = self.dir.as_std_path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.dir.join(name)).unwrap();
    }

    pub fn set_modified(&self, name: &str, time: SystemTime) {
        fs::File::options().write(true).open(self.dir.join(name)).unwrap().set_modified(time).unwrap();
    }

    pub fn add_submodule(&self, library: &Self, name: &str) {
        let allow = "protocol.file.allow=always";
        self.git(["-c", allow, "submodule", "--quiet", "add", library.dir.as_str(), name]);
    }

    /// Commits everything.
    pub fn commit(&self) {
        self.git(["add", "-A"]);
        self.git(["commit", "-q", "--allow-empty", "--no-verify", "-m", "A commit"]);
    }

    pub fn options(&self) -> Options {
        Options::new(self.env.clone())
    }

    pub async fn changed(&self, base: Option<&str>) -> Result<ChangedFiles> {
        changed_in(&self.dir, base, &self.options()).await
    }

    /// The changed files without a base.
    pub async fn files(&self) -> Vec<String> {
        self.changed(None).await.unwrap().files
    }

    pub async fn tracked(&self) -> Vec<String> {
        git::tracked_files(&self.dir, &self.options(), &Cancel::new()).await.unwrap()
    }
}

pub async fn changed_in(dir: &Utf8Path, base: Option<&str>, options: &Options) -> Result<ChangedFiles> {
    git::changed_files(dir, base, options, &Cancel::new()).await
}

/// Writes an executable through another process: a file that this one holds open for writing could be inherited by
/// a child of a test beside us, and then would not start ("text file busy").
#[cfg(unix)]
pub fn write_executable(file: &Utf8Path, script: &str) {
    let write = r#"mkdir -p "$(dirname "$1")" && printf '%s\n' "$2" > "$1" && chmod 755 "$1""#;
    let status = Command::new("/bin/sh").args(["-c", write, "sh", file.as_str(), script]).status().unwrap();
    assert!(status.success());
}
