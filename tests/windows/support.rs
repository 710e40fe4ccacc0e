//! What the tests of Windows share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as StdCommand;
use std::thread;
use std::time::{Duration, Instant};

use adrkit_native::process::{Cancel, Command, Finished, Owner, run};

/// Long enough for a loaded machine; reached only by a failure.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(future)
}

pub fn system(file: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("SystemRoot").expect("a system")).join("System32").join(file)
}

/// The program of plain C.
pub fn helper() -> PathBuf {
    std::env::var_os("ADRKIT_WINDOWS_HELPER").expect("the helper's path").into()
}

/// `program` with `args` under a deadline that only a failure reaches.
pub fn command(program: PathBuf, args: &[&str]) -> Command {
    Command {
        program,
        args: args.iter().map(Into::into).collect(),
        cwd: std::env::temp_dir(),
        env: std::env::vars_os().collect(),
        deadline: PATIENCE,
        max_output_bytes: 1 << 20,
        owner: Owner::default(),
    }
}

pub fn cmd(script: &str) -> Command {
    command(system("cmd.exe"), &["/d", "/c", script])
}

pub fn finish(command: Command) -> Finished {
    block_on(run(command, Cancel::new())).expect("it starts")
}

/// What a program printed, with Unix line ends and without the last.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n").trim_end().to_owned()
}

/// Waits until `holds`, or fails with `what`.
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "not in time: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A tree of two plain processes, as it names itself in a file.
pub struct Tree {
    pub root: u32,
    pub leaf: u32,
}

impl Tree {
    /// Waits for the tree that writes to `file`.
    pub fn in_file(file: &Path) -> Self {
        let mut text = String::new();
        eventually("the tree says its numbers", || {
            text = fs::read_to_string(file).unwrap_or_default();
            text.ends_with('\n')
        });
        let numbers: Vec<u32> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let [root, leaf] = numbers[..] else { panic!("two numbers: {text}") };
        Self { root, leaf }
    }

    pub fn assert_gone(&self) {
        eventually("the tree is gone", || !is_alive(self.root) && !is_alive(self.leaf));
    }
}

fn helped(what: &str, pid: u32) -> bool {
    StdCommand::new(helper()).args([what, &pid.to_string()]).status().unwrap().success()
}

pub fn is_alive(pid: u32) -> bool {
    helped("alive", pid)
}

pub fn end(pid: u32) {
    assert!(helped("end", pid), "no such process: {pid}");
}
