//! Runs the recorded cases of the `adr` command against the built `adr-native`.
//!
//! Compared are the exit code, JSON on stdout with the order of its keys and without human messages, and otherwise
//! whether stdout and stderr have any text. `golden/known-differences.txt` names the cases that do not match yet, and
//! is exact: a case that begins to match must leave it. `ADRKIT_GOLDEN_BLESS=1` takes such cases out of the file; it
//! never adds one. It also writes `docs/conformance.md`, which a run without it holds current. `ADRKIT_GOLDEN_ADR=PATH` runs another executable, from which no difference is accepted.
//! `ADRKIT_GOLDEN_ONLY=TEXT` runs the cases whose name has the text in it, and leaves the file alone.
#![cfg(unix)] // The cases have links, fifos and names that are not UTF-8.

#[path = "golden/compare.rs"]
mod compare;
#[path = "golden/conformance.rs"]
mod conformance;
#[path = "golden/json.rs"]
mod json;
#[path = "golden/ledger.rs"]
mod ledger;
#[path = "golden/sandbox.rs"]
mod sandbox;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::json::Json;
use crate::ledger::Ledger;
use crate::sandbox::Sandbox;

/// Mismatches that are shown in full.
const SHOWN: usize = 25;

struct Case {
    name: String,
    json: Json,
}

impl Case {
    fn differences(&self, program: &Path, datasets: Option<&Path>) -> Vec<String> {
        let part = |key| self.json.get(key).unwrap_or(&Json::Null);
        let ran = Sandbox::build(part("input"), datasets).and_then(|s| s.run(program, part("input")));
        match ran {
            Ok(output) => compare::differences(part("expected"), &output),
            Err(error) => vec![format!("could not run: {error}")],
        }
    }
}

#[test]
fn every_case_matches_the_recording() {
    let other = std::env::var_os("ADRKIT_GOLDEN_ADR").map(PathBuf::from);
    let only = std::env::var("ADRKIT_GOLDEN_ONLY").unwrap_or_default();
    let program = other.clone().unwrap_or_else(|| env!("CARGO_BIN_EXE_adr-native").into());

    let mut cases = load(&golden("cases"));
    let originals = originals();
    if let Some(originals) = &originals {
        // This file alone is not carried along: its data set is a corpus of someone else's.
        cases.extend(load_file(&originals.join("cases/own.json")));
    }
    cases.retain(|c| c.name.contains(&only));
    let datasets = originals.map(|o| o.join("datasets"));

    let results = run_all(&cases, &program, datasets.as_deref());
    let ran: BTreeSet<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(ran.len(), cases.len(), "two cases have one name");
    let differing: BTreeSet<&str> =
        cases.iter().zip(&results).filter(|(_, d)| !d.is_empty()).map(|(c, _)| c.name.as_str()).collect();
    println!("{} of {} cases match", cases.len() - differing.len(), cases.len());

    let bless = std::env::var_os("ADRKIT_GOLDEN_BLESS").is_some_and(|v| v == "1");
    if other.is_none() && only.is_empty() {
        let carried = cases.iter().map(|c| c.name.as_str()).filter(|n| !n.starts_with("own-"));
        let told: Vec<(&str, bool)> = carried.map(|n| (n, !differing.contains(n))).collect();
        hold_page(&conformance::page(&told, |file| load_items(&golden("vectors").join(file))), bless);
    }

    let file = golden("known-differences.txt");
    let mut ledger =
        if other.is_some() { Ledger::default() } else { Ledger::parse(&fs::read_to_string(&file).unwrap()) };
    if !only.is_empty() {
        ledger.keep(&ran);
    } else if other.is_none() && bless {
        ledger.shrink(&ran, &differing);
        fs::write(&file, ledger.to_string()).unwrap();
    }
    let verdict = ledger.judge(&ran, &differing);
    for name in verdict.unexpected.iter().take(SHOWN) {
        let found = cases.iter().zip(&results).find(|(c, _)| c.name == *name);
        println!("DIFFERS {name}\n    {}", found.map(|(_, d)| d.join("\n    ")).unwrap_or_default());
    }
    assert!(verdict.is_exact(), "{verdict}");
}

#[test]
fn the_copies_equal_the_originals() {
    let Some(originals) = originals() else { return };
    for dir in ["cases", "vectors"] {
        for copy in json_files(&golden(dir)) {
            let original = originals.join(dir).join(copy.file_name().unwrap());
            assert!(
                fs::read(&copy).unwrap() == fs::read(original).unwrap(),
                "{} was changed",
                copy.display()
            );
        }
    }
    let names = |dir: &Path| {
        json_files(dir).iter().map(|f| f.file_name().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let mut carried = names(&originals.join("cases"));
    carried.remove(OsStr::new("own.json"));
    assert_eq!(names(&golden("cases")), carried);
}

/// Holds the page for people to what was found, or writes it.
fn hold_page(page: &str, write: bool) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/conformance.md");
    if write {
        fs::write(&file, page).expect("a page that can be written");
    }
    let is_current = fs::read_to_string(&file).is_ok_and(|text| text == page);
    assert!(is_current, "docs/conformance.md is not current: ADRKIT_GOLDEN_BLESS=1 cargo test --test golden");
}

/// How many items the list in a file has.
fn load_items(file: &Path) -> usize {
    let text = fs::read_to_string(file).expect("a readable file");
    let list = Json::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    list.items().len()
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// The recordings themselves, where they lie beside the repository.
fn originals() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/golden");
    dir.join("cases/own.json").is_file().then_some(dir)
}

fn json_files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|e| e.expect("a readable directory").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "json"));
    files.sort();
    files
}

fn load(dir: &Path) -> Vec<Case> {
    json_files(dir).iter().flat_map(|f| load_file(f)).collect()
}

fn load_file(file: &Path) -> Vec<Case> {
    let text = fs::read_to_string(file).expect("a readable file");
    let list = Json::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let name = |c: &Json| c.get("name").and_then(Json::text).expect("a case has a name").to_string();
    list.items().iter().map(|c| Case { name: name(c), json: c.clone() }).collect()
}

/// The differences of each case, in the order of `cases`.
fn run_all(cases: &[Case], program: &Path, datasets: Option<&Path>) -> Vec<Vec<String>> {
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4));
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || cases.get(next.fetch_add(1, Ordering::Relaxed));
        std::iter::from_fn(take)
            .map(|c| (c.name.as_str(), c.differences(program, datasets)))
            .collect::<Vec<_>>()
    };
    let mut done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("a worker that ends")).collect::<HashMap<_, _>>()
    });
    cases.iter().map(|c| done.remove(c.name.as_str()).unwrap_or_default()).collect()
}
