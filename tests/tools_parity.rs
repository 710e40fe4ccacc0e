//! A tool call gives the same text whichever engine answers.
//!
//! Each recorded `check`, `explain` and `lint` that a tool call can express is asked twice in the recorded tree: of the
//! embedded engine, and of a command that prints the recording. A recording has no messages, since these are no part of
//! the contract; so each is given the words that the embedded engine has for the same finding.
#![cfg(unix)] // The command is a script, and the cases have links and fifos.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

#[path = "golden/json.rs"]
mod json;
#[expect(dead_code, reason = "its other user runs the command in the sandbox")]
#[path = "golden/sandbox.rs"]
mod sandbox;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use adrkit_native::corpus;
use adrkit_native::engine::DEFAULT_DIR;
use adrkit_native::error::Error;
use adrkit_native::process::{Cancel, Owner};
use adrkit_native::tools::{DIR_VARIABLE, ENGINE_VARIABLE, ResultType, ToolResult, Tools};
use adrkit_native::validate::{self, MAX_PATHS, RepoPath};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::json::{Json, Text};
use crate::sandbox::Sandbox;

/// How many recordings of each command are asked at least. There may be more, and not one less.
const AT_LEAST: [(&str, usize); 3] = [("check", 68), ("explain", 35), ("lint", 136)];

/// What a recorded command line asks, as far as a tool can.
#[derive(Debug)]
struct Question {
    command: String,
    paths: Vec<String>,
    /// What `--dir` says.
    dir: Option<String>,
}

impl Question {
    /// None where no tool call means the same: another command, output for people, paths that a model may not name or
    /// that would reach the command in another spelling.
    fn of(argv: &[String]) -> Option<Self> {
        let (command, rest) = argv.split_first()?;
        let (mut paths, mut dir, mut json) = (Vec::new(), None, false);
        let mut rest = rest.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "--" => paths.extend(rest.by_ref().cloned()),
                "--json" => json = true,
                "--dir" => dir = Some(rest.next()?.clone()),
                option if option.starts_with("--dir=") => dir = Some(option["--dir=".len()..].to_owned()),
                option if option.starts_with('-') => return None,
                path => paths.push(path.to_owned()),
            }
        }
        let fits = match command.as_str() {
            "check" => (1..=MAX_PATHS).contains(&paths.len()),
            "explain" => paths.len() == 1,
            "lint" => paths.is_empty(),
            _ => false,
        };
        let unchanged = paths.iter().all(|path| RepoPath::parse(path).is_ok_and(|p| p.as_str() == path));
        let dir_fits = dir.as_deref() != Some("");
        (fits && json && unchanged && dir_fits).then(|| Self { command: command.clone(), paths, dir })
    }

    fn tool(&self) -> String {
        format!("adr_{}", self.command)
    }

    /// The directory as an argument, where a model may name it.
    fn dir_argument(&self) -> Option<&str> {
        let dir = self.dir.as_deref()?;
        validate::corpus_dir(dir).is_ok_and(|judged| judged.as_str() == dir).then_some(dir)
    }

    fn arguments(&self) -> Value {
        let mut arguments = match self.command.as_str() {
            "check" => json!({ "paths": self.paths }),
            "explain" => json!({ "path": self.paths[0] }),
            _ => json!({}),
        };
        if let Some(dir) = self.dir_argument() {
            arguments["dir"] = dir.into();
        }
        arguments
    }

    /// The environment of the tools. A directory that a model may not name, a person may.
    fn env(&self, more: &[(&str, &str)]) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
        let persons = self.dir.as_deref().filter(|_| self.dir_argument().is_none());
        let mut env: Vec<_> = more.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        env.push(("PATH".into(), std::env::var_os("PATH").unwrap_or_default()));
        env.extend(persons.map(|dir| (DIR_VARIABLE.into(), dir.into())));
        env
    }

    /// What the embedded engine says, not shortened.
    fn embedded(&self, root: &Utf8Path) -> Result<Value, Error> {
        fn value(report: impl serde::Serialize) -> Value {
            serde_json::to_value(report).unwrap()
        }
        let dir = self.dir.as_deref().unwrap_or(DEFAULT_DIR);
        match self.command.as_str() {
            "check" => corpus::check(root, dir, &self.paths).map(|(_, report)| value(report)),
            "explain" => corpus::explain(root, dir, &self.paths[0]).map(|(_, report)| value(report)),
            _ => corpus::lint(root, dir).map(|(_, report)| value(report)),
        }
    }
}

/// Gives `recorded` the messages of `other`, which has the same shape.
fn lend_messages(recorded: &mut Json, other: &Value) {
    match recorded {
        Json::Array(items) => {
            for (item, other) in items.iter_mut().zip(other.as_array().into_iter().flatten()) {
                lend_messages(item, other);
            }
        }
        Json::Object(entries) => {
            for (key, value) in entries.iter_mut() {
                lend_messages(value, &other[key.to_string()]);
            }
            let message = other.get("message").and_then(Value::as_str);
            entries.extend(message.map(|message| ("message".into(), Json::Text(message.into()))));
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => {}
    }
}

/// A command that prints a recording.
struct Replay {
    dir: TempDir,
}

impl Replay {
    fn record(&self, command: &str, exit: i32, stdout: &[u8], stderr: &str) {
        let write = |name: &str, bytes: &[u8]| fs::write(self.dir.path().join(name), bytes).unwrap();
        write(&format!("{command}.json"), stdout);
        write("stderr", stderr.as_bytes());
        write("exit", format!("{exit}\n").as_bytes());
        write("calls", b"");
    }

    fn calls(&self) -> usize {
        fs::read_to_string(self.dir.path().join("calls")).unwrap().lines().count()
    }
}

async fn ask(question: &Question, cwd: &Utf8Path, env: &[(&str, &str)]) -> ToolResult {
    let tools = Tools::new(cwd.to_owned(), question.env(env), Owner::default());
    tools.call(&question.tool(), &question.arguments(), &Cancel::new()).await
}

fn string(text: &Text) -> Option<String> {
    String::from_utf8(text.to_bytes()).ok()
}

/// Asks the question of `case` of both engines. None where no tool call means the same, else which command it was.
async fn compare(case: &Json, replay: &Replay) -> Option<String> {
    let name = case.get("name").and_then(Json::text).unwrap().to_string();
    let (input, expected) = (case.get("input").unwrap(), case.get("expected").unwrap());
    let argv: Option<Vec<String>> =
        input.get("argv")?.items().iter().map(|arg| arg.text().and_then(string)).collect();
    let sandbox = Sandbox::build(input, None).unwrap();
    let substitute = |arg: &String| String::from_utf8(sandbox.substitute(arg.as_bytes())).unwrap();
    let question = Question::of(&argv?.iter().map(substitute).collect::<Vec<_>>())?;
    let exit = expected.get("exitCode").and_then(Json::integer).unwrap();
    let root = Utf8PathBuf::from_path_buf(sandbox.cwd(input).unwrap()).unwrap();
    let own = question.embedded(&root);
    match (expected.get("stdoutJson"), exit) {
        (Some(report), 0 | 1) => {
            let mut report = report.clone();
            lend_messages(&mut report, own.as_ref().unwrap());
            let stdout = sandbox.substitute(report.to_string().as_bytes());
            replay.record(&question.command, exit, &stdout, "");
        }
        (None, 2) => {
            let Err(Error::Usage { message }) = &own else { panic!("{name}: {own:?}") };
            replay.record(&question.command, exit, b"", message);
        }
        // There the engines fail each in its own way.
        _ => return None,
    }

    let embedded = ask(&question, &root, &[(ENGINE_VARIABLE, "embedded")]).await;
    assert_eq!(replay.calls(), 0, "{name}");
    let command = Path::new(env!("CARGO_MANIFEST_DIR")).join("__test__/fixtures/quick-adr.sh");
    let replayed = [
        (ENGINE_VARIABLE, "cli"),
        ("ADRKIT_CLI", command.to_str().unwrap()),
        ("QUICK_ADR", replay.dir.path().to_str().unwrap()),
    ];
    let by_command = ask(&question, &root, &replayed).await;
    assert_eq!(replay.calls(), 1, "{name}");
    assert_eq!(embedded.text_result_for_llm, by_command.text_result_for_llm, "{name}");
    let result_type = if exit == 2 { ResultType::Failure } else { ResultType::Success };
    assert_eq!((embedded.result_type, by_command.result_type), (result_type, result_type), "{name}");
    let result: Value = serde_json::from_str(&embedded.text_result_for_llm).unwrap();
    assert_eq!(result["exitCode"], exit, "{name}");
    Some(question.command)
}

#[tokio::test]
async fn with_the_command_and_the_embedded_engine_a_tool_call_gives_the_same_text() {
    let replay = Replay { dir: TempDir::new().unwrap() };
    let mut compared = BTreeMap::new();
    let cases = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/cases")).unwrap();
    for file in cases {
        let cases = Json::parse(&fs::read_to_string(file.unwrap().path()).unwrap()).unwrap();
        for case in cases.items() {
            if let Some(command) = compare(case, &replay).await {
                *compared.entry(command).or_default() += 1;
            }
        }
    }
    println!("{compared:?}");
    for (command, at_least) in AT_LEAST {
        let compared: usize = compared.get(command).copied().unwrap_or_default();
        assert!(compared >= at_least, "{command}: only {compared} cases were compared");
    }
}

#[test]
fn a_message_is_lent_to_the_finding_in_the_same_place() {
    let mut recorded = Json::parse(r#"{"findings":[{"rule":"a"},{"rule":"b"}],"ok":true}"#).unwrap();
    let other = json!({ "findings": [{ "message": "A" }, { "message": "é" }, { "message": "C" }] });
    lend_messages(&mut recorded, &other);
    let lent = r#"{"findings":[{"rule":"a","message":"A"},{"rule":"b","message":"\u00e9"}],"ok":true}"#;
    assert_eq!(recorded.to_string(), lent);
}
