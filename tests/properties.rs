//! What holds for every corpus, every change and every file: no panic, one answer, a stable order.
//!
//! `cargo test --release --test properties -- --ignored` does the same for minutes.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is not as it must be")]

use std::fs;

use adrkit_native::corpus;
use adrkit_native::report::{CheckReport, Decision, Severity};
use camino::{Utf8Path, Utf8PathBuf};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

const DIR: &str = "docs/adr";
/// How many worlds each property is tried on.
const QUICK: u32 = 32;
const LONG: u32 = 50_000;

/// A corpus and a change.
#[derive(Debug, Clone)]
struct World {
    records: Vec<(String, String)>,
    files: Vec<(String, String)>,
    /// What is asked about; not all of it exists.
    paths: Vec<String>,
}

fn segment() -> impl Strategy<Value = String> {
    select(vec![
        "src", "lib", "a", "b", ".x", "docs", "adr", "ü", "a b", "[id]", "a.ts", "b.md", "-", "..", ".",
    ])
    .prop_map(str::to_owned)
}

fn path() -> impl Strategy<Value = String> {
    vec(segment(), 1..4).prop_map(|parts| parts.join("/"))
}

fn pattern() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "**", "*", "?", "src", "lib", "/", "/", "a", ".", ".ts", ".x", "{a,b}", "[ab]", "[!a]", "!(a)",
        "@(a|b)", "+(a)", "(", ")", "[", "]", "{", "}", "!", "\\", "ü", "**/",
    ]);
    prop_oneof![
        3 => vec(piece, 1..6).prop_map(|pieces| pieces.concat()),
        1 => Just("src/**".to_owned()),
        1 => ".{1,12}",
    ]
}

fn id() -> impl Strategy<Value = String> {
    select(vec!["0001", "0002", "0003", "0004", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav"])
        .prop_map(str::to_owned)
}

fn record() -> impl Strategy<Value = String> {
    let status = select(vec!["draft", "proposed", "accepted", "rejected", "superseded", "deprecated"]);
    let matcher = (pattern(), any::<bool>(), select(vec!["path", "path", "path", "entity", "package"]));
    let noise = prop::option::weighted(0.2, (any::<Index>(), ".{0,4}"));
    (id(), status, vec(matcher, 0..4), vec(id(), 0..3), noise).prop_map(|(id, status, affects, relates, noise)| {
        let affects: Vec<String> = affects
            .into_iter()
            .map(|(pattern, negate, kind)| {
                let pattern = serde_json::to_string(&pattern).unwrap();
                format!("  - {{type: {kind}, pattern: {pattern}, negate: {negate}}}\n")
            })
            .collect();
        let affects =
            if affects.is_empty() { String::new() } else { format!("affects:\n{}", affects.concat()) };
        let superseded = if status == "superseded" { "supersededBy: \"0001\"\n" } else { "" };
        let mut text = format!(
            "---\nid: \"{id}\"\ntitle: Some title\nstatus: {status}\ndate: 2026-01-01\ndeciders: [\"@a\"]\nrelatesTo: {relates:?}\n{superseded}{affects}---\nbody\n"
        );
        if let Some((at, noise)) = noise {
            let ends: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            text.insert_str(*at.get(&ends), &noise);
        }
        text
    })
}

fn contents() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        2 => id().prop_map(|id| format!("// @adr {id}")),
        1 => id().prop_map(|id| format!("<!-- @adr {id}, 0009 -->")),
        1 => select(vec!["```", "~~~", "", "text", "# @adr log:0001", "* @adr 0001: x"]).prop_map(str::to_owned),
        1 => ".{0,20}",
    ];
    let end = select(vec!["\n", "\r\n", "\r"]);
    (vec((line, end), 0..8), prop::option::weighted(0.1, 0..9000_usize)).prop_map(|(lines, padding)| {
        let text: String = lines.into_iter().flat_map(|(line, end)| [line, end.to_owned()]).collect();
        format!("{}{text}", "x".repeat(padding.unwrap_or(0)))
    })
}

fn world() -> impl Strategy<Value = World> {
    let name = (1..6_u32, "[a-z]{1,3}").prop_map(|(n, slug)| format!("{n:04}-{slug}.md"));
    (vec((name, record()), 0..6), vec((path(), contents()), 0..4), vec(path(), 0..4)).prop_map(
        |(records, files, mut paths)| {
            paths.extend(files.iter().map(|(path, _)| path.clone()));
            paths.extend(records.iter().map(|(name, _)| format!("{DIR}/{name}")));
            World { records, files, paths }
        },
    )
}

/// Lays the world out; files that cannot be written (below a file, say) are left out.
fn lay_out(world: &World) -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(dir.path().canonicalize().unwrap()).unwrap().join("r");
    fs::create_dir_all(root.join(DIR)).unwrap();
    for (name, text) in &world.records {
        fs::write(root.join(DIR).join(name), text).unwrap();
    }
    for (path, text) in world.files.iter().filter(|(path, _)| !path.split('/').any(|s| s == "..")) {
        let file = root.join(path);
        let _ = file.parent().map(fs::create_dir_all);
        let _ = fs::write(file, text);
    }
    (dir, root)
}

fn check(root: &Utf8Path, paths: &[String]) -> (u8, CheckReport) {
    corpus::check(root, DIR, paths).unwrap()
}

fn ids(decisions: &[Decision]) -> Vec<&str> {
    decisions.iter().map(|d| d.record_id.as_str()).collect()
}

fn one_answer_in_a_stable_order(world: &World) -> TestCaseResult {
    let (_keep, root) = lay_out(world);
    let (code, report) = check(&root, &world.paths);
    prop_assert_eq!(&check(&root, &world.paths), &(code, report.clone()), "asked twice");

    let mut turned = world.paths.clone();
    turned.reverse();
    turned.extend(world.paths.iter().cloned());
    prop_assert_eq!(&check(&root, &turned), &(code, report.clone()), "asked in another order, twice over");

    prop_assert_eq!(report.ok, code == 0);
    let by_bucket = [&report.governing, &report.active_proposals, &report.history].map(Vec::len);
    prop_assert_eq!(by_bucket.iter().sum::<usize>(), report.governed_by.len());
    for decision in &report.governed_by {
        prop_assert!(!decision.fired_matchers.is_empty() || !decision.declared_by.is_empty(), "no reason");
    }
    prop_assert_eq!(corpus::lint(&root, DIR).unwrap(), corpus::lint(&root, DIR).unwrap());
    prop_assert_eq!(
        corpus::queue(&root, DIR, "2026-01-01").unwrap(),
        corpus::queue(&root, DIR, "2026-01-01").unwrap()
    );
    Ok(())
}

fn a_record_that_cannot_match_changes_nothing(world: &World) -> TestCaseResult {
    let (_keep, root) = lay_out(world);
    let before = check(&root, &world.paths);
    let inert = "---\nid: \"9999\"\ntitle: Some title\nstatus: accepted\ndate: 2026-01-01\ndeciders: [\"@a\"]\naffects:\n  - {type: path, pattern: no/such/path}\n---\n";
    fs::write(root.join(DIR).join("9999-inert.md"), inert).unwrap();
    prop_assert_eq!(check(&root, &world.paths), before);
    Ok(())
}

fn explain_agrees_with_a_check_of_one_file(world: &World) -> TestCaseResult {
    let (_keep, root) = lay_out(world);
    for path in &world.paths {
        let (_, checked) = check(&root, std::slice::from_ref(path));
        let (code, explained) = corpus::explain(&root, DIR, path).unwrap();
        let has_error =
            corpus::lint(&root, DIR).unwrap().1.findings.iter().any(|f| f.severity == Severity::Error);
        prop_assert_eq!(code == 1, has_error);
        if code == 0 {
            prop_assert_eq!(ids(&explained.governed_by), ids(&checked.governed_by), "{}", path);
        } else {
            prop_assert!(explained.governed_by.is_empty());
        }
    }
    Ok(())
}

fn the_survey_agrees_with_a_check_of_one_file(world: &World) -> TestCaseResult {
    let (_keep, root) = lay_out(world);
    let survey = corpus::survey::survey(&root, DIR, world.paths.clone()).unwrap();
    for file in &survey.files {
        let (_, checked) = check(&root, std::slice::from_ref(&file.path));
        prop_assert_eq!(ids(&file.decisions), ids(&checked.governed_by), "{}", file.path);
    }
    Ok(())
}

fn hold(cases: u32, property: fn(&World) -> TestCaseResult) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner.run(&world(), |world| property(&world)).unwrap();
}

macro_rules! both {
    ($($property:ident)*) => {
        $(
            mod $property {
                #[test]
                fn holds() {
                    crate::hold(crate::QUICK, crate::$property);
                }

                #[test]
                #[ignore = "runs for minutes"]
                fn holds_for_minutes() {
                    crate::hold(crate::LONG, crate::$property);
                }
            }
        )*
    };
}

both! {
    one_answer_in_a_stable_order
    a_record_that_cannot_match_changes_nothing
    explain_agrees_with_a_check_of_one_file
    the_survey_agrees_with_a_check_of_one_file
}
