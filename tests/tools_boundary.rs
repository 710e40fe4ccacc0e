//! What the tools promise, sentence by sentence, over a real command, a real git and real records. What takes neither
//! is tested beside the tools, and in tests/tools.rs.
#![cfg(unix)] // The command is a script.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

#[expect(dead_code, reason = "its other users do more with a repository")]
#[path = "support/git.rs"]
mod support;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;

use adrkit_native::cli::{MAX_OUTPUT_BYTES, MAX_WORDS_BYTES};
use adrkit_native::error::Error;
use adrkit_native::process::{Cancel, Owner};
use adrkit_native::tools::scrub::WRITING_SUBCOMMANDS;
use adrkit_native::tools::{DIR_VARIABLE, ENGINE_VARIABLE, ResultType, Tools};
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;
use serde_json::{Value, json};
use support::{Repo, Scratch, write_executable};

/// Stands in what must not be told.
const CANARY: &str = "zqx";

/// A repository, and a command named by `$ADRKIT_CLI` that answers as its directory says.
struct Bench {
    scratch: Scratch,
    repo: Repo,
    env: Vec<(OsString, OsString)>,
}

/// The scripted command.
fn command() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("__test__/fixtures/quick-adr.sh")
}

/// A report of each command in which every text is `text`.
fn reports(text: &str) -> [(&'static str, Value); 3] {
    let finding = json!({ "rule": text, "severity": "warn", "message": text, "path": text, "field": text, "pattern": text });
    let decision = json!({
        "recordId": text, "title": text, "status": text, "bucket": text, "supersededBy": text,
        "firedMatchers": [{ "type": text, "pattern": text }],
        "declaredBy": [{ "path": text, "line": 1, "ref": text }],
    });
    let counts =
        json!({ "scanned": 0, "absent": 0, "unreadable": 0, "out-of-tree": 0, "truncated": 0, "skipped": 0 });
    let scan = json!({
        "totalCandidates": 1, "limit": 3000, "counts": counts, "absentPaths": [text], "unreadablePaths": [],
        "outOfTreePaths": [], "truncatedPaths": [], "skippedPaths": [],
    });
    let check = json!({
        "changedFiles": [text], "governedBy": [decision], "governing": [decision], "activeProposals": [],
        "history": [], "changedRecords": [], "findings": [finding], "markerScan": scan, "ok": true,
    });
    let markers = json!({
        "state": "absent", "windowBytes": 8192, "truncated": false, "declared": [{ "ref": text, "line": 1 }],
    });
    let explain = json!({
        "path": text, "governedBy": [decision], "governing": [decision], "activeProposals": [], "history": [],
        "markers": markers, "findings": [finding],
    });
    [("check", check), ("explain", explain), ("lint", json!({ "checked": 7, "findings": [finding] }))]
}

/// A call of each tool that passes the judgement, and the command that it is.
fn good_calls() -> [(&'static str, Value); 3] {
    [
        ("adr_check", json!({ "paths": ["src/a.ts", "b c"] })),
        ("adr_explain", json!({ "path": "src/a.ts" })),
        ("adr_lint", json!({})),
    ]
}

fn record(id: &str, title: &str) -> String {
    format!(
        "---\nid: \"{id}\"\ntitle: \"{title}\"\nstatus: accepted\ndate: 2026-01-31\ndeciders: [\"team:core\"]\n\
         affects:\n  - type: path\n    pattern: \"src/**\"\n---\n"
    )
}

impl Bench {
    fn new() -> Self {
        let scratch = Scratch::new();
        let repo = scratch.repo("repo", &["docs/adr/notes.md"]);
        fs::create_dir(scratch.path("command")).unwrap();
        let mut bench = Self { env: scratch.env(), scratch, repo };
        bench.set("ADRKIT_CLI", command());
        bench.set("QUICK_ADR", bench.scratch.path("command"));
        for (name, report) in reports("Text") {
            bench.reply(&format!("{name}.json"), report.to_string());
        }
        bench
    }

    /// With the embedded engine, over two records that govern `src`.
    fn embedded() -> Self {
        let mut bench = Self::new();
        bench.set(ENGINE_VARIABLE, "embedded");
        bench.repo.write("docs/adr/0001-a.md", record("0001", "One"));
        bench.repo.write("docs/adr/0002-b.md", record("0002", "Two"));
        bench.repo.commit();
        bench
    }

    fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.unset(name);
        self.env.push((name.into(), value.into()));
    }

    fn unset(&mut self, name: &str) {
        self.env.retain(|(key, _)| key != name);
    }

    /// Puts `dir` in front of `PATH`.
    fn prefer(&mut self, dir: &Utf8Path) {
        let path = self.env.iter().find(|(key, _)| key == "PATH").map(|(_, value)| value.clone()).unwrap();
        self.set("PATH", format!("{dir}:{}", path.to_str().unwrap()));
    }

    /// A file of the command's directory.
    fn reply(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.scratch.path("command").join(name), content).unwrap();
    }

    /// What ran, with its arguments.
    fn calls(&self) -> Vec<Vec<String>> {
        let log = fs::read_to_string(self.scratch.path("command/calls")).unwrap_or_default();
        log.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect()
    }

    /// Its arguments, one line a call.
    fn lines(&self) -> Vec<String> {
        self.calls().iter().map(|call| call[1..].join("|")).collect()
    }

    fn tools(&self) -> Tools {
        Tools::new(self.repo.dir.clone(), self.env.clone(), Owner::default())
    }

    async fn ask(&self, name: &str, arguments: Value) -> (ResultType, Value) {
        ask(&self.tools(), name, arguments).await
    }

    async fn report(&self, name: &str, arguments: Value) -> Value {
        let (result_type, mut result) = self.ask(name, arguments).await;
        assert_eq!(result_type, ResultType::Success, "{result}");
        result["report"].take()
    }

    async fn failure(&self, name: &str, arguments: Value) -> Value {
        let (result_type, failure) = self.ask(name, arguments).await;
        assert_eq!(result_type, ResultType::Failure, "{failure}");
        failure
    }
}

async fn ask(tools: &Tools, name: &str, arguments: Value) -> (ResultType, Value) {
    let result = tools.call(name, &arguments, &Cancel::new()).await;
    (result.result_type, serde_json::from_str(&result.text_result_for_llm).unwrap())
}

fn said(error: &Error) -> Value {
    json!({ "code": error.code(), "message": error.to_string() })
}

fn ids(decisions: &Value) -> Vec<&str> {
    decisions.as_array().unwrap().iter().map(|d| d["recordId"].as_str().unwrap()).collect()
}

// The executable is chosen by the environment only.

#[tokio::test]
async fn the_executable_is_chosen_by_the_environment_only_in_the_order_named_repository_path() {
    let mut bench = Bench::new();
    let (named, of_repository, on_path) = (
        bench.scratch.path("my adr"),
        bench.repo.dir.join("node_modules/.bin/adr"),
        bench.scratch.path("bin/adr"),
    );
    for place in [&named, &of_repository, &on_path] {
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(command(), place).unwrap();
    }
    bench.prefer(on_path.parent().unwrap());
    bench.unset("ADRKIT_CLI");
    let mut expected = Vec::new();
    let steps = [
        ("ADRKIT_ALLOW_REPO_CLI", "0".to_owned(), &on_path),
        ("ADRKIT_ALLOW_REPO_CLI", "1".to_owned(), &of_repository),
        ("ADRKIT_CLI", named.to_string(), &named),
    ];
    for (variable, value, executable) in steps {
        bench.set(variable, value);
        for (name, arguments) in good_calls() {
            bench.report(name, arguments).await;
            expected.push(executable.to_string());
        }
    }
    let ran: Vec<String> = bench.calls().iter().map(|call| call[0].clone()).collect();
    assert_eq!(ran, expected);
}

#[tokio::test]
async fn an_unresolvable_adrkit_cli_is_the_fixed_cli_unresolved_and_nothing_takes_its_place() {
    let mut bench = Bench::new();
    let on_path = bench.scratch.path("bin");
    fs::create_dir(&on_path).unwrap();
    symlink(command(), on_path.join("adr")).unwrap();
    bench.prefer(&on_path);
    for (at, engine) in ["", "auto", "cli"].into_iter().enumerate() {
        bench.set(ENGINE_VARIABLE, engine);
        bench.set("ADRKIT_CLI", bench.scratch.path(&format!("{CANARY}-{at}")));
        for (name, arguments) in good_calls() {
            assert_eq!(bench.failure(name, arguments).await["error"], said(&Error::CliUnresolved));
        }
    }
    assert!(bench.calls().is_empty());
}

#[tokio::test]
async fn no_tool_argument_can_select_or_influence_the_executable_an_unknown_key_such_as_cli_is_refused() {
    let bench = Bench::new();
    let other = bench.scratch.path("other");
    symlink(command(), &other).unwrap();
    for (name, arguments) in good_calls() {
        for key in ["cli", "ADRKIT_CLI", "env", "PATH", "cwd", "engine"] {
            let mut more = arguments.clone();
            more[key] = other.as_str().into();
            assert_eq!(bench.failure(name, more).await, json!({ "error": said(&Error::UnknownArgument) }));
        }
    }
    assert!(bench.calls().is_empty());
}

// What reaches argv.

#[tokio::test]
async fn paths_reach_adr_after_the_double_dash_and_no_subcommand_writes() {
    let bench = Bench::new();
    for (name, arguments) in good_calls() {
        bench.report(name, arguments).await;
    }
    assert_eq!(
        bench.lines(),
        [
            "check|--json|--dir|docs/adr|--|src/a.ts|b c",
            "explain|--json|--dir|docs/adr|--|src/a.ts",
            "lint|--json|--dir|docs/adr",
        ]
    );
}

#[tokio::test]
async fn a_path_that_is_absolute_escapes_with_dots_or_starts_with_a_dash_never_reaches_argv() {
    let bench = Bench::new();
    for path in [
        "/etc/passwd",
        "C:\\x",
        "C:x",
        "\\\\host\\x",
        "../x",
        "a/../../b",
        "-x",
        "--dir=/",
        "a\nb",
        "a\u{202E}b",
    ] {
        bench.failure("adr_check", json!({ "paths": ["a", path] })).await;
        bench.failure("adr_explain", json!({ "path": path })).await;
        bench.failure("adr_lint", json!({ "dir": path })).await;
    }
    assert!(bench.calls().is_empty());
    // Nor does one that git lists.
    for name in ["-x", "--fix", "a\nb", "C:x", "ok.ts"] {
        bench.repo.write(name, "");
    }
    let (_, result) = bench.ask("adr_check", json!({})).await;
    assert_eq!(result["skippedFiles"], 4);
    assert_eq!(bench.lines(), ["check|--json|--dir|docs/adr|--|ok.ts"]);
}

#[tokio::test]
async fn the_corpus_directory_is_computed_once_and_that_same_value_is_passed_as_dir() {
    let mut bench = Bench::new();
    let away = bench.scratch.path("away");
    fs::create_dir(&away).unwrap();
    symlink(&away, bench.repo.dir.join("link")).unwrap();
    let mut expected = Vec::new();
    for (variable, argument, dir) in [
        (None, None, "docs/adr"),
        (Some(""), None, "docs/adr"),
        (None, Some("./records/"), "records"),
        (Some(away.as_str()), Some("docs"), "docs"),
        // The person's own, so an absolute or outside one works, also through a link.
        (Some(away.as_str()), None, away.as_str()),
        (Some("../away"), None, "../away"),
        (Some("link"), None, "link"),
    ] {
        bench.unset(DIR_VARIABLE);
        if let Some(variable) = variable {
            bench.set(DIR_VARIABLE, variable);
        }
        for (name, mut arguments) in good_calls() {
            if let Some(argument) = argument {
                arguments["dir"] = argument.into();
            }
            bench.report(name, arguments).await;
            expected.push(dir.to_owned());
        }
    }
    let dirs: Vec<String> = bench.calls().iter().map(|call| call[4].clone()).collect();
    assert_eq!(dirs, expected);
    assert!(bench.calls().iter().all(|call| call[3] == "--dir"));
}

#[tokio::test]
async fn before_anything_is_spawned_a_directory_that_leaves_the_root_through_a_link_is_refused() {
    let mut bench = Bench::new();
    let bin = bench.scratch.path("bin");
    fs::create_dir(&bin).unwrap();
    symlink(command(), bin.join("git")).unwrap();
    bench.prefer(&bin);
    let away = bench.scratch.path("away");
    fs::create_dir(&away).unwrap();
    symlink(&away, bench.repo.dir.join("link")).unwrap();
    fs::remove_dir_all(bench.repo.dir.join("docs")).unwrap();
    symlink("../away", bench.repo.dir.join("docs")).unwrap();
    let calls =
        good_calls().into_iter().chain([("adr_check", json!({})), ("adr_check", json!({ "base": "main" }))]);
    for (name, arguments) in calls {
        for dir in [None, Some("link"), Some("link/deeper"), Some("docs/adr")] {
            let mut arguments = arguments.clone();
            if let Some(dir) = dir {
                arguments["dir"] = dir.into();
            }
            let failure = bench.failure(name, arguments).await;
            assert_eq!(failure, json!({ "error": said(&Error::SymlinkEscape) }), "{name} {dir:?}");
        }
    }
    assert_eq!(bench.calls(), Vec::<Vec<String>>::new(), "neither git nor adr");
}

#[tokio::test]
async fn paths_are_not_realpath_checked_so_one_escaping_file_does_not_fail_a_whole_check() {
    let mut bench = Bench::embedded();
    bench.repo.write("src/a.ts", "// @adr 0001\n");
    let away = bench.scratch.path("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("secret"), "// @adr 0002\n").unwrap();
    symlink(&away, bench.repo.dir.join("src/away")).unwrap();
    let paths = json!({ "paths": ["src/a.ts", "src/away/secret"] });
    let report = bench.report("adr_check", paths.clone()).await;
    assert_eq!(ids(&report["governing"]), ["0001", "0002"]);
    assert_eq!(report["governing"][0]["declaredBy"][0]["path"], "src/a.ts");
    // What the file behind the link says is not read.
    assert!(report["governing"][1].get("declaredBy").is_none());
    assert_eq!(report["markerScan"]["unreadablePaths"], json!(["src/away/secret"]));
    bench.set(ENGINE_VARIABLE, "cli");
    bench.report("adr_check", paths).await;
    assert_eq!(bench.lines(), ["check|--json|--dir|docs/adr|--|src/a.ts|src/away/secret"]);
}

// Results never carry the text of an exception.

#[tokio::test]
async fn a_process_that_fails_returns_a_fixed_message_selected_by_code_and_may_carry_the_validated_files() {
    let flood = format!("head -c {} /dev/zero", MAX_OUTPUT_BYTES + 1);
    let stack = "Error: zqx\n    at zqx (/opt/zqx/cli.js:1:1)\n";
    let none = |exit_code| Error::NoReport { exit_code: Some(exit_code) };
    for (set_up, error) in [
        (("act", &*flood), Error::OutputTooLarge),
        (("act", "kill -9 $$"), Error::KilledBySignal),
        (("act", "kill -15 $$"), Error::KilledBySignal),
        (("act", "exit 0"), none(0)),
        (("act", "echo zqx; exit 1"), none(1)),
        (("act", "exec cat \"$dir/lint.json\" \"$dir/stderr\""), none(0)),
        (("exit", "3"), none(3)),
        (("exit", "70"), none(70)),
        (("exit", "134"), none(134)),
        (("BIG", &*"x".repeat(4 << 20)), Error::CommandTooLong),
        (("ADRKIT_CLI", "bin/unstartable"), Error::CommandNotExecutable),
    ] {
        let mut bench = Bench::new();
        bench.reply("stderr", stack);
        match set_up {
            (name @ ("act" | "exit"), text) => bench.reply(name, text),
            ("ADRKIT_CLI", file) => {
                let file = bench.scratch.path(file);
                write_executable(&file, "#!/nonexistent/zqx");
                bench.set("ADRKIT_CLI", file);
            }
            (variable, value) => bench.set(variable, value),
        }
        let exit_code = match error {
            Error::NoReport { exit_code } => json!(exit_code),
            _ => Value::Null,
        };
        let files = [json!(["src/a.ts", "b c"]), json!(["src/a.ts"]), Value::Null];
        for ((name, arguments), files) in good_calls().into_iter().zip(files) {
            let result = bench.tools().call(name, &arguments, &Cancel::new()).await;
            assert!(!result.text_result_for_llm.contains(CANARY), "{}", result.text_result_for_llm);
            let failure: Value = serde_json::from_str(&result.text_result_for_llm).unwrap();
            assert_eq!(failure["error"], said(&error), "{name} {:.40}", set_up.1);
            assert_eq!((&failure["exitCode"], &failure["files"]), (&exit_code, &files), "{name} {error:?}");
            assert_eq!(result.result_type, ResultType::Failure);
        }
    }
}

#[tokio::test]
async fn a_base_that_git_cannot_diff_is_a_fixed_message_and_no_base_is_none_of_the_callers_fault() {
    let bench = Bench::new();
    for base in ["zqx", "HEAD~9", "0000000000000000000000000000000000000000"] {
        let failure = bench.failure("adr_check", json!({ "base": base })).await;
        assert_eq!(failure, json!({ "error": said(&Error::BaseUndiffable) }));
    }
    assert!(bench.calls().is_empty());
    // There is no origin/main here either.
    bench.report("adr_check", json!({})).await;
    assert_eq!(bench.lines(), ["check|--json|--dir|docs/adr|--"]);
}

// A non-zero exit with a report is data.

#[tokio::test]
async fn exit_0_or_1_with_json_is_a_success_with_the_exit_code_and_the_report() {
    for exit in [0, 1] {
        let bench = Bench::new();
        bench.reply("exit", exit.to_string());
        bench.reply("stderr", "zqx: a warning\n");
        for ((name, arguments), (_, report)) in good_calls().into_iter().zip(reports("Text")) {
            let (result_type, mut result) = bench.ask(name, arguments).await;
            assert_eq!((result_type, &result["exitCode"]), (ResultType::Success, &json!(exit)));
            // What was asked about is told as it was asked.
            let mut report = report;
            for asked in ["changedFiles", "path"] {
                if let Some(told) = report.get_mut(asked) {
                    *told = result["report"][asked].take();
                    result["report"][asked] = told.clone();
                }
            }
            assert_eq!(result["report"], report, "{name}");
        }
    }
}

#[tokio::test]
async fn exit_2_is_a_failure_with_the_commands_own_message_capped_at_2_kib_without_stack_frame_lines() {
    let bench = Bench::new();
    bench.reply("exit", "2");
    let words = "Corpus directory not found: 'docs/adr'.";
    for stderr in [
        format!("{words}\n"),
        format!("    at zqx (/opt/zqx/cli.js:1:1)\n{words}\n\tat zqx\n"),
        format!("\n{words}\n{}", "  at zqx\n".repeat(500)),
    ] {
        bench.reply("stderr", stderr);
        for (name, arguments) in good_calls() {
            let failure = bench.failure(name, arguments).await;
            let error = json!({ "code": "usage-error", "message": words });
            assert_eq!((&failure["error"], &failure["exitCode"]), (&error, &json!(2)), "{name}");
        }
    }
    bench.reply("stderr", "é".repeat(4000));
    let failure = bench.failure("adr_lint", json!({})).await;
    assert_eq!(failure["error"]["message"].as_str().unwrap().len(), MAX_WORDS_BYTES);
}

// No result names a writing command.

#[tokio::test]
async fn every_string_of_a_result_is_scrubbed_before_it_is_serialized_whatever_separates_the_words() {
    let separator = r"(?:\s|\p{Cf}|\\[nrt])+";
    let writing = format!(r"(?i-u:adr){separator}(?i-u:{})", WRITING_SUBCOMMANDS.join("|"));
    let writing = Regex::new(&writing).unwrap();
    for between in
        [" ", "\n", "\t", "\r\n", " \u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD} \u{E0001}"]
    {
        let text = format!("Run adr{between}new, then adr{between}ratify 0001");
        assert!(writing.is_match(&text) && writing.is_match(&json!(text).to_string()));
        let bench = Bench::new();
        for (name, report) in reports(&text) {
            bench.reply(&format!("{name}.json"), report.to_string());
        }
        bench.reply("stderr", &text);
        for exit in ["0", "1", "2"] {
            bench.reply("exit", exit);
            for (name, arguments) in good_calls() {
                let result = bench.tools().call(name, &arguments, &Cancel::new()).await.text_result_for_llm;
                assert!(!writing.is_match(&result), "{result}");
                assert!(result.contains("Run adr"), "{result}");
            }
        }
    }
}

#[tokio::test]
async fn a_records_own_text_can_name_a_writing_command_and_no_result_does() {
    let mut bench = Bench::embedded();
    bench.repo.write("docs/adr/0003-c.md", record("0003", "Run adr\\nmigrate --all"));
    bench.repo.write("docs/adr/0004-d.md", record("0004", "adr new").replace("src/**", "adr new/**"));
    bench.repo.write("docs/adr/adr new.md", "");
    bench.set(ENGINE_VARIABLE, "embedded");
    for (name, arguments) in [
        ("adr_check", json!({ "paths": ["src/a.ts", "adr new/x"] })),
        ("adr_check", json!({})),
        ("adr_explain", json!({ "path": "adr new/x" })),
        ("adr_lint", json!({})),
        ("adr_lint", json!({ "dir": "adr new" })),
    ] {
        let result = bench.tools().call(name, &arguments, &Cancel::new()).await.text_result_for_llm;
        assert!(result.contains("adr …"), "{name} {result}");
        assert!(!result.contains("adr new") && !result.contains("migrate"), "{name} {result}");
    }
}

// Which files a check without paths is about.

#[tokio::test]
async fn base_or_neither_is_the_union_of_the_range_the_work_tree_and_untracked_files_that_are_not_ignored() {
    let mut bench = Bench::embedded();
    bench.repo.write(".gitignore", "*.log\n");
    bench.repo.commit();
    bench.repo.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    bench.repo.write("src/committed.ts", "");
    bench.repo.commit();
    bench.repo.write("docs/adr/notes.md", "changed");
    bench.repo.write("src/staged.ts", "");
    bench.repo.git(["add", "src/staged.ts"]);
    bench.repo.write("src/untracked.ts", "");
    bench.repo.write("src/ignored.log", "");
    let all = json!(["docs/adr/notes.md", "src/committed.ts", "src/staged.ts", "src/untracked.ts"]);
    for arguments in [json!({}), json!({ "base": "origin/main" }), json!({ "base": "HEAD~1" })] {
        let report = bench.report("adr_check", arguments).await;
        assert_eq!(report["changedFiles"], all);
        assert_eq!(ids(&report["governing"]), ["0001", "0002"]);
    }
    let report = bench.report("adr_check", json!({ "base": "HEAD" })).await;
    assert_eq!(report["changedFiles"], json!(["docs/adr/notes.md", "src/staged.ts", "src/untracked.ts"]));
    bench.set(ENGINE_VARIABLE, "cli");
    bench.report("adr_check", json!({})).await;
    let line =
        "check|--json|--dir|docs/adr|--|docs/adr/notes.md|src/committed.ts|src/staged.ts|src/untracked.ts";
    assert_eq!(bench.lines(), [line]);
}

#[tokio::test]
async fn a_directory_that_git_does_not_treat_as_a_work_tree_is_its_own_fixed_failure() {
    let mut bench = Bench::new();
    let tools = bench.tools();
    let plain = bench.scratch.path("plain");
    fs::create_dir(&plain).unwrap();
    tools.context_changed(&json!({ "type": "session.context_changed", "data": { "cwd": plain.as_str() } }));
    for arguments in [json!({}), json!({ "base": "main" })] {
        let (_, failure) = ask(&tools, "adr_check", arguments).await;
        assert_eq!(failure, json!({ "error": said(&Error::NotWorkTree) }));
    }
    // Git's check of the owner.
    let git = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|d| d.join("git"))
        .find(|g| g.is_file());
    let script =
        format!("#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '{}' \"$@\"", git.unwrap().display());
    write_executable(&bench.scratch.path("bin/git"), &script);
    bench.prefer(&bench.scratch.path("bin"));
    for arguments in [json!({}), json!({ "base": "main" })] {
        let failure = bench.failure("adr_check", arguments).await;
        assert_eq!(failure, json!({ "error": said(&Error::GitUnsafeDirectory) }));
    }
    assert!(bench.calls().is_empty());
}

// Real decisions.

#[tokio::test]
async fn adr_check_by_paths_and_by_base_and_adr_explain_each_name_both_records_as_governing() {
    let bench = Bench::embedded();
    bench.repo.write("src/a.ts", "");
    bench.repo.commit();
    for (name, arguments) in [
        ("adr_check", json!({ "paths": ["src/a.ts"] })),
        ("adr_check", json!({ "base": "HEAD~1" })),
        ("adr_explain", json!({ "path": "src/a.ts" })),
    ] {
        let report = bench.report(name, arguments.clone()).await;
        assert_eq!(ids(&report["governing"]), ["0001", "0002"], "{name} {arguments}");
    }
    let (_, lint) = bench.ask("adr_lint", json!({})).await;
    assert_eq!((&lint["exitCode"], &lint["report"]["checked"]), (&json!(0), &json!(2)));
}

#[tokio::test]
async fn a_lint_of_a_broken_record_is_a_success_with_exit_code_1_and_a_missing_corpus_a_failure_with_2() {
    let bench = Bench::embedded();
    bench.repo.write("docs/adr/0003-c.md", record("0003", "Three").replace("accepted", "nonsense"));
    let (result_type, lint) = bench.ask("adr_lint", json!({})).await;
    assert_eq!((result_type, &lint["exitCode"]), (ResultType::Success, &json!(1)));
    let failure = bench.failure("adr_lint", json!({ "dir": "nowhere" })).await;
    let message = "Corpus directory not found: 'nowhere'.";
    assert_eq!(failure, json!({ "error": { "code": "usage-error", "message": message }, "exitCode": 2 }));
    assert!(bench.calls().is_empty(), "the embedded engine starts no command");
}

// The working directory.

#[tokio::test]
async fn the_tools_answer_for_the_new_repository_after_cd_and_take_an_absolute_path_only() {
    let bench = Bench::new();
    bench.reply("act", "pwd >>\"$dir/cwds\"");
    let other = bench.scratch.repo("other", &["docs/adr/x"]);
    other.write("new.ts", "");
    let tools = bench.tools();
    let moved = |cwd: &str| json!({ "type": "session.context_changed", "data": { "cwd": cwd } });
    ask(&tools, "adr_check", json!({})).await;
    for cwd in [other.dir.as_str(), "repo", "../repo", "."] {
        tools.context_changed(&moved(cwd));
        ask(&tools, "adr_check", json!({})).await;
    }
    tools.context_changed(&moved(bench.scratch.path("gone").as_str()));
    let (_, failure) = ask(&tools, "adr_lint", json!({})).await;
    assert_eq!(failure, json!({ "error": said(&Error::WorkingDirectoryGone) }));
    let cwds = fs::read_to_string(bench.scratch.path("command/cwds")).unwrap();
    let (old, new) = (bench.repo.dir.as_str(), other.dir.as_str());
    assert_eq!(cwds.lines().collect::<Vec<_>>(), [old, new, new, new, new]);
    assert_eq!(bench.lines()[0], "check|--json|--dir|docs/adr|--");
    assert_eq!(bench.lines()[1..], ["check|--json|--dir|docs/adr|--|new.ts"; 4]);
}

/// How many processes there are whose environment holds `mark`.
#[cfg(target_os = "linux")]
fn alive(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let marked = |environ: Vec<u8>| environ.windows(mark.len()).any(|part| part == mark.as_bytes());
    processes.filter(|p| fs::read(p.path().join("environ")).is_ok_and(marked)).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_tools_keep_no_second_process() {
    let mut bench = Bench::new();
    let mark = format!("mark-{}", bench.scratch.path(""));
    bench.set("MARK", mark.clone());
    bench.reply("act", "[ -z \"$MARK\" ] || : >\"$dir/marked\"");
    let calls = good_calls().into_iter().chain([("adr_check", json!({}))]);
    for (name, arguments) in calls {
        bench.report(name, arguments).await;
        assert_eq!(alive(&mark), 0, "{name}");
    }
    assert!(bench.scratch.path("command/marked").exists(), "the command had the mark");
}
