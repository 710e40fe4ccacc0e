//! The page of the decision review: what governs the change in hand, as an HTML document and as its parts.
//!
//! Pure: no clock, no I/O, no environment. The same [`Content`] gives the same page. Markup is written by `maud`, which
//! builds elements and attributes from Rust's syntax and escapes every value; repository text goes through
//! [`text::Shown`] besides, which makes visible what a person would not see. There is no inline style and no inline
//! handler, so that a page can be served with a Content-Security-Policy of nonces alone.
//!
//! | module | its job |
//! | --- | --- |
//! | [`view`] | what a page shows |
//! | [`coverage`] | which changed file each decision governs |
//! | [`limits`] | how much of it is shown |
//! | `page` | the document around the parts |
//! | `status`, `picture`, `decisions`, `changes`, `lint`, `queue` | the parts |
//! | `command`, `key`, `list`, `text` | shell words, stable keys, long lists, repository text |

mod changes;
mod command;
pub mod coverage;
mod decisions;
mod key;
pub mod limits;
mod lint;
mod list;
mod page;
mod picture;
mod queue;
mod status;
pub mod text;
pub mod view;

#[cfg(test)]
mod tests;

use maud::Markup;
use serde::Serialize;

pub use page::{Frame, document};
pub use view::{Activity, Content, Held, Made, NO_RECORDS, Subject};

/// The ids of the parts, in document order.
pub const PART_IDS: [&str; 9] = [
    "p-status",
    "p-picture",
    "p-decisions",
    "p-proposals",
    "p-history",
    "p-uncovered",
    "p-changes",
    "p-lint",
    "p-queue",
];

/// The inner HTML of the element with this id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// One of [`PART_IDS`].
    pub id: &'static str,
    /// Markup.
    pub html: String,
}

/// The part that changes when a refresh begins or ends.
#[must_use]
pub fn status(subject: &Subject, content: &Content, activity: Activity) -> Part {
    part("p-status", &status::render(subject, content, activity))
}

/// The other parts, which change only with the content. Empty where there is nothing to say.
#[must_use]
pub fn content_parts(subject: &Subject, content: &Content) -> Vec<Part> {
    vec![
        part("p-picture", &picture::render(content)),
        part("p-decisions", &decisions::governing(subject, content)),
        part("p-proposals", &decisions::proposals(subject, content)),
        part("p-history", &decisions::history(subject, content)),
        part("p-uncovered", &changes::uncovered(subject, content)),
        part("p-changes", &changes::all(subject, content)),
        part("p-lint", &lint::render(content)),
        part("p-queue", &queue::render(content)),
    ]
}

fn part(id: &'static str, markup: &Markup) -> Part {
    Part { id, html: markup.0.clone() }
}
