//! The tools as their host sees them, over the real engine.
#![expect(clippy::unwrap_used, reason = "a test stops where its set-up fails")]

use std::collections::HashSet;
use std::fs;

use adrkit_native::process::{Cancel, Owner};
use adrkit_native::tools::fit::HOST_LIMIT_BYTES;
use adrkit_native::tools::{DIR_VARIABLE, ENGINE_VARIABLE, ResultType, Tool, Tools, definitions};
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A directory with an empty corpus, and tools in it that start no `adr` command.
struct Bench {
    tmp: TempDir,
    tools: Tools,
}

fn bench_with(env: &[(&str, &str)]) -> Bench {
    let tmp = TempDir::new().unwrap();
    fs::create_dir_all(tmp.path().join("docs/adr")).unwrap();
    let cwd = Utf8PathBuf::from_path_buf(tmp.path().to_owned()).unwrap();
    let env = [&[(ENGINE_VARIABLE, "embedded")], env].concat();
    let env = env.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
    Bench { tmp, tools: Tools::new(cwd, env, Owner::default()) }
}

fn bench() -> Bench {
    bench_with(&[])
}

impl Bench {
    async fn call(&self, name: &str, arguments: &Value) -> (ResultType, String) {
        let result = self.tools.call(name, arguments, &Cancel::new()).await;
        assert!(result.text_result_for_llm.len() < HOST_LIMIT_BYTES);
        (result.result_type, result.text_result_for_llm)
    }

    async fn json(&self, name: &str, arguments: Value) -> (ResultType, Value) {
        let (result_type, text) = self.call(name, &arguments).await;
        (result_type, serde_json::from_str(&text).unwrap())
    }
}

/// Stands in every hostile text, so that an echo is seen.
const CANARY: &str = "zqx";

fn hostile_paths() -> Vec<Value> {
    let mut texts: Vec<String> = [
        "/zqx",
        "//zqx",
        "/zqx/../etc",
        "\\zqx",
        "\\\\zqx\\share",
        "\\\\?\\C:\\zqx",
        "\\\\.\\pipe\\zqx",
        "C:\\zqx",
        "C:/zqx",
        "C:zqx",
        "z:zqx",
        "../zqx",
        "..\\zqx",
        "zqx/..",
        "zqx/../..",
        "a/../../zqx",
        "a\\..\\zqx",
        "./../zqx",
        "zqx/..//a",
        "-zqx",
        "--zqx",
        "--dir=/zqx",
        "-",
        "--",
        "./-zqx",
        ".//--zqx",
        "zqx:stream",
        "zqx::$DATA",
        "file:zqx",
        "http://zqx",
        "zqx\0",
        "\0zqx",
        "zqx\n",
        "zqx\r\n--json",
        "\tzqx",
        "zqx\u{1b}[31m",
        "zqx\u{7f}",
        "zqx\u{85}",
        "zqx\u{9b}",
        "zqx\u{2028}",
        "zqx\u{2029}",
        "zqx\u{202A}",
        "zqx\u{202E}gpj",
        "zqx\u{2066}",
        "zqx\u{2069}",
        "zqx\u{200E}",
        "zqx\u{61C}",
        "zqx\u{200B}",
        "zqx\u{200D}a",
        "zqx\u{2060}",
        "\u{FEFF}zqx",
        "zqx\u{AD}",
        "zqx\u{E0041}",
        "zqx\u{3164}",
        "zqx\u{FE0F}\u{FE0F}",
        "zqx/NUL",
        "zqx/con.txt",
        "zqx/COM1",
        "zqx/LPT\u{b9}",
        "zqx/aux.c",
        "CONIN$/zqx",
        "zqx.",
        "zqx ",
        "zqx./a",
        "zqx /a",
        "",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push(format!("{CANARY}{}", "a".repeat(1022)));
    texts.push(CANARY.repeat(1_000_000));
    let other = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1.5),
        json!([CANARY]),
        json!({ CANARY: CANARY }),
        nested(),
    ];
    texts.into_iter().map(Value::String).chain(other).collect()
}

fn hostile_revisions() -> Vec<Value> {
    let mut texts: Vec<String> = [
        "",
        "-zqx",
        "--output=/tmp/zqx",
        "--upload-pack=zqx",
        "^zqx",
        "~zqx",
        ":/zqx",
        ":zqx",
        "zqx:README",
        "a..zqx",
        "a...zqx",
        "zqx..",
        "..zqx",
        "zqx^@",
        "zqx^-1",
        "zqx^!",
        "zqx^{/re}",
        "zqx@{yesterday}",
        "@{zqx}",
        "zqx;id",
        "zqx|id",
        "$(zqx)",
        "`zqx`",
        "zqx id",
        "zqx\n",
        "zqx\0",
        " zqx",
        "zqx%PATH%",
        "\u{202E}zqx",
        "zqx\u{200B}",
        "zqé",
        "/zqx",
        ".zqx",
        "+zqx",
        "*zqx",
        "zqx*",
        "zqx?",
        "zqx[0]",
        "zqx\\a",
        "\"zqx\"",
        "'zqx'",
        "zqx<a",
        "zqx>a",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push(format!("{CANARY}{}", "a".repeat(254)));
    texts.push(CANARY.repeat(1_000_000));
    let other = [json!(null), json!(false), json!(7), json!([CANARY]), json!({ CANARY: 1 }), nested()];
    texts.into_iter().map(Value::String).chain(other).collect()
}

fn nested() -> Value {
    (0..1000).fold(json!(CANARY), |inside, _| json!([inside]))
}

fn hostile_calls() -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    for path in hostile_paths() {
        calls.push(("adr_check", json!({ "paths": [path] })));
        calls.push(("adr_check", json!({ "paths": ["a", path, "b"] })));
        calls.push(("adr_check", json!({ "paths": ["a"], "dir": path })));
        calls.push(("adr_check", json!({ "dir": path })));
        calls.push(("adr_explain", json!({ "path": path })));
        calls.push(("adr_explain", json!({ "path": "a", "dir": path })));
        calls.push(("adr_lint", json!({ "dir": path })));
    }
    for base in hostile_revisions() {
        calls.push(("adr_check", json!({ "base": base })));
        calls.push(("adr_check", json!({ "base": base, "dir": "docs/adr" })));
    }
    for list in [
        json!([]),
        json!(CANARY),
        json!({ "0": CANARY, "length": 1 }),
        json!(null),
        json!(1),
        json!([[CANARY]]),
    ] {
        calls.push(("adr_check", json!({ "paths": list })));
    }
    calls.push(("adr_check", json!({ "paths": vec![CANARY; 201] })));
    calls.push(("adr_check", json!({ "paths": vec![CANARY; 100_000] })));
    calls.push(("adr_check", json!({ "paths": [CANARY], "base": CANARY })));
    calls.push(("adr_check", json!({ "paths": null, "base": null })));
    for tool in Tool::ALL {
        for arguments in [json!([]), json!([CANARY]), json!(CANARY), json!(1), json!(true), nested()] {
            calls.push((tool.name(), arguments));
        }
        for key in [
            "cli",
            "CLI",
            "__proto__",
            "constructor",
            "prototype",
            "toString",
            "hasOwnProperty",
            "env",
            "cwd",
            "engine",
            "files",
            "json",
            "fix",
            "--",
            "--fix",
            "Paths",
            "PATH",
            "dir ",
            " dir",
            "dir\0",
            "d\u{200B}ir",
            "",
            "zqx",
            "timeoutMs",
        ] {
            for value in [json!(CANARY), json!(null), json!({ "path": CANARY })] {
                let mut arguments = if tool == Tool::Explain { json!({ "path": "a" }) } else { json!({}) };
                arguments[key] = value;
                calls.push((tool.name(), arguments));
            }
        }
    }
    calls.push(("adr_explain", json!({})));
    calls.push(("adr_explain", json!({ "paths": [CANARY] })));
    calls.push(("adr_explain", json!({ "path": "a", "base": CANARY })));
    calls.push(("adr_lint", json!({ "path": CANARY })));
    calls.push(("adr_lint", json!({ "paths": [CANARY] })));
    for name in ["", "adr", "zqx", "ADR_CHECK", "adr_check ", "adr_new", "adr_queue", "bash", "__proto__"] {
        calls.push((name, json!({ "zqx": CANARY })));
    }
    calls
}

#[tokio::test]
async fn a_rejected_argument_is_a_failure_with_a_fixed_message_and_never_echoed() {
    let bench = bench();
    let calls = hostile_calls();
    assert!(calls.len() >= 150, "{}", calls.len());
    let mut messages = HashSet::new();
    for (name, arguments) in calls {
        let (result_type, text) = bench.call(name, &arguments).await;
        let shown = format!("{arguments:.200}");
        assert_eq!(result_type, ResultType::Failure, "{name} {shown}");
        assert!(!text.to_lowercase().contains(CANARY), "{name} {shown}: {text}");
        let failure: Value = serde_json::from_str(&text).unwrap();
        let code = failure["error"]["code"].as_str().unwrap().to_owned();
        let judged =
            ["path-", "paths-", "revision-", "arguments-not-object", "unknown-argument", "unknown-tool"];
        assert!(judged.iter().any(|c| code.starts_with(c)), "{name} {shown}: {code}");
        assert!(failure.get("files").is_none() && failure.get("exitCode").is_none());
        messages.insert((code, failure["error"]["message"].as_str().unwrap().to_owned()));
    }
    let codes: HashSet<&String> = messages.iter().map(|(code, _)| code).collect();
    assert_eq!(codes.len(), messages.len(), "one message a code");
}

#[tokio::test]
async fn each_tool_answers() {
    let bench = bench();
    let empty = json!([]);
    let (result_type, check) = bench.json("adr_check", json!({ "paths": ["src/a.ts"] })).await;
    assert_eq!((result_type, &check["exitCode"]), (ResultType::Success, &json!(0)));
    assert_eq!(check["report"]["changedFiles"], json!(["src/a.ts"]));
    assert_eq!(check["report"]["governing"], empty);
    let (result_type, explain) = bench.json("adr_explain", json!({ "path": "src/a.ts" })).await;
    assert_eq!((result_type, &explain["report"]["path"]), (ResultType::Success, &json!("src/a.ts")));
    for none in [json!({}), Value::Null] {
        let lint = bench.json("adr_lint", none).await;
        assert_eq!(
            lint,
            (ResultType::Success, json!({ "exitCode": 0, "report": { "checked": 0, "findings": [] } }))
        );
    }
}

#[tokio::test]
async fn a_missing_corpus_is_a_usage_failure_in_the_engines_words() {
    let bench = bench();
    for (name, arguments) in [
        ("adr_check", json!({ "paths": ["a"], "dir": "no/such" })),
        ("adr_explain", json!({ "path": "a", "dir": "no/such" })),
        ("adr_lint", json!({ "dir": "no/such" })),
    ] {
        let (result_type, failure) = bench.json(name, arguments).await;
        assert_eq!(result_type, ResultType::Failure);
        assert_eq!((&failure["error"]["code"], &failure["exitCode"]), (&json!("usage-error"), &json!(2)));
        assert_eq!(failure["error"]["message"], "Corpus directory not found: 'no/such'.");
    }
}

#[tokio::test]
async fn the_persons_own_corpus_may_be_anywhere() {
    let away = TempDir::new().unwrap();
    fs::write(away.path().join("0001-a.md"), "").unwrap();
    let bench = bench_with(&[(DIR_VARIABLE, away.path().to_str().unwrap())]);
    let (result_type, lint) = bench.json("adr_lint", json!({})).await;
    assert_eq!((result_type, &lint["report"]["checked"]), (ResultType::Success, &json!(1)));
    let (_, lint) = bench.json("adr_lint", json!({ "dir": "docs/adr" })).await;
    assert_eq!(lint["report"]["checked"], 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_linked_corpus_does_not_tell_the_names_outside() {
    let away = TempDir::new().unwrap();
    fs::write(away.path().join("secret.md"), "").unwrap();
    let bench = bench();
    std::os::unix::fs::symlink(away.path(), bench.tmp.path().join("link")).unwrap();
    let (result_type, text) = bench.call("adr_lint", &json!({ "dir": "link" })).await;
    assert_eq!(result_type, ResultType::Failure);
    assert!(text.contains("symlink-escape") && !text.contains("secret"), "{text}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_session_behind_a_link_is_answered_as_if_it_were_not() {
    let bench = bench();
    fs::write(bench.tmp.path().join("a.ts"), "// @adr 0001\n").unwrap();
    let place = TempDir::new().unwrap();
    let link = place.path().join("link");
    std::os::unix::fs::symlink(bench.tmp.path(), &link).unwrap();
    bench.tools.context_changed(&json!({ "type": "session.context_changed", "data": { "cwd": link } }));
    let (_, explain) = bench.json("adr_explain", json!({ "path": "a.ts" })).await;
    assert_eq!(explain["report"]["markers"]["state"], "scanned");
}

#[tokio::test]
async fn the_tools_answer_for_the_new_directory_after_a_change() {
    let (one, two) = (bench(), bench());
    fs::write(two.tmp.path().join("docs/adr/0001-a.md"), "").unwrap();
    let (_, lint) = one.json("adr_lint", json!({})).await;
    assert_eq!(lint["report"]["checked"], 0);
    let event = json!({ "type": "session.context_changed", "data": { "cwd": two.tmp.path() } });
    one.tools.context_changed(&event);
    one.tools.context_changed(&event);
    let (_, lint) = one.json("adr_lint", json!({})).await;
    assert_eq!(lint["report"]["checked"], 1);
    drop(two);
    let (_, failure) = one.json("adr_lint", json!({})).await;
    assert_eq!(failure["error"]["code"], "working-directory-gone");
}

#[test]
fn no_tool_bears_the_name_of_a_built_in() {
    let built_in = [
        "apply_patch",
        "ask_user",
        "bash",
        "create",
        "edit",
        "extensions_manage",
        "fetch",
        "glob",
        "grep",
        "list_bash",
        "open_canvas",
        "powershell",
        "read_bash",
        "report_intent",
        "rg",
        "semantic_code_search",
        "sql",
        "stop_bash",
        "str_replace_editor",
        "task",
        "tool_search",
        "update_todo",
        "view",
        "web_fetch",
        "web_search",
        "write_bash",
    ];
    for definition in definitions().as_array().unwrap() {
        assert!(!built_in.contains(&definition["name"].as_str().unwrap()));
    }
}

/// The processes of this one's children, and its sockets.
#[cfg(target_os = "linux")]
fn children_and_sockets() -> (HashSet<String>, HashSet<std::path::PathBuf>) {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children =
        children.flat_map(|c| c.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    let fds = fs::read_dir("/proc/self/fd").unwrap().flatten().filter_map(|fd| fs::read_link(fd.path()).ok());
    (children, fds.filter(|to| to.to_string_lossy().starts_with("socket:")).collect())
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_embedded_engine_starts_no_process_and_opens_no_socket() {
    let before = children_and_sockets();
    let bench = bench();
    for (name, arguments) in [
        ("adr_check", json!({ "paths": ["a"] })),
        ("adr_explain", json!({ "path": "a" })),
        ("adr_lint", json!({})),
    ] {
        assert_eq!(bench.call(name, &arguments).await.0, ResultType::Success);
    }
    assert_eq!(children_and_sockets(), before);
}
