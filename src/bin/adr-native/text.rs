//! The reports as text for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use adrkit_native::corpus::locale::locale_cmp;
use adrkit_native::report::{
    CheckReport, Decision, ExplainReport, FileMarkers, Finding, MarkerScan, Severity,
};

/// How many paths of a kind a marker note names.
const NOTED_PATHS: usize = 10;

/// The text of a check.
pub(crate) fn check(report: &CheckReport) -> String {
    let mut out = String::new();
    buckets(&mut out, "", [&report.governing, &report.active_proposals, &report.history]);
    marker_scan(&mut out, &report.marker_scan);
    if !report.findings.is_empty() {
        out.push_str("Findings:\n");
        out.push_str(&findings_by_path(&report.findings));
    }
    let _ = writeln!(
        out,
        "checked: {}, {} governing, {} proposed: {}",
        counted(report.changed_files.len(), "file"),
        report.governing.len(),
        report.active_proposals.len(),
        if report.ok { "ok" } else { "a changed record has errors" }
    );
    out
}

/// The text of an explanation. Where the corpus has errors it is only the note about the file.
pub(crate) fn explain(report: &ExplainReport, broken: bool) -> String {
    let mut out = String::new();
    if !broken {
        let heading = format!(" {}", report.path);
        buckets(&mut out, &heading, [&report.governing, &report.active_proposals, &report.history]);
        if report.governed_by.is_empty() {
            let _ = writeln!(out, "No decision governs {}.", report.path);
        }
    }
    if let Some(note) = file_note(&report.markers) {
        let _ = writeln!(out, "Note: {note}");
    }
    if !broken && !report.findings.is_empty() {
        out.push_str("Findings:\n");
        for finding in &report.findings {
            finding_line(&mut out, finding);
        }
    }
    out
}

/// Findings grouped by file, as `lint` prints them.
pub(crate) fn findings_by_path(findings: &[Finding]) -> String {
    let mut groups: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry(finding.path.as_deref().unwrap_or("(corpus)")).or_default().push(finding);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by(|a, b| locale_cmp(a.0, b.0));
    let mut out = String::new();
    for (path, findings) in groups {
        let _ = writeln!(out, "{path}");
        for finding in findings {
            finding_line(&mut out, finding);
        }
    }
    out
}

/// The closing line of a lint.
pub(crate) fn lint_summary(checked: usize, findings: &[Finding]) -> String {
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    format!(
        "checked {}, {}, {}\n",
        counted(checked, "record"),
        counted(count(Severity::Error), "error"),
        counted(count(Severity::Warn), "warning")
    )
}

/// `1 file`, `2 files`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

fn buckets(out: &mut String, suffix: &str, buckets: [&[Decision]; 3]) {
    for (title, decisions) in ["Governing", "Active proposals", "History"].iter().zip(buckets) {
        if decisions.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{title}{suffix}:");
        for decision in decisions {
            let _ = write!(out, "  {}  [{}] {}", decision.record_id, decision.status, decision.title);
            if let Some(by) = &decision.superseded_by {
                let _ = write!(out, " (superseded by {by})");
            }
            out.push('\n');
            for matcher in &decision.fired_matchers {
                let _ = writeln!(out, "    via {}: {}", matcher.kind, matcher.pattern);
            }
            for marker in &decision.declared_by {
                let _ = writeln!(
                    out,
                    "    declared by {}:{} (@adr {})",
                    marker.path, marker.line, marker.reference
                );
            }
        }
    }
}

fn marker_scan(out: &mut String, scan: &MarkerScan) {
    if scan.total_candidates == 0 {
        return;
    }
    let _ = writeln!(out, "marker scan: {} of {} searched", scan.counts.scanned, scan.total_candidates);
    let unavailable = [
        ("absent", &scan.absent_paths),
        ("unreadable", &scan.unreadable_paths),
        ("outside the directory", &scan.out_of_tree_paths),
        ("past the limit", &scan.skipped_paths),
    ];
    let lines = unavailable.iter().flat_map(|(state, paths)| paths.iter().map(move |p| (state, p)));
    for (state, path) in lines.take(NOTED_PATHS) {
        let _ = writeln!(out, "  {path}: {state}");
    }
    for path in scan.truncated_paths.iter().take(NOTED_PATHS) {
        let _ = writeln!(out, "  {path}: only its beginning was searched");
    }
}

fn file_note(markers: &FileMarkers) -> Option<String> {
    Some(match markers.state.as_str() {
        "absent" => "the file does not exist, so it has no markers.".to_owned(),
        "unreadable" => "the file was not searched for markers: a link, or not readable.".to_owned(),
        "out-of-tree" => {
            "the file is outside the working directory and was not searched for markers.".to_owned()
        }
        _ if markers.truncated => format!(
            "only the first {} of {} bytes were searched for markers.",
            markers.scanned_bytes.unwrap_or_default(),
            markers.file_bytes.unwrap_or_default()
        ),
        _ => return None,
    })
}

fn finding_line(out: &mut String, finding: &Finding) {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warn => "warn",
        Severity::Info => "info",
    };
    let _ = write!(out, "  {severity} {}", finding.rule);
    for part in [&finding.id, &finding.field, &finding.pattern].into_iter().flatten() {
        let _ = write!(out, " {part}");
    }
    let _ = writeln!(out, ": {}", finding.message);
}
