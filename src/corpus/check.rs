//! `check` and `explain`: which decisions govern files.

use std::sync::Arc;

use camino::Utf8Path;

use super::beside::{Part, Shared, beside, joined};
use super::decide::{Decisions, Declared, FileMarkers as MarkersOf};
use super::discover::is_record_name;
use super::load::{Corpus, Reader};
use super::window::{self, MARKER_WINDOW_BYTES, Scan, Scanner};
use super::{MAX_MARKER_FILES, invariants, sort_findings};
use crate::error::Result;
use crate::report::{
    CheckReport, ExplainReport, FileMarkers, Finding, LintReport, MarkerCounts, MarkerScan, Severity,
};
use crate::text::cmp_code_units;

/// From so many paths on, their files are searched beside the matching.
const SCANNED_BESIDE_FROM: usize = 32;

/// How many files a thread takes at once. Those that lie near each other are found faster by one.
const SCANNED_AT_ONCE: usize = 32;

/// `adr check`: the exit code and the report. `root` is absolute and free of links.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn check(root: &Utf8Path, dir: &str, paths: &[String]) -> Result<(u8, CheckReport)> {
    check_by(Reader::default(), root, dir, paths)
}

pub(super) fn check_by(
    reader: Reader<'_>,
    root: &Utf8Path,
    dir: &str,
    paths: &[String],
) -> Result<(u8, CheckReport)> {
    let corpus = reader.load(root, dir)?;
    let changed_files = distinct(paths.iter().map(|p| p.replace('\\', "/")));
    let changed_records = changed_records(dir, &changed_files);
    let (marked, matchers) = (Marked::new(paths), corpus.matchers());
    let scans = Arc::new(marked.scans(root));
    let verdicts = Arc::new(matchers.asked_about(&changed_files));
    let aside = {
        let (scans, verdicts) = (Arc::clone(&scans), Arc::clone(&verdicts));
        move || (scans.take_part(), verdicts.take_part())
    };
    let here = || {
        let verdicts = verdicts.take_part();
        (scans.take_part(), verdicts)
    };
    let are_many = paths.len() >= SCANNED_BESIDE_FROM || matchers.are_many_for(paths.len());
    let ((scans_aside, verdicts_aside), (scans_here, verdicts_here)) = beside(are_many, aside, here);
    let (picked, mut findings) = matchers.resolve(&joined(verdicts_aside, verdicts_here));
    let markers = marked.seen(joined(scans_aside, scans_here));

    let scanned: Vec<MarkersOf<'_>> = markers
        .files
        .iter()
        .filter_map(|(path, scan)| match scan {
            Scan::Scanned(s) => Some((path.as_str(), s.declared.as_slice())),
            _ => None,
        })
        .collect();
    let mut declared = Declared::resolve(&corpus.records, &scanned);

    findings.append(&mut declared.findings);
    findings.extend(markers.cap_finding());
    let about_changed = |f: &Finding| f.path.as_ref().is_some_and(|p| changed_records.contains(p));
    if !changed_records.is_empty() {
        findings.extend(lint_findings(&corpus).into_iter().filter(about_changed));
    }
    sort_findings(&mut findings);

    let ok = !findings.iter().any(|f| f.severity == Severity::Error && about_changed(f));
    let decisions = Decisions::join(&corpus.records, picked, declared);
    let report = CheckReport {
        changed_files,
        governed_by: decisions.all,
        governing: decisions.governing,
        active_proposals: decisions.active_proposals,
        history: decisions.history,
        changed_records,
        findings,
        marker_scan: markers.summary(),
        ok,
    };
    Ok((u8::from(!ok), report))
}

/// `adr explain`: the exit code and the report. `root` is absolute and free of links.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn explain(root: &Utf8Path, dir: &str, path: &str) -> Result<(u8, ExplainReport)> {
    explain_by(Reader::default(), root, dir, path)
}

pub(super) fn explain_by(
    reader: Reader<'_>,
    root: &Utf8Path,
    dir: &str,
    path: &str,
) -> Result<(u8, ExplainReport)> {
    let corpus = reader.load(root, dir)?;
    let shown = window::normalise(path);
    let scan = Scanner::new(root).scan(shown);
    let mut findings = lint_findings(&corpus);
    let broken = findings.iter().any(|f| f.severity == Severity::Error);
    let mut decisions = Decisions::default();
    if !broken {
        let matchers = corpus.matchers();
        let verdicts = matchers.asked_about(&[path.replace('\\', "/")]).take_part();
        let (picked, of_matchers) = matchers.resolve(&joined(verdicts, Part::new()));
        let markers = match &scan {
            Scan::Scanned(s) => s.declared.as_slice(),
            _ => &[],
        };
        let mut declared = Declared::resolve(&corpus.records, &[(shown, markers)]);
        findings = of_matchers;
        findings.append(&mut declared.findings);
        decisions = Decisions::join(&corpus.records, picked, declared);
    }
    sort_findings(&mut findings);
    let report = ExplainReport {
        path: path.to_owned(),
        governed_by: decisions.all,
        governing: decisions.governing,
        active_proposals: decisions.active_proposals,
        history: decisions.history,
        markers: file_markers(scan),
        findings,
    };
    Ok((u8::from(broken), report))
}

/// All findings of a corpus but for the files that were passed over, unsorted.
pub(super) fn lint_findings(corpus: &Corpus) -> Vec<Finding> {
    let mut findings = corpus.findings.clone();
    findings.extend(invariants::findings(&corpus.records));
    findings
}

/// The exit code of a lint.
pub(super) fn lint_answer(report: LintReport) -> (u8, LintReport) {
    let failed = report.findings.iter().any(|f| f.severity == Severity::Error);
    (u8::from(failed), report)
}

fn distinct(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut items: Vec<String> = items.collect();
    items.sort_by(|a, b| cmp_code_units(a, b));
    items.dedup();
    items
}

/// The changed files that are records, told by their text alone: another spelling of the same path is not found.
fn changed_records(dir: &str, changed: &[String]) -> Vec<String> {
    let dir = dir.replace('\\', "/");
    let dir = dir.trim_end_matches('/');
    let prefix = if matches!(dir, "" | ".") { String::new() } else { format!("{dir}/") };
    let is_record =
        |f: &&String| f.strip_prefix(&prefix).is_some_and(|n| !n.contains('/') && is_record_name(n));
    changed.iter().filter(is_record).cloned().collect()
}

/// What was seen of the files of one check.
struct Markers {
    /// Distinct paths in code-unit order, each with what was seen.
    files: Vec<(String, Scan)>,
    skipped: Vec<String>,
}

/// The files that one check searches for markers.
struct Marked {
    /// Distinct, in code-unit order.
    files: Arc<Vec<String>>,
    skipped: Vec<String>,
}

impl Marked {
    fn new(paths: &[String]) -> Self {
        let mut files = distinct(paths.iter().map(|p| window::normalise(p).to_owned()));
        let skipped = files.split_off(files.len().min(MAX_MARKER_FILES));
        Self { files: Arc::new(files), skipped }
    }

    fn scans(&self, root: &Utf8Path) -> Shared<Scan> {
        let (files, root) = (Arc::clone(&self.files), root.to_owned());
        Shared::new(files.len(), SCANNED_AT_ONCE, move |range| {
            let mut scanner = Scanner::new(&root);
            files[range].iter().map(|path| scanner.scan(path)).collect()
        })
    }

    fn seen(self, scans: Vec<Scan>) -> Markers {
        let files = Arc::unwrap_or_clone(self.files);
        Markers { files: files.into_iter().zip(scans).collect(), skipped: self.skipped }
    }
}

impl Markers {
    fn cap_finding(&self) -> Option<Finding> {
        let message = format!(
            "Only the first {MAX_MARKER_FILES} files were searched for markers; {} were not.",
            self.skipped.len()
        );
        let finding = Finding::new("marker-scan-capped", Severity::Warn, message).field("marker");
        (!self.skipped.is_empty()).then_some(finding)
    }

    fn summary(&self) -> MarkerScan {
        let of = |wanted: fn(&Scan) -> bool| -> Vec<String> {
            self.files.iter().filter(|(_, s)| wanted(s)).map(|(p, _)| p.clone()).collect()
        };
        let absent_paths = of(|s| matches!(s, Scan::Absent));
        let unreadable_paths = of(|s| matches!(s, Scan::Unreadable));
        let out_of_tree_paths = of(|s| matches!(s, Scan::OutOfTree));
        let truncated_paths = of(|s| matches!(s, Scan::Scanned(s) if s.truncated));
        MarkerScan {
            total_candidates: self.files.len() + self.skipped.len(),
            limit: MAX_MARKER_FILES,
            counts: MarkerCounts {
                scanned: self.files.len()
                    - absent_paths.len()
                    - unreadable_paths.len()
                    - out_of_tree_paths.len(),
                absent: absent_paths.len(),
                unreadable: unreadable_paths.len(),
                out_of_tree: out_of_tree_paths.len(),
                truncated: truncated_paths.len(),
                skipped: self.skipped.len(),
            },
            absent_paths,
            unreadable_paths,
            out_of_tree_paths,
            truncated_paths,
            skipped_paths: self.skipped.clone(),
        }
    }
}

fn file_markers(scan: Scan) -> FileMarkers {
    let mut markers = FileMarkers {
        state: state(&scan).to_owned(),
        window_bytes: MARKER_WINDOW_BYTES,
        scanned_bytes: None,
        file_bytes: None,
        truncated: false,
        declared: Vec::new(),
    };
    if let Scan::Scanned(scanned) = scan {
        markers.scanned_bytes = Some(scanned.window_bytes);
        markers.file_bytes = Some(scanned.file_bytes);
        markers.truncated = scanned.truncated;
        markers.declared = scanned.declared;
    }
    markers
}

fn state(scan: &Scan) -> &'static str {
    match scan {
        Scan::Scanned(_) => "scanned",
        Scan::Absent => "absent",
        Scan::Unreadable => "unreadable",
        Scan::OutOfTree => "out-of-tree",
    }
}
