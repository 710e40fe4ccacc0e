//! The embedded engine: the `adr` command's answers without the command.
//!
//! It knows no process, no clock and no environment: it takes a root directory, a corpus directory relative to it,
//! and inputs.

use std::cmp::Ordering;

use crate::report::Finding;
use crate::text::cmp_code_units;

mod affects;
mod check;
pub mod date;
mod decide;
mod discover;
pub mod glob;
mod invariants;
pub mod js_number;
mod lint;
mod load;
pub mod locale;
mod markers;
pub mod package;
mod parts;
mod paths;
mod queue;
pub mod record;
mod reference;
pub mod survey;
mod window;
pub mod yaml;

pub use check::{check, explain};
pub use discover::MAX_SKIPPED_DEPTH;
pub use lint::{lint, lint_paths};
pub(crate) use parts::{Exceptions, exceptions};
pub use queue::{queue, queue_markdown};
pub use window::MARKER_WINDOW_BYTES;
pub(crate) use window::normalise as marker_path;

/// How many files of one check are searched for markers.
pub const MAX_MARKER_FILES: usize = 3000;

/// The order of findings in every report.
pub(crate) fn sort_findings(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let optional = |x: &Option<String>, y: &Option<String>| {
            cmp_code_units(x.as_deref().unwrap_or(""), y.as_deref().unwrap_or(""))
        };
        let keys = [
            cmp_code_units(&a.rule, &b.rule),
            optional(&a.id, &b.id),
            optional(&a.pattern, &b.pattern),
            optional(&a.path, &b.path),
            optional(&a.field, &b.field),
            cmp_code_units(&a.message, &b.message),
        ];
        keys.into_iter().fold(Ordering::Equal, Ordering::then)
    });
}
