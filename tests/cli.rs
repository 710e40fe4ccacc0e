//! The `adr` command through the public door: which one is asked, how, and what its end means.
#![cfg(unix)] // Scripts, links and signals.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod fake_adr;

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adrkit_native::cli::{CliSource, Launch, MAX_WORDS_BYTES, ResolvedCli, resolve};
use adrkit_native::engine::{self, Ask, EngineChoice, EngineName};
use adrkit_native::error::Error;
use adrkit_native::process::Cancel;
use fake_adr::{World, fake, script, supervised};
use serde_json::{Value, json};

const LINT: &str = r#"{"checked": 7, "findings": []}"#;

/// An `adr` that answers a lint, and says where it stands.
fn answering(path: &Path) -> PathBuf {
    script(path, &format!("#!/bin/sh\nprintf '%s' '{LINT}'\n"))
}

fn resolved(world: &World) -> Result<Option<ResolvedCli>, Error> {
    resolve(&world.repo, Some(&world.repo), world.env())
}

fn source_and_path(world: &World) -> Option<(CliSource, PathBuf)> {
    resolved(world).unwrap().map(|cli| (cli.source, cli.path))
}

async fn lint(ask: &Ask) -> Result<usize, Error> {
    let answer = engine::lint(ask, &Cancel::new()).await?;
    assert_eq!(answer.engine, EngineName::Cli);
    Ok(answer.report.checked)
}

// Which one

#[test]
fn the_named_one_comes_first_then_the_repositorys_then_the_one_on_path() {
    let mut world = World::new();
    assert_eq!(resolved(&world), Ok(None));
    let on_path = answering(&world.bin.join("adr"));
    let of_repository = answering(&world.repo.join("node_modules/.bin/adr"));
    let named = answering(&world.root.join("my adr"));
    assert_eq!(source_and_path(&world), Some((CliSource::Path, on_path.clone())));
    for off in ["", "0", "true"] {
        world.set("ADRKIT_ALLOW_REPO_CLI", off);
        assert_eq!(source_and_path(&world), Some((CliSource::Path, on_path.clone())), "{off}");
    }
    world.set("ADRKIT_ALLOW_REPO_CLI", "1");
    assert_eq!(source_and_path(&world), Some((CliSource::Repository, of_repository.clone())));
    world.set("ADRKIT_CLI", named.clone());
    assert_eq!(source_and_path(&world), Some((CliSource::Env, named)));
    world.set("ADRKIT_CLI", "");
    assert_eq!(
        source_and_path(&world),
        Some((CliSource::Repository, of_repository)),
        "empty is as good as none"
    );
}

#[test]
fn what_is_named_and_cannot_be_run_is_a_failure() {
    let mut world = World::new();
    answering(&world.bin.join("adr"));
    answering(&world.repo.join("tool"));
    world.file("plain", "#!/bin/sh\n");
    let at = |path: &str| world.root.join(path).to_str().unwrap().to_owned();
    let (plain, dir, missing, below) =
        (at("repo/plain"), at("repo"), at("nowhere/adr"), at("repo/plain/adr"));
    for value in
        [&*plain, &dir, &missing, &below, " ", "no-such-command", "..", ".", "/", "./tool", "repo/../tool"]
    {
        world.set("ADRKIT_CLI", value);
        assert_eq!(resolved(&world), Err(Error::CliUnresolved), "{value}");
    }
    for (value, want) in [("./tool", "repo/tool"), ("../bin/adr", "repo/../bin/adr")] {
        world.set("ADRKIT_CLI", value);
        world.set("ADRKIT_ALLOW_REPO_CLI", "1");
        assert_eq!(source_and_path(&world), Some((CliSource::Env, world.root.join(want))), "{value}");
    }
}

#[test]
fn an_absolute_path_counts_wherever_it_leads_and_a_bare_name_is_looked_up() {
    let mut world = World::new();
    let inside = answering(&world.repo.join("tools/adr"));
    world.set("ADRKIT_CLI", inside.clone());
    assert_eq!(source_and_path(&world), Some((CliSource::Env, inside)));
    let other = answering(&world.bin.join("adrkit"));
    answering(&world.repo.join("adrkit"));
    world.set("ADRKIT_CLI", "adrkit");
    assert_eq!(source_and_path(&world), Some((CliSource::Env, other)));
}

#[test]
fn path_entries_of_the_repository_do_not_count() {
    let mut world = World::new();
    answering(&world.repo.join("bin/adr"));
    answering(&world.repo.join("adr"));
    let sub = world.repo.join("sub");
    answering(&sub.join("adr"));
    let usual = std::env::var("PATH").unwrap();
    world.set("PATH", format!(":.:bin:{}:{}:{usual}", world.repo.join("bin").display(), sub.display()));
    assert_eq!(resolve(&sub, Some(&world.repo), world.env()), Ok(None));
    world.set("ADRKIT_ALLOW_REPO_CLI", "1");
    let found = resolve(&sub, Some(&world.repo), world.env()).unwrap().unwrap();
    assert_eq!((found.source, found.path), (CliSource::Path, sub.join("adr")));
}

#[test]
fn a_command_of_the_person_may_be_linked_to_the_work_tree() {
    let world = World::new();
    let built = answering(&world.repo.join("dist/adr"));
    symlink(built, world.bin.join("adr")).unwrap();
    assert_eq!(source_and_path(&world), Some((CliSource::Path, world.bin.join("adr"))));
}

#[test]
fn scripts_and_their_shims_are_run_by_node() {
    let mut world = World::new();
    let node = script(&world.bin.join("node"), "");
    let by_node = |world: &World, script: &Path| {
        let launch = resolved(world).unwrap().map(|cli| cli.launch);
        assert_eq!(launch, Some(Launch::Node { node: node.clone(), script: script.to_owned() }));
    };
    for name in ["cli.js", "a b.mjs", "c.cjs", "D.JS"] {
        let file = world.file(name, "");
        world.set("ADRKIT_CLI", file.clone());
        by_node(&world, &file);
    }
    let file = world.file("lib/cli.js", "");
    let cmd = "@\"%~dp0\\node.exe\"  \"%~dp0\\lib\\cli.js\" %*\r\n";
    for (name, shim) in [
        ("adr.cmd", cmd),
        ("adr.BAT", cmd),
        ("adr.ps1", "& \"node$exe\"  \"$basedir/lib/cli.js\" $args\n"),
        ("adr", "#!/bin/sh\nexec node  \"$basedir/lib/cli.js\" \"$@\"\n"),
    ] {
        let shim = script(&world.repo.join(name), shim);
        world.set("ADRKIT_CLI", shim.clone());
        by_node(&world, &file);
    }
    // A shim of another shape is run as it is, or not at all.
    let manager = script(&world.root.join("shims/adr"), "#!/bin/sh\nexec mise x -- adr \"$@\"\n");
    world.set("ADRKIT_CLI", manager.clone());
    assert_eq!(resolved(&world).unwrap().unwrap().launch, Launch::Native);
    let batch = script(&world.root.join("shims/adr.cmd"), "@echo off\r\nmise x -- adr %*\r\n");
    world.set("ADRKIT_CLI", batch.clone());
    assert_eq!(resolved(&world), Err(Error::CliUnresolved));
    // A shim whose script is gone.
    fs::remove_file(&file).unwrap();
    world.set("ADRKIT_CLI", world.repo.join("adr.cmd"));
    assert_eq!(resolved(&world), Err(Error::CliUnresolved));
}

#[test]
fn no_node_of_the_repository_runs_a_script() {
    let mut world = World::new();
    let ours = script(&world.repo.join("node"), "");
    let file = world.file("cli.js", "");
    world.set("ADRKIT_CLI", file.clone());
    world.set("PATH", format!(".:{}", world.repo.display()));
    assert_eq!(resolved(&world), Err(Error::CliUnresolved));
    world.set("ADRKIT_ALLOW_REPO_CLI", "1");
    let launch = Launch::Node { node: world.repo.join("./node"), script: file };
    assert_eq!(resolved(&world).unwrap().unwrap().launch, launch);
    drop(ours);
}

#[tokio::test]
async fn the_addons_question_finds_the_work_tree_itself() {
    let mut world = World::new();
    world.file("sub/x", "");
    answering(&world.repo.join("bin/adr"));
    world.set("PATH", world.repo.join("bin"));
    let ask = world.ask(EngineChoice::Auto);
    assert_eq!(engine::resolve_cli(&ask.cwd.join("sub"), world.env()).await, Err(Error::CliNotFound));
    assert_eq!(
        engine::resolve_cli(&ask.cwd.join("gone"), world.env()).await,
        Err(Error::WorkingDirectoryGone)
    );
    assert_eq!(
        engine::resolve_cli(&ask.cwd.join("sub/x"), world.env()).await,
        Err(Error::WorkingDirectoryGone)
    );
    let named = answering(&world.bin.join("adr"));
    world.set("PATH", world.bin.clone());
    let found = engine::resolve_cli(&ask.cwd, world.env()).await.unwrap();
    assert_eq!((found.source.as_str(), found.path, found.launch), ("path", named, Launch::Native));
    world.set("ADRKIT_CLI", "/nonexistent");
    assert_eq!(engine::resolve_cli(&ask.cwd, world.env()).await, Err(Error::CliUnresolved));
}

// How it is asked

#[tokio::test]
async fn the_command_lines_are_fixed() {
    let world = World::named(&json!({}));
    let (mut ask, cancel) = (world.ask(EngineChoice::Auto), Cancel::new());
    engine::check(&ask, vec!["src/a b.ts".into(), "--json".into(), "-h".into()], &cancel).await.unwrap();
    engine::explain(&ask, "--help".into(), &cancel).await.unwrap();
    ask.dir = Some("-odd".into());
    engine::lint(&ask, &cancel).await.unwrap();
    engine::queue(&ask, "2026-01-02".into(), &cancel).await.unwrap();
    engine::check(&ask, Vec::new(), &cancel).await.unwrap();
    let lines: Vec<String> = world.argvs().iter().map(|argv| argv.join("|")).collect();
    assert_eq!(
        lines,
        [
            "check|--json|--dir|docs/adr|--|src/a b.ts|--json|./-h",
            "explain|--json|--dir|docs/adr|--|./--help",
            "lint|--json|--dir=-odd",
            "queue|--format|json|--dir=-odd|--as-of|2026-01-02",
            "check|--json|--dir=-odd|--",
        ]
    );
}

#[tokio::test]
async fn files_named_like_the_help_option_are_told_by_their_name() {
    let world = World::named(&json!({}));
    let ask = world.ask(EngineChoice::Cli);
    let paths = ["b", "-h", "--help"].map(String::from);
    let answer = engine::check(&ask, paths.into(), &Cancel::new()).await.unwrap();
    assert_eq!(answer.report.changed_files, ["--help", "-h", "b"]);
    let answer = engine::explain(&ask, "-h".into(), &Cancel::new()).await.unwrap();
    assert_eq!(answer.report.path, "-h");
}

#[tokio::test]
async fn the_command_runs_in_the_canonical_directory_and_sees_no_program_of_the_repository() {
    let mut world = World::named(&json!({}));
    let link = world.root.join("link");
    symlink(&world.repo, &link).unwrap();
    let usual = std::env::var("PATH").unwrap();
    world.set("PATH", format!(".:{}:{usual}:", world.repo.display()));
    world.set("LC_ALL", "da_DK.UTF-8");
    let mut ask = world.ask(EngineChoice::Cli);
    ask.cwd = link.try_into().unwrap();
    engine::lint(&ask, &Cancel::new()).await.unwrap();
    let calls = world.calls();
    assert_eq!(calls[0]["cwd"], json!(world.repo));
    assert_eq!(calls[0]["env"], json!({ "PATH": usual, "LC_ALL": "C" }));
}

#[tokio::test]
async fn every_kind_of_command_answers() {
    let mut world = World::new();
    answering(&world.root.join("a b/my adr"));
    let module = script(
        &world.root.join("a b/adr.mjs"),
        "#!/bin/false\nprocess.stdout.write('{\"checked\":8,\"findings\":[]}')",
    );
    fs::set_permissions(&module, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    script(
        &world.root.join("a b/env"),
        "#!/usr/bin/env node\nprocess.stdout.write('{\"checked\":9,\"findings\":[]}')",
    );
    script(&world.root.join("a b/shim"), "#!/bin/sh\nexec \"$(dirname \"$0\")/my adr\" \"$@\"\n");
    script(&world.root.join("a b/npm"), "#!/bin/sh\nexec node  \"$basedir/adr.mjs\" \"$@\"\n");
    for (name, checked) in [("my adr", 7), ("adr.mjs", 8), ("env", 9), ("shim", 7), ("npm", 8)] {
        world.set("ADRKIT_CLI", world.root.join("a b").join(name));
        assert_eq!(lint(&world.ask(EngineChoice::Auto)).await, Ok(checked), "{name}");
    }
}

// What its end means

#[tokio::test]
async fn zero_and_one_with_a_report_are_answers() {
    for exit in [0, 1] {
        let recorded = json!({ "checked": 3, "findings": [{ "rule": "unique-id", "severity": "error", "message": "m" }] });
        let world =
            World::named(&json!({ "lint": { "exit": exit, "report": recorded, "stderr": "a warning" } }));
        let answer = engine::lint(&world.ask(EngineChoice::Auto), &Cancel::new()).await.unwrap();
        assert_eq!(i64::from(answer.exit_code), exit);
        assert_eq!(serde_json::to_value(answer.report).unwrap(), recorded);
    }
    let world = World::named(&json!({}));
    let file = world.file("recorded.json", LINT);
    let mut world = world;
    world.control(&json!({ "lint": { "stdoutFile": file } }));
    assert_eq!(lint(&world.ask(EngineChoice::Auto)).await, Ok(7));
}

#[tokio::test]
async fn every_other_end_has_its_code() {
    let usage = |message: &str| Error::Usage { message: message.into() };
    let none = |exit_code| Error::NoReport { exit_code: Some(exit_code) };
    let stack = "Error: no\n    at main (/opt/secret/cli.js:1:1)\n";
    for (behaviour, error) in [
        (json!({ "stdout": "", "exit": 0 }), none(0)),
        (json!({ "stdout": "garbage", "exit": 1, "stderr": stack }), none(1)),
        (json!({ "report": { "checked": 1 } }), none(0)),
        (json!({ "report": { "checked": 1, "findings": [] }, "exit": 3, "stderr": stack }), none(3)),
        (json!({ "exit": 255 }), none(255)),
        (
            json!({ "stderr": format!("{stack}Corpus\u{7} gone\n"), "exit": 2 }),
            usage("Error: no\nCorpus gone"),
        ),
    ] {
        let world = World::named(&json!({ "default": behaviour }));
        assert_eq!(lint(&world.ask(EngineChoice::Auto)).await, Err(error.clone()), "{behaviour}");
        assert!(!error.to_string().contains("/opt"), "no install path");
    }
    let world = World::named(&json!({ "lint": { "exit": 2, "stderr": "é".repeat(4000) } }));
    let Err(Error::Usage { message }) = lint(&world.ask(EngineChoice::Auto)).await else {
        panic!("no usage error")
    };
    assert_eq!(message.len(), MAX_WORDS_BYTES);
}

#[tokio::test]
async fn a_question_that_is_aborted_already_starts_nothing() {
    let world = World::named(&json!({}));
    let cancel = Cancel::new();
    cancel.cancel();
    for engine in [EngineChoice::Auto, EngineChoice::Cli, EngineChoice::Embedded] {
        assert_eq!(engine::lint(&world.ask(engine), &cancel).await.unwrap_err(), Error::Aborted);
    }
    let mut ask = world.ask(EngineChoice::Cli);
    ask.deadline = Duration::ZERO;
    assert_eq!(engine::lint(&ask, &Cancel::new()).await.unwrap_err(), Error::TimedOut);
    assert_eq!(world.calls(), Vec::<Value>::new());
}

#[tokio::test]
async fn ends_that_need_a_supervisor_have_their_codes() {
    if !supervised().await {
        return;
    }
    let code = async |behaviour: Value, deadline: Duration| {
        let world = World::named(&json!({ "lint": behaviour }));
        let mut ask = world.ask(EngineChoice::Cli);
        ask.deadline = deadline;
        lint(&ask).await
    };
    let patience = fake_adr::PATIENCE;
    assert_eq!(code(json!({ "signal": "SIGKILL" }), patience).await, Err(Error::KilledBySignal));
    let flood = json!({ "flood": { "stdout": 65 << 20 } });
    assert_eq!(code(flood, patience).await, Err(Error::OutputTooLarge));
    let noisy = json!({ "flood": { "stderr": 1 << 20 }, "stdout": LINT });
    assert_eq!(code(noisy, patience).await, Ok(7));
    let hanging = json!({ "hang": true, "trap": ["SIGTERM", "SIGINT", "SIGHUP"] });
    assert_eq!(code(hanging, Duration::from_millis(700)).await, Err(Error::TimedOut));
    // A grandchild that holds the pipe does not hold the answer.
    for detached in [false, true] {
        let holding = json!({ "grandchild": { "seconds": 20, "detached": detached }, "stdout": LINT });
        assert_eq!(code(holding, patience).await, Ok(7), "detached: {detached}");
    }
}

#[tokio::test]
async fn a_running_command_is_aborted() {
    if !supervised().await {
        return;
    }
    let world = World::named(&json!({ "lint": { "hang": true } }));
    let (ask, cancel) = (world.ask(EngineChoice::Auto), Cancel::new());
    let abort = async {
        while world.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel.cancel();
    };
    let (answer, ()) = tokio::join!(engine::lint(&ask, &cancel), abort);
    assert_eq!(answer.unwrap_err(), Error::Aborted);
}

#[tokio::test]
async fn what_cannot_be_started_is_told_by_reason() {
    if !supervised().await {
        return;
    }
    let mut world = World::new();
    let broken = script(&world.root.join("adr"), "#!/nonexistent/interpreter\n");
    world.set("ADRKIT_CLI", broken.clone());
    let error = lint(&world.ask(EngineChoice::Auto)).await.unwrap_err();
    assert!(matches!(error, Error::CommandNotFound | Error::CommandNotExecutable), "{error:?}");
    world.set("ADRKIT_CLI", fake());
    // One argument of more than 128 KiB is too long for Linux, however it is batched.
    let long = "x".repeat(3 << 20);
    let answer = engine::check(&world.ask(EngineChoice::Auto), vec![long], &Cancel::new()).await;
    assert_eq!(answer.unwrap_err(), Error::CommandTooLong);
}

// Another program by the same name

const ADR_TOOLS: &str = "#!/bin/sh\necho \"$1\" >> \"$(dirname \"$0\")/calls\"\necho 'usage: adr help COMMAND [ARG] ...'\n\
    echo 'COMMAND is one of: config, generate, help, init, link, list, new, upgrade-repository'\nexit 1\n";

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn stranger_calls(world: &World) -> usize {
    fs::read_to_string(world.bin.join("calls")).unwrap_or_default().lines().count()
}

#[tokio::test]
async fn another_program_is_asked_once_and_replaced_by_the_embedded_engine() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let world = World::new();
    script(&world.bin.join("adr"), ADR_TOOLS);
    for _ in 0..3 {
        let answer = engine::lint(&world.ask(EngineChoice::Auto), &Cancel::new()).await.unwrap();
        assert_eq!(answer.engine, EngineName::Embedded);
    }
    assert_eq!(stranger_calls(&world), 2, "one question, one look at its help");
    let failure = engine::lint(&world.ask(EngineChoice::Cli), &Cancel::new()).await.unwrap_err();
    assert_eq!(failure, Error::CliForeign);
    assert_eq!(stranger_calls(&world), 2);
    assert_eq!(log.text().matches("does not answer as adrkit's").count(), 1, "{}", log.text());
    // An update is a new chance.
    answering(&world.bin.join("adr"));
    assert_eq!(lint(&world.ask(EngineChoice::Auto)).await, Ok(7));
}

#[tokio::test]
async fn another_program_that_was_named_is_not_replaced() {
    let mut world = World::new();
    let stranger = script(&world.bin.join("adr"), ADR_TOOLS);
    world.set("ADRKIT_CLI", stranger.clone());
    let failure = engine::lint(&world.ask(EngineChoice::Auto), &Cancel::new()).await.unwrap_err();
    assert_eq!(failure, Error::NoReport { exit_code: Some(1) });
    assert_eq!(stranger_calls(&world), 1, "what was named is not doubted");
}

#[tokio::test]
async fn adrkits_own_failures_on_path_are_its_own() {
    for (behaviour, error) in [
        (json!({ "exit": 2, "stderr": "words" }), Error::Usage { message: "words".into() }),
        (json!({ "exit": 70, "stdout": "" }), Error::NoReport { exit_code: Some(70) }),
    ] {
        let world = World::on_path(&json!({ "default": behaviour }));
        for _ in 0..2 {
            assert_eq!(lint(&world.ask(EngineChoice::Auto)).await, Err(error.clone()), "{behaviour}");
        }
        let asked = world.argvs().iter().filter(|argv| argv[0] == "--help").count();
        assert_eq!(asked, 1, "who it is does not change");
    }
}

#[tokio::test]
async fn a_stranger_with_a_usage_exit_is_not_quoted() {
    let world = World::on_path(&json!({ "default": { "exit": 2, "stderr": "words" }, "help": "0.8.0\n" }));
    let answer = engine::lint(&world.ask(EngineChoice::Auto), &Cancel::new()).await.unwrap();
    assert_eq!(answer.engine, EngineName::Embedded);
}

#[tokio::test]
async fn an_answer_takes_one_call() {
    let world = World::on_path(&json!({}));
    for _ in 0..2 {
        assert_eq!(lint(&world.ask(EngineChoice::Auto)).await, Ok(0));
    }
    assert_eq!(world.calls().len(), 2);
}

#[tokio::test]
async fn a_silent_stranger_is_not_waited_for_twice() {
    if !supervised().await {
        return;
    }
    let world = World::new();
    script(
        &world.bin.join("adr"),
        "#!/bin/sh\necho \"$1\" >> \"$(dirname \"$0\")/calls\"\n[ \"$1\" = --help ] && exit 0\nsleep 30\n",
    );
    let mut ask = world.ask(EngineChoice::Auto);
    ask.deadline = Duration::from_millis(300);
    assert_eq!(lint(&ask).await, Err(Error::TimedOut));
    ask.deadline = fake_adr::PATIENCE;
    let answer = engine::lint(&ask, &Cancel::new()).await.unwrap();
    assert_eq!(answer.engine, EngineName::Embedded);
    assert_eq!(fs::read_to_string(world.bin.join("calls")).unwrap(), "lint\n--help\n");
}

#[tokio::test]
async fn a_command_on_path_that_does_not_start_is_replaced() {
    let world = World::new();
    script(&world.bin.join("adr"), "#!/nonexistent/interpreter\n");
    let answer = engine::lint(&world.ask(EngineChoice::Auto), &Cancel::new()).await.unwrap();
    assert_eq!(answer.engine, EngineName::Embedded);
    assert!(engine::lint(&world.ask(EngineChoice::Cli), &Cancel::new()).await.is_err());
}
