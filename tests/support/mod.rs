//! What the tests of supervised processes share.

use std::ffi::OsString;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use adrkit_native::process::{Bounds, Command, Finished, Owner};

/// Long enough for a loaded machine; reached only by a failure.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Bounds that keep the tests quick.
pub const QUICK: Bounds = Bounds {
    grace: Duration::from_millis(100),
    drain: Duration::from_millis(100),
    unkillable: Duration::from_secs(5),
};

/// `sh -c script`, with a deadline that only a failure reaches.
pub fn sh(script: &str) -> Command {
    Command {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        cwd: "/".into(),
        env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        deadline: PATIENCE,
        max_output_bytes: 1 << 20,
        owner: Owner::default(),
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for `future` with nothing but a parked thread: the library must not need a runtime.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Arc::new(Unpark(thread::current())).into();
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Waits until `holds`, or fails with `what`.
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "not in time: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// The process numbers that a script printed.
pub fn pids(finished: &Finished) -> Vec<u32> {
    numbers(&String::from_utf8_lossy(&finished.stdout))
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|word| word.parse().expect("a process number")).collect()
}

/// The process numbers in `file`, once a whole line stands there.
pub fn pids_in(file: &Path) -> Vec<u32> {
    let mut text = String::new();
    eventually("the script says its numbers", || {
        text = std::fs::read_to_string(file).unwrap_or_default();
        text.ends_with('\n')
    });
    numbers(&text)
}

/// Whether a process is there and not a zombie: an orphan may wait for its new parent for a while.
pub fn is_alive(pid: u32) -> bool {
    if cfg!(target_os = "linux") {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        return stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| !matches!(rest.trim_start().chars().next(), None | Some('Z' | 'X')));
    }
    std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .is_ok_and(|out| !out.stdout.is_empty() && !out.stdout.starts_with(b"Z"))
}

/// All of `pids` end.
pub fn assert_gone(pids: &[u32]) {
    assert!(!pids.is_empty());
    eventually("the processes are gone", || !pids.iter().any(|pid| is_alive(*pid)));
}

/// What starts programs of this platform where the system alone cannot: an emulator, with its options.
pub fn runner() -> impl Iterator<Item = OsString> {
    let words = std::env::var("ADRKIT_TEST_RUNNER").unwrap_or_default();
    words.split_whitespace().map(OsString::from).collect::<Vec<_>>().into_iter()
}

/// Runs the test called `name` in a process of its own, and says whether this is that process: for tests that count
/// what a whole process has, or change it. `through` is a command that prepares it and runs its arguments.
pub fn in_own_process(name: &str, through: &[&str]) -> bool {
    const MARK: &str = "ADRKIT_TEST_ALONE";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let this = std::env::current_exe().expect("the test's own path").into_os_string();
    let mut argv = through.iter().map(OsString::from).chain(runner()).chain([this]);
    let output = std::process::Command::new(argv.next().expect("the test at least"))
        .args(argv)
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(MARK, "1")
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    // Indented, so that nobody takes it for what this process says of its own tests.
    let all = format!("\n{said}{}", String::from_utf8_lossy(&output.stderr)).replace('\n', "\n    ");
    assert!(output.status.success(), "{all}");
    assert!(said.contains("1 passed"), "no such test: {name}");
    false
}
