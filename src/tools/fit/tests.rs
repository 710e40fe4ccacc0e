use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::report::{
    CheckReport, Decision, Declaration, DeclaredMarker, ExplainReport, FileMarkers, Finding, FiredMatcher,
    LintReport, MarkerCounts, MarkerScan, Severity,
};

fn decision(bucket: &str, id: String, title: &str, pattern: &str, matchers: usize) -> Decision {
    Decision {
        record_id: id,
        title: title.to_owned(),
        status: "accepted".to_owned(),
        bucket: bucket.to_owned(),
        superseded_by: None,
        fired_matchers: (0..matchers)
            .map(|n| FiredMatcher { kind: "path".to_owned(), pattern: format!("{pattern}{n}") })
            .collect(),
        declared_by: vec![
            Declaration { path: "src/a.ts".to_owned(), line: 1, reference: "0001".to_owned() };
            matchers
        ],
    }
}

/// How much of everything a made-up report holds.
#[derive(Debug, Clone, Default)]
struct Size {
    files: usize,
    governing: usize,
    proposals: usize,
    history: usize,
    findings: usize,
    matchers: usize,
    ulids: bool,
    text: String,
}

fn id(size: &Size, n: usize) -> String {
    if size.ulids { format!("01ARZ3NDEKTSV4RRFFQ69{n:05}") } else { format!("{n:04}") }
}

fn findings(count: usize, text: &str) -> Vec<Finding> {
    let severities = [Severity::Info, Severity::Warn, Severity::Error];
    (0..count)
        .map(|n| Finding::new("rule", severities[n % 3], text).path(format!("docs/adr/{n:04}.md")))
        .collect()
}

fn check(size: &Size) -> CheckReport {
    let bucket = |name: &str, from: usize, count: usize| -> Vec<Decision> {
        (from..from + count)
            .map(|n| decision(name, id(size, n), &size.text, &size.text, size.matchers))
            .collect()
    };
    let governing = bucket("governing", 0, size.governing);
    let active_proposals = bucket("activeProposals", 20_000, size.proposals);
    let history = bucket("history", 40_000, size.history);
    let files: Vec<String> =
        (0..size.files).map(|n| format!("src/some/where/{}{n:05}.ts", size.text)).collect();
    CheckReport {
        governed_by: [&governing[..], &active_proposals, &history].concat(),
        governing,
        active_proposals,
        history,
        changed_records: files.iter().take(size.files / 10).cloned().collect(),
        findings: findings(size.findings, &size.text),
        marker_scan: MarkerScan {
            total_candidates: files.len(),
            limit: 3000,
            counts: MarkerCounts { absent: files.len(), ..MarkerCounts::default() },
            absent_paths: files.clone(),
            unreadable_paths: vec![],
            out_of_tree_paths: vec![],
            truncated_paths: files.iter().take(size.files / 2).cloned().collect(),
            skipped_paths: files.iter().skip(3000).cloned().collect(),
        },
        changed_files: files,
        ok: false,
    }
}

fn result(report: &impl serde::Serialize) -> Tree {
    Tree::Object(vec![("exitCode".into(), 1.into()), ("report".into(), Tree::of(report).unwrap())])
}

fn json(result: Tree, within: &[&str], limit: usize) -> Option<String> {
    shorten(result, within, limit).map(|tree| serde_json::to_string(&tree).unwrap())
}

fn short(report: &impl serde::Serialize, limit: usize) -> Value {
    let text = json(result(report), &["report"], limit).unwrap();
    assert!(text.len() <= limit, "{} > {limit}", text.len());
    serde_json::from_str::<Value>(&text).unwrap()["report"].clone()
}

fn len(report: &Value, list: &str) -> usize {
    report[list].as_array().map_or(0, Vec::len)
}

fn omitted(report: &Value, list: &str) -> usize {
    report["omitted"][list].as_u64().map_or(0, |n| usize::try_from(n).unwrap())
}

fn ids(report: &Value) -> Vec<String> {
    let full = report["governing"].as_array().unwrap().iter().map(|d| &d["recordId"]);
    let bare = report["governingIds"].as_array().into_iter().flatten();
    full.chain(bare).map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Every list is there in full or its missing entries are counted.
fn assert_adds_up(size: &Size, report: &Value) {
    for (list, total) in [
        ("changedFiles", size.files),
        ("changedRecords", size.files / 10),
        ("findings", size.findings),
        ("activeProposals", size.proposals),
        ("history", size.history),
        ("governing", size.governing),
        ("governedBy", size.governing + size.proposals + size.history),
    ] {
        assert_eq!(len(report, list) + omitted(report, list), total, "{list}");
    }
    assert_eq!(len(report, "governingIds") + omitted(report, "governingIds"), omitted(report, "governing"));
    let scan = &report["markerScan"];
    let paths = ["absentPaths", "truncatedPaths", "skippedPaths"];
    for (list, total) in paths.into_iter().zip([size.files, size.files / 2, size.files.saturating_sub(3000)])
    {
        assert_eq!(len(scan, list) + omitted(report, list), total, "{list}");
    }
}

#[test]
fn the_cap_stays_below_the_hosts() {
    const { assert!(MAX_RESULT_BYTES < HOST_LIMIT_BYTES && HOST_LIMIT_BYTES == 20_480) };
}

#[test]
fn what_fits_is_not_touched() {
    let size = Size {
        files: 20,
        governing: 8,
        history: 2,
        findings: 5,
        matchers: 2,
        text: "ü ".into(),
        ..Size::default()
    };
    let whole = serde_json::to_string(&result(&check(&size))).unwrap();
    assert!(whole.len() > 7_000, "{}", whole.len());
    assert_eq!(json(result(&check(&size)), &["report"], MAX_RESULT_BYTES).unwrap(), whole);
    assert_eq!(json(result(&check(&size)), &["report"], whole.len()).unwrap(), whole);
    assert_ne!(json(result(&check(&size)), &["report"], whole.len() - 1).unwrap(), whole);
}

#[test]
fn what_is_told_twice_goes_first() {
    let size = Size { governing: 60, matchers: 2, text: "Title".into(), ..Size::default() };
    let report = short(&check(&size), MAX_RESULT_BYTES);
    assert_eq!(report["truncated"], true);
    assert_eq!(report["omitted"], serde_json::json!({ "governedBy": 60 }));
    assert!(report.get("governedBy").is_none());
    assert_eq!(report["governing"], serde_json::to_value(check(&size).governing).unwrap());
}

#[test]
fn many_files_are_counted_and_their_decision_kept_whole() {
    let size = Size { files: 3000, governing: 1, matchers: 2, text: "T".into(), ..Size::default() };
    let report = short(&check(&size), MAX_RESULT_BYTES);
    assert_adds_up(&size, &report);
    assert_eq!(report["governing"], serde_json::to_value(check(&size).governing).unwrap());
    assert_eq!(report["markerScan"]["counts"]["absent"], 3000);
    // As many as fit.
    assert!(len(&report, "changedFiles") > 300);
    assert!(report.to_string().len() > MAX_RESULT_BYTES - 200);
}

#[test]
fn five_hundred_governing_records_appear_at_least_as_ids() {
    let long = ["x".repeat(250), "長い題名😀".repeat(20), "\u{1}\"\\".repeat(30)];
    for (text, ulids) in long.into_iter().zip([true, false, true]) {
        let rest =
            Size { files: 300, proposals: 50, history: 50, findings: 100, matchers: 4, ..Size::default() };
        let size = Size { governing: 500, ulids, text, ..rest };
        let report = short(&check(&size), MAX_RESULT_BYTES);
        assert_adds_up(&size, &report);
        assert_eq!(ids(&report), (0..500).map(|n| id(&size, n)).collect::<Vec<_>>());
    }
}

#[test]
fn ids_that_do_not_fit_are_counted() {
    let size = Size { governing: 5000, ulids: true, text: "T".into(), ..Size::default() };
    let report = short(&check(&size), MAX_RESULT_BYTES);
    assert_adds_up(&size, &report);
    let ids = ids(&report);
    assert!(ids.len() > 600 && ids.len() < 5000, "{}", ids.len());
    assert_eq!(ids, (0..ids.len()).map(|n| id(&size, n)).collect::<Vec<_>>());
}

#[test]
fn a_governing_decision_outlives_everything_else() {
    let size = Size {
        files: 500,
        governing: 3,
        proposals: 200,
        history: 200,
        findings: 300,
        matchers: 1,
        text: "Some title".into(),
        ..Size::default()
    };
    for limit in [2_000, 4_000, 8_000, 16_000] {
        let report = short(&check(&size), limit);
        assert_adds_up(&size, &report);
        assert_eq!(len(&report, "governing"), 3, "{limit}");
        assert_eq!(report["governing"][0]["title"], "Some title");
    }
}

#[test]
fn the_mildest_findings_go_first() {
    let report = LintReport { checked: 9, findings: findings(900, "message") };
    let report = short(&report, MAX_RESULT_BYTES);
    let kept = report["findings"].as_array().unwrap();
    assert_eq!(kept.len() + omitted(&report, "findings"), 900);
    assert!(kept.len() > 150, "{}", kept.len());
    assert!(kept.iter().all(|f| f["severity"] == "error"), "{}", kept.len());
    assert!(kept.is_sorted_by_key(|f| f["path"].as_str().unwrap().to_owned()));
}

#[test]
fn huge_findings_are_cut() {
    let report = LintReport { checked: 3, findings: findings(3, &"é".repeat(100_000)) };
    let report = short(&report, MAX_RESULT_BYTES);
    assert_eq!(report["omitted"], serde_json::json!({ "texts": 3 }));
    let message = report["findings"][0]["message"].as_str().unwrap();
    assert_eq!((message.chars().count(), message.chars().last()), (240, Some('…')));
}

#[test]
fn texts_are_counted_once_however_often_they_are_cut() {
    let report = LintReport { checked: 90, findings: findings(90, &"x".repeat(1000)) };
    let report = short(&report, 1_500);
    assert_eq!(omitted(&report, "texts"), 90);
    assert_eq!(report["findings"][0]["message"].as_str().unwrap().chars().count(), 80);
}

#[test]
fn an_explanation_is_shortened_too() {
    let all: Vec<Decision> =
        (0..900).map(|n| decision("governing", format!("{n:04}"), "Title", "src/**", 1)).collect();
    let declared = vec![DeclaredMarker { reference: "0001".to_owned(), line: 7 }; 700];
    let report = ExplainReport {
        path: "src/a.ts".to_owned(),
        governed_by: all.clone(),
        governing: all,
        active_proposals: vec![],
        history: vec![],
        markers: FileMarkers {
            state: "scanned".to_owned(),
            window_bytes: 8192,
            scanned_bytes: Some(8192),
            file_bytes: Some(9000),
            truncated: true,
            declared,
        },
        findings: findings(300, "dangling"),
    };
    let report = short(&report, MAX_RESULT_BYTES);
    assert_eq!(ids(&report).len(), 900);
    assert_eq!(len(&report["markers"], "declared") + omitted(&report, "declared"), 700);
    assert_eq!((&report["path"], &report["markers"]["state"]), (&"src/a.ts".into(), &"scanned".into()));
}

#[test]
fn a_failure_keeps_its_words_and_counts_its_files() {
    let files = (0..3000).map(|n| Tree::Text(format!("src/{n}"))).collect();
    let words = "w".repeat(2048);
    let error = Tree::Object(vec![("message".into(), Tree::Text(words.clone()))]);
    let failure = Tree::Object(vec![("error".into(), error), ("files".into(), Tree::List(files))]);
    let text = json(failure, &[], MAX_RESULT_BYTES).unwrap();
    let failure: Value = serde_json::from_str(&text).unwrap();
    assert!(text.len() <= MAX_RESULT_BYTES);
    assert_eq!(failure["error"]["message"], words);
    assert_eq!(len(&failure, "files") + omitted(&failure, "files"), 3000);
}

#[test]
fn other_shapes_are_not_touched_and_give_none() {
    for (shape, within) in [
        (r#"{"report":[1,2,3,4,5,6,7,8,9]}"#, &["report"][..]),
        (r#"{"report":{"findings":{"a":1},"governing":"long"}}"#, &["report"]),
        (r#"{"report":{}, "a":"bbbbbbbbbbbbbbbbbbbbbbbb"}"#, &["report"]),
        (r#"{"findings":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]}"#, &["report"]),
        (r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaa""#, &[]),
    ] {
        assert_eq!(json(serde_json::from_str(shape).unwrap(), within, 20), None, "{shape}");
    }
}

fn size() -> impl Strategy<Value = Size> {
    let counts = (0..150_usize, 0..100_usize, 0..20_usize, 0..20_usize, 0..40_usize, 0..6_usize);
    let text = prop_oneof![Just("Title".to_owned()), "\\PC{0,40}", "(adr |new|é|\"|\\x01){0,100}"];
    (counts, any::<bool>(), text).prop_map(
        |((files, governing, proposals, history, findings, matchers), ulids, text)| Size {
            files,
            governing,
            proposals,
            history,
            findings,
            matchers,
            ulids,
            text,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn always_valid_under_the_cap_and_counted(size in size(), limit in 6_000..MAX_RESULT_BYTES) {
        let report = short(&check(&size), limit);
        assert_adds_up(&size, &report);
        prop_assert_eq!(&report, &short(&check(&size), limit), "deterministic");
        prop_assert_eq!(report.get("truncated").is_some(), report.get("omitted").is_some());
    }
}
