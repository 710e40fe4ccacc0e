//! The work tree and what has changed in it, asked of real repositories.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "../support/git.rs"]
mod support;

#[cfg(unix)]
#[path = "../support/git_hostile.rs"]
mod git_hostile;

#[cfg(unix)]
mod bounds;
mod changes;
mod failures;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod stand_ins;
mod states;

use support::{Repo, Scratch};

/// `main` with one commit, `origin/main` at it, and `topic` checked out.
fn topic(scratch: &Scratch, files: &[&str]) -> Repo {
    let repo = scratch.repo("repo", files);
    repo.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.git(["switch", "-q", "-c", "topic"]);
    repo
}
