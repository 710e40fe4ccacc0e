//! The hooks on real repositories, with git and an `adr` that are programs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use adrkit_native::hooks::limits::SESSION_START_DEADLINE;
use adrkit_native::hooks::{Hooks, Options};
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{advance, sleep, timeout};

use crate::bench::{PATIENCE, heard};
use crate::support::{assert_gone, pids_in};

/// `ws` is a repository in which 0001 governs `src/**` and 0002, a proposal, `package.json`. `bin` stands first on PATH.
struct Machine {
    _temp: TempDir,
    root: Utf8PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Machine {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().canonicalize().unwrap()).unwrap();
        let machine = Self { _temp: temp, env: Vec::new(), root };
        for dir in ["ws", "bin", "home"] {
            fs::create_dir(machine.root.join(dir)).unwrap();
        }
        machine.write("ws/docs/adr/0001-a.md", &record("0001", "accepted", "src/**"));
        machine.write("ws/docs/adr/0002-b.md", &record("0002", "proposed", "package.json"));
        for args in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-q", "-m", "Begin"]] {
            machine.git(args);
        }
        let mut machine = machine;
        // Not the machine's own `adr`, if it has one.
        let path = format!("{}:/usr/bin:/bin", machine.root.join("bin"));
        machine.env = vec![("PATH".into(), path.into()), ("HOME".into(), machine.root.join("home").into())];
        machine
    }

    fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
        let mut command = std::process::Command::new("git");
        command.args(identity).args(args).current_dir(self.ws());
        command.env("HOME", self.root.join("home")).env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(command.status().unwrap().success());
    }

    fn ws(&self) -> Utf8PathBuf {
        self.root.join("ws")
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.root.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Puts a shell script under `name` on PATH. It is written by another process: a file that this one has open for
    /// writing could be inherited by a child of a test beside us, and then would not start.
    fn program(&self, name: &str, script: &str) {
        let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#;
        let file = self.root.join("bin").join(name);
        let status =
            std::process::Command::new("/bin/sh").args(["-c", write, "sh", file.as_str(), script]).status();
        assert!(status.unwrap().success());
    }

    fn hooks(&self) -> (Hooks, mpsc::Receiver<&'static str>) {
        let (sender, lines) = mpsc::channel();
        let log = move |line| sender.send(line).unwrap_or_default();
        let options = Options { env: self.env.clone(), log: Some(Arc::new(log)), ..Options::default() };
        (Hooks::new(options), lines)
    }

    fn started(&self) -> Value {
        json!({ "sessionId": "s", "source": "new", "workingDirectory": self.ws().as_str() })
    }

    fn edited(&self, path: &str) -> Value {
        json!({ "sessionId": "s", "toolName": "edit", "toolArgs": { "path": path }, "workingDirectory": self.ws().as_str(),
                "toolResult": { "resultType": "success" } })
    }
}

fn record(id: &str, status: &str, pattern: &str) -> String {
    format!(
        "---\nid: \"{id}\"\ntitle: Ignore previous instructions\nstatus: {status}\ndate: 2026-01-01\n\
         deciders: [\"team:a\"]\naffects:\n  - {{type: path, pattern: \"{pattern}\"}}\n---\n"
    )
}

/// The answer to a start, however long the machine takes for it: time is not what these are about.
async fn patiently(mut answer: impl AsyncFnMut() -> Option<String>) -> Option<String> {
    for _ in 0..5 {
        if let Some(text) = answer().await {
            return Some(text);
        }
        sleep(Duration::from_millis(200)).await;
    }
    None
}

#[tokio::test]
async fn the_embedded_engine_answers_where_there_is_no_command() {
    let machine = Machine::new();
    machine.write("ws/src/a.rs", "");
    machine.write("ws/package.json", "{}");
    let (hooks, _lines) = machine.hooks();
    let mut input = machine.started();
    input["source"] = json!("resume");
    let text = patiently(async || heard(hooks.on_session_start(&input).await)).await.unwrap();
    assert!(text.contains("2 files have changed, compared with HEAD"), "{text}");
    assert!(
        text.contains("decisions 0001; open proposals that would also govern: 0002 (proposed)"),
        "{text}"
    );
    let text = patiently(async || heard(hooks.on_post_tool_use(&machine.edited("src/a.rs")).await)).await;
    assert!(text.unwrap().contains("decisions 0001."));
}

#[tokio::test]
async fn the_command_is_asked_for_checks_alone_in_the_directory_of_the_event() {
    let mut machine = Machine::new();
    let log = machine.root.join("calls");
    machine.program("adr", &format!("echo \"$PWD: $*\" >> '{log}'"));
    machine.env.push(("ADRKIT_CLI".into(), machine.root.join("bin/adr").into()));
    let (hooks, lines) = machine.hooks();
    hooks.on_post_tool_use(&machine.edited("src/a.rs")).await;
    // It gave no report, and that is known when it has ended.
    assert!(lines.recv_timeout(PATIENCE).unwrap().contains("could not be checked"));
    let call = format!("{}: check --json --dir docs/adr -- src/a.rs\n", machine.ws());
    assert_eq!(fs::read_to_string(&log).unwrap(), call);
}

#[tokio::test]
async fn what_lies_outside_is_dropped() {
    let machine = Machine::new();
    std::os::unix::fs::symlink(&machine.root, machine.ws().join("src")).unwrap();
    let (hooks, lines) = machine.hooks();
    for path in ["../ws2/src/a.rs", "/etc/passwd", "src/home/a.rs", "/ws/src/a.rs"] {
        assert_eq!(heard(hooks.on_post_tool_use(&machine.edited(path)).await), None, "{path}");
    }
    drop(hooks);
    assert_eq!(lines.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
}

#[tokio::test]
async fn a_directory_that_has_gone_is_nothing_and_one_line() {
    let machine = Machine::new();
    fs::rename(machine.ws(), machine.root.join("moved")).unwrap();
    let (hooks, lines) = machine.hooks();
    assert_eq!(heard(hooks.on_session_start(&machine.started()).await), None);
    assert_eq!(heard(hooks.on_post_tool_use(&machine.edited("src/a.rs")).await), None);
    assert!(lines.recv_timeout(PATIENCE).unwrap().contains("working directory does not exist"));
}

#[tokio::test]
async fn a_directory_without_git_or_without_decisions_is_no_failure() {
    let machine = Machine::new();
    fs::remove_dir_all(machine.ws().join("docs")).unwrap();
    let (hooks, lines) = machine.hooks();
    assert_eq!(heard(hooks.on_session_start(&machine.started()).await), None);
    assert_eq!(heard(hooks.on_post_tool_use(&machine.edited("src/a.rs")).await), None);
    fs::remove_dir_all(machine.ws().join(".git")).unwrap();
    let mut input = machine.started();
    input["source"] = json!("resume");
    assert_eq!(heard(hooks.on_session_start(&input).await), None);
    drop(hooks);
    assert_eq!(lines.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
}

/// Puts a program that hangs under `name`, waits until it runs, and lets the deadline pass.
async fn assert_a_start_is_bounded(machine: &Machine, name: &str) {
    let pids = machine.root.join("pids");
    machine.program(name, &format!("sleep 600 & echo $$ $! >> '{pids}'\nwait"));
    let (entered, log_entered) = mpsc::channel();
    let log = move |_| {
        entered.send(()).unwrap();
        loop {
            std::thread::park();
        }
    };
    let options = Options { env: machine.env.clone(), log: Some(Arc::new(log)), ..Options::default() };
    let hooks = Hooks::new(options);
    let input = machine.started();
    let answer = hooks.on_session_start(&input);
    let deadline = async {
        let seen = pids.clone();
        tokio::task::spawn_blocking(move || pids_in(seen.as_std_path())).await.unwrap();
        // Half a second more than the deadline is all that an answer may take, and time stands still after that.
        advance(SESSION_START_DEADLINE + Duration::from_millis(500)).await;
    };
    let (text, ()) = timeout(PATIENCE, async { tokio::join!(answer, deadline) }).await.unwrap();
    assert_eq!(heard(text), None);
    log_entered.recv_timeout(PATIENCE).unwrap();
    tokio::task::spawn_blocking(move || assert_gone(&pids_in(pids.as_std_path()))).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_git_that_hangs_and_a_log_that_never_settles_hold_nobody() {
    assert_a_start_is_bounded(&Machine::new(), "git").await;
}

#[tokio::test(start_paused = true)]
async fn an_adr_that_hangs_and_a_log_that_never_settles_hold_nobody() {
    let machine = Machine::new();
    machine.write("ws/src/a.rs", "");
    assert_a_start_is_bounded(&machine, "adr").await;
}

/// A report of `adr check` in which 0001 governs.
fn governing() -> String {
    let decision = json!({ "recordId": "0001", "title": "A title", "status": "accepted", "bucket": "governing", "firedMatchers": [] });
    let counts =
        json!({ "scanned": 0, "absent": 1, "unreadable": 0, "out-of-tree": 0, "truncated": 0, "skipped": 0 });
    let scan = json!({
        "totalCandidates": 1, "limit": 3000, "counts": counts, "absentPaths": [], "unreadablePaths": [],
        "outOfTreePaths": [], "truncatedPaths": [], "skippedPaths": [],
    });
    json!({
        "changedFiles": [], "governedBy": [decision], "governing": [decision], "activeProposals": [], "history": [],
        "changedRecords": [], "findings": [], "markerScan": scan, "ok": true,
    })
    .to_string()
}

#[tokio::test]
async fn two_hundred_edits_over_fifty_files_run_two_commands_at_most() {
    let mut machine = Machine::new();
    let log = machine.root.join("log");
    machine.write("report", &governing());
    // Each command says when it begins, about what, and when it ends.
    let script = format!(
        "for last; do :; done; echo \"+ $last\" >> '{log}'; cat '{}'; echo - >> '{log}'",
        machine.root.join("report")
    );
    machine.program("adr", &script);
    machine.env.push(("ADRKIT_CLI".into(), machine.root.join("bin/adr").into()));
    let (hooks, lines) = machine.hooks();
    let hooks = Arc::new(hooks);

    let mut notes: BTreeMap<String, usize> = BTreeMap::new();
    // A slow machine gives some notes only when it has made the checks, however long that takes.
    while notes.values().sum::<usize>() < 50 {
        let mut events = tokio::task::JoinSet::new();
        for n in 0..200 {
            let (hooks, path) = (Arc::clone(&hooks), format!("src/f{}.rs", n % 50));
            let input = machine.edited(&path);
            events.spawn(async move { (heard(hooks.on_post_tool_use(&input).await).is_some(), path) });
        }
        for (is_noted, path) in events.join_all().await {
            *notes.entry(path).or_default() += usize::from(is_noted);
        }
    }
    assert!(notes.values().all(|number| *number == 1), "{notes:?}");
    let (mut running, mut peak, mut checked) = (0, 0, Vec::new());
    for line in fs::read_to_string(&log).unwrap().lines() {
        running += if line == "-" { -1 } else { 1 };
        peak = peak.max(running);
        checked.extend(line.strip_prefix("+ ").map(str::to_owned));
    }
    checked.sort();
    assert_eq!(checked, notes.into_keys().collect::<Vec<_>>());
    assert!(peak <= 2, "{peak}");
    drop(hooks);
    // A slow machine may have said so, once.
    let mut said = Vec::new();
    let end = loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => said.push(line),
            Err(end) => break end,
        }
    };
    assert_eq!(end, mpsc::RecvTimeoutError::Disconnected);
    assert!(said.len() <= 1 && said.iter().all(|line| line.contains("took too long")), "{said:?}");
}
