//! The changed files: those that nothing governs, and all of them.

use std::collections::HashMap;

use maud::{Markup, html};

use super::key::Keys;
use super::limits::{CHANGED_FILES, IDS_OF_A_FILE, OPEN_FILES, UNCOVERED_FILES};
use super::list::{copy, counted, empty, heading, missing, more, note, number, path};
use super::text::Shown;
use super::view::{Content, Subject};
use crate::report::CheckReport;

/// The files that no accepted decision governs.
pub(super) fn uncovered(subject: &Subject, content: &Content) -> Markup {
    let Some(report) = content.check.value.as_ref().map(|it| &it.report) else { return html! {} };
    let uncovered = &content.coverage.uncovered;
    let mut keys = Keys::new("u");
    html! {
        @if !report.changed_files.is_empty() {
            (heading("Ungoverned files", Some(uncovered.len())))
            @if uncovered.is_empty() {
                (empty("Every changed file has a decision that governs it."))
            } @else {
                (folded("uncovered-rest", uncovered.iter().take(UNCOVERED_FILES), |place| html! {
                    @if let Some(name) = report.changed_files.get(*place) {
                        li data-row {
                            (path(name))
                            (ids(report, &[], proposals(content, *place)))
                            (copy(subject, &keys.of(name), name))
                        }
                    }
                }))
                (more(uncovered.len(), UNCOVERED_FILES))
            }
        }
    }
}

/// All of them, with what governs each.
pub(super) fn all(subject: &Subject, content: &Content) -> Markup {
    let Some(changes) = &content.changes.value else {
        return missing("Changed files", &content.changes, content);
    };
    let report = content.check.value.as_ref().map(|it| &it.report);
    let places = Places::of(report);
    let mut keys = Keys::new("c");
    html! {
        (heading("Changed files", Some(changes.files.len())))
        (note(&content.changes))
        p.lead {
            "Compared with " code { (Shown::name(&changes.label)) } ", the work tree included."
            @if changes.skipped_non_utf8 > 0 {
                " " (left_out(changes.skipped_non_utf8))
            }
        }
        @if changes.files.is_empty() {
            (empty("Nothing has changed."))
        } @else {
            (folded("changes-rest", changes.files.iter().take(CHANGED_FILES), |name| html! {
                li data-row {
                    (path(name))
                    @if let (Some(report), Some(place)) = (report, places.of_file(name)) {
                        (ids(report, governing(content, place), proposals(content, place)))
                    }
                    (copy(subject, &keys.of(name), name))
                }
            }))
            (more(changes.files.len(), CHANGED_FILES))
        }
    }
}

/// Rows, the first of them in the open and the others below a fold.
fn folded<T>(
    key: &str,
    mut items: impl ExactSizeIterator<Item = T>,
    mut row: impl FnMut(T) -> Markup,
) -> Markup {
    // A fold for a few would hide more than it saves.
    let open = if items.len() > OPEN_FILES + OPEN_FILES / 2 { OPEN_FILES } else { items.len() };
    html! {
        ul.rows data-group { @for item in items.by_ref().take(open) { (row(item)) } }
        @if items.len() > 0 {
            details.rest data-key=(key) data-group {
                summary { (number(items.len())) " more" }
                ul.rows { @for item in items { (row(item)) } }
            }
        }
    }
}

fn left_out(names: usize) -> String {
    let verb = if names == 1 { "is" } else { "are" };
    format!("{} left out that {verb} not UTF-8.", counted(names, "name"))
}

fn governing(content: &Content, place: usize) -> &[usize] {
    content.coverage.governed_by.get(place).map_or(&[], Vec::as_slice)
}

fn proposals(content: &Content, place: usize) -> &[usize] {
    content.coverage.proposed_for.get(place).map_or(&[], Vec::as_slice)
}

/// The ids of what governs a file, and of what would, with its status.
fn ids(report: &CheckReport, governing: &[usize], proposals: &[usize]) -> Markup {
    let accepted = governing.iter().filter_map(|place| report.governing.get(*place));
    let open = proposals.iter().filter_map(|place| report.active_proposals.get(*place));
    let total = governing.len() + proposals.len();
    let listed = accepted.map(|it| (it, false)).chain(open.map(|it| (it, true))).take(IDS_OF_A_FILE);
    html! {
        @if total > 0 {
            span.ids {
                @for (decision, is_open) in listed {
                    " " span.id.open[is_open] {
                        (Shown::name(&decision.record_id))
                        @if is_open { " " (Shown::name(&decision.status)) }
                    }
                }
                @if total > IDS_OF_A_FILE { " +" (number(total - IDS_OF_A_FILE)) }
            }
        }
    }
}

/// Where each file stands in the report of the check, which may be older than the list of the changes.
struct Places<'a>(HashMap<&'a str, usize>);

impl<'a> Places<'a> {
    fn of(report: Option<&'a CheckReport>) -> Self {
        let files = report.into_iter().flat_map(|it| it.changed_files.iter().enumerate());
        Self(files.map(|(place, file)| (file.as_str(), place)).collect())
    }

    fn of_file(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}
