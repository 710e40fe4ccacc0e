//! Repositories that name programs of their own: none may run. Each test ends with a control, which shows that plain
//! git does run them, so that the test can fail.

use std::collections::BTreeSet;

use adrkit_native::error::Error;

use crate::git_hostile::{ATTRIBUTES, Canary, configure, hostile, make_racy};
use crate::support::Scratch;

#[tokio::test]
async fn no_program_of_the_repositorys_choice_runs() {
    let scratch = Scratch::new();
    let (repo, canary) = hostile(&scratch, "victim");
    for base in [None, Some("HEAD"), Some("main~1")] {
        let changed = repo.changed(base).await.unwrap();
        let want = [
            ".gitattributes",
            "edited.clean",
            "edited.diff",
            "edited.process",
            "edited.text",
            "plain",
            "racy.branch",
            "racy.clean",
            "racy.nameless",
            "racy.process",
            "racy.txt",
            "touched",
            "untracked.clean",
        ];
        // What the last commit added is no change from HEAD.
        let want: Vec<_> = want
            .into_iter()
            .filter(|f| base != Some("HEAD") || ![".gitattributes", "touched"].contains(f))
            .collect();
        assert_eq!(changed.files, want);
    }
    let tracked = repo.tracked().await;
    assert_eq!(tracked.len(), 12);
    assert_eq!(canary.seen(), BTreeSet::new());

    let controls: [(&[&str], &[&str]); 7] = [
        (&["status"], &["fsmonitor", "clean", "process", "nameless", "branch"]),
        (&["diff", "--name-only", "HEAD"], &["fsmonitor", "clean", "process", "nameless", "branch"]),
        (&["diff", "HEAD", "--", "edited.*t"], &["external"]),
        (&["diff", "HEAD", "--", "edited.diff"], &["diff-command"]),
        (&["diff", "--no-ext-diff", "HEAD", "--", "edited.text"], &["textconv"]),
        (&["checkout", "HEAD", "--", "racy.clean"], &["smudge"]),
        (
            &["-c", "filter.streaming.process=", "-c", "filter.streaming.required=0", "add", "plain"],
            &["post-index-change"],
        ),
    ];
    let (repo, canary) = hostile(&scratch, "control");
    for (args, want) in controls {
        canary.forget();
        repo.try_git(args);
        assert!(canary.has_seen(want), "plain git {args:?} ran {:?}, not all of {want:?}", canary.seen());
    }
}

#[tokio::test]
async fn a_submodules_configuration_is_not_used() {
    let scratch = Scratch::new();
    let library = scratch.repo("library", &["racy.clean"]);
    let repo = scratch.repo("repo", &["a"]);
    repo.git([
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        library.dir.as_str(),
        "sub",
    ]);
    repo.commit();
    let canary = Canary::new(&scratch, "submodule");
    let sub = repo.sub("sub");
    make_racy(&sub, &["racy.clean"]);
    configure(&sub, &canary.config());
    repo.write("sub/.gitattributes", ATTRIBUTES);
    configure(
        &repo,
        "[submodule]\n\trecurse = true\n[diff]\n\tsubmodule = diff\n\tignoreSubmodules = none\n",
    );
    configure(&repo, "[status]\n\tsubmoduleSummary = true\n[submodule \"sub\"]\n\tignore = none\n");
    assert!(repo.files().await.is_empty());
    assert_eq!(canary.seen(), BTreeSet::new());
    // Its own directory is a work tree as good as any.
    assert_eq!(sub.files().await, [".gitattributes", "racy.clean"]);
    assert_eq!(canary.seen(), BTreeSet::new());
    repo.try_git(&["status"]);
    assert!(canary.has_seen(&["fsmonitor", "clean"]), "{:?}", canary.seen());
}

#[tokio::test]
async fn missing_objects_are_not_fetched() {
    let scratch = Scratch::new();
    let upstream = scratch.repo("upstream", &["d/a"]);
    upstream.write("d/b", "");
    upstream.commit();
    upstream.git(["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", upstream.dir);
    scratch.at("").git(["clone", "-q", "--filter=tree:0", &url, "clone"]);
    let clone = scratch.at("clone");
    let canary = Canary::new(&scratch, "clone");
    for key in ["uploadpack", "receivepack"] {
        clone.git(["config", &format!("remote.origin.{key}"), &format!("'{}' {key}", canary.program)]);
    }
    clone.write("d/a", "changed");
    assert_eq!(clone.changed(Some("HEAD")).await.unwrap().files, ["d/a"]);
    assert_eq!(clone.changed(Some("HEAD~1")).await.unwrap_err(), Error::BaseUndiffable);
    assert_eq!(canary.seen(), BTreeSet::new());
    clone.try_git(&["diff", "--name-only", "HEAD~1...HEAD"]);
    assert!(canary.has_seen(&["uploadpack"]));
}

#[tokio::test]
async fn a_filter_that_cannot_be_neutralised_is_refused() {
    let scratch = Scratch::new();
    let canary = Canary::new(&scratch, "equals");
    let repo = scratch.repo("repo", &["racy.txt"]);
    repo.write(".gitattributes", "*.txt filter=a=b\n");
    repo.commit();
    make_racy(&repo, &["racy.txt"]);
    configure(&repo, &canary.entry(("filter \"a=b\"", "clean", "clean")));
    assert_eq!(repo.changed(None).await.unwrap_err(), Error::GitFailed);
    assert_eq!(canary.seen(), BTreeSet::new());
    repo.try_git(&["status"]);
    assert!(canary.has_seen(&["clean"]));
}

#[tokio::test]
async fn a_required_filter_that_is_not_installed_is_no_obstacle() {
    let scratch = Scratch::new();
    let repo = scratch.repo("repo", &["large.bin", "small.bin"]);
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    repo.commit();
    make_racy(&repo, &["large.bin"]);
    configure(
        &repo,
        "[filter \"lfs\"]\n\tprocess = git-lfs-absent\n\tclean = git-lfs-absent\n\trequired = true\n",
    );
    assert_eq!(repo.files().await, ["large.bin"]);
}
