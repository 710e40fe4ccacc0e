//! Makes the reports of several batches the report that one call would have given.
//!
//! Most of it adds up: files, findings, markers, and the matchers that fired. What does not is told by
//! [`Exceptions`], which the embedded engine works out over all files. So the result equals the one call's wherever the
//! two engines read matchers alike and the corpus stays as it is while the batches run.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::corpus::locale::locale_cmp;
use crate::corpus::{Exceptions, MAX_MARKER_FILES, marker_path, sort_findings};
use crate::report::{
    CheckReport, Decision, Declaration, Finding, FiredMatcher, MarkerCounts, MarkerScan, Severity,
};
use crate::text::cmp_code_units;

/// The field of findings that tell what the marker of a file says, whatever their rule.
const MARKER_FIELD: &str = "marker";
/// The rule of the finding that tells that files were left unsearched.
const CAP_RULE: &str = "marker-scan-capped";

/// The report about all of `paths`, of which each of `parts` tells about some.
pub(crate) fn merge(parts: &[CheckReport], paths: &[String], exceptions: &Exceptions) -> CheckReport {
    let scan = Searched::of(parts, paths);
    let governed_by = decisions(parts, exceptions, &scan);
    let bucket = |name: &str| governed_by.iter().filter(|d| d.bucket == name).cloned().collect();
    CheckReport {
        changed_files: union(parts, |p| &p.changed_files),
        governing: bucket("governing"),
        active_proposals: bucket("activeProposals"),
        history: bucket("history"),
        governed_by,
        changed_records: union(parts, |p| &p.changed_records),
        findings: findings(parts, &scan),
        ok: parts.iter().all(|p| p.ok),
        marker_scan: scan.summary(parts),
    }
}

/// Distinct strings of all parts in code-unit order.
fn union(parts: &[CheckReport], list: impl Fn(&CheckReport) -> &Vec<String>) -> Vec<String> {
    distinct(parts.iter().flat_map(|part| list(part).iter().cloned()))
}

fn distinct(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut items: Vec<String> = items.collect();
    items.sort_by(|a, b| cmp_code_units(a, b));
    items.dedup();
    items
}

/// The files that the one call would have searched for markers, and those past its limit.
struct Searched {
    limit: usize,
    candidates: usize,
    skipped: Vec<String>,
    skips: HashSet<String>,
}

impl Searched {
    fn of(parts: &[CheckReport], paths: &[String]) -> Self {
        let limit = parts.first().map_or(MAX_MARKER_FILES, |p| p.marker_scan.limit);
        let mut candidates = distinct(paths.iter().map(|p| marker_path(p).to_owned()));
        let all = candidates.len();
        let past = candidates.split_off(all.min(limit));
        // A command with a lower limit than ours may have left out some of a batch already.
        let skipped = distinct(past.into_iter().chain(union(parts, |p| &p.marker_scan.skipped_paths)));
        Self { limit, candidates: all, skips: skipped.iter().cloned().collect(), skipped }
    }

    fn summary(self, parts: &[CheckReport]) -> MarkerScan {
        let of = |list: fn(&MarkerScan) -> &Vec<String>| -> Vec<String> {
            let mut paths = union(parts, |p| list(&p.marker_scan));
            paths.retain(|p| !self.skips.contains(p));
            paths
        };
        let absent_paths = of(|s| &s.absent_paths);
        let unreadable_paths = of(|s| &s.unreadable_paths);
        let out_of_tree_paths = of(|s| &s.out_of_tree_paths);
        let truncated_paths = of(|s| &s.truncated_paths);
        let unscanned =
            absent_paths.len() + unreadable_paths.len() + out_of_tree_paths.len() + self.skipped.len();
        MarkerScan {
            total_candidates: self.candidates,
            limit: self.limit,
            counts: MarkerCounts {
                scanned: self.candidates.saturating_sub(unscanned),
                absent: absent_paths.len(),
                unreadable: unreadable_paths.len(),
                out_of_tree: out_of_tree_paths.len(),
                truncated: truncated_paths.len(),
                skipped: self.skipped.len(),
            },
            absent_paths,
            unreadable_paths,
            out_of_tree_paths,
            truncated_paths,
            skipped_paths: self.skipped,
        }
    }

    fn cap_finding(&self) -> Option<Finding> {
        let (limit, skipped) = (self.limit, self.skipped.len());
        let message = format!("Only the first {limit} files were searched for markers; {skipped} were not.");
        (skipped > 0).then(|| Finding::new(CAP_RULE, Severity::Warn, message).field(MARKER_FIELD))
    }
}

/// Findings about the corpus stand in every part, and as often in the whole as in one part; those about a file or a
/// changed record stand in the part of that file.
fn findings(parts: &[CheckReport], scan: &Searched) -> Vec<Finding> {
    let is_past = |f: &Finding| {
        let in_skipped_file = f.path.as_ref().is_some_and(|p| scan.skips.contains(p));
        f.rule == CAP_RULE || f.field.as_deref() == Some(MARKER_FIELD) && in_skipped_file
    };
    let mut all = Vec::new();
    let mut times: HashMap<&Finding, usize> = HashMap::new();
    for part in parts {
        let mut here: HashMap<&Finding, usize> = HashMap::new();
        for finding in part.findings.iter().filter(|f| !is_past(f)) {
            let here = here.entry(finding).or_default();
            *here += 1;
            let before = times.entry(finding).or_default();
            if *here > *before {
                *before = *here;
                all.push(finding.clone());
            }
        }
    }
    all.extend(scan.cap_finding());
    sort_findings(&mut all);
    all
}

/// What the parts say about one id.
struct Gathered<'a> {
    /// An entry without its reasons.
    first: &'a Decision,
    /// The matchers that fired, one list for each record of the id that matched.
    matched: Vec<Vec<FiredMatcher>>,
    declared: Vec<Declaration>,
}

impl<'a> Gathered<'a> {
    fn new(first: &'a Decision) -> Self {
        Self { first, matched: Vec::new(), declared: Vec::new() }
    }

    fn into_entries(mut self) -> Vec<Decision> {
        self.declared.sort_by(|a, b| {
            cmp_code_units(&a.path, &b.path)
                .then(a.line.cmp(&b.line))
                .then_with(|| cmp_code_units(&a.reference, &b.reference))
        });
        self.declared.dedup();
        if self.matched.is_empty() && !self.declared.is_empty() {
            self.matched.push(Vec::new());
        }
        let mut declared = Some(self.declared);
        let entry = |fired_matchers| Decision {
            fired_matchers,
            declared_by: declared.take().unwrap_or_default(),
            ..self.first.clone()
        };
        self.matched.into_iter().map(entry).collect()
    }
}

fn decisions(parts: &[CheckReport], exceptions: &Exceptions, scan: &Searched) -> Vec<Decision> {
    let mut by_id: BTreeMap<&str, Gathered<'_>> = BTreeMap::new();
    for part in parts {
        let mut nth: HashMap<&str, usize> = HashMap::new();
        for decision in &part.governed_by {
            let id = decision.record_id.as_str();
            let gathered = by_id.entry(id).or_insert_with(|| Gathered::new(decision));
            let searched = decision.declared_by.iter().filter(|d| !scan.skips.contains(&d.path));
            gathered.declared.extend(searched.cloned());
            if !decision.fired_matchers.is_empty() && !exceptions.contains_key(id) {
                let nth = nth.entry(id).or_default();
                add_fired(&mut gathered.matched, *nth, &decision.fired_matchers);
                *nth += 1;
            }
        }
    }
    for (id, gathered) in &mut by_id {
        if let Some(matched) = exceptions.get(*id) {
            gathered.matched.clone_from(matched);
        }
    }
    let mut all: Vec<Decision> = by_id.into_values().flat_map(Gathered::into_entries).collect();
    // The order changes from locale to code units as soon as one marker resolves.
    if all.iter().any(|d| !d.declared_by.is_empty()) {
        all.sort_by(|a, b| cmp_code_units(&a.record_id, &b.record_id));
    } else {
        all.sort_by(|a, b| locale_cmp(&a.record_id, &b.record_id));
    }
    all
}

/// Adds `fired` to the list of the `nth` record of an id.
fn add_fired(matched: &mut Vec<Vec<FiredMatcher>>, nth: usize, fired: &[FiredMatcher]) {
    if matched.len() <= nth {
        matched.resize(nth + 1, Vec::new());
    }
    let list = &mut matched[nth];
    for matcher in fired {
        if !list.contains(matcher) {
            list.push(matcher.clone());
        }
    }
    list.sort_by(|a, b| locale_cmp(&a.kind, &b.kind).then_with(|| locale_cmp(&a.pattern, &b.pattern)));
}

#[cfg(test)]
mod tests;
