//! Other programs under git's name.

use std::fs;
use std::path::PathBuf;

use adrkit_native::error::Error;
use adrkit_native::git::{Options, tracked_files, work_tree};
use adrkit_native::process::Cancel;
use camino::Utf8Path;

use crate::support::{Repo, Scratch, changed_in, write_executable};
use crate::topic;

/// The repository's options with `script` as git. In it `$GIT` is the real one, `$*` what is asked.
pub fn with_git(scratch: &Scratch, repo: &Repo, script: &str) -> Options {
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|dir| dir.join("git"))
        .find(|git| git.is_file())
        .unwrap();
    let script = if script.starts_with("#!") {
        script.to_owned()
    } else {
        format!("#!/bin/sh\nGIT='{}'\n{script}", real.display())
    };
    write_executable(&scratch.path("bin/git"), &script);
    with_path(repo, &[scratch.path("bin").into()])
}

fn with_path(repo: &Repo, dirs: &[PathBuf]) -> Options {
    let mut options = repo.options();
    options.env.retain(|(name, _)| name != "PATH");
    let path = std::env::join_paths(dirs.iter().cloned().chain(["/usr/bin".into(), "/bin".into()])).unwrap();
    options.env.push(("PATH".into(), path));
    options
}

async fn failure(dir: &Utf8Path, base: Option<&str>, options: &Options) -> Error {
    changed_in(dir, base, options).await.unwrap_err()
}

#[tokio::test]
async fn five_processes_at_most_and_each_hardened() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let log = scratch.path("log");
    let options = with_git(&scratch, &repo, &format!("echo \"$*\" >> '{log}'\nexec \"$GIT\" \"$@\""));
    changed_in(&repo.dir, None, &options).await.unwrap();
    let asked = fs::read_to_string(&log).unwrap();
    let first_line = asked.lines().next().unwrap();
    let hardening = &first_line[..first_line.find(" rev-parse ").or(first_line.find(" config ")).unwrap()];
    let settings = [
        "--no-pager",
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.virtualFilesystem=",
        "safe.bareRepository=explicit",
        "submodule.recurse=false",
    ];
    for setting in settings {
        assert!(hardening.contains(setting), "{hardening}");
    }
    let mut subcommands: Vec<_> =
        asked.lines().map(|line| line.strip_prefix(hardening).unwrap().split(' ').nth(1).unwrap()).collect();
    subcommands.sort_unstable();
    assert_eq!(subcommands, ["config", "diff", "rev-parse", "rev-parse", "status"]);
    // The range is of ids, never of what the caller wrote.
    let range = asked.lines().find(|line| line.contains(" diff ")).unwrap();
    assert!(range.ends_with(&format!(" {}...HEAD --", repo.git(["rev-parse", "main"]))), "{range}");

    fs::remove_file(&log).unwrap();
    tracked_files(&repo.dir, &options, &Cancel::new()).await.unwrap();
    work_tree(&repo.dir, &options, &Cancel::new()).await.unwrap();
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 2);
}

#[tokio::test]
async fn a_repository_of_another_owner_is_told_in_any_language() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let mut options = with_git(&scratch, &repo, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec \"$GIT\" \"$@\"");
    options.env.extend([("LANG".into(), "de_DE.UTF-8".into()), ("LC_ALL".into(), "de_DE.UTF-8".into())]);
    assert_eq!(failure(&repo.dir, None, &options).await, Error::GitUnsafeDirectory);
    let tracked = tracked_files(&repo.dir, &options, &Cancel::new()).await;
    assert_eq!(tracked.unwrap_err(), Error::GitUnsafeDirectory);
    // The person's own configuration is where they say that it is safe after all.
    repo.git(["config", "--global", "safe.directory", repo.dir.as_str()]);
    assert!(changed_in(&repo.dir, None, &options).await.is_ok());
}

#[tokio::test]
async fn no_usable_git() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let scripts = [
        "echo 'xcrun: error: invalid active developer path (/Library/Developer), missing xcrun' >&2; exit 1",
        "echo 'xcode-select: note: No developer tools were found, requesting install.' >&2; exit 1",
        "exec /nonexistent/git",
        "#!/nonexistent/interpreter",
    ];
    for script in scripts {
        let options = with_git(&scratch, &repo, script);
        assert_eq!(failure(&repo.dir, None, &options).await, Error::GitUnavailable, "{script}");
        let tracked = tracked_files(&repo.dir, &options, &Cancel::new()).await;
        assert_eq!(tracked.unwrap_err(), Error::GitUnavailable, "{script}");
    }
    let mut options = repo.options();
    options.env.retain(|(name, _)| name != "PATH");
    assert_eq!(failure(&repo.dir, None, &options).await, Error::GitUnavailable);
}

#[tokio::test]
async fn the_repositorys_own_git_is_not_run() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["sub/a"]);
    let ran = scratch.path("ran");
    for dir in ["bin", "sub", "."] {
        write_executable(&repo.dir.join(dir).join("git"), &format!("#!/bin/sh\n: > '{ran}'"));
    }
    let sub = repo.sub("sub");
    let dirs = ["", ".", "../bin"].map(PathBuf::from).into_iter().chain([repo.path("bin"), repo.path(".")]);
    let options = with_path(&repo, &dirs.collect::<Vec<_>>());
    assert_eq!(changed_in(&sub.dir, None, &options).await.unwrap().files, ["git"]);
    assert!(!ran.exists());
}

#[tokio::test]
async fn an_answer_that_is_no_object_id_is_not_used() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let trap = scratch.path("written");
    for answer in
        [format!("--output={trap}"), "^0123456789012345678901234567890123456789".into(), String::new()]
    {
        let script =
            format!("case \"$*\" in *--verify*) printf '%s\\n' '{answer}';; *) exec \"$GIT\" \"$@\";; esac");
        let options = with_git(&scratch, &repo, &script);
        assert_eq!(failure(&repo.dir, Some("main"), &options).await, Error::BaseUndiffable);
        assert_eq!(changed_in(&repo.dir, None, &options).await.unwrap().base, None);
        assert!(!trap.exists());
    }
}

#[tokio::test]
async fn half_a_listing_is_a_failure() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    for subcommand in ["config", "status", "diff", "ls-files"] {
        let script =
            format!("case \"$*\" in *' {subcommand} '*) printf 'filter.a';; *) exec \"$GIT\" \"$@\";; esac");
        let options = with_git(&scratch, &repo, &script);
        let error = if subcommand == "ls-files" {
            tracked_files(&repo.dir, &options, &Cancel::new()).await.unwrap_err()
        } else {
            failure(&repo.dir, None, &options).await
        };
        assert_eq!(error, Error::GitFailed, "{subcommand}");
    }
}
