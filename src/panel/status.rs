//! When the page was made, by whom, and what is missing.

use std::time::Duration;

use maud::{Markup, html};

use super::text::Shown;
use super::view::{Activity, Content, Made, NO_RECORDS, Subject};

pub(super) fn render(subject: &Subject, content: &Content, activity: Activity) -> Markup {
    html! {
        @if let Some(made) = content.made {
            p.meta {
                (when(made)) " " span { "in " (duration(made.took)) }
                @for engine in content.engines() {
                    " " span { (if engine == "cli" { "adr command" } else { "embedded engine" }) }
                }
                @if let Some(changes) = &content.changes.value {
                    " " span { "compared with " code { (Shown::name(&changes.label)) } }
                }
            }
        }
        @if activity.refreshing {
            p.busy data-busy { @if content.made.is_some() { "Refreshing…" } @else { "Collecting what has changed…" } }
        }
        @let notes = notes(content);
        @for note in &notes { p.note { (note) } }
        @if content.no_corpus {
            p.note { (NO_RECORDS) " The directory " code { (Shown::path(&subject.corpus)) } " does not exist." }
        }
        @if content.made.is_none() && notes.is_empty() && !content.no_corpus && !activity.refreshing { p.empty { "Nothing has been collected yet." } }
    }
}

/// The moment, to the second. A script may show it in the reader's own time.
fn when(made: Made) -> Markup {
    let iso = made.at.to_iso();
    let (date, time) = iso.split_once('T').unwrap_or((&iso, ""));
    let seconds = time.split('.').next().unwrap_or_default();
    html! { time datetime=(iso) { (date) " " (seconds) " UTC" } }
}

fn duration(took: Duration) -> String {
    match took.as_millis() {
        ms @ 0..1000 => format!("{ms} ms"),
        ms => format!("{}.{} s", ms / 1000, ms / 100 % 10),
    }
}

/// Each sentence once, however many parts it is about.
fn notes(content: &Content) -> Vec<&str> {
    let Content { changes, check, lint, queue, .. } = content;
    let mut notes: Vec<&str> = Vec::new();
    for note in [&changes.note, &check.note, &lint.note, &queue.note].into_iter().flatten() {
        let is_told_apart = content.no_corpus && note == NO_RECORDS;
        if !is_told_apart && !notes.contains(&note.as_str()) {
            notes.push(note);
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let shown = [0, 48, 999, 1000, 1250, 61_999].map(|ms| duration(Duration::from_millis(ms)));
        assert_eq!(shown, ["0 ms", "48 ms", "999 ms", "1.0 s", "1.2 s", "61.9 s"]);
    }
}
