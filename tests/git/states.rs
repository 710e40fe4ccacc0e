//! Every state that a repository can be in.

use adrkit_native::error::Error;

use crate::support::Scratch;
use crate::topic;

#[tokio::test]
async fn before_the_first_commit_everything_counts() {
    let scratch = Scratch::new();
    for args in [&[][..], &["--object-format=sha256"]] {
        let repo = scratch.init(&format!("unborn-{}", args.len()), args);
        for file in ["dropped", "staged", "twice"] {
            repo.write(file, "");
        }
        repo.git(["add", "-A"]);
        repo.write("twice", "again");
        repo.write("untracked", "");
        repo.remove("dropped");
        let changed = repo.changed(None).await.unwrap();
        assert_eq!(changed.files, ["dropped", "staged", "twice", "untracked"]);
        assert_eq!((changed.base, &*changed.label), (None, "the empty tree"));
        assert_eq!(repo.changed(Some("HEAD")).await.unwrap_err(), Error::BaseUndiffable);
    }
}

#[tokio::test]
async fn a_sha256_repository_is_no_different() {
    let scratch = Scratch::new();
    let repo = scratch.init("repo", &["--object-format=sha256"]);
    repo.commit();
    repo.write("committed", "");
    repo.commit();
    repo.write("untracked", "");
    let changed = repo.changed(Some("HEAD~1")).await.unwrap();
    assert_eq!(changed.files, ["committed", "untracked"]);
    assert_eq!((changed.base.as_deref(), &*changed.label), (Some("HEAD~1"), "HEAD~1...HEAD"));
}

#[tokio::test]
async fn a_detached_head_and_a_base_by_id_or_tag() {
    let scratch = Scratch::new();
    let repo = scratch.repo("repo", &["a"]);
    repo.git(["tag", "-a", "-m", "A tag", "v1"]);
    let id = repo.git(["rev-parse", "HEAD"]);
    repo.git(["checkout", "-q", "--detach"]);
    repo.write("b", "");
    repo.commit();
    for base in ["v1", "main", &*id, &id[..12], "@~1", "HEAD^", "refs/heads/main"] {
        assert_eq!(repo.changed(Some(base)).await.unwrap().files, ["b"], "{base}");
    }
}

#[tokio::test]
async fn conflicts_and_a_stopped_rebase() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["both", "theirs-deleted"]);
    repo.write("both", "ours");
    repo.write("theirs-deleted", "ours");
    repo.write("clean", "ours");
    repo.commit();
    repo.git(["switch", "-q", "main"]);
    repo.write("both", "theirs");
    repo.remove("theirs-deleted");
    repo.commit();
    repo.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.git(["switch", "-q", "topic"]);
    repo.try_git(&["rebase", "-q", "main"]);
    assert!(repo.git(["ls-files", "--unmerged"]).contains("both"), "the rebase was meant to stop");
    assert_eq!(repo.files().await, ["both", "clean", "theirs-deleted"]);
    assert_eq!(repo.tracked().await, ["both", "clean", "theirs-deleted"]);
}

#[tokio::test]
async fn a_default_base_that_cannot_serve_leaves_head() {
    let scratch = Scratch::new();
    let repo = scratch.repo("repo", &["a"]);
    repo.write("a", "changed");
    let changed = repo.changed(None).await.unwrap();
    assert_eq!(changed.files, ["a"]);
    assert_eq!((changed.base, &*changed.label), (None, "HEAD"));
    assert_eq!(repo.changed(Some("origin/main")).await.unwrap_err(), Error::BaseUndiffable);
}

#[tokio::test]
async fn a_shallow_clone_has_no_merge_base() {
    let scratch = Scratch::new();
    let upstream = scratch.repo("upstream", &["a"]);
    upstream.git(["switch", "-q", "-c", "topic"]);
    upstream.write("b", "");
    upstream.commit();
    upstream.git(["switch", "-q", "main"]);
    upstream.write("c", "");
    upstream.commit();
    let url = format!("file://{}", upstream.dir);
    scratch.at("").git(["clone", "-q", "--depth=1", "--no-single-branch", "--branch=topic", &url, "clone"]);
    let clone = scratch.at("clone");
    clone.write("d", "");
    let changed = clone.changed(None).await.unwrap();
    assert_eq!(changed.files, ["d"]);
    assert_eq!((changed.base, &*changed.label), (None, "HEAD"));
    assert_eq!(clone.changed(Some("origin/main")).await.unwrap_err(), Error::BaseUndiffable);
}

#[tokio::test]
async fn a_criss_cross_history_has_a_merge_base_all_the_same() {
    let scratch = Scratch::new();
    let repo = scratch.repo("repo", &["a"]);
    repo.git(["switch", "-q", "-c", "topic"]);
    repo.write("t", "");
    repo.commit();
    repo.git(["switch", "-q", "main"]);
    repo.write("m", "");
    repo.commit();
    repo.git(["branch", "old-main"]);
    repo.git(["merge", "-q", "--no-ff", "-m", "A merge", "topic"]);
    repo.git(["switch", "-q", "topic"]);
    repo.git(["merge", "-q", "--no-ff", "-m", "A merge", "old-main"]);
    assert_eq!(repo.git(["merge-base", "--all", "main", "topic"]).lines().count(), 2);
    assert_eq!(repo.changed(Some("main")).await.unwrap().base.as_deref(), Some("main"));
}

#[tokio::test]
async fn linked_work_trees_stand_for_themselves() {
    let scratch = Scratch::new();
    let repo = scratch.repo("repo", &["a/f"]);
    repo.git(["worktree", "add", "-q", "-b", "other", scratch.path("linked").as_str()]);
    scratch.at("").git(["clone", "-q", "--bare", repo.dir.as_str(), scratch.path("bare").as_str()]);
    scratch.at("bare").git(["worktree", "add", "-q", "-b", "third", scratch.path("of-bare").as_str()]);
    repo.write("not-here", "");
    for name in ["linked", "of-bare"] {
        let linked = scratch.at(name);
        linked.write("a/f", "changed");
        assert_eq!(linked.sub("a").files().await, ["f"]);
        assert_eq!(linked.changed(None).await.unwrap().work_tree.root, linked.dir);
    }
}

#[tokio::test]
async fn entries_outside_a_sparse_checkout_are_not_deleted() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["in/a", "out/b", "top"]);
    for extra in [&[][..], &["--sparse-index"]] {
        repo.git([&["sparse-checkout", "set", "--cone"], extra, &["in"]].concat());
        assert!(!repo.path("out/b").exists());
        assert!(repo.files().await.is_empty());
        assert_eq!(repo.tracked().await, ["in/a", "out/b", "top"]);
    }
    repo.write("in/a", "changed");
    assert_eq!(repo.files().await, ["in/a"]);
}

#[tokio::test]
async fn a_submodule_counts_when_it_moves_and_not_for_its_own_dirt() {
    let scratch = Scratch::new();
    let library = scratch.repo("library", &["l"]);
    let repo = topic(&scratch, &["a"]);
    repo.add_submodule(&library, "sub");
    repo.commit();
    repo.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let sub = repo.sub("sub");
    sub.write("l", "dirt");
    sub.write("untracked", "");
    sub.git(["add", "l"]);
    assert!(repo.files().await.is_empty());
    assert_eq!(sub.files().await, ["l", "untracked"]);
    sub.commit();
    assert_eq!(repo.files().await, ["sub"], "moved in the work tree");
    repo.commit();
    repo.git(["config", "diff.ignoreSubmodules", "all"]);
    assert_eq!(repo.files().await, ["sub"], "moved by a commit");
    assert!(repo.changed(Some("HEAD")).await.unwrap().files.is_empty());
    assert_eq!(repo.tracked().await, [".gitmodules", "a"]);
}

#[tokio::test]
async fn an_untracked_repository_inside_is_not_ours() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    scratch.repo("repo/nested", &["n"]);
    scratch.init("repo/unborn", &[]);
    repo.write("other/file", "");
    assert_eq!(repo.files().await, ["other/file"]);
}
