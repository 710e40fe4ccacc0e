//! How a file that is called `adr` is run.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::cmd_exe;
use super::search::Search;
use super::shim;
use crate::error::Result;
use crate::process::lookup::env_value;

/// The longest file that is read as a shim, in bytes. Package managers write less than a tenth of it.
pub const MAX_SHIM_BYTES: u64 = 16 * 1024;

/// How a resolved command is started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Launch {
    /// The system runs it: a program, or a script whose first line names its interpreter. The shims of version
    /// managers are of this kind.
    Native,
    /// Node runs a script: the file itself, or the one that it is a shim for.
    Node {
        /// The node on `PATH`.
        node: PathBuf,
        /// The script.
        script: PathBuf,
    },
    /// `cmd.exe` runs it: a batch file on Windows that is no shim. Arguments it could expand are refused.
    CommandShell {
        /// The system's `cmd.exe`.
        shell: PathBuf,
    },
}

impl Launch {
    /// How `file` is run; none if it cannot be.
    pub(super) fn of(file: &Path, search: &Search, env: &super::Env) -> Option<Self> {
        if !file.is_file() {
            return None;
        }
        let node = |script: PathBuf| search.node().map(|node| Self::Node { node, script });
        match extension(file).as_str() {
            "js" | "mjs" | "cjs" => return node(file.to_owned()),
            "cmd" | "bat" => return shim_script(file).and_then(node).or_else(|| command_shell(env)),
            "ps1" => return shim_script(file).and_then(node),
            _ => {}
        }
        if is_native(file) {
            // The shell would do the same; without it there is one process less.
            return shim_script(file).and_then(node).or(Some(Self::Native));
        }
        if cfg!(windows) { shim_script(file).and_then(node) } else { None }
    }

    /// The program and arguments that run `file` with `arguments`.
    pub(super) fn line(&self, file: &Path, arguments: Vec<OsString>) -> Result<(PathBuf, Vec<OsString>)> {
        Ok(match self {
            Self::Native => (file.to_owned(), arguments),
            Self::Node { node, script } => {
                (node.clone(), std::iter::once(script.into()).chain(arguments).collect())
            }
            Self::CommandShell { shell } => (shell.clone(), cmd_exe::arguments(file, arguments)?),
        })
    }
}

fn extension(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Can the system itself run the file?
#[cfg(unix)]
fn is_native(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

#[cfg(windows)]
fn is_native(file: &Path) -> bool {
    matches!(extension(file).as_str(), "exe" | "com")
}

/// The existing script that `file` is a shim for.
fn shim_script(file: &Path) -> Option<PathBuf> {
    let mut text = Vec::new();
    File::open(file).ok()?.take(MAX_SHIM_BYTES + 1).read_to_end(&mut text).ok()?;
    if text.len() as u64 > MAX_SHIM_BYTES {
        return None;
    }
    let script = file.parent()?.join(shim::script(std::str::from_utf8(&text).ok()?)?);
    script.is_file().then_some(script)
}

/// The system's shell, on Windows only.
fn command_shell(env: &super::Env) -> Option<Launch> {
    let root = cfg!(windows).then(|| env_value(env, "SystemRoot").unwrap_or(OsStr::new(r"C:\Windows")))?;
    Some(Launch::CommandShell { shell: Path::new(root).join(r"System32\cmd.exe") })
}
