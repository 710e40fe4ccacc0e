//! The decisions that match the change: accepted, proposed, and history.

use maud::{Markup, html};

use super::key::Keys;
use super::limits::{DECISIONS, FILES_OF_A_DECISION, FILES_OF_DECISIONS, REASONS};
use super::list::{copy, counted, empty, heading, missing, more, note, number, path, status};
use super::text::Shown;
use super::view::{Content, Subject};
use crate::report::{CheckReport, Decision};

/// A decision with the places of its files.
type Governed<'a> = (&'a Decision, &'a [usize]);

/// The accepted ones.
pub(super) fn governing(subject: &Subject, content: &Content) -> Markup {
    let Some(report) = report(content) else {
        return missing("Governing decisions", &content.check, content);
    };
    html! {
        (heading("Governing decisions", Some(report.governing.len())))
        (note(&content.check))
        @if report.governing.is_empty() {
            (empty(&nothing_governs(report.changed_files.len())))
        } @else {
            (Group { subject, report, prefix: "d", verb: "governs" }.list(&zip(&report.governing, &content.coverage.governing)))
        }
    }
}

/// The draft and proposed ones.
pub(super) fn proposals(subject: &Subject, content: &Content) -> Markup {
    let Some(report) = report(content) else { return html! {} };
    html! {
        @if !report.active_proposals.is_empty() {
            (heading("Open proposals", Some(report.active_proposals.len())))
            p.lead { "Not decided yet. They would govern these files if they were accepted." }
            (Group { subject, report, prefix: "p", verb: "would govern" }.list(&zip(&report.active_proposals, &content.coverage.proposals)))
        }
    }
}

/// The rejected, superseded and deprecated ones, folded.
pub(super) fn history(subject: &Subject, content: &Content) -> Markup {
    let Some(report) = report(content) else { return html! {} };
    html! {
        @if !report.history.is_empty() {
            details.fold data-key="history" {
                summary { (heading("History", Some(report.history.len()))) }
                p.lead { "Rejected, superseded or deprecated. They govern nothing any more." }
                (Group { subject, report, prefix: "h", verb: "matches" }.list(&zip(&report.history, &content.coverage.history)))
            }
        }
    }
}

fn report(content: &Content) -> Option<&CheckReport> {
    content.check.value.as_ref().map(|it| &it.report)
}

fn nothing_governs(files: usize) -> String {
    match files {
        0 => "Nothing has changed, so no decision is concerned.".to_owned(),
        1 => "No decision governs this file.".to_owned(),
        n => format!("No decision governs these {} files.", number(n)),
    }
}

fn zip<'a>(decisions: &'a [Decision], files: &'a [Vec<usize>]) -> Vec<Governed<'a>> {
    decisions.iter().zip(files.iter().map(Vec::as_slice)).collect()
}

/// Decisions of one kind.
struct Group<'a> {
    subject: &'a Subject,
    report: &'a CheckReport,
    prefix: &'static str,
    /// What they do with a file.
    verb: &'static str,
}

impl Group<'_> {
    fn list(&self, decisions: &[Governed<'_>]) -> Markup {
        let mut keys = Keys::new(self.prefix);
        let listed = &decisions[..decisions.len().min(DECISIONS)];
        let files = (FILES_OF_DECISIONS / listed.len().max(1)).max(FILES_OF_A_DECISION);
        html! {
            ul.decisions data-group {
                @for decision in listed { (self.decision(decision, &keys.of(&decision.0.record_id), files)) }
            }
            (more(decisions.len(), listed.len()))
        }
    }

    fn decision(&self, (decision, files): &Governed<'_>, key: &str, limit: usize) -> Markup {
        html! {
            li.decision data-row {
                h3 {
                    span.id { (Shown::name(&decision.record_id)) } " "
                    bdi.title { (Shown::title(&decision.title)) } " "
                    (status(&decision.status))
                }
                @if let Some(by) = &decision.superseded_by {
                    p.facts { span { "superseded by " span.id { (Shown::name(by)) } } }
                }
                (reasons(decision))
                (self.files(files, key, limit))
            }
        }
    }

    fn files(&self, files: &[usize], key: &str, limit: usize) -> Markup {
        let names = files.iter().filter_map(|place| self.report.changed_files.get(*place));
        let mut keys = Keys::new("f");
        html! {
            @if !files.is_empty() {
                details.files data-key=(key) {
                    summary { (self.verb) " " (counted(files.len(), "changed file")) }
                    ul {
                        @for name in names.take(limit) {
                            li { (path(name)) (copy(self.subject, &format!("{key}-{}", keys.of(name)), name)) }
                        }
                    }
                    (more(files.len(), limit))
                }
            }
        }
    }
}

/// Why it matches: the matchers that fired, and the markers that name it.
fn reasons(decision: &Decision) -> Markup {
    let (matchers, markers) = (&decision.fired_matchers, &decision.declared_by);
    html! {
        ul.reasons {
            @for matcher in matchers.iter().take(REASONS) {
                li { span.kind { (Shown::name(&matcher.kind)) } " " code { (Shown::path(&matcher.pattern)) } }
            }
            @for marker in markers.iter().take(REASONS) {
                li {
                    span.kind { "@adr" } " "
                    code { (Shown::path(&marker.path)) ":" (marker.line) }
                    @if marker.reference != decision.record_id { " as " code { (Shown::name(&marker.reference)) } }
                }
            }
        }
        (more(matchers.len() + markers.len(), matchers.len().min(REASONS) + markers.len().min(REASONS)))
    }
}
