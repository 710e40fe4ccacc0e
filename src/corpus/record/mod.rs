//! From a record's text to a record or its findings.
//!
//! [`fence`] splits the text, [`crate::corpus::yaml`] reads the front matter, [`validate`] checks it against
//! [`fields`], and [`rules`] looks at what several fields say together. Nothing here does I/O.

mod canonical;
mod fence;
mod fields;
mod grammar;
mod model;
mod rules;
mod schema;
mod validate;

pub use model::{Bucket, Matcher, MatcherKind, Record, Review, Status};

use super::yaml::{self, LoadError, Value};
use crate::report::{Finding, Severity};

/// What reading one record file gave: a record and no findings, or findings and no record.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The record, where nothing is wrong with it.
    pub record: Option<Record>,
    /// What is wrong, unsorted.
    pub findings: Vec<Finding>,
}

impl Parsed {
    fn failed(findings: Vec<Finding>) -> Self {
        Self { record: None, findings }
    }
}

/// The text of a file: UTF-8, each maximal invalid part replaced by U+FFFD, a byte order mark kept.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads one record. `path` is the display path that its findings carry.
#[must_use]
pub fn parse(path: &str, text: &str) -> Parsed {
    let front_matter_finding = |rule, message: String| {
        let finding = Finding::new(rule, Severity::Error, message).path(path).field("frontmatter");
        Parsed::failed(vec![finding])
    };
    let parts = match fence::split(text) {
        Ok(parts) => parts,
        Err(error) => return front_matter_finding("frontmatter-fence", error.message().to_owned()),
    };
    let value = match yaml::load(parts.front_matter) {
        Ok(value) => value,
        Err(LoadError::Syntax(error)) => {
            let line = line_number(parts.front_matter, error.at);
            return front_matter_finding("frontmatter-parse", format!("line {line}: {}", error.message));
        }
        Err(LoadError::Convert(error)) => {
            let finding = Finding::new("file-read", Severity::Error, error.to_string()).path(path);
            return Parsed::failed(vec![finding]);
        }
    };
    let id = value.get("id").and_then(Value::as_str);
    let (front_matter, issues) = validate::validate(&fields::FRONT_MATTER, &value);
    let finding = |rule: &str, message: String, field: Option<String>| {
        let mut finding = Finding::new(rule, Severity::Error, message).path(path);
        finding.id = id.map(str::to_owned);
        finding.field = field;
        finding
    };
    let has_shape = !issues.iter().any(|i| i.kind.breaks_shape());
    let mut findings: Vec<Finding> =
        issues.into_iter().map(|i| finding(i.kind.rule(), i.message, i.field)).collect();
    if has_shape {
        for broken in rules::broken(&front_matter) {
            findings.push(finding(broken.rule, broken.message.to_owned(), Some(broken.field.to_owned())));
        }
    }
    if !findings.is_empty() {
        return Parsed::failed(findings);
    }
    Parsed { record: Record::new(front_matter, parts.body), findings }
}

/// The line of the file that a byte of its front matter is on. The first line is the fence.
fn line_number(front_matter: &str, at: usize) -> usize {
    2 + front_matter.get(..at).unwrap_or(front_matter).matches('\n').count()
}
