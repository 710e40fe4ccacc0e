//! Joins what matchers and markers say into decisions, and sorts these into buckets.

use std::collections::BTreeMap;

use super::affects::Match;
use super::load::{Placed, last_with_id};
use crate::report::{Decision, Declaration, DeclaredMarker, Finding, Severity};
use crate::text::cmp_code_units;

/// The decisions of one answer: all of them, and by bucket.
#[derive(Debug, Clone, Default)]
pub(crate) struct Decisions {
    pub(crate) all: Vec<Decision>,
    pub(crate) governing: Vec<Decision>,
    pub(crate) active_proposals: Vec<Decision>,
    pub(crate) history: Vec<Decision>,
}

/// The markers of one file that was scanned.
pub(crate) type FileMarkers<'a> = (&'a str, &'a [DeclaredMarker]);

/// What the markers say: declarations by record id, and findings about references that lead nowhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Declared {
    by_id: BTreeMap<String, Vec<Declaration>>,
    pub(crate) findings: Vec<Finding>,
}

impl Declared {
    /// Resolves the references of `files` among the ids of `records`.
    pub(crate) fn resolve(records: &[Placed], files: &[FileMarkers<'_>]) -> Self {
        let mut distinct: Vec<(&str, u32, &str)> = files
            .iter()
            .flat_map(|(path, markers)| markers.iter().map(move |m| (*path, m.line, m.reference.as_str())))
            .collect();
        distinct.sort_by(|a, b| {
            cmp_code_units(a.0, b.0).then(a.1.cmp(&b.1)).then_with(|| cmp_code_units(a.2, b.2))
        });
        distinct.dedup();
        let mut out = Self::default();
        for (path, line, reference) in distinct {
            let lost = if reference.contains(':') {
                let message = "The marker names a record of another log, which is not looked up.";
                Finding::new("marker-unresolvable", Severity::Info, message)
            } else if last_with_id(records, reference).is_some() {
                out.by_id.entry(reference.to_owned()).or_default().push(Declaration {
                    path: path.to_owned(),
                    line,
                    reference: reference.to_owned(),
                });
                continue;
            } else {
                Finding::new("dangling-marker", Severity::Warn, "The marker names no valid record.")
            };
            out.findings.push(lost.path(path).field("marker").pattern(reference));
        }
        out
    }
}

impl Decisions {
    /// Joins matches and declarations.
    ///
    /// Where several records bear one id, each match is an entry, all of them show the last such record, and the
    /// declarations stand at the first: that is what the `adr` command does.
    pub(crate) fn join(records: &[Placed], matches: Vec<Match>, mut declared: Declared) -> Self {
        let any_declared = !declared.by_id.is_empty();
        let shown = |id: &str| last_with_id(records, id).map(decision);
        let mut all: Vec<Decision> = matches
            .into_iter()
            .filter_map(|m| {
                let id = records[m.index].record().id.as_str();
                let declared_by = declared.by_id.remove(id).unwrap_or_default();
                Some(Decision { fired_matchers: m.fired, declared_by, ..shown(id)? })
            })
            .collect();
        let only_declared = declared.by_id.into_iter();
        all.extend(
            only_declared.filter_map(|(id, declared_by)| Some(Decision { declared_by, ..shown(&id)? })),
        );
        // The order changes from locale to code units as soon as one marker resolves.
        if any_declared {
            all.sort_by(|a, b| cmp_code_units(&a.record_id, &b.record_id));
        }
        let bucket = |name: &str| all.iter().filter(|d| d.bucket == name).cloned().collect();
        let (governing, active_proposals, history) =
            (bucket("governing"), bucket("activeProposals"), bucket("history"));
        Self { all, governing, active_proposals, history }
    }
}

fn decision(placed: &Placed) -> Decision {
    let record = placed.record();
    Decision {
        record_id: record.id.clone(),
        title: record.title.clone(),
        status: record.status.as_str().to_owned(),
        bucket: record.status.bucket().as_str().to_owned(),
        superseded_by: record.superseded_by.clone().filter(|s| !s.is_empty()),
        fired_matchers: Vec::new(),
        declared_by: Vec::new(),
    }
}
