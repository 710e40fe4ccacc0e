//! Starts and ends that need nothing but the system.

use std::time::Duration;

use adrkit_native::error::Error;
use adrkit_native::process::{Cancel, Command, Outcome, Owner, kill_owner, run};

use crate::support::{block_on, cmd, command, finish, system, text};

/// Waits for a minute.
const SLEEPER: &str = "ping -n 60 127.0.0.1";

#[test]
fn an_exit_is_reported_with_code_and_output() {
    let out = finish(cmd("echo out& echo err 1>&2& exit 7"));
    assert_eq!((out.outcome, out.exit_code, out.signal), (Outcome::Exited, Some(7), None));
    assert_eq!(
        (text(&out.stdout), text(&out.stderr), out.output_incomplete),
        ("out".into(), "err".into(), false)
    );
}

#[test]
fn a_grandchild_that_holds_the_pipe_does_not_hold_the_call() {
    let out = finish(cmd(&format!("start /b {SLEEPER}& exit 0")));
    assert_eq!((out.outcome, out.exit_code), (Outcome::Exited, Some(0)));
    assert!(out.output_incomplete && out.duration < Duration::from_secs(30));
}

#[test]
fn a_tree_that_holds_the_pipe_ends_with_the_deadline() {
    let deep = cmd(&format!("cmd /d /c {SLEEPER}"));
    let out = finish(Command { deadline: Duration::from_millis(500), ..deep });
    assert_eq!((out.outcome, out.exit_code), (Outcome::TimedOut, None));
    assert!(out.duration < Duration::from_secs(30));
}

#[test]
fn output_over_the_limit_ends_the_tree() {
    let out = finish(Command { max_output_bytes: 1000, ..cmd("for /l %i in (0,0,1) do @echo endless") });
    assert_eq!((out.outcome, out.stdout.len(), out.output_incomplete), (Outcome::OutputTooLarge, 1000, true));
}

#[test]
fn an_owner_ends_its_own() {
    let call = std::thread::spawn(|| finish(Command { owner: Owner(7), ..cmd(SLEEPER) }));
    // The first may come before the process, and prevents it then.
    while !call.is_finished() {
        let _ = kill_owner(Owner(7));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(call.join().unwrap().outcome, Outcome::Aborted);
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let env = ["SystemRoot", "PATH"].map(|name| (name.into(), std::env::var_os(name).unwrap()));
    let mut plain = Command { env: env.to_vec(), ..cmd("echo [%A%][%B%]") };
    plain.env.push(("A".into(), "x y".into()));
    plain.env.push(("a".into(), "z".into()));
    assert_eq!(text(&finish(plain).stdout), "[z][%B%]");
}

#[test]
fn a_batch_file_gets_plain_words_only() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("a b.cmd");
    std::fs::write(&script, "@echo [%~1][%~2]\r\n@exit /b 3\r\n").unwrap();
    let out = finish(command(script.clone(), &["x", "y z"]));
    assert_eq!((text(&out.stdout), out.exit_code), ("[x][y z]".into(), Some(3)));
    for unsafe_word in ["a&calc", "%PATH%", "\"", "a|b"] {
        let refused = block_on(run(command(script.clone(), &[unsafe_word]), Cancel::new()));
        assert_eq!(refused.unwrap_err(), Error::CommandNotExecutable, "{unsafe_word}");
    }
}

#[test]
fn a_process_that_cannot_start_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let text_file = dir.path().join("plain.exe");
    std::fs::write(&text_file, "no program").unwrap();
    let fine = || cmd("exit 0");
    let long = "x".repeat(40_000);
    let cases = [
        (command(dir.path().join("gone.exe"), &[]), Error::CommandNotFound),
        (command("adrkit-no-such-program".into(), &[]), Error::CommandNotFound),
        (command(text_file, &[]), Error::CommandNotExecutable),
        (command(system("cmd.exe"), &[&long]), Error::CommandTooLong),
        (Command { cwd: dir.path().join("gone"), ..fine() }, Error::WorkingDirectoryGone),
        (command(system("cmd.exe"), &["a\0b"]), Error::SpawnFailed),
        (Command { env: vec![("A=B".into(), "".into())], ..fine() }, Error::SpawnFailed),
    ];
    for (command, error) in cases {
        assert_eq!(
            block_on(run(command.clone(), Cancel::new())).unwrap_err(),
            error,
            "{:?}",
            command.program
        );
    }
}
