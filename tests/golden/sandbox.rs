//! A case's file tree, laid out in a directory of its own, and one run of the command in it.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tempfile::TempDir;

use crate::json::{Json, Text};

/// Far beyond what a case takes on a loaded machine: it only keeps a hanging command from hanging the tests.
const RUN_LIMIT: Duration = Duration::from_secs(120);

const ROOT: &[u8] = b"{{ROOT}}";

pub struct Sandbox {
    _dir: TempDir,
    root: PathBuf,
    repo: PathBuf,
}

pub struct Output {
    pub code: Option<i32>,
    /// With the sandbox's root named `{{ROOT}}` again.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Sandbox {
    /// Lays out the tree of `input`; `datasets` is the directory of the named data sets.
    pub fn build(input: &Json, datasets: Option<&Path>) -> io::Result<Self> {
        let dir = tempfile::Builder::new().prefix("golden-").tempdir()?;
        let root = fs::canonicalize(dir.path())?;
        let repo = root.join("repo");
        fs::create_dir(&repo)?;
        let sandbox = Self { _dir: dir, root, repo };
        sandbox.lay_out(input, datasets)?;
        Ok(sandbox)
    }

    fn lay_out(&self, input: &Json, datasets: Option<&Path>) -> io::Result<()> {
        for dir in field(input, "dirs").items() {
            fs::create_dir_all(self.path(&string(dir)?))?;
        }
        for (to, name) in field(input, "datasets").entries() {
            let from = datasets.ok_or_else(|| bad("a data set, and no data sets"))?;
            copy_tree(&from.join(os(&string(name)?)), &self.path(&to.to_bytes()))?;
        }
        for (path, content) in field(input, "files").entries() {
            self.put(&path.to_bytes(), content)?;
        }
        for (path, content) in field(input, "filesBytePaths").entries() {
            self.put(&decode(&path.to_bytes())?, content)?;
        }
        for (path, target) in field(input, "symlinks").entries() {
            let link = self.parented(&path.to_bytes())?;
            std::os::unix::fs::symlink(os(&self.substitute(&string(target)?)), link)?;
        }
        for path in field(input, "fifos").items() {
            let made = Command::new("mkfifo").arg(self.parented(&string(path)?)?).status()?;
            if !made.success() {
                return Err(bad("mkfifo failed"));
            }
        }
        Ok(())
    }

    /// Runs `program` as the case says, with nothing of this process's environment but `PATH`.
    pub fn run(&self, program: &Path, input: &Json) -> io::Result<Output> {
        let mut command = Command::new(program);
        command.env_clear().env("LC_ALL", "C").env("TZ", "UTC").env("HOME", &self.root);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        for (name, value) in field(input, "env").entries() {
            command.env(os(&name.to_bytes()), os(&self.substitute(&string(value)?)));
        }
        for arg in field(input, "argv").items() {
            command.arg(os(&self.substitute(&string(arg)?)));
        }
        command.current_dir(self.cwd(input)?);
        let mut output = capture(command)?;
        output.stdout = replace(&output.stdout, self.root.as_os_str().as_bytes(), ROOT);
        Ok(output)
    }

    /// Where the command runs.
    pub fn cwd(&self, input: &Json) -> io::Result<PathBuf> {
        let cwd = input.get("cwd").map(string).transpose()?.unwrap_or_default();
        Ok(self.path(&cwd))
    }

    fn path(&self, relative: &[u8]) -> PathBuf {
        self.repo.join(os(relative))
    }

    fn parented(&self, relative: &[u8]) -> io::Result<PathBuf> {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(path)
    }

    fn put(&self, path: &[u8], content: &Json) -> io::Result<()> {
        let bytes = match content {
            Json::Text(text) => text.to_bytes(),
            _ => decode(&string(field(content, "base64"))?)?,
        };
        fs::write(self.parented(path)?, bytes)
    }

    /// `text` with the sandbox's root in place of its name.
    pub fn substitute(&self, text: &[u8]) -> Vec<u8> {
        replace(text, ROOT, self.root.as_os_str().as_bytes())
    }
}

fn capture(mut command: Command) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let end = Instant::now() + RUN_LIMIT;
    let mut collect = |from: mpsc::Receiver<io::Result<Vec<u8>>>| {
        let left = end.saturating_duration_since(Instant::now());
        from.recv_timeout(left).unwrap_or_else(|_| {
            child.kill()?;
            Err(io::ErrorKind::TimedOut.into())
        })
    };
    let (stdout, stderr) = (collect(stdout), collect(stderr));
    let code = child.wait()?.code();
    Ok(Output { code, stdout: stdout?, stderr: stderr? })
}

/// Reads a pipe to its end beside the other one, so that a full pipe blocks neither.
fn drain(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map_or(Ok(0), |mut p| p.read_to_end(&mut bytes));
        // The receiver is gone after the time limit.
        let _ = send.send(read.map(|_| bytes));
    });
    receive
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::write(target, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn field<'a>(value: &'a Json, key: &str) -> &'a Json {
    value.get(key).unwrap_or(&Json::Null)
}

fn string(value: &Json) -> io::Result<Vec<u8>> {
    value.text().map(Text::to_bytes).ok_or_else(|| bad("a string expected"))
}

fn os(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

fn decode(base64: &[u8]) -> io::Result<Vec<u8>> {
    BASE64_STANDARD.decode(base64).map_err(io::Error::other)
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(from) {
            out.extend_from_slice(to);
            rest = after;
        } else {
            out.push(first);
            rest = tail;
        }
    }
    out
}

#[test]
fn replaces_every_occurrence() {
    assert_eq!(replace(b"a{{ROOT}}/{{ROOT}}{{ROOT", ROOT, b"/t"), b"a/t//t{{ROOT");
}
