use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use proptest::prelude::*;

use super::*;
use crate::corpus;

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

fn decision(id: &str, fired_matchers: &[&str], declared_by: &[(&str, u32)]) -> Decision {
    let fired = |pattern: &&str| FiredMatcher { kind: "path".into(), pattern: (*pattern).into() };
    let declared =
        |(path, line): &(&str, u32)| Declaration { path: (*path).into(), line: *line, reference: id.into() };
    Decision {
        record_id: id.into(),
        title: "Title".into(),
        status: "accepted".into(),
        bucket: "governing".into(),
        superseded_by: None,
        fired_matchers: fired_matchers.iter().map(fired).collect(),
        declared_by: declared_by.iter().map(declared).collect(),
    }
}

/// The report about `paths`, all absent, with `governed_by`.
fn part(paths: &[&str], governed_by: Vec<Decision>) -> CheckReport {
    CheckReport {
        changed_files: strings(paths),
        governing: governed_by.clone(),
        governed_by,
        active_proposals: Vec::new(),
        history: Vec::new(),
        changed_records: Vec::new(),
        findings: Vec::new(),
        marker_scan: MarkerScan {
            total_candidates: paths.len(),
            limit: MAX_MARKER_FILES,
            counts: MarkerCounts { absent: paths.len(), ..MarkerCounts::default() },
            absent_paths: strings(paths),
            unreadable_paths: Vec::new(),
            out_of_tree_paths: Vec::new(),
            truncated_paths: Vec::new(),
            skipped_paths: Vec::new(),
        },
        ok: true,
    }
}

fn merged(parts: &[CheckReport], exceptions: &[(&str, &[&[&str]])]) -> CheckReport {
    let paths: Vec<String> = parts.iter().flat_map(|p| p.changed_files.clone()).collect();
    let lists = |lists: &[&[&str]]| lists.iter().map(|l| decision("", l, &[]).fired_matchers).collect();
    let exceptions = exceptions.iter().map(|(id, l)| ((*id).to_owned(), lists(l))).collect();
    merge(parts, &paths, &exceptions)
}

#[test]
fn reasons_of_one_record_add_up() {
    let parts = [
        part(&["b", "a"], vec![decision("0002", &["z", "b"], &[]), decision("0001", &["x"], &[])]),
        part(&["c"], vec![decision("0002", &["a", "z"], &[])]),
        part(&["d"], vec![]),
    ];
    let whole = merged(&parts, &[]);
    assert_eq!(whole.changed_files, ["a", "b", "c", "d"]);
    let want = vec![decision("0001", &["x"], &[]), decision("0002", &["a", "b", "z"], &[])];
    assert_eq!(whole.governed_by, want);
    assert_eq!(whole.governing, want);
}

#[test]
fn one_resolved_marker_changes_the_order_of_all() {
    let (lower, upper) = ("01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    let ids = |whole: &CheckReport| whole.governed_by.iter().map(|d| d.record_id.clone()).collect::<Vec<_>>();
    let first = part(&["a"], vec![decision(lower, &["x"], &[]), decision(upper, &["x"], &[])]);
    let mut in_locale_order = [lower, upper];
    in_locale_order.sort_by(|a, b| locale_cmp(a, b));
    assert_eq!(ids(&merged(&[first.clone(), part(&["b"], vec![])], &[])), in_locale_order);
    let second = part(&["b"], vec![decision("0001", &[], &[("b", 3)])]);
    let whole = merged(&[first, second], &[]);
    assert_eq!(ids(&whole), ["0001", upper, lower]);
}

#[test]
fn a_record_that_the_whole_change_takes_out_is_left_with_its_markers() {
    let parts = [
        part(&["a"], vec![decision("0001", &["x"], &[("a", 2)]), decision("0002", &["y"], &[])]),
        part(&["b"], vec![decision("0001", &[], &[("b", 1), ("b", 9)])]),
    ];
    let whole = merged(&parts, &[("0001", &[]), ("0002", &[]), ("0003", &[&["z"]])]);
    assert_eq!(whole.governed_by, [decision("0001", &[], &[("a", 2), ("b", 1), ("b", 9)])]);
}

#[test]
fn records_that_share_an_id_are_told_apart_by_the_exceptions() {
    let parts = [
        part(&["a"], vec![decision("0001", &["x"], &[])]),
        part(&["b"], vec![decision("0001", &["y"], &[("b", 1)])]),
    ];
    let whole = merged(&parts, &[("0001", &[&["x"], &["y"]])]);
    assert_eq!(whole.governed_by, [decision("0001", &["x"], &[("b", 1)]), decision("0001", &["y"], &[])]);
}

#[test]
fn findings_stand_as_often_as_in_one_part() {
    let about = |rule: &str, path: &str| Finding::new(rule, Severity::Warn, "m").path(path);
    let affects = about("affects-bad-pattern", "docs/adr/0001-a.md");
    let marker = about("dangling-marker", "b");
    let with = |findings: Vec<Finding>| CheckReport { findings, ..part(&["b"], vec![]) };
    let whole = merged(
        &[
            with(vec![affects.clone(), affects.clone(), marker.clone()]),
            with(vec![marker.clone(), affects.clone()]),
        ],
        &[],
    );
    assert_eq!(whole.findings, [affects.clone(), affects, marker]);
}

#[test]
fn one_failing_part_fails_the_whole() {
    let failing = CheckReport { ok: false, ..part(&["b"], vec![]) };
    assert!(!merged(&[part(&["a"], vec![]), failing], &[]).ok);
    assert!(merged(&[part(&["a"], vec![]), part(&["b"], vec![])], &[]).ok);
}

// The rest compares with the embedded engine, whose answers are held to the command's by recorded cases.

struct Corpus {
    _dir: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Corpus {
    fn new(files: &[(String, String)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(dir.path().canonicalize().unwrap()).unwrap();
        fs::create_dir_all(root.join("docs/adr")).unwrap();
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { _dir: dir, root }
    }

    fn check(&self, paths: &[String]) -> CheckReport {
        corpus::check(&self.root, DIR, paths).unwrap().1
    }

    fn merged(&self, parts: &[Vec<String>]) -> CheckReport {
        let paths = parts.concat();
        let exceptions = corpus::Reader::default().exceptions(&self.root, DIR, &paths).unwrap();
        let parts: Vec<CheckReport> = parts.iter().map(|p| self.check(p)).collect();
        merge(&parts, &paths, &exceptions)
    }
}

const DIR: &str = "docs/adr";

/// A record's text; each matcher is the inside of a flow mapping.
fn record(id: &str, status: &str, matchers: &[&str]) -> String {
    let affects: String = matchers.iter().map(|m| format!("  - {{{m}}}\n")).collect::<Vec<_>>().concat();
    let affects =
        if affects.is_empty() { "affects: []\n".to_owned() } else { format!("affects:\n{affects}") };
    let superseded = if status == "superseded" { "supersededBy: \"0001\"\n" } else { "" };
    format!(
        "---\nid: \"{id}\"\ntitle: A title\nstatus: {status}\ndate: 2026-01-01\ndeciders: [\"team:a\"]\n{superseded}{affects}---\n\nText\n"
    )
}

/// False until records can be read.
fn records_are_read() -> bool {
    let text = record("0001", "accepted", &["type: path, pattern: a"]);
    let corpus = Corpus::new(&[("docs/adr/0001-a.md".to_owned(), text)]);
    !corpus.check(&strings(&["a"])).governed_by.is_empty()
}

#[test]
fn a_negated_matcher_takes_its_record_out_of_every_part() {
    if !records_are_read() {
        return;
    }
    let negated = ["type: path, pattern: 'src/**'", "type: path, pattern: 'src/gen/**', negate: true"];
    let corpus = Corpus::new(&[
        ("docs/adr/0001-a.md".into(), record("0001", "accepted", &negated)),
        ("docs/adr/0002-b.md".into(), record("0002", "proposed", &["type: path, pattern: 'src/**'"])),
    ]);
    let parts = [strings(&["src/a.ts"]), strings(&["src/gen/b.ts"]), strings(&["src/c.ts"])];
    assert_eq!(corpus.check(&parts[0]).governed_by.len(), 2);
    let whole = corpus.merged(&parts);
    assert_eq!(whole, corpus.check(&parts.concat()));
    assert_eq!(whole.governed_by.len(), 1);
}

#[test]
fn patterns_that_the_locale_order_holds_equal_stand_as_in_their_record() {
    if !records_are_read() || locale_cmp("caf\u{e9}", "cafe\u{301}").is_ne() {
        return;
    }
    for patterns in [["caf\u{e9}", "cafe\u{301}"], ["cafe\u{301}", "caf\u{e9}"]] {
        let matchers = patterns.map(|p| format!("type: path, pattern: '{p}'"));
        let text = record("0001", "accepted", &matchers.each_ref().map(String::as_str));
        let corpus = Corpus::new(&[("docs/adr/0001-a.md".into(), text)]);
        let whole = corpus.merged(&[strings(&patterns[..1]), strings(&patterns[1..])]);
        let swapped = corpus.merged(&[strings(&patterns[1..]), strings(&patterns[..1])]);
        assert_eq!(whole, corpus.check(&strings(&patterns)));
        assert_eq!(whole, swapped);
        assert_eq!(
            whole.governed_by,
            [decision("0001", &patterns, &[])].map(|d| Decision { title: "A title".into(), ..d })
        );
    }
}

#[test]
fn records_that_share_an_id_stay_apart() {
    if !records_are_read() {
        return;
    }
    let text = |pattern: &str| record("0001", "accepted", &[&format!("type: path, pattern: '{pattern}'")]);
    let corpus =
        Corpus::new(&[("docs/adr/0001-a.md".into(), text("a")), ("docs/adr/0001-b.md".into(), text("b"))]);
    let parts = [strings(&["b"]), strings(&["a"])];
    let whole = corpus.merged(&parts);
    assert_eq!(whole.governed_by.len(), 2);
    assert_eq!(whole, corpus.check(&parts.concat()));
}

#[test]
fn files_past_the_limit_of_one_call_are_not_searched() {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut paths: Vec<String> = (0..MAX_MARKER_FILES + 40).map(|n| format!("f/{n:05}.ts")).collect();
    for n in [0, 1, MAX_MARKER_FILES - 1, MAX_MARKER_FILES, MAX_MARKER_FILES + 39] {
        files.push((paths[n].clone(), "// @adr 0001, log:0002, 0009\n".to_owned()));
    }
    files.push(("docs/adr/0001-a.md".into(), record("0001", "accepted", &["type: path, pattern: 'f/*'"])));
    paths.reverse();
    paths.extend(strings(&["./f/00000.ts", "../out", "a/../b"]));
    let corpus = Corpus::new(&files);
    let parts: Vec<Vec<String>> = paths.chunks(1111).map(<[String]>::to_vec).collect();
    let unworded = |mut report: CheckReport| {
        report.findings.iter_mut().filter(|f| f.rule == CAP_RULE).for_each(|f| f.message.clear());
        report
    };
    let whole = unworded(corpus.merged(&parts));
    assert!(whole.findings.iter().any(|f| f.rule == CAP_RULE));
    assert!(whole.marker_scan.counts.skipped > 0);
    assert_eq!(whole, unworded(corpus.check(&paths)));
}

fn ids() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "0001",
        "0002",
        "00010",
        "01arz3ndektsv4rrffq69g5fav",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "01ARZ3NDEKTSV4RRFFQ69G5FAw",
        "no id",
    ])
}

fn matchers() -> impl Strategy<Value = Vec<&'static str>> {
    let matcher = prop::sample::select(vec![
        "type: path, pattern: 'src/**'",
        "type: path, pattern: 'src/*.ts'",
        "type: path, pattern: 'src/b.ts'",
        "type: path, pattern: '**/*.md'",
        "type: path, pattern: 'lib/x'",
        "type: path, pattern: \"caf\\u00e9\"",
        "type: path, pattern: \"cafe\\u0301\"",
        "type: path, pattern: 'src/b.ts', negate: true",
        "type: path, pattern: 'lib/**', negate: true",
        "type: path, pattern: 'src/*', repo: other",
        "type: path, pattern: '/src/*'",
        "type: package, pattern: 'a@b@c'",
        "type: entity, pattern: x, negate: true",
        "type: entity, pattern: x",
        "type: nonsense, pattern: x",
    ]);
    prop::collection::vec(matcher, 0..5)
}

const STATUSES: [&str; 6] = ["draft", "proposed", "accepted", "rejected", "superseded", "deprecated"];

fn records() -> impl Strategy<Value = Vec<(String, String)>> {
    let one = (ids(), prop::sample::select(&STATUSES[..]), matchers());
    prop::collection::vec(one, 0..6).prop_map(|all| {
        let file = |(n, (id, status, matchers)): (usize, (&str, &str, Vec<&str>))| {
            (format!("docs/adr/{n:04}-r.md"), record(id, status, &matchers))
        };
        all.into_iter().enumerate().map(file).collect()
    })
}

fn contents() -> impl Strategy<Value = Vec<(String, String)>> {
    let path = prop::sample::select(vec!["src/a.ts", "src/b.ts", "src/gen/c.ts", "lib/x", "café", "x.md"]);
    let text = prop::sample::select(vec![
        "// @adr 0001\n# @adr 0002, 0001\n",
        "// @adr 01arz3ndektsv4rrffq69g5fav, log:0001\n",
        "// @adr 9999\n// @adr 9999\n",
        "<!-- @adr 00010 -->\n",
        "nothing\n",
        "LONG",
    ]);
    let file = (path, text).prop_map(|(path, text)| {
        let text =
            if text == "LONG" { format!("// @adr 0001\n{}", "x\n".repeat(5000)) } else { text.to_owned() };
        (path.to_owned(), text)
    });
    prop::collection::vec(file, 0..6)
}

fn parts() -> impl Strategy<Value = Vec<Vec<String>>> {
    let path = prop::sample::select(vec![
        "src/a.ts",
        "./src/a.ts",
        "src\\a.ts",
        "src/b.ts",
        "src/gen/c.ts",
        "lib/x",
        "lib",
        "café",
        "cafe\u{301}",
        "x.md",
        "docs/adr/0000-r.md",
        "docs\\adr\\0000-r.md",
        "docs/adr/0001-r.md",
        "docs/adr/0003-r.md",
        "gone.ts",
        "../out.ts",
        ".",
        "",
        "/abs",
    ]);
    prop::collection::vec(prop::collection::vec(path.prop_map(str::to_owned), 1..6), 2..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 256 } else { 2048 }))]

    /// Until records can be read, this compares files, markers and their findings only.
    #[test]
    fn parts_merge_into_what_one_call_says(records in records(), contents in contents(), parts in parts()) {
        let corpus = Corpus::new(&[contents, records].concat());
        prop_assert_eq!(corpus.merged(&parts), corpus.check(&parts.concat()));
    }
}

#[test]
fn a_corpus_that_is_not_there_is_told() {
    let corpus = Corpus::new(&[]);
    assert!(corpus::Reader::default().exceptions(&corpus.root, "nowhere", &[]).is_err());
    assert_eq!(
        corpus::Reader::default().exceptions(Utf8Path::new("/"), corpus.root.join(DIR).as_str(), &[]),
        Ok(Exceptions::new())
    );
}
