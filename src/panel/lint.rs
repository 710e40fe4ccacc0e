//! What is wrong with the records, by record.

use std::collections::HashMap;

use maud::{Markup, html};

use super::key::Keys;
use super::limits::FINDINGS;
use super::list::{counted, empty, heading, missing, more, note, path};
use super::text::Shown;
use super::view::Content;
use crate::report::{Finding, Severity};

pub(super) fn render(content: &Content) -> Markup {
    let Some(report) = content.lint.value.as_ref().map(|it| &it.report) else {
        return missing("Lint", &content.lint, content);
    };
    let mut keys = Keys::new("l");
    let shown = &report.findings[..report.findings.len().min(FINDINGS)];
    html! {
        (heading("Lint", Some(report.findings.len())))
        (note(&content.lint))
        @if report.findings.is_empty() {
            (empty(&format!("{} checked, no finding.", counted(report.checked, "record"))))
        } @else {
            p.lead { (counted(report.checked, "record")) " checked: " (tally(report.findings.iter())) "." }
            @for (file, findings) in by_file(shown) {
                details.findings data-key=(keys.of(file.unwrap_or_default())) data-group open[has_error(&findings)] {
                    summary {
                        @match file { Some(file) => (path(file)), None => "The records as a whole" }
                        " " span.tally { (tally(findings.iter().copied())) }
                    }
                    ul { @for finding in findings { (row(finding)) } }
                }
            }
            (more(report.findings.len(), shown.len()))
        }
    }
}

/// In the order in which the files are met first; the report is sorted.
fn by_file(findings: &[Finding]) -> Vec<(Option<&str>, Vec<&Finding>)> {
    let mut groups: Vec<(Option<&str>, Vec<&Finding>)> = Vec::new();
    let mut places = HashMap::new();
    for finding in findings {
        let file = finding.path.as_deref();
        let place = *places.entry(file).or_insert_with(|| {
            groups.push((file, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(finding);
    }
    groups
}

fn has_error(findings: &[&Finding]) -> bool {
    findings.iter().any(|it| it.severity == Severity::Error)
}

fn row(finding: &Finding) -> Markup {
    html! {
        li data-row {
            (severity(finding.severity)) " "
            span.rule { (Shown::name(&finding.rule)) } " "
            @for detail in [&finding.id, &finding.field, &finding.pattern].into_iter().flatten() {
                code { (Shown::path(detail)) } " "
            }
            bdi { (Shown::message(&finding.message)) }
        }
    }
}

/// How bad a finding is, as a badge.
pub(super) fn severity(severity: Severity) -> Markup {
    let (class, word) = match severity {
        Severity::Error => ("badge bad", "error"),
        Severity::Warn => ("badge warn", "warning"),
        Severity::Info => ("badge", "info"),
    };
    html! { span class=(class) { (word) } }
}

/// `1 error, 2 warnings`.
fn tally<'a>(findings: impl Iterator<Item = &'a Finding>) -> String {
    let severities: Vec<Severity> = findings.map(|it| it.severity).collect();
    let count = |severity| severities.iter().filter(|it| **it == severity).count();
    let words = [(Severity::Error, "error"), (Severity::Warn, "warning"), (Severity::Info, "hint")];
    let counts = words.map(|(severity, word)| (count(severity), word));
    let said: Vec<String> = counts.iter().filter(|it| it.0 > 0).map(|(n, word)| counted(*n, word)).collect();
    said.join(", ")
}
