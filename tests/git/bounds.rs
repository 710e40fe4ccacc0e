//! A git that does not end, or does not stop talking. What a stand-in starts sleeps for longer than a test may take,
//! so that to return at all is to have ended it.

use std::fs;
use std::time::Duration;

use adrkit_native::error::Error;
use adrkit_native::git::{changed_files, work_tree};
use adrkit_native::process::Cancel;
use camino::Utf8Path;

use crate::stand_ins::with_git;
use crate::support::{Scratch, changed_in};
use crate::topic;

/// Whether the process that wrote its number to `file` is there (and is no zombie).
fn lives(file: &Utf8Path) -> bool {
    let id = fs::read_to_string(file).unwrap();
    let stat = std::process::Command::new("ps").args(["-o", "stat=", "-p", id.trim()]).output().unwrap();
    stat.stdout.first().is_some_and(|state| *state != b'Z')
}

#[tokio::test]
async fn each_process_has_the_deadline() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    for subcommand in ["config", "rev-parse", "status", "diff"] {
        let script =
            format!("case \"$*\" in *' {subcommand} '*) exec sleep 600;; *) exec \"$GIT\" \"$@\";; esac");
        let mut options = with_git(&scratch, &repo, &script);
        options.deadline = Duration::from_millis(500);
        assert_eq!(changed_in(&repo.dir, None, &options).await.unwrap_err(), Error::TimedOut, "{subcommand}");
    }
}

#[tokio::test]
async fn aborting_ends_what_runs() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let pid = scratch.path("pid");
    let options =
        with_git(&scratch, &repo, &format!("echo $$ > '{pid}.new'; mv '{pid}.new' '{pid}'; exec sleep 600"));
    let cancel = Cancel::new();
    let abort = async {
        while !pid.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel.cancel();
    };
    let (changed, ()) = tokio::join!(changed_files(&repo.dir, None, &options, &cancel), abort);
    assert_eq!(changed.unwrap_err(), Error::Aborted);
    assert!(!lives(&pid));
}

#[tokio::test]
async fn when_one_of_two_fails_the_other_is_ended_and_the_failure_told() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let pid = scratch.path("pid");
    // The one fails once the other runs.
    for (fails, sleeps) in [("config", "rev-parse"), ("--verify", "status"), ("status", "--verify")] {
        let script = format!(
            "case \"$*\" in\n\
            *' {fails} '*) while ! [ -e '{pid}' ]; do sleep 0.01; done; echo 'fatal: not a git repository' >&2; exit 128;;\n\
            *' {sleeps} '*) echo $$ > '{pid}.new'; mv '{pid}.new' '{pid}'; exec sleep 600;;\n\
            *) exec \"$GIT\" \"$@\";; esac"
        );
        let options = with_git(&scratch, &repo, &script);
        let error = changed_in(&repo.dir, Some("main"), &options).await.unwrap_err();
        assert_eq!(error, Error::NotWorkTree, "{fails}");
        assert!(!lives(&pid), "{sleeps}");
        fs::remove_file(&pid).unwrap();
    }
}

#[tokio::test]
async fn output_is_capped() {
    let scratch = Scratch::new();
    let repo = topic(&scratch, &["a"]);
    let options = with_git(&scratch, &repo, "exec yes");
    assert_eq!(work_tree(&repo.dir, &options, &Cancel::new()).await.unwrap_err(), Error::OutputTooLarge);
    assert_eq!(changed_in(&repo.dir, None, &options).await.unwrap_err(), Error::OutputTooLarge);
}
