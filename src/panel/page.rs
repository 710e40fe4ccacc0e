//! The document around the parts.

use maud::{DOCTYPE, PreEscaped, html};

use super::Part;
use super::text::Shown;
use super::view::Subject;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Across the page.
const HEAD: [&str; 2] = ["p-status", "p-picture"];
/// Side by side where there is room.
const COLUMNS: [&[&str]; 2] =
    [&["p-decisions", "p-proposals", "p-history"], &["p-uncovered", "p-changes", "p-lint", "p-queue"]];

/// What the server of the page decides.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The nonce of the one style and the one script.
    pub nonce: &'a str,
    /// The page's own URL path, with a slash at its end.
    pub base: &'a str,
}

/// The whole page. A part that is missing from `parts` is empty.
#[must_use]
pub fn document(subject: &Subject, parts: &[Part], frame: Frame<'_>) -> String {
    let directory = subject.directory.file_name().unwrap_or(subject.directory.as_str());
    let inner = |id: &str| PreEscaped(parts.iter().find(|part| part.id == id).map_or("", |part| &part.html));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { "Decision review: " (Shown::name(directory).plain()) }
                style nonce=(frame.nonce) { (PreEscaped(STYLE)) }
            }
            body data-base=(frame.base) {
                a.skip href="#main" { "Skip to the review" }
                header {
                    div.bar {
                        h1 { "Decision review" span.where { (Shown::name(directory)) } }
                        div.tools role="search" {
                            label.visually-hidden for="filter" { "Filter files, decisions and findings" }
                            input #filter type="search" placeholder="Filter" autocomplete="off" spellcheck="false" aria-describedby="matches";
                            span #matches role="status" {}
                            button #refresh type="button" { "Refresh" }
                        }
                    }
                    p #connection role="alert" hidden {}
                    p #said .visually-hidden role="status" {}
                }
                main #main tabindex="-1" {
                    @for id in HEAD {
                        section id=(id) role=[(id == "p-status").then_some("status")] { (inner(id)) }
                    }
                    @for column in COLUMNS {
                        div.column { @for id in column { section id=(id) { (inner(id)) } } }
                    }
                }
                footer {
                    p {
                        kbd { "/" } " filters, " kbd { "Esc" } " shows everything again, " kbd { "r" } " refreshes."
                    }
                }
                script nonce=(frame.nonce) { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.0
}
