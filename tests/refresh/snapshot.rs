//! What a snapshot holds, in real repositories with an `adr` that is a shell script.

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use adrkit_native::engine::{Ask, EngineChoice};
use adrkit_native::process::{Cancel, Owner};
use adrkit_native::slots::Slots;
use adrkit_native::snapshot::{CHANGES_UNKNOWN, Snapshot, collect_and_check};
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{assert_gone, pids_in};

/// Long enough for a loaded machine; reached only by a failure.
const PATIENCE: Duration = Duration::from_secs(60);

struct Machine {
    _temp: TempDir,
    root: Utf8PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Machine {
    /// A repository in which 0001 governs `src/a.rs`, which has changed.
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(temp.path().canonicalize().unwrap()).unwrap();
        let env = vec![("PATH".into(), "/usr/bin:/bin".into()), ("HOME".into(), root.clone().into())];
        let machine = Self { _temp: temp, root, env };
        for dir in ["ws/docs/adr", "ws/src"] {
            fs::create_dir_all(machine.root.join(dir)).unwrap();
        }
        let record = "---\nid: \"0001\"\ntitle: A title\nstatus: accepted\ndate: 2026-01-01\ndeciders: [\"team:a\"]\n\
                      affects:\n  - {type: path, pattern: \"src/**\"}\n---\n";
        fs::write(machine.root.join("ws/docs/adr/0001-a.md"), record).unwrap();
        fs::write(machine.root.join("ws/src/a.rs"), "").unwrap();
        let mut git = std::process::Command::new("git");
        git.args(["init", "-q", "-b", "main"]).current_dir(machine.root.join("ws"));
        assert!(git.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", &machine.root).status().unwrap().success());
        machine
    }

    /// Names an `adr` that runs `script`, in which `$1` is the question.
    fn adr(&mut self, script: &str) {
        let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 755 "$1""#;
        let file = self.root.join("adr");
        let status =
            std::process::Command::new("/bin/sh").args(["-c", write, "sh", file.as_str(), script]).status();
        assert!(status.unwrap().success());
        self.env.push(("ADRKIT_CLI".into(), file.into()));
    }

    fn ask(&self) -> Ask {
        Ask {
            cwd: self.root.join("ws"),
            dir: None,
            engine: EngineChoice::Auto,
            deadline: PATIENCE,
            env: self.env.clone(),
            owner: Owner::default(),
        }
    }

    async fn snapshot(&self, cancel: &Cancel) -> Snapshot {
        collect_and_check(&self.ask(), None, &Slots::default(), cancel).await
    }
}

fn codes(snapshot: &Snapshot) -> [Option<&'static str>; 4] {
    [snapshot.changes.missing(), snapshot.check.missing(), snapshot.lint.missing(), snapshot.queue.missing()]
}

#[tokio::test]
async fn it_holds_changes_check_lint_and_queue() {
    let machine = Machine::new();
    let snapshot = machine.snapshot(&Cancel::new()).await;
    assert_eq!(codes(&snapshot), [None; 4]);
    let json = serde_json::to_value(&snapshot).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "changes check lint queue");
    let files = json!(["docs/adr/0001-a.md", "src/a.rs"]);
    let changes =
        json!({ "ok": true, "files": files, "base": null, "label": "the empty tree", "skippedNonUtf8": 0 });
    assert_eq!(json["changes"], changes);
    for part in ["check", "lint", "queue"] {
        assert_eq!(keys(&json[part]), "engine exitCode ok report", "{part}");
        assert_eq!(json[part]["ok"], true);
    }
    assert_eq!(json["check"]["report"]["governing"][0]["recordId"], "0001");
    assert_eq!(json["lint"]["report"]["checked"], 1);
}

#[tokio::test]
async fn without_changes_the_rest_stands() {
    let machine = Machine::new();
    fs::remove_dir_all(machine.root.join("ws/.git")).unwrap();
    let snapshot = machine.snapshot(&Cancel::new()).await;
    assert_eq!(codes(&snapshot), [Some("not-work-tree"), Some(CHANGES_UNKNOWN), None, None]);
    let json = serde_json::to_value(&snapshot).unwrap();
    assert_eq!(json["check"]["ok"], false);
    let note = "Nothing was checked, because the changed files are not known.";
    assert_eq!(json["check"]["note"], note);
}

#[tokio::test]
async fn a_base_that_cannot_be_compared_is_told() {
    let machine = Machine::new();
    let cancel = Cancel::new();
    let snapshot = collect_and_check(&machine.ask(), Some("--output=x"), &Slots::default(), &cancel).await;
    assert_eq!(codes(&snapshot), [Some("base-undiffable"), Some(CHANGES_UNKNOWN), None, None]);
}

#[tokio::test]
async fn without_records_the_changes_stand_and_no_words_of_the_command_do() {
    let machine = Machine::new();
    fs::remove_dir_all(machine.root.join("ws/docs")).unwrap();
    let snapshot = machine.snapshot(&Cancel::new()).await;
    let usage = Some("usage-error");
    assert_eq!(codes(&snapshot), [None, usage, usage, usage]);
    assert!(!serde_json::to_string(&snapshot).unwrap().contains("docs/adr"));
}

#[tokio::test]
async fn cancelled_before_it_begins_it_asks_nobody() {
    let mut machine = Machine::new();
    let log = machine.root.join("log");
    machine.adr(&format!("echo asked >> '{log}'"));
    let cancel = Cancel::new();
    cancel.cancel();
    let snapshot = machine.snapshot(&cancel).await;
    let aborted = Some("aborted");
    assert_eq!(codes(&snapshot), [aborted, Some(CHANGES_UNKNOWN), aborted, aborted]);
    assert!(!log.exists());
}

/// An `adr` that answers the lint and hangs in the other questions.
const ONLY_LINT: &str = r#"case "$1" in lint) echo '{"checked":7,"findings":[]}';; *) sleep 600 & echo $$ $! >> "$PIDS"; wait;; esac"#;

#[tokio::test]
async fn what_is_found_when_it_is_cancelled_stands() {
    let mut machine = Machine::new();
    machine.adr(ONLY_LINT);
    let pids = machine.root.join("pids");
    machine.env.push(("PIDS".into(), pids.clone().into()));
    let cancel = Cancel::new();
    let (snapshot, ()) = tokio::join!(machine.snapshot(&cancel), async {
        // Two hang in the two slots: whatever came before them has been answered, or never will be.
        while fs::read_to_string(&pids).unwrap_or_default().lines().count() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel.cancel();
    });
    let [changes, check, lint, queue] = codes(&snapshot);
    assert_eq!([changes, check, queue], [None, Some("aborted"), Some("aborted")]);
    // The lint is asked before the check, which waits for the changes.
    assert_eq!(lint, None);
    assert_eq!(snapshot.lint.ready().unwrap().report.checked, 7);
    assert_gone(&pids_in(pids.as_std_path()));
}

#[tokio::test]
async fn a_deadline_of_one_question_leaves_the_others() {
    let mut machine = Machine::new();
    machine.adr(ONLY_LINT);
    machine.env.push(("PIDS".into(), "/dev/null".into()));
    let ask = Ask { deadline: Duration::from_millis(700), ..machine.ask() };
    let snapshot = collect_and_check(&ask, None, &Slots::default(), &Cancel::new()).await;
    let [changes, check, _, queue] = codes(&snapshot);
    assert_eq!([changes, check, queue], [None, Some("timed-out"), Some("timed-out")]);
    let json = serde_json::to_value(&snapshot).unwrap();
    assert_eq!(
        json["queue"],
        json!({ "ok": false, "code": "timed-out", "note": "The call took too long and was ended." })
    );
}

#[tokio::test]
async fn it_runs_two_processes_at_most() {
    let mut machine = Machine::new();
    let (log, real) = (machine.root.join("log"), which_git());
    // Each process says when it begins and when it ends; `adr` fails, which is as good as any answer here.
    machine.adr(&format!("echo + >> '{log}'; sleep 0.05; echo - >> '{log}'; exit 3"));
    let bin = machine.root.join("bin");
    fs::create_dir(&bin).unwrap();
    fs::rename(machine.root.join("adr"), bin.join("adr")).unwrap();
    machine.env.retain(|(name, _)| name != "ADRKIT_CLI");
    machine.adr(&format!("echo + >> '{log}'; '{real}' \"$@\"; code=$?; echo - >> '{log}'; exit $code"));
    fs::rename(machine.root.join("adr"), bin.join("git")).unwrap();
    machine.env.retain(|(name, _)| name != "ADRKIT_CLI" && name != "PATH");
    machine.env.push(("PATH".into(), format!("{bin}:/usr/bin:/bin").into()));
    machine.env.push(("ADRKIT_CLI".into(), bin.join("adr").into()));
    let snapshot = machine.snapshot(&Cancel::new()).await;
    assert_eq!(codes(&snapshot), [None, Some("no-report"), Some("no-report"), Some("no-report")]);
    let (mut running, mut peak, mut processes) = (0, 0, 0);
    for line in fs::read_to_string(&log).unwrap().lines() {
        running += if line == "+" { 1 } else { -1 };
        processes += usize::from(line == "+");
        peak = peak.max(running);
    }
    assert!(processes >= 6 && peak <= 2, "{processes} {peak}");
}

fn which_git() -> Utf8PathBuf {
    ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"]
        .map(Utf8PathBuf::from)
        .into_iter()
        .find(|git| git.is_file())
        .unwrap()
}
