//! What a failing git means, told by its own words under the C locale.

use crate::error::Error;

/// How the messages begin that have a code of their own. Beginnings only: what follows often quotes the repository.
const MESSAGES: [(&[u8], Error); 8] = [
    (b"fatal: detected dubious ownership", Error::GitUnsafeDirectory),
    (b"fatal: unsafe repository (", Error::GitUnsafeDirectory), // before 2.35.3
    (b"fatal: not a git repository", Error::NotWorkTree),
    (b"fatal: this operation must be run in a work tree", Error::NotWorkTree),
    (b"fatal: cannot use bare repository", Error::NotWorkTree),
    // The placeholder that macOS has for git where the developer tools are missing.
    (b"xcrun: error:", Error::GitUnavailable),
    (b"xcode-select: ", Error::GitUnavailable),
    (b"You have not agreed to the Xcode license", Error::GitUnavailable),
];

/// The exit codes of a shell (a shim named `git`) that cannot start what it stands for.
const SHELL_CANNOT_START: [i32; 2] = [126, 127];

/// What a git that ended with `exit_code`, not 0, after writing `stderr` ran into.
pub(super) fn classify(exit_code: i32, stderr: &[u8]) -> Error {
    let known = stderr.split(|&b| b == b'\n').find_map(|line| {
        MESSAGES.iter().find_map(|(begin, error)| line.starts_with(begin).then(|| error.clone()))
    });
    known.unwrap_or(if SHELL_CANNOT_START.contains(&exit_code) {
        Error::GitUnavailable
    } else {
        Error::GitFailed
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_apart_by_how_a_line_begins() {
        let table: [(i32, &str, Error); 9] = [
            (
                128,
                "fatal: not a git repository (or any of the parent directories): .git\n",
                Error::NotWorkTree,
            ),
            (
                128,
                "warning: x\nfatal: detected dubious ownership in repository at '/r'\n",
                Error::GitUnsafeDirectory,
            ),
            (128, "fatal: unsafe repository ('/r' is owned by someone else)\n", Error::GitUnsafeDirectory),
            (
                128,
                "fatal: cannot use bare repository '/r' (safe.bareRepository is 'explicit')\n",
                Error::NotWorkTree,
            ),
            (
                1,
                "xcrun: error: invalid active developer path (/Library), missing xcrun\n",
                Error::GitUnavailable,
            ),
            (127, "/usr/bin/git: line 2: exec: git: not found\n", Error::GitUnavailable),
            (128, "fatal: bad object 'fatal: not a git repository'\n", Error::GitFailed),
            (128, "fatal: nicht gut\n", Error::GitFailed),
            (1, "", Error::GitFailed),
        ];
        for (code, stderr, want) in table {
            assert_eq!(classify(code, stderr.as_bytes()), want, "{stderr}");
        }
    }
}
