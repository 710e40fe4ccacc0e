//! Both engines through the one door: who answers, and that long questions get the answer of one call.
#![cfg(unix)] // The fake `adr` is a script.
#![expect(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

mod fake_adr;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use adrkit_native::cli::MAX_BATCH_BYTES;
use adrkit_native::engine::{self, Answer, Ask, EngineChoice, EngineName};
use adrkit_native::error::{Error, Result};
use adrkit_native::process::{Cancel, Command, run};
use adrkit_native::report::CheckReport;
use camino::Utf8PathBuf;
use fake_adr::{World, script, supervised};
use serde_json::json;

async fn check(ask: &Ask, paths: &[String]) -> Result<Answer<CheckReport>> {
    engine::check(ask, paths.to_vec(), &Cancel::new()).await
}

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// So many distinct paths of 100 bytes.
fn long_paths(number: usize) -> Vec<String> {
    (0..number).map(|n| format!("{:090}/{n:09}", 0)).collect()
}

fn record(id: &str, matchers: &[&str]) -> String {
    let affects: Vec<String> = matchers.iter().map(|m| format!("  - {{{m}}}\n")).collect();
    format!(
        "---\nid: \"{id}\"\ntitle: A title\nstatus: accepted\ndate: 2026-01-01\ndeciders: [\"team:a\"]\naffects:\n{}---\n",
        affects.concat()
    )
}

// Who answers

#[tokio::test]
async fn the_choice_and_what_is_there_decide_who_answers() {
    use EngineChoice::{Auto, Cli, Embedded};
    let nothing = World::new();
    let named = World::named(&json!({}));
    let on_path = World::on_path(&json!({}));
    let mut broken = World::on_path(&json!({}));
    broken.set("ADRKIT_CLI", "/nonexistent/adr");
    for (world, choice, want) in [
        (&nothing, Auto, Ok(EngineName::Embedded)),
        (&nothing, Cli, Err(Error::EngineUnavailable)),
        (&nothing, Embedded, Ok(EngineName::Embedded)),
        (&named, Auto, Ok(EngineName::Cli)),
        (&named, Cli, Ok(EngineName::Cli)),
        (&named, Embedded, Ok(EngineName::Embedded)),
        (&on_path, Auto, Ok(EngineName::Cli)),
        (&on_path, Cli, Ok(EngineName::Cli)),
        (&on_path, Embedded, Ok(EngineName::Embedded)),
        (&broken, Auto, Err(Error::CliUnresolved)),
        (&broken, Cli, Err(Error::CliUnresolved)),
        (&broken, Embedded, Ok(EngineName::Embedded)),
    ] {
        let ask = world.ask(choice);
        let calls = world.calls().len();
        let answer = check(&ask, &strings(&["a"])).await.map(|a| a.engine);
        assert_eq!(answer, want, "{choice:?}");
        let expected_calls = usize::from(want == Ok(EngineName::Cli));
        assert_eq!(world.calls().len() - calls, expected_calls, "{choice:?}");
    }
}

#[tokio::test]
async fn a_failure_of_the_named_command_is_answered_by_nobody_else() {
    let mut world = World::on_path(&json!({}));
    let failing = script(&world.root.join("failing"), "#!/bin/sh\nexit 127\n");
    world.set("ADRKIT_CLI", failing);
    for choice in [EngineChoice::Auto, EngineChoice::Cli] {
        let failure = check(&world.ask(choice), &strings(&["a"])).await.unwrap_err();
        assert_eq!(failure, Error::NoReport { exit_code: Some(127) });
    }
    assert!(world.calls().is_empty());
}

#[tokio::test]
async fn a_directory_that_is_gone_is_told_alike() {
    let world = World::named(&json!({}));
    world.file("plain", "");
    for choice in [EngineChoice::Auto, EngineChoice::Cli, EngineChoice::Embedded] {
        for gone in ["nowhere", "plain"] {
            let mut ask = world.ask(choice);
            ask.cwd.push(gone);
            assert_eq!(engine::lint(&ask, &Cancel::new()).await.unwrap_err(), Error::WorkingDirectoryGone);
        }
    }
    assert!(world.calls().is_empty());
}

#[tokio::test]
async fn the_embedded_engine_works_in_the_canonical_directory() {
    let world = World::new();
    world.file("docs/adr/notes.md", "");
    let link = world.root.join("link");
    symlink(&world.repo, &link).unwrap();
    let mut ask = world.ask(EngineChoice::Auto);
    ask.dir = Some(ask.cwd.join("docs/adr").into());
    ask.cwd = Utf8PathBuf::try_from(link).unwrap();
    let answer = engine::lint(&ask, &Cancel::new()).await.unwrap();
    assert_eq!(answer.report.findings[0].path.as_deref(), Some("docs/adr/notes.md"));
}

#[test]
fn questions_can_move_between_threads() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let (ask, cancel) = (World::new().ask(EngineChoice::Auto), Cancel::new());
    drop(sent(engine::check(&ask, Vec::new(), &cancel)));
    drop(sent(engine::explain(&ask, String::new(), &cancel)));
    drop(sent(engine::lint(&ask, &cancel)));
    drop(sent(engine::queue(&ask, String::new(), &cancel)));
    drop(sent(engine::resolve_cli(&ask.cwd, World::new().env())));
}

// Long questions

#[tokio::test]
async fn many_paths_go_in_batches_and_come_back_as_one_report() {
    let world = World::named(&json!({}));
    let mut paths = long_paths(1600);
    assert!(paths.iter().map(String::len).sum::<usize>() > 150 * 1024);
    paths.push(paths[3].clone());
    let answer = check(&world.ask(EngineChoice::Auto), &paths).await.unwrap();
    paths.pop();
    assert_eq!((answer.exit_code, answer.engine, answer.report.ok), (0, EngineName::Cli, true));
    assert_eq!(answer.report.changed_files, paths);
    assert_eq!(answer.report.marker_scan.absent_paths, paths);
    assert_eq!(answer.report.marker_scan.total_candidates, paths.len());

    let mut asked = Vec::new();
    for argv in world.argvs() {
        let (line, batch) = argv.split_at(5);
        assert_eq!(line, strings(&["check", "--json", "--dir", "docs/adr", "--"]));
        assert!(batch.iter().map(String::len).sum::<usize>() <= MAX_BATCH_BYTES);
        asked.extend_from_slice(batch);
    }
    assert_eq!(asked, paths, "each once, in order");
    assert!((7..=8).contains(&world.calls().len()), "{}", world.calls().len());
}

#[tokio::test]
async fn one_batch_decides_the_exit_code_and_a_failing_one_the_question() {
    let mut world = World::named(&json!({ "check": [{}, { "exit": 1 }, {}] }));
    let paths = long_paths(600);
    let answer = check(&world.ask(EngineChoice::Auto), &paths).await.unwrap();
    assert_eq!(answer.exit_code, 1);
    assert_eq!(world.calls().len(), 3);

    fs::remove_file(world.root.join("calls.jsonl")).unwrap();
    world.control(&json!({ "check": [{}, { "exit": 9 }, {}] }));
    let failure = check(&world.ask(EngineChoice::Auto), &paths).await.unwrap_err();
    assert_eq!(failure, Error::NoReport { exit_code: Some(9) });
    assert_eq!(world.calls().len(), 2, "no batch is asked in vain");
}

#[tokio::test]
async fn one_deadline_bounds_all_batches() {
    if !supervised().await {
        return;
    }
    let world = World::named(&json!({ "check": { "delayMs": 700 } }));
    let mut ask = world.ask(EngineChoice::Auto);
    ask.deadline = Duration::from_secs(2);
    assert_eq!(check(&ask, &long_paths(1600)).await.unwrap_err(), Error::TimedOut);
    assert!(world.calls().len() < 7);
}

#[tokio::test]
async fn a_negated_matcher_of_one_batch_counts_for_all() {
    let mut world = World::named(&json!({}));
    let matchers = ["type: path, pattern: '0*/**'", "type: path, pattern: gen, negate: true"];
    world.file("docs/adr/0001-a.md", &record("0001", &matchers));
    let embedded = world.ask(EngineChoice::Embedded);
    let mut paths = long_paths(400);
    if check(&embedded, &paths).await.unwrap().report.governed_by.is_empty() {
        return; // Until records can be read.
    }
    paths.push("gen".into());
    let whole = check(&embedded, &paths).await.unwrap().report;
    assert!(whole.governed_by.is_empty());
    let mut reports = Vec::new();
    // Where the batches are cut does not matter for the fake's answers: each tells about its own files.
    for part in [&paths[..238], &paths[238..]] {
        reports.push(json!({ "report": check(&embedded, part).await.unwrap().report }));
    }
    assert!(reports[0]["report"]["governedBy"][0]["recordId"] == "0001");
    world.control(&json!({ "check": reports }));
    assert_eq!(check(&world.ask(EngineChoice::Cli), &paths).await.unwrap().report, whole);
    assert_eq!(world.calls().len(), 2);
}

#[tokio::test]
async fn questions_at_the_same_time_keep_their_answers() {
    let world = World::named(&json!({ "check": { "delayMs": 20 } }));
    let ask = world.ask(EngineChoice::Auto);
    let one = async |n: usize| {
        let paths = vec![format!("file-{n}")];
        let (checked, cancel) = (check(&ask, &paths).await.unwrap().report, Cancel::new());
        let explained = engine::explain(&ask, paths[0].clone(), &cancel).await.unwrap().report;
        assert_eq!(checked.changed_files, paths);
        assert_eq!(explained.path, paths[0]);
    };
    let first = async { tokio::join!(one(0), one(1), one(2), one(3)) };
    let second = async { tokio::join!(one(4), one(5), one(6), one(7)) };
    tokio::join!(first, second);
    let pids: BTreeSet<_> = world.calls().iter().map(|c| c["pid"].as_u64()).collect();
    assert_eq!(world.calls().len(), 16);
    assert!(!pids.contains(&None));
}

// The embedded engine as a command of its own, where that is there: both engines, one answer.

async fn own_command(world: &mut World) -> bool {
    let program = env!("CARGO_BIN_EXE_adr-native");
    world.set("ADRKIT_CLI", program);
    let command = Command {
        program: program.into(),
        args: vec!["--help".into()],
        cwd: world.root.clone(),
        env: Vec::new(),
        deadline: fake_adr::PATIENCE,
        max_output_bytes: 1 << 20,
        owner: adrkit_native::process::Owner::default(),
    };
    run(command, Cancel::new()).await.is_ok_and(|finished| !finished.stdout.is_empty())
}

#[tokio::test]
async fn both_engines_say_the_same_of_short_and_long_questions() {
    let mut world = World::new();
    if !own_command(&mut world).await {
        return;
    }
    let broad = ["type: path, pattern: '0*/**'", "type: path, pattern: '**/*7'", "type: entity, pattern: x"];
    world.file("docs/adr/0001-a.md", &record("0001", &broad));
    world.file(
        "docs/adr/0002-b.md",
        &record("0002", &["type: path, pattern: '**/*1'", "type: path, pattern: '**/*5', negate: true"]),
    );
    world.file(
        "docs/adr/0003-c.md",
        &record("0003", &["type: path, pattern: '**'"]).replace("accepted", "proposed"),
    );
    world.file("docs/adr/0004-d.md", "broken");
    let paths = long_paths(1600);
    world.file(&paths[700], "// @adr 0002, 0009\n");
    let mut asked = paths.clone();
    asked.extend(strings(&["docs/adr/0004-d.md", "-h", "../x"]));
    let (by_cli, embedded) = (world.ask(EngineChoice::Cli), world.ask(EngineChoice::Embedded));
    for paths in [&asked[..], &asked[..1], &[]] {
        let (one, other) = (check(&by_cli, paths).await.unwrap(), check(&embedded, paths).await.unwrap());
        assert_eq!((one.exit_code, one.report), (other.exit_code, other.report));
    }
    let cancel = Cancel::new();
    for path in [&*paths[700], "-h", "docs/adr/0001-a.md"] {
        let one = engine::explain(&by_cli, path.into(), &cancel).await.unwrap();
        let other = engine::explain(&embedded, path.into(), &cancel).await.unwrap();
        assert_eq!((one.exit_code, one.report), (other.exit_code, other.report), "{path}");
    }
    let one = engine::lint(&by_cli, &cancel).await.unwrap();
    let other = engine::lint(&embedded, &cancel).await.unwrap();
    assert_eq!((one.exit_code, one.report), (other.exit_code, other.report));
    let one = engine::queue(&by_cli, "2026-05-06".into(), &cancel).await.unwrap();
    let other = engine::queue(&embedded, "2026-05-06".into(), &cancel).await.unwrap();
    assert_eq!((one.exit_code, one.report), (other.exit_code, other.report));
    for ask in [&by_cli, &embedded] {
        let ask = Ask { dir: Some("nowhere".into()), ..ask.clone() };
        let failure = check(&ask, &strings(&["a"])).await.unwrap_err();
        assert_eq!(failure, Error::Usage { message: "Corpus directory not found: 'nowhere'.".into() });
    }
}
