//! What the tests of the `adr` command share: a repository beside a directory of programs, and the fake `adr`.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use adrkit_native::engine::{Ask, EngineChoice};
use adrkit_native::process::{self, Cancel, Command, Outcome, Owner};
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Long enough for a loaded machine; reached only by a failure.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A corpus of one record that is no record, so that either engine has a directory to read.
pub const NOTHING: &str = "docs/adr/readme.md";

/// `root/repo` is a git work tree with an empty corpus, `root/bin` stands first on `PATH`.
pub struct World {
    _dir: TempDir,
    pub root: PathBuf,
    pub repo: PathBuf,
    pub bin: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl World {
    pub fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("adr cli ").tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (repo, bin) = (root.join("repo"), root.join("bin"));
        for made in [repo.join(".git"), repo.join("docs/adr"), bin.clone()] {
            fs::create_dir_all(made).unwrap();
        }
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let mut world = Self { _dir: dir, root, repo, bin, env: Vec::new() };
        world.set("PATH", path);
        world.file(NOTHING, "");
        world
    }

    /// With the fake `adr` named by `$ADRKIT_CLI`, under `control`.
    pub fn named(control: &Value) -> Self {
        let mut world = Self::new();
        world.set("ADRKIT_CLI", fake());
        world.control(control);
        world
    }

    /// With the fake `adr` on `PATH`, under `control`.
    pub fn on_path(control: &Value) -> Self {
        let mut world = Self::new();
        symlink(fake(), world.bin.join("adr")).unwrap();
        world.control(control);
        world
    }

    /// Sets what the fake does; its calls are logged.
    pub fn control(&mut self, control: &Value) {
        let mut control = control.clone();
        control["log"] = json!(self.root.join("calls.jsonl"));
        self.set("FAKE_ADR", control.to_string());
    }

    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.env.retain(|(key, _)| key != name);
        self.env.push((name.into(), value.into()));
    }

    pub fn env(&self) -> &[(OsString, OsString)] {
        &self.env
    }

    /// Writes a file of the repository.
    pub fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.repo.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn ask(&self, engine: EngineChoice) -> Ask {
        Ask {
            cwd: Utf8PathBuf::try_from(self.repo.clone()).unwrap(),
            dir: None,
            engine,
            deadline: PATIENCE,
            env: self.env.clone(),
            owner: Owner::default(),
        }
    }

    /// The calls of the fake, in order.
    pub fn calls(&self) -> Vec<Value> {
        let log = fs::read_to_string(self.root.join("calls.jsonl")).unwrap_or_default();
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The arguments of each call of the fake.
    pub fn argvs(&self) -> Vec<Vec<String>> {
        let argv = |call: &Value| serde_json::from_value(call["argv"].clone()).unwrap();
        self.calls().iter().map(argv).collect()
    }
}

/// Writes an executable.
pub fn script(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_owned()
}

/// The fake `adr`.
pub fn fake() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("__test__/fixtures/fake-adr.mjs")
}

/// Are processes supervised? Until the supervisor is there, nothing ends one and nothing limits its output.
pub async fn supervised() -> bool {
    let command = Command {
        program: "/bin/echo".into(),
        args: vec!["more than a byte".into()],
        cwd: "/".into(),
        env: Vec::new(),
        deadline: PATIENCE,
        max_output_bytes: 1,
        owner: Owner::default(),
    };
    let finished = process::run(command, Cancel::new()).await.unwrap();
    finished.outcome == Outcome::OutputTooLarge
}
