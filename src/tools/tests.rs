//! The tools above an engine that is made up. Each sentence of the boundary has its test; what takes the real `adr`
//! command or git is tested where these are.

use std::future::pending;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use regex::Regex;
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::watch;

use super::backend::Pending;
use super::*;
use crate::engine::EngineName;
use crate::report::{
    CheckReport, Decision, Declaration, DeclaredMarker, ExplainReport, FileMarkers, Finding, FiredMatcher,
    LintReport, MarkerCounts, MarkerScan, Severity,
};

/// What the engine or git was asked.
#[derive(Debug, Clone)]
struct Asked {
    what: &'static str,
    cwd: Utf8PathBuf,
    dir: Option<String>,
    env: Vec<(OsString, OsString)>,
    files: Vec<String>,
    base: Option<String>,
}

/// How the made-up engine behaves.
#[derive(Clone)]
enum Manner {
    Answers,
    Fails(Error),
    Panics,
    /// Answers once the gate is open.
    Waits(watch::Receiver<bool>),
    Never,
}

struct Fake {
    manner: Manner,
    changed: Result<Changed>,
    exit_code: u8,
    /// What every text of a report says.
    text: String,
    asked: Mutex<Vec<Asked>>,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            manner: Manner::Answers,
            changed: Ok(Changed::default()),
            exit_code: 0,
            text: "Text".to_owned(),
            asked: Mutex::default(),
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }
}

struct Running<'a>(&'a AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Fake {
    fn note(&self, what: &'static str, ask: &Ask, files: Vec<String>) {
        let Ask { cwd, dir, env, .. } = ask.clone();
        self.asked.lock().unwrap().push(Asked { what, cwd, dir, env, files, base: None });
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    async fn reply<R>(&self, report: R, cancel: &Cancel) -> Result<Answer<R>> {
        let now = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let _running = Running(&self.running);
        tokio::task::yield_now().await;
        match self.manner.clone() {
            Manner::Answers => {}
            Manner::Fails(error) => return Err(error),
            Manner::Panics => panic!("SECRET /usr/lib/node_modules at line 1"),
            Manner::Waits(mut gate) => tokio::select! {
                () = cancel.cancelled() => return Err(Error::Aborted),
                open = gate.wait_for(|open| *open) => assert!(open.is_ok()),
            },
            Manner::Never => pending().await,
        }
        Ok(Answer { exit_code: self.exit_code, engine: EngineName::Embedded, report })
    }

    fn decision(&self) -> Decision {
        Decision {
            record_id: self.text.clone(),
            title: self.text.clone(),
            status: self.text.clone(),
            bucket: self.text.clone(),
            superseded_by: Some(self.text.clone()),
            fired_matchers: vec![FiredMatcher { kind: self.text.clone(), pattern: self.text.clone() }],
            declared_by: vec![Declaration { path: self.text.clone(), line: 1, reference: self.text.clone() }],
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let text = self.text.as_str();
        vec![Finding::new(text, Severity::Error, text).path(text).id(text).field(text).pattern(text)]
    }

    fn check_report(&self) -> CheckReport {
        let texts = || vec![self.text.clone()];
        CheckReport {
            changed_files: texts(),
            governed_by: vec![self.decision()],
            governing: vec![self.decision()],
            active_proposals: vec![self.decision()],
            history: vec![self.decision()],
            changed_records: texts(),
            findings: self.findings(),
            marker_scan: MarkerScan {
                total_candidates: 1,
                limit: 1,
                counts: MarkerCounts::default(),
                absent_paths: texts(),
                unreadable_paths: texts(),
                out_of_tree_paths: texts(),
                truncated_paths: texts(),
                skipped_paths: texts(),
            },
            ok: self.exit_code == 0,
        }
    }

    fn explain_report(&self) -> ExplainReport {
        ExplainReport {
            path: self.text.clone(),
            governed_by: vec![self.decision()],
            governing: vec![self.decision()],
            active_proposals: vec![],
            history: vec![],
            markers: FileMarkers {
                state: self.text.clone(),
                window_bytes: 8192,
                scanned_bytes: None,
                file_bytes: None,
                truncated: false,
                declared: vec![DeclaredMarker { reference: self.text.clone(), line: 1 }],
            },
            findings: self.findings(),
        }
    }

    fn lint_report(&self) -> LintReport {
        LintReport { checked: 1, findings: self.findings() }
    }
}

impl Backend for Fake {
    fn changed<'a>(
        &'a self,
        dir: &'a Utf8Path,
        base: Option<&'a str>,
        options: &'a git::Options,
        _: &'a Cancel,
    ) -> Pending<'a, Changed> {
        let (env, base) = (options.env.clone(), base.map(str::to_owned));
        let asked = Asked { what: "git", cwd: dir.to_owned(), dir: None, env, files: vec![], base };
        self.asked.lock().unwrap().push(asked);
        let changed = self.changed.clone();
        Box::pin(async { changed })
    }

    fn check<'a>(
        &'a self,
        ask: &'a Ask,
        paths: Vec<String>,
        cancel: &'a Cancel,
    ) -> Pending<'a, Answer<CheckReport>> {
        self.note("check", ask, paths);
        Box::pin(self.reply(self.check_report(), cancel))
    }

    fn explain<'a>(
        &'a self,
        ask: &'a Ask,
        path: String,
        cancel: &'a Cancel,
    ) -> Pending<'a, Answer<ExplainReport>> {
        self.note("explain", ask, vec![path]);
        Box::pin(self.reply(self.explain_report(), cancel))
    }

    fn lint<'a>(&'a self, ask: &'a Ask, cancel: &'a Cancel) -> Pending<'a, Answer<LintReport>> {
        self.note("lint", ask, vec![]);
        Box::pin(self.reply(self.lint_report(), cancel))
    }
}

/// Tools in a directory of their own.
struct Bench {
    tmp: TempDir,
    fake: Arc<Fake>,
    tools: Tools,
}

impl Bench {
    fn new(fake: Fake) -> Self {
        Self::with_env(fake, &[])
    }

    fn with_env(fake: Fake, env: &[(&str, &str)]) -> Self {
        let tmp = TempDir::new().unwrap();
        let fake = Arc::new(fake);
        let env = env.iter().map(|&(k, v)| (k.into(), v.into())).collect();
        let tools = Tools::with_backend(real(tmp.path()), env, Owner(7), fake.clone());
        Self { tmp, fake, tools }
    }

    async fn call(&self, name: &str, arguments: Value) -> (ResultType, Value) {
        let result = self.tools.call(name, &arguments, &Cancel::new()).await;
        (result.result_type, serde_json::from_str(&result.text_result_for_llm).unwrap())
    }

    async fn fails(&self, name: &str, arguments: Value) -> Value {
        let (result_type, failure) = self.call(name, arguments).await;
        assert_eq!(result_type, ResultType::Failure, "{failure}");
        failure
    }
}

fn real(path: &std::path::Path) -> Utf8PathBuf {
    Utf8PathBuf::from_path_buf(path.canonicalize().unwrap()).unwrap()
}

/// A call of each tool that passes the judgement.
fn good_calls() -> [(&'static str, Value); 4] {
    [
        ("adr_check", json!({ "paths": ["src/a.ts", "b"] })),
        ("adr_check", json!({ "base": "main" })),
        ("adr_explain", json!({ "path": "src/a.ts" })),
        ("adr_lint", json!({})),
    ]
}

fn every_error() -> Vec<Error> {
    vec![
        Error::CommandNotFound,
        Error::CommandNotExecutable,
        Error::CommandTooLong,
        Error::WorkingDirectoryGone,
        Error::TooManyOpenFiles,
        Error::SpawnFailed,
        Error::Aborted,
        Error::TimedOut,
        Error::OutputTooLarge,
        Error::KilledBySignal,
        Error::NotWorkTree,
        Error::GitUnsafeDirectory,
        Error::BaseUndiffable,
        Error::GitUnavailable,
        Error::GitFailed,
        Error::NoReport { exit_code: Some(3) },
        Error::CorpusUnreadable,
        Error::UnknownEngine,
        Error::EngineUnavailable,
        Error::Internal,
    ]
}

// Boundary: the executable.

#[tokio::test]
async fn no_argument_selects_or_influences_the_executable() {
    let env = [("ADRKIT_CLI", "/the/one"), ("PATH", "/bin"), ("ADRKIT_ENGINE", "cli")];
    let bench = Bench::with_env(Fake::default(), &env);
    let expected: Vec<(OsString, OsString)> = env.iter().map(|&(k, v)| (k.into(), v.into())).collect();
    for (name, arguments) in good_calls() {
        for key in ["cli", "ADRKIT_CLI", "engine", "env", "cwd", "__proto__", "constructor", ""] {
            let mut more = arguments.clone();
            more[key] = "/bin/sh".into();
            assert_eq!(bench.fails(name, more).await["error"]["code"], "unknown-argument", "{name} {key}");
        }
        assert!(bench.fake.asked().is_empty());
        assert_eq!(bench.call(name, arguments).await.0, ResultType::Success);
        assert!(bench.fake.asked().iter().all(|asked| asked.env == expected));
        bench.fake.asked.lock().unwrap().clear();
    }
}

#[tokio::test]
async fn the_environment_picks_the_engine() {
    let bench = |engine: &str| Bench::with_env(Fake::default(), &[(ENGINE_VARIABLE, engine)]);
    for (engine, choice) in [
        ("", EngineChoice::Auto),
        ("auto", EngineChoice::Auto),
        ("cli", EngineChoice::Cli),
        ("embedded", EngineChoice::Embedded),
    ] {
        assert_eq!(bench(engine).tools.engine(), Ok(choice));
    }
    assert_eq!(Bench::new(Fake::default()).tools.engine(), Ok(EngineChoice::Auto));
    let wrong = bench("/bin/sh");
    assert_eq!(wrong.fails("adr_lint", json!({})).await["error"]["code"], "unknown-engine");
    assert!(wrong.fake.asked().is_empty());
}

// Boundary: arguments. The table of hostile ones is an integration test.

#[tokio::test]
async fn good_arguments_reach_the_engine_as_they_were_judged() {
    let bench = Bench::new(Fake::default());
    let root = real(bench.tmp.path());
    bench.call("adr_check", json!({ "paths": ["./b//c", "a"], "dir": "records/" })).await;
    bench.call("adr_explain", json!({ "path": "./x" })).await;
    bench.call("adr_lint", json!(null)).await;
    let asked = bench.fake.asked();
    let seen: Vec<_> = asked.iter().map(|a| (a.what, a.dir.as_deref().unwrap(), a.files.join(","))).collect();
    assert_eq!(
        seen,
        [
            ("check", "records", "b/c,a".to_owned()),
            ("explain", "docs/adr", "x".to_owned()),
            ("lint", "docs/adr", String::new()),
        ]
    );
    assert!(asked.iter().all(|a| a.cwd == root));
}

#[tokio::test]
async fn no_path_that_is_absolute_escapes_or_begins_with_a_dash_reaches_the_engine() {
    let hostile =
        ["-x", "--dir=/", "/etc/passwd", "../x", "a/../../b", "C:x", "\\\\host\\x", "a\nb", "\u{202E}x"];
    let files = hostile.iter().chain(&["ok.ts", "drivers/aux.c"]).map(|&f| f.to_owned()).collect();
    let bench = Bench::new(Fake { changed: Ok(Changed { files, skipped: 2 }), ..Fake::default() });
    for path in hostile {
        bench.fails("adr_check", json!({ "paths": ["a", path] })).await;
        bench.fails("adr_explain", json!({ "path": path })).await;
        bench.fails("adr_lint", json!({ "dir": path })).await;
    }
    assert!(bench.fake.asked().is_empty());
    let (_, result) = bench.call("adr_check", json!({})).await;
    assert_eq!(bench.fake.asked()[1].files, ["ok.ts", "drivers/aux.c"]);
    assert_eq!(result["skippedFiles"], hostile.len() + 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_corpus_directory_that_leaves_the_session_through_a_link_is_refused_before_anything_starts() {
    let bench = Bench::new(Fake::default());
    std::fs::create_dir(bench.tmp.path().join("docs")).unwrap();
    std::os::unix::fs::symlink("/", bench.tmp.path().join("docs/adr")).unwrap();
    for (name, arguments) in good_calls() {
        let failure = bench.fails(name, arguments.clone()).await;
        assert_eq!(
            failure,
            json!({ "error": { "code": "symlink-escape", "message": Error::SymlinkEscape.to_string() } })
        );
        let mut given = arguments;
        given["dir"] = "docs/adr/tmp".into();
        assert_eq!(bench.fails(name, given).await["error"]["code"], "symlink-escape");
    }
    assert!(bench.fake.asked().is_empty(), "neither git nor the engine was asked");
}

#[cfg(unix)]
#[tokio::test]
async fn the_directory_is_computed_once_and_that_value_is_passed_on() {
    let outside = TempDir::new().unwrap();
    let own = outside.path().to_str().unwrap();
    for (argument, variable, dir) in
        [(Some("a/"), own, "a"), (None, own, own), (None, "../x", "../x"), (None, "", "docs/adr")]
    {
        let bench = Bench::with_env(Fake::default(), &[(DIR_VARIABLE, variable)]);
        for (name, mut arguments) in good_calls() {
            if let Some(argument) = argument {
                arguments["dir"] = argument.into();
            }
            assert_eq!(bench.call(name, arguments).await.0, ResultType::Success);
        }
        let asked = bench.fake.asked();
        assert_eq!(asked.len(), 5);
        assert!(asked.iter().filter(|a| a.what != "git").all(|a| a.dir.as_deref() == Some(dir)), "{dir}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn one_file_behind_a_link_does_not_fail_a_whole_check() {
    let bench = Bench::new(Fake::default());
    std::os::unix::fs::symlink("/", bench.tmp.path().join("away")).unwrap();
    let (result_type, _) = bench.call("adr_check", json!({ "paths": ["away/etc/passwd", "a.ts"] })).await;
    assert_eq!(result_type, ResultType::Success);
    assert_eq!(bench.fake.asked()[0].files, ["away/etc/passwd", "a.ts"]);
}

#[tokio::test]
async fn a_check_without_paths_asks_git_for_what_changed() {
    let changed = Changed { files: vec!["a.ts".to_owned()], skipped: 0 };
    let bench = Bench::new(Fake { changed: Ok(changed), ..Fake::default() });
    for (arguments, base) in
        [(json!({}), None), (json!({ "base": "HEAD~1" }), Some("HEAD~1")), (json!({ "dir": "x" }), None)]
    {
        let (_, result) = bench.call("adr_check", arguments).await;
        assert!(result.get("skippedFiles").is_none());
        let asked: Vec<Asked> = bench.fake.asked.lock().unwrap().drain(..).collect();
        assert_eq!((asked[0].what, asked[0].base.as_deref()), ("git", base));
        assert_eq!((asked[1].what, &asked[1].files[..]), ("check", &["a.ts".to_owned()][..]));
        assert_eq!(asked[0].cwd, asked[1].cwd);
    }
}

#[tokio::test]
async fn without_changed_files_the_engine_still_answers() {
    let bench = Bench::new(Fake::default());
    let (result_type, result) = bench.call("adr_check", json!({})).await;
    assert_eq!((result_type, &result["exitCode"]), (ResultType::Success, &json!(0)));
    let asked = bench.fake.asked();
    assert_eq!((asked[1].what, asked[1].files.len()), ("check", 0));
}

// Boundary: fixed words.

#[tokio::test]
async fn every_failure_is_a_fixed_message_selected_by_code() {
    for error in every_error() {
        let bench = Bench::new(Fake { manner: Manner::Fails(error.clone()), ..Fake::default() });
        for (name, arguments) in good_calls() {
            let failure = bench.fails(name, arguments).await;
            let expected = json!({ "code": error.code(), "message": error.to_string() });
            assert_eq!(failure["error"], expected, "{name}");
        }
    }
}

#[tokio::test]
async fn a_failure_after_the_judgement_may_carry_the_files() {
    let changed = Ok(Changed { files: vec!["-x".to_owned(), "c.ts".to_owned()], skipped: 0 });
    let bench = Bench::new(Fake { manner: Manner::Fails(Error::TimedOut), changed, ..Fake::default() });
    let expected = [json!(["src/a.ts", "b"]), json!(["c.ts"]), json!(["src/a.ts"]), json!(null)];
    for ((name, arguments), files) in good_calls().into_iter().zip(expected) {
        assert_eq!(bench.fails(name, arguments).await["files"], files);
    }
}

#[tokio::test]
async fn an_undiffable_base_is_worded_differently_with_and_without_a_base() {
    let bench = Bench::new(Fake { changed: Err(Error::BaseUndiffable), ..Fake::default() });
    let given = bench.fails("adr_check", json!({ "base": "zqx" })).await;
    let default = bench.fails("adr_check", json!({})).await;
    assert_eq!(
        given["error"],
        json!({ "code": "base-undiffable", "message": Error::BaseUndiffable.to_string() })
    );
    assert_eq!(default["error"], json!({ "code": "base-undiffable", "message": NO_DEFAULT_BASE }));
    assert_eq!(bench.fake.asked().len(), 2, "no engine was asked");
}

#[tokio::test]
async fn a_directory_that_is_no_work_tree_is_its_own_failure() {
    for error in [Error::NotWorkTree, Error::GitUnsafeDirectory] {
        let bench = Bench::new(Fake { changed: Err(error.clone()), ..Fake::default() });
        for arguments in [json!({}), json!({ "base": "main" })] {
            let failure = bench.fails("adr_check", arguments).await;
            assert_eq!(failure, json!({ "error": { "code": error.code(), "message": error.to_string() } }));
        }
    }
}

#[tokio::test]
async fn a_panic_is_a_fixed_failure() {
    let bench = Bench::new(Fake { manner: Manner::Panics, ..Fake::default() });
    for (name, arguments) in good_calls() {
        let result = bench.tools.call(name, &arguments, &Cancel::new()).await;
        assert_eq!(result, ToolResult::internal());
    }
    assert_eq!(bench.tools.running.available_permits(), MAX_RUNNING_CALLS);
}

// Boundary: a non-zero exit with a report is data.

#[tokio::test]
async fn an_exit_code_with_a_report_is_a_success_and_the_report_is_the_engines() {
    for exit_code in [0, 1] {
        let bench = Bench::new(Fake { exit_code, ..Fake::default() });
        let reports = [
            serde_json::to_value(bench.fake.check_report()).unwrap(),
            serde_json::to_value(bench.fake.check_report()).unwrap(),
            serde_json::to_value(bench.fake.explain_report()).unwrap(),
            serde_json::to_value(bench.fake.lint_report()).unwrap(),
        ];
        for ((name, arguments), report) in good_calls().into_iter().zip(reports) {
            let (result_type, result) = bench.call(name, arguments).await;
            assert_eq!(result_type, ResultType::Success);
            assert_eq!(result, json!({ "exitCode": exit_code, "report": report }));
        }
    }
}

#[tokio::test]
async fn keys_stand_in_the_order_of_the_command() {
    let bench = Bench::new(Fake::default());
    let result = bench.tools.call("adr_lint", &json!({}), &Cancel::new()).await;
    let report = serde_json::to_string(&bench.fake.lint_report()).unwrap();
    assert_eq!(result.text_result_for_llm, format!(r#"{{"exitCode":0,"report":{report}}}"#));
}

#[tokio::test]
async fn a_usage_exit_is_a_failure_with_the_commands_own_words() {
    let message = "Corpus directory not found: 'docs/adr'.";
    let usage = Error::Usage { message: message.to_owned() };
    let bench = Bench::new(Fake { manner: Manner::Fails(usage), ..Fake::default() });
    let failure = bench.fails("adr_lint", json!({})).await;
    assert_eq!(failure, json!({ "error": { "code": "usage-error", "message": message }, "exitCode": 2 }));
}

#[tokio::test]
async fn an_exit_without_a_report_is_a_fixed_message_and_the_exit_code_only() {
    let crash = Error::NoReport { exit_code: Some(134) };
    let message = crash.to_string();
    let bench = Bench::new(Fake { manner: Manner::Fails(crash), ..Fake::default() });
    let failure = bench.fails("adr_lint", json!({})).await;
    assert_eq!(failure, json!({ "error": { "code": "no-report", "message": message }, "exitCode": 134 }));
}

// Boundary: no result names a writing command.

#[tokio::test]
async fn no_result_names_a_writing_command() {
    let pattern = format!(
        r"(?i-u:adr\w*(/cli)?)(\s|\p{{Cf}}|\\[nrt])+(?i-u:{})(?-u:\b)",
        scrub::WRITING_SUBCOMMANDS.join("|")
    );
    let pattern = Regex::new(&pattern).unwrap();
    for text in [
        "Run adr new",
        "adr\nmigrate",
        "ADR\u{200B}\tRatify",
        "npx @adrkit/cli\u{2060}new",
        "adr new".repeat(90).as_str(),
    ] {
        let text = text.to_owned();
        let changed =
            Ok(Changed { files: vec![text.replace(['\n', '\t', '\u{200B}', '\u{2060}'], " ")], skipped: 0 });
        let usage = Manner::Fails(Error::Usage { message: text.clone() });
        for manner in [Manner::Answers, usage] {
            let bench =
                Bench::new(Fake { manner, text: text.clone(), changed: changed.clone(), ..Fake::default() });
            for (name, arguments) in good_calls() {
                let result = bench.tools.call(name, &arguments, &Cancel::new()).await.text_result_for_llm;
                assert!(!pattern.is_match(&result), "{result}");
                assert!(result.contains('…'), "{result}");
            }
        }
    }
    assert!(pattern.is_match(&serde_json::to_string("adr\nnew").unwrap()));
}

// Working directory.

#[tokio::test]
async fn the_tools_answer_for_the_new_directory_after_a_change() {
    let bench = Bench::new(Fake::default());
    let other = TempDir::new().unwrap();
    let (old, new) = (real(bench.tmp.path()), real(other.path()));
    bench.call("adr_lint", json!({})).await;
    for data in [
        json!({ "cwd": new.as_str(), "pendingGitContext": true }),
        json!({ "cwd": new.as_str(), "gitRoot": old.as_str() }),
    ] {
        bench.tools.context_changed(&json!({ "type": "session.context_changed", "data": data }));
        assert_eq!(bench.tools.directory(), new);
        bench.call("adr_check", json!({})).await;
    }
    bench.tools.context_changed(&json!({ "type": "session.context_changed", "data": { "cwd": "relative" } }));
    bench.call("adr_lint", json!({})).await;
    let cwds: Vec<Utf8PathBuf> = bench.fake.asked().into_iter().map(|a| a.cwd).collect();
    assert_eq!(cwds, [&old, &new, &new, &new, &new, &new].map(Clone::clone));
}

#[tokio::test]
async fn a_directory_that_has_vanished_is_a_fixed_failure() {
    let bench = Bench::new(Fake::default());
    let gone = real(bench.tmp.path()).join("gone");
    bench
        .tools
        .context_changed(&json!({ "type": "session.context_changed", "data": { "cwd": gone.as_str() } }));
    for (name, arguments) in good_calls() {
        let failure = bench.fails(name, arguments).await;
        let message = Error::WorkingDirectoryGone.to_string();
        assert_eq!(failure, json!({ "error": { "code": "working-directory-gone", "message": message } }));
    }
    assert!(bench.fake.asked().is_empty());
}

// Size.

#[tokio::test]
async fn every_result_is_valid_json_below_the_hosts_limit() {
    let files = (0..3000).map(|n| format!("src/some/where/{n}.ts")).collect();
    for (manner, text) in [
        (Manner::Answers, "é".repeat(20_000)),
        (Manner::Answers, "\u{1}".repeat(3_000)),
        (Manner::Fails(Error::CommandTooLong), String::new()),
    ] {
        let changed = Ok(Changed { files: Clone::clone(&files), skipped: 0 });
        let bench = Bench::new(Fake { manner, changed, text, ..Fake::default() });
        for (name, arguments) in good_calls() {
            let result = bench.tools.call(name, &arguments, &Cancel::new()).await;
            assert!(result.text_result_for_llm.len() <= fit::MAX_RESULT_BYTES);
            let _: Value = serde_json::from_str(&result.text_result_for_llm).unwrap();
        }
    }
}

// Many at once.

#[tokio::test]
async fn of_two_hundred_calls_half_are_cancelled_and_half_answer() {
    let (open, gate) = watch::channel(false);
    let bench = Arc::new(Bench::new(Fake { manner: Manner::Waits(gate), ..Fake::default() }));
    let mut cancelled = tokio::task::JoinSet::new();
    let mut answered = tokio::task::JoinSet::new();
    let mut cancels = Vec::new();
    for n in 0..200 {
        let (name, arguments) = good_calls()[n % 4].clone();
        let cancel = Cancel::new();
        let (bench, token) = (bench.clone(), cancel.clone());
        let call = async move { bench.tools.call(name, &arguments, &token).await };
        if n / 4 % 2 == 0 {
            cancels.push(cancel);
            cancelled.spawn(call);
        } else {
            answered.spawn(call);
        }
    }
    // Those that wait for a slot are ended too, though every slot is taken and the gate is shut.
    while bench.fake.running.load(Ordering::SeqCst) < MAX_RUNNING_CALLS {
        tokio::task::yield_now().await;
    }
    cancels.iter().for_each(Cancel::cancel);
    let cancelled = cancelled.join_all().await;
    assert_eq!(cancelled.len(), 100);
    assert!(cancelled.iter().all(|r| r.text_result_for_llm.contains(r#""code":"aborted""#)));
    open.send(true).unwrap();
    let answered = answered.join_all().await;
    assert_eq!(answered.len(), 100);
    assert!(answered.iter().all(|r| r.result_type == ResultType::Success));
    assert_eq!(bench.fake.most.load(Ordering::SeqCst), MAX_RUNNING_CALLS);
    assert_eq!(bench.fake.running.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_asks_nobody() {
    let bench = Bench::new(Fake::default());
    let cancel = Cancel::new();
    cancel.cancel();
    for (name, arguments) in good_calls() {
        let result = bench.tools.call(name, &arguments, &cancel).await;
        assert!(result.text_result_for_llm.contains(r#""code":"aborted""#));
    }
    assert!(bench.fake.asked().is_empty());
}

#[tokio::test]
async fn calls_that_are_dropped_give_their_slots_back() {
    let bench = Bench::new(Fake { manner: Manner::Never, ..Fake::default() });
    for _ in 0..MAX_RUNNING_CALLS {
        let (arguments, cancel) = (json!({}), Cancel::new());
        let call = bench.tools.call("adr_lint", &arguments, &cancel);
        let asked = async {
            while bench.fake.running.load(Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! { _ = call => panic!("it never answers"), () = asked => {} }
    }
    assert_eq!(bench.tools.running.available_permits(), MAX_RUNNING_CALLS);
}

#[test]
fn calls_can_move_between_threads() {
    fn is_send<T: Send>(_: &T) {}
    fn is_sync<T: Sync>(_: &T) {}
    let bench = Bench::new(Fake::default());
    is_sync(&bench.tools);
    is_send(&bench.tools.call("adr_lint", &Value::Null, &Cancel::new()));
}

// The log.

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn what_is_logged_of_a_call_says_whose_it_is_and_nothing_of_its_contents() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    // Where there is one subscriber alone, an event that another thread comes to first counts as wanted by nobody.
    let _another = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
    let guard = tracing::subscriber::set_default(subscriber);
    let bench = Bench::new(Fake { text: "zqx".to_owned(), ..Fake::default() });
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let told = |text: &str| Some(text.to_owned());
    let trace = TraceContext {
        session_id: told("session-1"),
        tool_call_id: told("call-2"),
        traceparent: told(parent),
        tracestate: told("a=b"),
    };
    bench.tools.call_json("adr_explain", r#"{"path":"zqx"}"#, &trace, &Cancel::new()).await;
    let odd = TraceContext {
        session_id: told("zqx\nzqx"),
        tool_call_id: None,
        traceparent: told("zqx"),
        tracestate: told("zqx"),
    };
    bench.tools.call_json("zqx", r#"{"zqx":"zqx"}"#, &odd, &Cancel::new()).await;
    bench.tools.call_json("adr_lint", "zqx", &odd, &Cancel::new()).await;
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for said in [
        r#"session_id="session-1" tool_call_id="call-2""#,
        &format!(r#"traceparent="{parent}" tracestate="a=b""#),
        r#"tool="adr_explain" code="ok""#,
        r#"code="unknown-tool""#,
        r#"tool="adr_lint" code="arguments-unreadable""#,
        "duration_ms=",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("zqx"), "{text}");
    assert_eq!(text.matches("tool call").count(), 3);
}

#[tokio::test]
async fn arguments_as_text_are_judged_as_values_are() {
    let bench = Bench::new(Fake::default());
    for (name, arguments) in good_calls() {
        for arguments in [arguments, json!({ "cli": 1 }), json!([]), json!(null)] {
            let (trace, cancel) = (TraceContext::default(), Cancel::new());
            let by_text = bench.tools.call_json(name, &arguments.to_string(), &trace, &cancel).await;
            assert_eq!(by_text, bench.tools.call(name, &arguments, &cancel).await);
        }
    }
    bench.fake.asked.lock().unwrap().clear();
    for text in ["", "{", &"1".repeat(MAX_ARGUMENTS_BYTES + 1)] {
        let result = bench.tools.call_json("adr_lint", text, &TraceContext::default(), &Cancel::new()).await;
        assert!(result.text_result_for_llm.contains(r#""code":"arguments-unreadable""#));
    }
    assert!(bench.fake.asked().is_empty());
}
