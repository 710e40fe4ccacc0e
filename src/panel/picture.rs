//! How much of the change each decision holds: numbers, and a strip of the changed files for each decision.
//!
//! A strip is as wide as the page, one unit for each changed file in the order of their paths, and filled where the
//! decision governs the file. Files of one directory stand side by side, so that a strip shows where a decision holds,
//! not only how far.

use std::cmp::Reverse;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::limits::PICTURED_DECISIONS;
use super::list::{counted, number};
use super::text::Shown;
use super::view::Content;
use crate::report::CheckReport;

/// From one strip to the next, in pixels.
const ROW: usize = 34;
/// The baseline of a strip's label.
const LABEL: usize = 14;
/// The top of a strip below its label, and its height.
const STRIP: (usize, usize) = (20, 8);

/// A strip.
struct Row<'a> {
    label: String,
    class: &'static str,
    files: &'a [usize],
}

pub(super) fn render(content: &Content) -> Markup {
    let Some(report) = content.check.value.as_ref().map(|it| &it.report) else { return html! {} };
    if report.changed_files.is_empty() {
        return html! {};
    }
    html! {
        h2.visually-hidden { "How much of the change is governed" }
        (numbers(content, report))
        (strips(content, report))
    }
}

fn numbers(content: &Content, report: &CheckReport) -> Markup {
    let (files, uncovered) = (report.changed_files.len(), content.coverage.uncovered.len());
    let numbers = [
        (files, if files == 1 { "changed file" } else { "changed files" }),
        (files - uncovered.min(files), "governed"),
        (uncovered, "ungoverned"),
        (report.governing.len(), if report.governing.len() == 1 { "decision" } else { "decisions" }),
        (
            report.active_proposals.len(),
            if report.active_proposals.len() == 1 { "proposal" } else { "proposals" },
        ),
    ];
    html! {
        dl.numbers {
            @for (count, name) in numbers { div { dt { (name) } dd { (number(count)) } } }
        }
    }
}

fn strips(content: &Content, report: &CheckReport) -> Markup {
    let total = report.changed_files.len();
    let rows = rows(content, report);
    if report.governing.is_empty() {
        return html! {};
    }
    let height = rows.len() * ROW;
    html! {
        figure.picture {
            svg role="img" width="100%" height=(height) xmlns="http://www.w3.org/2000/svg" {
                title { (name(&rows, total)) }
                @for (place, row) in rows.iter().enumerate() {
                    @let top = place * ROW;
                    text x="0" y=(top + LABEL) class="label" { (row.label) }
                    text x="100%" y=(top + LABEL) text-anchor="end" class="share" { (share(row.files.len(), total)) }
                    svg x="0" y=(top + STRIP.0) width="100%" height=(STRIP.1) viewBox=(format!("0 0 {total} 1")) preserveAspectRatio="none" {
                        rect class="track" width=(total) height="1" {}
                        path class=(row.class) d=(outline(row.files)) {}
                    }
                }
            }
            @if report.governing.len() > PICTURED_DECISIONS {
                figcaption { "The " (PICTURED_DECISIONS) " decisions that hold the most of it, of " (number(report.governing.len())) "." }
            }
        }
    }
}

/// The decisions that hold the most, in the report's order where they hold the same, and what none holds.
fn rows<'a>(content: &'a Content, report: &'a CheckReport) -> Vec<Row<'a>> {
    let mut largest: Vec<_> = report.governing.iter().zip(&content.coverage.governing).collect();
    largest.sort_by_key(|(_, files)| Reverse(files.len()));
    let mut rows: Vec<Row> = largest
        .into_iter()
        .take(PICTURED_DECISIONS)
        .map(|(decision, files)| Row {
            label: Shown::name(&decision.record_id).plain(),
            class: "held",
            files,
        })
        .collect();
    if !content.coverage.uncovered.is_empty() {
        rows.push(Row { label: "no decision".to_owned(), class: "free", files: &content.coverage.uncovered });
    }
    rows
}

fn share(files: usize, total: usize) -> String {
    format!("{} of {}", number(files), number(total))
}

fn name(rows: &[Row<'_>], total: usize) -> String {
    let mut name = format!("How much of {} each decision governs", counted(total, "changed file"));
    for (place, row) in rows.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ =
            write!(name, "{} {}: {}", if place == 0 { ":" } else { "," }, row.label, number(row.files.len()));
    }
    name + "."
}

/// The files as rectangles one unit high, neighbours joined.
fn outline(files: &[usize]) -> String {
    let mut path = String::new();
    for run in files.chunk_by(|a, b| a + 1 == *b) {
        if let Some(first) = run.first() {
            let _ = write!(path, "M{first} 0h{}v1H{first}z", run.len());
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_rectangle() {
        assert_eq!(outline(&[]), "");
        assert_eq!(outline(&[0, 1, 2, 5]), "M0 0h3v1H0zM5 0h1v1H5z");
    }
}
