//! Where there is no answer, and what must not lead to one.

use std::fs;

use adrkit_native::error::Error;
use adrkit_native::git::{changed_files, tracked_files, work_tree};
use adrkit_native::process::Cancel;

use crate::support::{Scratch, changed_in};
use crate::topic;

#[tokio::test]
async fn directories_without_a_work_tree() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    scratch.init("bare", &["--bare"]);
    fs::create_dir(scratch.path("plain")).unwrap();
    // A bare repository in the work tree, as anybody can commit one.
    let embedded = scratch.init("repo/embedded", &["--bare"]);
    embedded.git(["config", "core.worktree", ".."]);
    embedded.git(["config", "core.bare", "false"]);
    for name in ["bare", "plain", "repo/.git", "repo/.git/refs", "repo/embedded", "repo/embedded/refs"] {
        let (dir, options) = (scratch.path(name), repo.options());
        assert_eq!(changed_in(&dir, None, &options).await.unwrap_err(), Error::NotWorkTree, "{name}");
        assert_eq!(
            tracked_files(&dir, &options, &Cancel::new()).await.unwrap_err(),
            Error::NotWorkTree,
            "{name}"
        );
        assert_eq!(
            work_tree(&dir, &options, &Cancel::new()).await.unwrap_err(),
            Error::NotWorkTree,
            "{name}"
        );
    }
    for gone in [scratch.path("gone"), repo.dir.join("a")] {
        assert_eq!(changed_in(&gone, None, &repo.options()).await.unwrap_err(), Error::WorkingDirectoryGone);
    }
}

#[tokio::test]
async fn a_base_that_git_cannot_use_is_a_failure() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    repo.git(["switch", "-q", "--orphan", "unrelated"]);
    repo.commit();
    repo.git(["switch", "-q", "topic"]);
    repo.git(["tag", "tree", "HEAD^{tree}"]);
    let trap = scratch.path("written");
    let output = format!("--output={trap}");
    let bases = [
        "nonesuch",
        "unrelated",
        "tree",
        "HEAD~9",
        "0000000000000000000000000000000000000000",
        "",
        "-x",
        "--all",
        &*output,
        "^HEAD",
        "HEAD^{/x}",
        "HEAD^{/A}",
        ":/A",
        "HEAD:a",
        "a..b",
        "main..topic",
        "main...topic",
        "@{0}",
        "@{1}",
        "@{yesterday}",
        "main topic",
        "a\0b",
    ];
    for base in bases {
        assert_eq!(repo.changed(Some(base)).await.unwrap_err(), Error::BaseUndiffable, "{base}");
    }
    assert!(!trap.exists());
}

#[tokio::test]
async fn an_aborted_call_starts_nothing() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(changed_files(&repo.dir, None, &repo.options(), &cancel).await.unwrap_err(), Error::Aborted);
}

#[tokio::test]
async fn a_leaked_git_dir_is_not_followed() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let trap = scratch.repo("trap", &["t"]);
    repo.write("a", "changed");
    trap.write("t", "changed");
    let git = |name: &str| trap.dir.join(".git").join(name).to_string();
    let mut options = repo.options();
    let leaked = [
        ("GIT_DIR", git("")),
        ("GIT_WORK_TREE", trap.dir.to_string()),
        ("GIT_INDEX_FILE", git("index")),
        ("GIT_COMMON_DIR", git("")),
        ("GIT_OBJECT_DIRECTORY", git("objects")),
        ("GIT_PREFIX", "t".into()),
        ("GIT_CONFIG_COUNT", "1".into()),
        ("GIT_CONFIG_KEY_0", "core.worktree".into()),
        ("GIT_CONFIG_VALUE_0", trap.dir.to_string()),
        ("GIT_LITERAL_PATHSPECS", "1".into()),
        ("GIT_TRACE", scratch.path("trace").to_string()),
    ];
    options.env.extend(leaked.map(|(name, value)| (name.into(), value.into())));
    let changed = changed_in(&repo.dir, None, &options).await.unwrap();
    assert_eq!(changed.files, ["a"]);
    assert_eq!(changed.work_tree.root, repo.dir);
    assert_eq!(tracked_files(&repo.dir, &options, &Cancel::new()).await.unwrap(), ["a"]);
    assert!(!scratch.path("trace").exists());
}
