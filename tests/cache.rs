//! The answer with a cache is the answer without, whatever happened to the files in between.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is not as it must be")]

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::thread;
use std::time::{Duration, SystemTime};

use adrkit_native::corpus::{self, Cache, MAX_CORPORA, Reader, SETTLED};
use camino::{Utf8Path, Utf8PathBuf};
use proptest::prelude::*;

const DIR: &str = "docs/adr";
const NAMES: [&str; 4] = ["0001-a.md", "0002-b.md", "0003-c.md", "notes.md"];

/// A tick of the file system's clock, at most.
const TICK: Duration = Duration::from_millis(20);

/// Something that happens to a corpus.
#[derive(Debug, Clone)]
enum Edit {
    Write {
        name: usize,
        text: usize,
    },
    /// As [`Edit::Write`], and the times of the file stay what they were.
    WriteBehind {
        name: usize,
        text: usize,
    },
    Remove {
        name: usize,
    },
    Rename {
        from: usize,
        to: usize,
    },
    Link {
        name: usize,
        to: usize,
    },
    /// The whole directory is another one, with one record in it.
    Replace {
        text: usize,
    },
    /// Time passes, so that what is there becomes believable.
    Wait,
}

/// Texts of the same length, so that size tells nothing: two valid ones, one that is none, one with another id.
fn text(n: usize) -> String {
    let (id, status, pattern) = [
        ("0001", "accepted", "src/**"),
        ("0001", "proposed", "lib/**"),
        ("001", "accepteds", "src/**"),
        ("0002", "accepted", "**/*.t"),
    ][n % 4];
    format!(
        "---\nid: \"{id}\"\ntitle: Some title\nstatus: {status}\ndate: 2026-01-01\ndeciders: [\"@a\"]\naffects:\n  - {{type: path, pattern: \"{pattern}\"}}\n---\n"
    )
}

fn edit() -> impl Strategy<Value = Edit> {
    let (name, text) = (0..NAMES.len(), 0..4_usize);
    prop_oneof![
        4 => (name.clone(), text.clone()).prop_map(|(name, text)| Edit::Write { name, text }),
        2 => (name.clone(), text.clone()).prop_map(|(name, text)| Edit::WriteBehind { name, text }),
        1 => name.clone().prop_map(|name| Edit::Remove { name }),
        1 => (name.clone(), name.clone()).prop_map(|(from, to)| Edit::Rename { from, to }),
        1 => (name.clone(), name).prop_map(|(name, to)| Edit::Link { name, to }),
        1 => text.prop_map(|text| Edit::Replace { text }),
        4 => Just(Edit::Wait),
    ]
}

fn apply(root: &Utf8Path, edit: &Edit) {
    let at = |name: usize| root.join(DIR).join(NAMES[name]);
    match edit {
        Edit::Write { name, text: n } => {
            let _ = fs::remove_file(at(*name));
            fs::write(at(*name), text(*n)).unwrap();
        }
        Edit::WriteBehind { name, text: n } => {
            let Ok(before) = fs::metadata(at(*name)).and_then(|m| m.modified()) else { return };
            fs::write(at(*name), text(*n)).unwrap();
            let file = File::options().write(true).open(at(*name)).unwrap();
            file.set_times(FileTimes::new().set_modified(before)).unwrap();
        }
        Edit::Remove { name } => drop(fs::remove_file(at(*name))),
        Edit::Rename { from, to } => drop(fs::rename(at(*from), at(*to))),
        Edit::Link { name, to } => {
            let _ = fs::remove_file(at(*name));
            symlink(at(*to), at(*name)).unwrap();
        }
        Edit::Replace { text: n } => {
            fs::remove_dir_all(root.join(DIR)).unwrap();
            fs::create_dir_all(root.join(DIR)).unwrap();
            fs::write(at(0), text(*n)).unwrap();
        }
        // Longer than a tick of the file system here; the reader is told that it was longer than any.
        Edit::Wait => thread::sleep(TICK),
    }
}

fn scratch() -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(dir.path().canonicalize().unwrap()).unwrap();
    fs::create_dir_all(root.join(DIR)).unwrap();
    (dir, root)
}

fn answers(reader: Reader<'_>, root: &Utf8Path) -> String {
    let paths = ["src/a.ts", "lib/b.t", "docs/adr/0001-a.md"].map(str::to_owned);
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}",
        reader.check(root, DIR, &paths),
        reader.explain(root, DIR, "src/a.ts"),
        reader.lint(root, DIR),
        reader.queue(root, DIR, "2026-01-01"),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cache_never_changes_an_answer(edits in prop::collection::vec(edit(), 1..24)) {
        let (_keep, root) = scratch();
        let cache = Cache::default();
        for edit in &edits {
            apply(&root, edit);
            let passed = if matches!(edit, Edit::Wait) { SETTLED * 2 } else { Duration::ZERO };
            let now = SystemTime::now() + passed;
            prop_assert_eq!(answers(Reader::remembering(&cache, now), &root), answers(Reader::default(), &root));
        }
    }
}

/// Few records are looked at by one thread, many by two.
#[test]
fn whichever_of_the_records_changes_the_answer_does() {
    for records in [3, 200] {
        let (_keep, root) = scratch();
        let at = |n: usize| root.join(DIR).join(format!("{n:04}-a.md"));
        for n in 0..records {
            fs::write(at(n), text(0)).unwrap();
        }
        let cache = Cache::default();
        let answer = |reader: Reader<'_>| format!("{:?}", reader.check(&root, DIR, &["lib/b.t".to_owned()]));
        let mut before = answer(Reader::remembering(&cache, SystemTime::now() + SETTLED * 2));
        for n in (0..records).step_by(records.div_ceil(20)) {
            fs::write(at(n), text(1)).unwrap();
            let after = answer(Reader::remembering(&cache, SystemTime::now() + SETTLED * 2));
            assert_ne!(after, before, "{n} of {records}");
            assert_eq!(after, answer(Reader::default()), "{n} of {records}");
            before = after;
        }
    }
}

#[test]
fn a_settled_record_is_not_read_again() {
    let (_keep, root) = scratch();
    let file = root.join(DIR).join(NAMES[0]);
    fs::write(&file, text(0)).unwrap();
    let cache = Cache::default();
    let later = SystemTime::now() + SETTLED * 2;
    let ids = |now| -> Vec<String> {
        let (_, report) =
            Reader::remembering(&cache, now).check(&root, DIR, &["src/a.ts".to_owned()]).unwrap();
        report.governing.into_iter().map(|d| d.record_id).collect()
    };
    assert_eq!(ids(later), ["0001"]);
    // What is kept shows in the cache's debug text.
    assert!(format!("{cache:?}").contains("Valid"));

    // A young file is never kept.
    let young = Cache::default();
    let (_, report) = Reader::remembering(&young, SystemTime::now()).lint(&root, DIR).unwrap();
    assert_eq!(report.checked, 1);
    assert!(!format!("{young:?}").contains("Valid"));
}

#[test]
fn only_so_many_corpora_are_remembered() {
    let (_keep, root) = scratch();
    let cache = Cache::default();
    let later = SystemTime::now() + Duration::from_secs(60);
    for n in 0..MAX_CORPORA + 3 {
        let dir = format!("corpus-{n}");
        fs::create_dir(root.join(&dir)).unwrap();
        fs::write(root.join(&dir).join(NAMES[0]), text(0)).unwrap();
        Reader::remembering(&cache, later).lint(&root, &dir).unwrap();
    }
    let shown = format!("{cache:?}");
    assert!(!shown.contains("corpus-0\"") && !shown.contains("corpus-2\""));
    assert!(shown.contains("corpus-3\"") && shown.contains(&format!("corpus-{}\"", MAX_CORPORA + 2)));
    assert!(corpus::lint(&root, "corpus-0").is_ok());
}
