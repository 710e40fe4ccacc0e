//! That it is the job which ends a tree, however its host comes to an end.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command as StdCommand, Stdio};
use std::time::Duration;

use adrkit_native::process::{Cancel, Command, Outcome, Owner, retire_owner, run};

use crate::support::{Tree, block_on, command, end, finish, helper, is_alive};

const NEEDS: &str = "ADRKIT_TEST_TREE";

/// A tree that names itself in `file`, as a command of ours.
fn tree(file: &Path) -> Command {
    command(helper(), &["tree", file.to_str().unwrap()])
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn without_a_job_the_leaf_outlives_its_root() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tree");
    let mut root = StdCommand::new(helper()).arg("tree").arg(&file).spawn().unwrap();
    let it = Tree::in_file(&file);
    root.kill().unwrap();
    root.wait().unwrap();
    assert!(!is_alive(it.root) && is_alive(it.leaf));
    end(it.leaf);
    it.assert_gone();
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn every_end_of_a_call_ends_its_tree() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);

    let out = finish(Command { deadline: Duration::from_secs(2), ..tree(&at("deadline")) });
    assert_eq!((out.outcome, out.exit_code), (Outcome::TimedOut, None));
    Tree::in_file(&at("deadline")).assert_gone();

    let cancel = Cancel::new();
    let call = std::thread::spawn({
        let (command, cancel) = (tree(&at("cancel")), cancel.clone());
        move || block_on(run(command, cancel))
    });
    let it = Tree::in_file(&at("cancel"));
    cancel.cancel();
    assert_eq!(call.join().unwrap().unwrap().outcome, Outcome::Aborted);
    it.assert_gone();

    let owned = Command { owner: Owner(71), ..tree(&at("owner")) };
    let call = std::thread::spawn(move || finish(owned));
    let it = Tree::in_file(&at("owner"));
    assert_eq!(retire_owner(Owner(71)), 1);
    assert_eq!(call.join().unwrap().outcome, Outcome::Aborted);
    it.assert_gone();

    let file = at("exit");
    let out = finish(command(helper(), &["tree-exit", file.to_str().unwrap()]));
    assert_eq!((out.outcome, out.exit_code), (Outcome::Exited, Some(5)));
    Tree::in_file(&file).assert_gone();
}

/// Not a test of its own: the host that the tests below start and end.
#[test]
#[ignore = "a part of the tests below"]
fn host() {
    let Some(file) = std::env::var_os(NEEDS) else { return };
    let file = Path::new(&file);
    let command = tree(file);
    std::thread::spawn(move || finish(command));
    Tree::in_file(file);
    match std::env::var("ADRKIT_TEST_END").as_deref() {
        Ok("exit") => std::process::exit(0),
        Ok("abort") => std::process::abort(),
        _ => loop {
            std::thread::park();
        },
    }
}

/// A process that runs [`host`], perhaps through another program.
fn start_host(through: &[OsString], file: &Path, ends: &str) -> Child {
    let this = std::env::current_exe().unwrap();
    let words = ["trees::host", "--exact", "--include-ignored", "--nocapture"].map(OsString::from);
    let mut line = through.iter().cloned().chain([this.into()]).chain(words);
    let program = line.next().unwrap();
    let mut host = StdCommand::new(program);
    host.args(line).env(NEEDS, file).env("ADRKIT_TEST_END", ends).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn every_end_of_the_host_ends_the_tree() {
    let dir = tempfile::tempdir().unwrap();
    for ends in ["exit", "abort", "killed"] {
        let file = dir.path().join(ends);
        let mut host = start_host(&[], &file, ends);
        let it = Tree::in_file(&file);
        if ends == "killed" {
            assert!(is_alive(it.root) && is_alive(it.leaf));
            host.kill().unwrap();
        }
        host.wait().unwrap();
        it.assert_gone();
    }
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn our_job_nests_within_the_hosts() {
    let dir = tempfile::tempdir().unwrap();
    let through = [helper().into(), OsString::from("in-job")];
    // Ours ends its tree without the outer one: the host, which is in the outer job, goes on to a good end.
    let this = std::env::current_exe().unwrap();
    let inner = ["trees::every_end_of_a_call_ends_its_tree", "--exact", "--include-ignored"];
    let output = StdCommand::new(helper()).arg("in-job").arg(this).args(inner).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    // Who ends the outer one means us too.
    let file = dir.path().join("outer");
    let mut outer = start_host(&through, &file, "killed");
    let it = Tree::in_file(&file);
    outer.kill().unwrap();
    outer.wait().unwrap();
    it.assert_gone();
}
