//! Supervised processes, through the public interface.
#![cfg(unix)]

mod support;

use std::ffi::OsString;
use std::future::Future;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use adrkit_native::error::Error;
use adrkit_native::process::{
    Cancel, Command, Finished, Outcome, Owner, kill_all, kill_owner, retire_owner, run, run_within,
    shut_down, signal_name, start,
};
use support::{
    QUICK, assert_gone, block_on, eventually, in_own_process, is_alive, pids, pids_in, runner, sh,
};

fn finish(command: Command) -> Finished {
    block_on(run_within(command, Cancel::new(), QUICK)).expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn an_exit_is_reported_with_code_and_output() {
    let out = finish(sh("echo out; echo err >&2; exit 7"));
    assert_eq!((out.outcome, out.exit_code, out.signal), (Outcome::Exited, Some(7), None));
    assert_eq!((text(&out.stdout), text(&out.stderr), out.output_incomplete), ("out\n", "err\n", false));
    assert!(out.duration > Duration::ZERO);
}

#[test]
fn a_foreign_signal_is_told_from_ours() {
    for name in ["TERM", "KILL", "SEGV"] {
        let out = finish(sh(&format!("ulimit -c 0; kill -s {name} $$")));
        assert_eq!((out.outcome, out.exit_code), (Outcome::Signaled, None));
        assert_eq!(out.signal.and_then(signal_name), Some(&*format!("SIG{name}")));
    }
}

#[test]
fn the_environment_is_exactly_what_was_given() {
    let mut command = sh("");
    command.program = "env".into();
    command.args.clear();
    command.env.push(("B".into(), "two words = \n".into()));
    command.env.push(("A".into(), "old".into()));
    command.env.push(("A".into(), OsString::from_vec(vec![0xff, b'x'])));
    let out = finish(command);
    let mut lines: Vec<&[u8]> = out.stdout.split_inclusive(|b| *b == b'\n').collect();
    lines.sort_unstable();
    assert_eq!(lines.concat(), b"\nA=\xffx\nB=two words = \nPATH=/usr/local/bin:/usr/bin:/bin\n");
}

#[test]
fn the_child_leads_a_group_of_its_own_in_its_directory_without_stdin() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = sh("cat; pwd -P; kill -s 0 -- -$$ && echo leads");
    command.cwd = dir.path().into();
    let out = finish(command);
    let here = dir.path().canonicalize().unwrap();
    assert_eq!(text(&out.stdout), format!("{}\nleads\n", here.display()));
}

#[test]
fn a_relative_program_is_relative_to_the_childs_directory() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/echo", dir.path().join("bin/say")).unwrap();
    let command =
        Command { program: "bin/say".into(), args: vec!["hi".into()], cwd: dir.path().into(), ..sh("") };
    assert_eq!(finish(command.clone()).stdout, b"hi\n");
    let bare = Command { program: "say".into(), cwd: dir.path().join("bin"), ..command };
    assert_eq!(block_on(run(bare, Cancel::new())).unwrap_err(), Error::CommandNotFound);
}

#[test]
fn a_deaf_tree_is_killed_after_the_grace() {
    let deaf = "trap '' TERM; (while :; do sleep 9; done) & echo $$ $!; while :; do sleep 9; done";
    let out = finish(Command { deadline: Duration::from_millis(400), ..sh(deaf) });
    assert_eq!((out.outcome, out.exit_code), (Outcome::TimedOut, None));
    assert_eq!(out.signal.and_then(signal_name), Some("SIGKILL"));
    assert!(out.duration >= Duration::from_millis(400) + QUICK.grace);
    let tree = pids(&out);
    assert_eq!(tree.len(), 2);
    assert_gone(&tree);
}

#[test]
fn a_polite_process_may_have_the_last_word() {
    let script = "trap 'echo bye; exit 3' TERM; echo hi; while :; do sleep 0.01; done";
    let out = finish(Command { deadline: Duration::from_millis(400), ..sh(script) });
    assert_eq!((out.outcome, out.exit_code, text(&out.stdout)), (Outcome::TimedOut, Some(3), "hi\nbye\n"));
}

#[test]
fn a_grandchild_that_holds_the_pipe_does_not_hold_the_call() {
    let out = finish(sh("sleep 600 & echo $!"));
    assert_eq!((out.outcome, out.exit_code, out.output_incomplete), (Outcome::Exited, Some(0), true));
    assert_gone(&pids(&out));
    // It may write for ever.
    let out = finish(Command { max_output_bytes: 1 << 30, ..sh("yes >&2 & echo $!") });
    assert_eq!((out.outcome, out.exit_code, out.output_incomplete), (Outcome::Exited, Some(0), true));
    assert_gone(&pids(&out));
}

#[test]
fn a_grandchild_without_the_pipe_is_ended_too() {
    let out = finish(sh("sleep 600 >/dev/null 2>&1 & echo $!"));
    assert_eq!((out.outcome, out.exit_code, out.output_incomplete), (Outcome::Exited, Some(0), false));
    assert_gone(&pids(&out));
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_leaves_the_group_is_out_of_reach_but_holds_nothing() {
    let out = finish(sh("setsid sleep 600 & echo $!"));
    assert_eq!((out.outcome, out.output_incomplete), (Outcome::Exited, true));
    let [escaped] = pids(&out)[..] else { panic!("one number") };
    assert!(is_alive(escaped));
    let escaped = rustix::process::Pid::from_raw(i32::try_from(escaped).unwrap()).unwrap();
    rustix::process::kill_process(escaped, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn both_streams_arrive_whole() {
    const SIZE: usize = 8 << 20;
    let fill = format!("head -c {SIZE} /dev/zero");
    let command = Command { max_output_bytes: SIZE, ..sh(&format!("{fill} >&2 & {fill}; wait")) };
    let out = finish(command);
    assert_eq!((out.outcome, out.output_incomplete), (Outcome::Exited, false));
    assert_eq!((out.stdout.len(), out.stderr.len()), (SIZE, SIZE));
}

#[test]
fn output_over_the_limit_ends_the_group() {
    for redirect in ["", " >&2"] {
        let out = finish(Command { max_output_bytes: 100_001, ..sh(&format!("yes no{redirect}")) });
        assert_eq!((out.outcome, out.output_incomplete), (Outcome::OutputTooLarge, true));
        let (full, empty) =
            if redirect.is_empty() { (out.stdout, out.stderr) } else { (out.stderr, out.stdout) };
        assert_eq!(full, [&b"no\n".repeat(33_333)[..], b"no"].concat());
        assert!(empty.is_empty());
    }
    // One byte too much from a process that has already gone.
    let out = finish(Command { max_output_bytes: 2, ..sh("echo no") });
    assert_eq!(
        (out.outcome, text(&out.stdout), out.output_incomplete),
        (Outcome::OutputTooLarge, "no", true)
    );
    let out = finish(Command { max_output_bytes: 3, ..sh("echo no") });
    assert_eq!((out.outcome, out.output_incomplete), (Outcome::Exited, false));
}

#[test]
fn an_abort_ends_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let cancel = Cancel::new();
    let call =
        run_within(sh(&format!("sleep 600 & echo $$ $! >{}; wait", file.display())), cancel.clone(), QUICK);
    let call = thread::spawn(|| block_on(call).unwrap());
    let tree = pids_in(&file);
    cancel.cancel();
    let out = call.join().unwrap();
    assert_eq!((out.outcome, out.signal.and_then(signal_name)), (Outcome::Aborted, Some("SIGTERM")));
    assert_gone(&tree);
}

#[test]
fn without_a_future_each_end_is_told_once() {
    let ended = |script: &str, cancel: &Cancel, then_cancel: bool| {
        let (sender, receiver) = mpsc::channel();
        start(sh(script), cancel.clone(), move |result| sender.send(result).unwrap());
        if then_cancel {
            cancel.cancel();
        }
        let outcomes: Vec<_> =
            receiver.iter().map(|result| result.map(|it| (it.outcome, it.exit_code))).collect();
        assert_eq!(outcomes.len(), 1);
        outcomes.into_iter().next().unwrap()
    };
    let cancel = Cancel::new();
    assert_eq!(ended("exit 3", &cancel, false), Ok((Outcome::Exited, Some(3))));
    assert_eq!(ended("sleep 600", &cancel, true), Ok((Outcome::Aborted, None)));
    assert_eq!(ended("sleep 600", &cancel, false), Ok((Outcome::Aborted, None)));
    assert_eq!(ended("exit \0", &Cancel::new(), false), Err(Error::SpawnFailed));
}

#[test]
fn an_abort_before_the_start_spawns_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("canary");
    let cancel = Cancel::new();
    cancel.cancel();
    let out = block_on(run(sh(&format!("echo >{}", file.display())), cancel)).unwrap();
    assert_eq!((out.outcome, out.exit_code, out.duration), (Outcome::Aborted, None, Duration::ZERO));
    assert!(!file.exists());
}

#[test]
fn a_dropped_future_ends_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pids");
    let tree = {
        let mut call = pin!(run_within(
            sh(&format!("sleep 600 & echo $$ $! >{}; wait", file.display())),
            Cancel::new(),
            QUICK
        ));
        assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        pids_in(&file)
    };
    assert_gone(&tree);
}

#[test]
fn a_process_that_cannot_start_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str, mode: u32| {
        let path = dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let program = |program: std::path::PathBuf| Command { program, ..sh("") };
    let in_dir = |cwd: std::path::PathBuf| Command { cwd, ..sh("") };
    let nul = || OsString::from("a\0b");
    let gone = dir.path().join("gone");
    let plain = file("plain", "#!/bin/sh\n", 0o644);
    let orphan = file("orphan", "#!/nonexistent/interpreter\n", 0o755);
    let garbage = file("garbage", "\u{1}\u{2}garbage", 0o755);
    let cases = [
        ("absent", program(gone.clone()), Error::CommandNotFound),
        ("absent on PATH", program("adrkit-no-such-program".into()), Error::CommandNotFound),
        ("no PATH", Command { env: vec![], ..program("env".into()) }, Error::CommandNotFound),
        ("below a file", program(plain.join("x")), Error::CommandNotFound),
        ("nameless", program("".into()), Error::CommandNotFound),
        ("no execute bit", program(plain.clone()), Error::CommandNotExecutable),
        ("a directory", program(dir.path().into()), Error::CommandNotExecutable),
        ("no interpreter", program(orphan.clone()), Error::CommandNotExecutable),
        ("no program format", program(garbage), Error::CommandNotExecutable),
        (
            "long argument",
            Command { args: vec!["x".repeat(4 << 20).into()], ..sh("") },
            Error::CommandTooLong,
        ),
        ("absent directory", in_dir(gone.clone()), Error::WorkingDirectoryGone),
        ("directory is a file", in_dir(plain), Error::WorkingDirectoryGone),
        ("both absent", Command { cwd: gone.clone(), ..program(gone) }, Error::WorkingDirectoryGone),
        (
            "no directory, no interpreter",
            Command { cwd: "/nope".into(), ..program(orphan) },
            Error::WorkingDirectoryGone,
        ),
        ("NUL in program", program(format!("/bin/{}", "e\0cho").into()), Error::SpawnFailed),
        ("NUL in argument", Command { args: vec![nul()], ..sh("") }, Error::SpawnFailed),
        ("NUL in name", Command { env: vec![(nul(), "".into())], ..sh("") }, Error::SpawnFailed),
        ("NUL in value", Command { env: vec![("A".into(), nul())], ..sh("") }, Error::SpawnFailed),
        ("NUL in directory", in_dir(nul().into()), Error::SpawnFailed),
    ];
    for (what, command, error) in cases {
        assert_eq!(block_on(run(command, Cancel::new())).unwrap_err(), error, "{what}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_is_being_written_is_not_executable_yet() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("busy");
    std::fs::write(&path, "#!/bin/sh\necho done\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let writer = std::fs::File::options().append(true).open(&path).unwrap();
    let busy = Command { program: path, ..sh("") };
    assert_eq!(block_on(run(busy.clone(), Cancel::new())).unwrap_err(), Error::CommandNotExecutable);
    drop(writer);
    assert_eq!(finish(busy).stdout, b"done\n");
}

#[test]
fn endless_bounds_do_not_overflow() {
    assert_eq!(finish(Command { deadline: Duration::MAX, ..sh("echo hi") }).stdout, b"hi\n");
}

#[test]
fn without_descriptors_it_says_so() {
    if !in_own_process("without_descriptors_it_says_so", &[]) {
        return;
    }
    let limit = rustix::process::Rlimit { current: Some(64), maximum: Some(64) };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
    let mut held: Vec<std::fs::File> = std::iter::from_fn(|| std::fs::File::open("/dev/null").ok()).collect();
    assert!(!held.is_empty());
    // Each number of free descriptors stops the start at another place, until one is enough.
    let mut failures = 0;
    while let Err(error) = block_on(run(sh("exit 0"), Cancel::new())) {
        assert_eq!(error, Error::TooManyOpenFiles, "with {failures} free");
        failures += 1;
        drop(held.pop());
        assert!(failures < 20);
    }
    assert!(failures > 4);
}

/// The threads and descriptors of this process, and its children (zombies too).
#[cfg(target_os = "linux")]
fn belongings() -> (usize, usize, usize) {
    let count = |dir: &str| std::fs::read_dir(dir).expect("/proc").count();
    let children = std::fs::read_dir("/proc/self/task")
        .expect("/proc")
        .filter_map(|task| std::fs::read_to_string(task.expect("/proc").path().join("children")).ok())
        .map(|children| children.split_whitespace().count())
        .sum();
    (count("/proc/self/task"), count("/proc/self/fd"), children)
}

#[test]
#[cfg(target_os = "linux")]
fn five_hundred_aborted_calls_leave_nothing() {
    if !in_own_process("five_hundred_aborted_calls_leave_nothing", &[]) {
        return;
    }
    let before = belongings();
    for round in 0..50 {
        let calls: Vec<_> = (0..10)
            .map(|i| {
                thread::spawn(move || {
                    let cancel = Cancel::new();
                    let mut call = pin!(run_within(sh("sleep 600 & sleep 600"), cancel.clone(), QUICK));
                    assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
                    // Some before the spawn, some during it, some after it; every tenth by a drop.
                    thread::sleep(Duration::from_micros((round % 5) * 700));
                    if i > 0 {
                        cancel.cancel();
                        assert_eq!(block_on(call).unwrap().outcome, Outcome::Aborted);
                    }
                })
            })
            .collect();
        for call in calls {
            call.join().unwrap();
        }
    }
    eventually("nothing is left", || belongings() == before);
}

#[test]
fn kill_all_ends_every_group_and_kill_owner_its_own() {
    if !in_own_process("kill_all_ends_every_group_and_kill_owner_its_own", &[]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let start = |name: &str, owner: u64| {
        let file = dir.path().join(name);
        let deaf = format!("trap '' TERM; sleep 600 & echo $$ $! >{}; wait", file.display());
        let call = run(Command { owner: Owner(owner), ..sh(&deaf) }, Cancel::new());
        let call = thread::spawn(|| block_on(call).unwrap());
        (call, pids_in(&file))
    };
    let killed = |(call, tree): (thread::JoinHandle<Finished>, Vec<u32>)| {
        let out = call.join().unwrap();
        assert_eq!((out.outcome, out.signal.and_then(signal_name)), (Outcome::Aborted, Some("SIGKILL")));
        assert_gone(&tree);
    };
    let (one, two, other) = (start("one", 1), start("two", 1), start("other", 2));
    assert_eq!(kill_owner(Owner(3)), 0);
    assert_eq!(kill_owner(Owner(1)), 2);
    killed(one);
    killed(two);
    assert!(other.1.iter().all(|pid| is_alive(*pid)));
    let nobodys = start("nobodys", 0);
    assert_eq!(kill_all(), 2);
    killed(other);
    killed(nobodys);
    assert_eq!(kill_all(), 0);

    let hello =
        |owner| block_on(run(Command { owner: Owner(owner), ..sh("echo hi") }, Cancel::new())).unwrap();
    assert_eq!(hello(1).outcome, Outcome::Exited);
    assert_eq!(retire_owner(Owner(1)) + retire_owner(Owner(0)), 0);
    assert_eq!(
        [0, 1, 2].map(|owner| hello(owner).outcome),
        [Outcome::Exited, Outcome::Aborted, Outcome::Exited]
    );
    assert_eq!(shut_down(), 0);
    assert_eq!([0, 2].map(|owner| hello(owner).outcome), [Outcome::Aborted; 2]);
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_that_is_being_spawned_escapes_the_end() {
    if !in_own_process("nothing_that_is_being_spawned_escapes_the_end", &[]) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let go_on = Arc::new(AtomicBool::new(true));
    let storm: Vec<_> = (0..8)
        .map(|i| {
            let go_on = Arc::clone(&go_on);
            let file = dir.path().join(i.to_string());
            thread::spawn(move || {
                while go_on.load(Ordering::Relaxed) {
                    let script = format!("echo $$ >>{}; exec sleep 600", file.display());
                    let out = block_on(run(sh(&script), Cancel::new())).unwrap();
                    assert_eq!(out.outcome, Outcome::Aborted);
                }
            })
        })
        .collect();
    for _ in 0..30 {
        let _ = kill_all();
        thread::sleep(Duration::from_millis(3));
    }
    let _ = shut_down();
    go_on.store(false, Ordering::Relaxed);
    for thread in storm {
        thread.join().unwrap();
    }
    eventually("no child is left", || belongings().2 == 0);
    for file in std::fs::read_dir(dir.path()).unwrap() {
        assert_gone(&pids_in(&file.unwrap().path()));
    }
}

/// Every process whose command line holds `mark`.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<u32> {
    let holds = |pid: &u32| {
        std::fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark))
    };
    let entries = std::fs::read_dir("/proc").expect("/proc");
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).filter(holds).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_host_that_shuts_down_in_the_middle_of_spawns_leaves_nothing() {
    const MARK: &str = "ADRKIT_TEST_MARK";
    if let Ok(mark) = std::env::var(MARK) {
        for _ in 0..6 {
            let script = format!("trap '' TERM; sleep 600; : {mark}");
            thread::spawn(move || {
                loop {
                    let _ = block_on(run(sh(&script), Cancel::new()));
                }
            });
        }
        eventually("some run", || kill_all() > 2);
        let _ = shut_down();
        // Like an exit hook: nothing gets any time after it.
        std::process::exit(42);
    }
    for round in 0..10 {
        let mark = format!("adrkit-mark-{}-{round}", std::process::id());
        let mut argv = runner().chain([std::env::current_exe().unwrap().into()]);
        let host = std::process::Command::new(argv.next().unwrap())
            .args(argv)
            .args(["a_host_that_shuts_down_in_the_middle_of_spawns_leaves_nothing", "--exact", "--nocapture"])
            .env(MARK, &mark)
            .output()
            .unwrap();
        assert_eq!(host.status.code(), Some(42), "{}", String::from_utf8_lossy(&host.stderr));
        // What was killed may take an instant to be gone; what was not stays for ten minutes.
        eventually("the marked processes are gone", || marked(&mark).is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_host_that_dies_without_a_word_leaves_nothing() {
    const DIR: &str = "ADRKIT_TEST_DIR";
    let pids = |dir: &std::path::Path| pids_in(&dir.join("pids"));
    if let Some(dir) = std::env::var_os(DIR) {
        let dir = std::path::Path::new(&dir);
        let script = format!("trap '' TERM; sleep 600 & echo $$ $! >{}/pids; wait", dir.display());
        thread::spawn(move || block_on(run(sh(&script), Cancel::new())));
        let watcher = format!("adrkit-watcher\0{}\0", pids(dir)[0]);
        eventually("there is a watcher", || !marked(&watcher).is_empty());
        std::process::abort();
    }
    let dir = tempfile::tempdir().unwrap();
    let mut argv = runner().chain([std::env::current_exe().unwrap().into()]);
    let host = std::process::Command::new(argv.next().unwrap())
        .args(argv)
        .args(["a_host_that_dies_without_a_word_leaves_nothing", "--exact", "--nocapture"])
        .env(DIR, dir.path())
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!(host.status.code(), None, "{}", String::from_utf8_lossy(&host.stderr));
    let tree = pids(dir.path());
    eventually("the watcher is gone", || marked(&format!("adrkit-watcher\0{}\0", tree[0])).is_empty());
    assert_gone(&tree);
}

#[test]
fn a_host_that_ignores_sigchld_costs_the_status_only() {
    // dash does not ignore this signal even when told.
    let ignoring = ["bash", "-c", "trap '' CHLD; exec \"$@\"", "bash"];
    if !in_own_process("a_host_that_ignores_sigchld_costs_the_status_only", &ignoring) {
        return;
    }
    let out = finish(sh("echo hi; exit 3"));
    assert_eq!((out.outcome, out.exit_code, out.signal), (Outcome::Exited, None, None));
    assert_eq!((text(&out.stdout), out.output_incomplete), ("hi\n", false));
    let out = finish(Command {
        deadline: Duration::from_millis(300),
        ..sh("trap '' TERM; echo $$; while :; do sleep 9; done")
    });
    assert_eq!((out.outcome, out.exit_code, out.signal), (Outcome::TimedOut, None, None));
    assert_gone(&pids(&out));
}

#[test]
fn a_call_works_on_any_executor() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(run(sh("echo hi"), Cancel::new())).unwrap().stdout, b"hi\n");
    // A call can be polled by hand and settles by its waker alone.
    let mut call = pin!(run(sh("exit 0"), Cancel::new()));
    let mut polled = None;
    eventually("it settles", || {
        if let Poll::Ready(out) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            polled = Some(out);
        }
        polled.is_some()
    });
    assert_eq!(polled.unwrap().unwrap().exit_code, Some(0));
}
