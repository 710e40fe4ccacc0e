//! What must hold among the valid records of a corpus.

use std::collections::HashMap;

use super::load::Placed;
use super::record::{Record, Status};
use crate::report::{Finding, Severity};

/// One finding per broken rule and entry, unsorted.
pub(crate) fn findings(records: &[Placed]) -> Vec<Finding> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for placed in records {
        *uses.entry(&placed.record().id).or_default() += 1;
    }
    let mut found = Vec::new();
    for placed in records {
        let (record, path) = (placed.record(), &placed.path);
        let mut add = |rule: &str, severity, field: &str, message: String| {
            found.push(Finding::new(rule, severity, message).path(path).id(&record.id).field(field));
        };
        if uses[record.id.as_str()] > 1 {
            let message = format!("The id {} is used by more than one record.", record.id);
            add("unique-id", Severity::Error, "id", message);
        }
        for (rule, field, severity, references) in references(record) {
            for reference in references.iter().filter(|r| !uses.contains_key(r.as_str())) {
                add(rule, severity, field, format!("{field} names {reference}, which is no valid record."));
            }
        }
        if record.status == Status::Accepted {
            for other in record.conflicts_with.iter().filter(|r| uses.contains_key(r.as_str())) {
                let message = format!("An accepted record says that it conflicts with {other}.");
                add("accepted-conflictsWith", Severity::Warn, "conflictsWith", message);
            }
            if record.imported && record.deciders.is_empty() {
                let message = "An imported, accepted record names no deciders yet.".to_owned();
                add("import-incomplete", Severity::Info, "deciders", message);
            }
        }
    }
    found
}

fn references(record: &Record) -> [(&'static str, &'static str, Severity, &[String]); 4] {
    let superseded_by = record.superseded_by.as_slice();
    [
        ("dangling-supersedes", "supersedes", Severity::Error, &record.supersedes),
        ("dangling-supersededBy", "supersededBy", Severity::Error, superseded_by),
        ("dangling-relatesTo", "relatesTo", Severity::Error, &record.relates_to),
        ("dangling-conflictsWith", "conflictsWith", Severity::Warn, &record.conflicts_with),
    ]
}
