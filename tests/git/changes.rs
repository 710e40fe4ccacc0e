//! What counts as changed, and under which name.

use std::fs;
use std::time::{Duration, SystemTime};

use adrkit_native::git::{tracked_files, work_tree};
use adrkit_native::process::Cancel;

use crate::support::Scratch;
use crate::topic;

#[tokio::test]
async fn a_clean_work_tree_has_no_changes() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let changed = repo.changed(None).await.unwrap();
    assert!(changed.files.is_empty());
    assert_eq!((changed.base.as_deref(), &*changed.label), (Some("origin/main"), "origin/main...HEAD"));
    assert_eq!(changed.work_tree.root, repo.dir);
    assert_eq!(changed.work_tree.prefix.as_os_str(), "");
}

#[tokio::test]
async fn the_union_of_range_index_work_tree_and_untracked() {
    let scratch = Scratch::new();
    let files = ["committed", "deleted", "edited", "moved", "same", "staged", "staged-deleted", "twice"];
    let repo = topic(&scratch, &files);
    // What happens on the other side of the merge base is not ours.
    repo.git(["switch", "-q", "main"]);
    repo.write("theirs", "");
    repo.commit();
    repo.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    repo.git(["switch", "-q", "topic"]);

    repo.write(".gitignore", "*.log\n");
    repo.write("committed", "changed");
    repo.commit();
    repo.write("edited", "changed");
    repo.write("staged", "changed");
    repo.write("twice", "changed");
    repo.git(["add", "staged", "twice"]);
    repo.write("twice", "changed again");
    repo.remove("deleted");
    repo.git(["rm", "-q", "staged-deleted"]);
    repo.git(["mv", "moved", "moved-to"]);
    repo.write("new/untracked", "");
    repo.write("ignored.log", "");
    let changed = repo.changed(None).await.unwrap();
    let want = [
        ".gitignore",
        "committed",
        "deleted",
        "edited",
        "moved",
        "moved-to",
        "new/untracked",
        "staged",
        "staged-deleted",
        "twice",
    ];
    assert_eq!(changed.files, want);
    assert_eq!(changed.skipped_non_utf8, 0);
}

#[tokio::test]
async fn both_sides_of_a_rename_count_whatever_the_configuration_says() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["committed", "copied", "staged", "unstaged"]);
    for setting in ["diff.renames", "status.renames"] {
        repo.git(["config", setting, "copies"]);
    }
    repo.git(["mv", "committed", "committed-to"]);
    repo.commit();
    repo.git(["mv", "staged", "staged-to"]);
    fs::rename(repo.path("unstaged"), repo.path("unstaged-to")).unwrap();
    repo.git(["add", "-N", "unstaged-to"]);
    fs::copy(repo.path("copied"), repo.path("copied-to")).unwrap();
    repo.git(["add", "copied-to"]);
    let want = ["committed", "committed-to", "copied-to", "staged", "staged-to", "unstaged", "unstaged-to"];
    assert_eq!(repo.files().await, want);
}

#[tokio::test]
async fn configuration_that_shapes_listings_has_no_say() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a/committed", "a/edited", "b/committed"]);
    repo.write("a/committed", "changed");
    repo.write("b/committed", "changed");
    repo.commit();
    repo.write("a/edited", "changed");
    repo.write("a/ü", "");
    repo.write("stashed", "");
    repo.git(["stash", "push", "-q", "-u", "stashed"]);
    let settings = [
        ("status.showUntrackedFiles", "no"),
        ("status.relativePaths", "true"),
        ("status.branch", "true"),
        ("status.showStash", "true"),
        ("status.short", "true"),
        ("status.submoduleSummary", "true"),
        ("diff.relative", "true"),
        ("diff.noPrefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.orderFile", "absent"),
        ("core.quotePath", "true"),
        ("core.pager", "false"),
        ("core.untrackedCache", "true"),
        ("color.ui", "always"),
        ("column.ui", "always"),
        ("advice.statusHints", "true"),
    ];
    for (name, value) in settings {
        repo.git(["config", name, value]);
    }
    assert_eq!(repo.files().await, ["a/committed", "a/edited", "a/ü", "b/committed"]);
    assert_eq!(repo.sub("a").files().await, ["committed", "edited", "ü"]);
}

#[tokio::test]
async fn in_a_subdirectory_paths_are_relative_to_it_and_others_left_out() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a/b/committed", "a/b/edited", "a/bc/committed", "top"]);
    for file in ["a/b/committed", "a/bc/committed"] {
        repo.write(file, "changed");
    }
    repo.commit();
    for file in ["a/b/edited", "a/b/un/tracked", "a/untracked", "top", "untracked"] {
        repo.write(file, "changed");
    }
    let sub = repo.sub("a/b");
    let changed = sub.changed(None).await.unwrap();
    assert_eq!(changed.files, ["committed", "edited", "un/tracked"]);
    assert_eq!(changed.work_tree.root, repo.dir);
    assert_eq!(changed.work_tree.prefix.as_os_str(), "a/b");
    assert_eq!(sub.tracked().await, ["committed", "edited"]);
    assert_eq!(work_tree(&sub.dir, &repo.options(), &Cancel::new()).await.unwrap(), changed.work_tree);
}

#[tokio::test]
async fn names_come_back_as_they_are() {
    let scratch = Scratch::new();
    let mut names = vec!["-x", "--output=z", "#", "a b", "x b/y", "ü", "\u{1F600}"];
    if cfg!(unix) {
        names.extend(["\"q\"", "a\nb", "a\tb", "back\\slash", "*", "?", " ", ":(exclude)*"]);
    }
    let repo = topic(&scratch, &[]);
    // One third in each listing.
    let third = |n: usize| names.iter().enumerate().filter(move |(i, _)| i % 3 == n).map(|(_, name)| *name);
    third(0).for_each(|name| repo.write(name, ""));
    repo.commit();
    third(1).for_each(|name| repo.write(name, ""));
    repo.git(["add", "-A"]);
    third(2).for_each(|name| repo.write(name, ""));
    let mut want = names.clone();
    want.sort_unstable();
    assert_eq!(repo.files().await, want);
    repo.commit();
    assert_eq!(repo.tracked().await, want);
}

// Other systems refuse such names.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn names_that_are_not_utf8_are_counted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let scratch = Scratch::new();
    let repo = topic(&scratch, &[]);
    repo.write(OsStr::from_bytes(b"committed-\xff"), "");
    repo.commit();
    repo.write(OsStr::from_bytes(b"committed-\xff"), "edited too");
    repo.write(OsStr::from_bytes(b"untracked-\xfe"), "");
    repo.write("fine", "");
    let changed = repo.changed(None).await.unwrap();
    assert_eq!(changed.files, ["fine"]);
    assert_eq!(changed.skipped_non_utf8, 2);
    assert!(repo.tracked().await.is_empty());

    // A directory above is no reason to fail.
    let odd = repo.dir.as_std_path().join(OsStr::from_bytes(b"d\xfd"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("inside"), "").unwrap();
    std::os::unix::fs::symlink(&odd, scratch.path("link")).unwrap();
    assert_eq!(scratch.at("link").files().await, ["inside"]);
}

#[tokio::test]
async fn staged_and_then_restored_still_counts() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    repo.write("a", "changed");
    repo.git(["add", "a"]);
    repo.write("a", "a");
    assert_eq!(repo.files().await, ["a"]);
}

#[tokio::test]
async fn ignored_by_the_persons_own_file_and_by_the_repository() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let ignore = scratch.path("home/ignore");
    fs::write(&ignore, "*.mine\n").unwrap();
    repo.git(["config", "--global", "core.excludesFile", ignore.as_str()]);
    repo.write(".git/info/exclude", "*.theirs\n");
    for file in ["x.mine", "x.theirs", "x"] {
        repo.write(file, "");
    }
    assert_eq!(repo.files().await, ["x"]);
}

#[tokio::test]
async fn a_file_that_was_only_touched_is_unchanged_and_nothing_is_written() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["touched", "edited"]);
    repo.set_modified("touched", SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
    repo.write("edited", "Edited");
    // A lock would be made in `.git`, and taken away again.
    let state = || {
        let times =
            [".git", ".git/index"].map(|name| fs::metadata(repo.path(name)).unwrap().modified().unwrap());
        (times, fs::read(repo.path(".git/index")).unwrap())
    };
    let before = state();
    assert_eq!(repo.files().await, ["edited"]);
    assert_eq!(repo.tracked().await, ["edited", "touched"]);
    assert_eq!(state(), before);
    repo.command(["diff", "--name-only", "HEAD"]).env("GIT_OPTIONAL_LOCKS", "0").output().unwrap();
    assert_ne!(state(), before, "plain git diff rewrites the index, or this test could not fail");

    // Somebody else's lock is no obstacle.
    repo.write(".git/index.lock", "");
    assert_eq!(repo.files().await, ["edited"]);
}

#[tokio::test]
async fn tracked_files_leave_out_what_was_deleted() {
    let scratch = Scratch::new();
    let repo = scratch.repo("repo", &["a", "b", "c"]);
    repo.remove("b");
    repo.git(["rm", "-q", "c"]);
    repo.write("new", "");
    repo.git(["add", "-N", "new"]);
    repo.write("untracked", "");
    assert_eq!(tracked_files(&repo.dir, &repo.options(), &Cancel::new()).await.unwrap(), ["a", "new"]);
}
