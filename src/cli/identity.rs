//! Whether a command that is called `adr` is adrkit's: other programs have the name too.
//!
//! A command that a person named with `$ADRKIT_CLI` is never doubted, and neither is one that has answered with a
//! report. Only when one that was merely found gives something else is it asked for its help, once for each version of
//! the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use crate::process::{Finished, Outcome};

/// How many commands are remembered.
const MAX_KNOWN: usize = 64;

/// What adrkit's help names, and that of no other program by this name does.
const COMMANDS: [&str; 4] = ["check", "explain", "lint", "queue"];

/// What is known about one version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    /// Adrkit's.
    Adrkit,
    /// Another program's.
    Foreign,
    /// It let a deadline pass without an answer.
    Silent,
}

/// One version of a file: an update gives it another time or length.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fingerprint {
    path: PathBuf,
    modified: Option<SystemTime>,
    length: u64,
}

impl Fingerprint {
    /// Of what `path` leads to now.
    pub(super) fn of(path: &Path) -> Self {
        let meta = path.metadata().ok();
        Self {
            path: path.to_owned(),
            modified: meta.as_ref().and_then(|m| m.modified().ok()),
            length: meta.map_or(0, |m| m.len()),
        }
    }

    /// What is known about it.
    pub(super) fn identity(&self) -> Option<Identity> {
        known(|all| all.get(self).copied())
    }

    /// Remembers `identity`; true where this is news.
    pub(super) fn remember(self, identity: Identity) -> bool {
        known(|all| {
            if all.len() >= MAX_KNOWN && !all.contains_key(&self) {
                all.clear();
            }
            all.insert(self, identity) != Some(identity)
        })
    }
}

fn known<T>(read: impl FnOnce(&mut BTreeMap<Fingerprint, Identity>) -> T) -> T {
    static KNOWN: LazyLock<Mutex<BTreeMap<Fingerprint, Identity>>> = LazyLock::new(Mutex::default);
    read(&mut KNOWN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Is this the end of adrkit's command after it was asked for its help?
pub(super) fn is_adrkit_help(finished: &Finished) -> bool {
    let help = String::from_utf8_lossy(&finished.stdout);
    finished.outcome == Outcome::Exited
        && finished.exit_code == Some(0)
        && COMMANDS.iter().all(|command| help.contains(command))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn help(exit_code: Option<i32>, stdout: &str) -> Finished {
        Finished {
            outcome: Outcome::Exited,
            exit_code,
            signal: None,
            stdout: stdout.into(),
            stderr: Vec::new(),
            output_incomplete: false,
            duration: Duration::ZERO,
        }
    }

    #[test]
    fn the_help_tells_who_it_is() {
        let adrkit = "Usage: adr <command>\n  lint\n  migrate\n  new\n  explain\n  check\n  queue\n";
        assert!(is_adrkit_help(&help(Some(0), adrkit)));
        assert!(is_adrkit_help(&help(Some(0), &adrkit.replace("check", "\u{1b}[1mcheck\u{1b}[0m"))));
        assert!(!is_adrkit_help(&help(Some(1), adrkit)));
        assert!(!is_adrkit_help(&help(None, adrkit)));
        assert!(!is_adrkit_help(&Finished { outcome: Outcome::TimedOut, ..help(Some(0), adrkit) }));
        for other in [
            "",
            "0.8.0\n",
            "usage: adr help COMMAND [ARG] ...\nCOMMAND is one of: config, generate, help, init, link, list, new, upgrade-repository",
        ] {
            assert!(!is_adrkit_help(&help(Some(0), other)), "{other}");
        }
    }

    #[test]
    fn an_updated_file_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("adr");
        std::fs::write(&file, "one").unwrap();
        let first = Fingerprint::of(&file);
        assert_eq!(first.identity(), None);
        assert!(first.clone().remember(Identity::Foreign));
        assert!(!first.clone().remember(Identity::Foreign), "no news");
        assert_eq!(Fingerprint::of(&file).identity(), Some(Identity::Foreign));
        std::fs::write(&file, "another").unwrap();
        assert_eq!(Fingerprint::of(&file).identity(), None);
        assert!(first.remember(Identity::Adrkit));
    }
}
