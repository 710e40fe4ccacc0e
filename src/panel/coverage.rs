//! Which changed file each decision governs.
//!
//! A check tells which matchers of a decision fired for the changed files as a whole. Each of them is asked again about
//! each file. That is exact for either engine: a negated matcher that fires takes the whole decision out of the report.

use std::collections::HashMap;

use crate::corpus::glob::{Candidate, Glob};
use crate::corpus::marker_path;
use crate::report::{CheckReport, Decision};

/// The files of each decision, and the decisions of each file. Files are places in [`CheckReport::changed_files`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// One entry for each of [`CheckReport::governing`], in that order: the files in ascending order.
    pub governing: Vec<Vec<usize>>,
    /// The same for [`CheckReport::active_proposals`].
    pub proposals: Vec<Vec<usize>>,
    /// The same for [`CheckReport::history`].
    pub history: Vec<Vec<usize>>,
    /// One entry for each changed file: the places in `governing` of what governs it, in ascending order.
    pub governed_by: Vec<Vec<usize>>,
    /// The same for `proposals`.
    pub proposed_for: Vec<Vec<usize>>,
    /// The files that no accepted decision governs, in ascending order.
    pub uncovered: Vec<usize>,
}

impl Coverage {
    /// Matches every file against every matcher that fired: not for an event loop.
    #[must_use]
    pub fn of(report: &CheckReport) -> Self {
        let candidates: Vec<Candidate> = report.changed_files.iter().map(|f| Candidate::new(f)).collect();
        let places: HashMap<&str, usize> =
            report.changed_files.iter().enumerate().map(|(place, file)| (marker_path(file), place)).collect();
        let files = |decisions: &[Decision]| -> Vec<Vec<usize>> {
            decisions.iter().map(|d| files_of(d, &candidates, &places)).collect()
        };
        let (governing, proposals, history) =
            (files(&report.governing), files(&report.active_proposals), files(&report.history));
        let governed_by = turned(&governing, candidates.len());
        let proposed_for = turned(&proposals, candidates.len());
        let uncovered = (0..candidates.len()).filter(|place| governed_by[*place].is_empty()).collect();
        Self { governing, proposals, history, governed_by, proposed_for, uncovered }
    }
}

fn files_of(decision: &Decision, candidates: &[Candidate], places: &HashMap<&str, usize>) -> Vec<usize> {
    let globs = decision.fired_matchers.iter().filter(|m| m.kind == "path");
    let globs: Vec<Glob> = globs.filter_map(|m| Glob::new(&m.pattern).ok()).collect();
    let matched = |candidate: &Candidate| globs.iter().any(|glob| glob.is_match_candidate(candidate));
    let mut files: Vec<usize> = (0..candidates.len()).filter(|place| matched(&candidates[*place])).collect();
    files.extend(decision.declared_by.iter().filter_map(|d| places.get(marker_path(&d.path))));
    files.sort_unstable();
    files.dedup();
    files
}

fn turned(files_of_decisions: &[Vec<usize>], files: usize) -> Vec<Vec<usize>> {
    let mut decisions_of_files = vec![Vec::new(); files];
    for (decision, files) in files_of_decisions.iter().enumerate() {
        for &file in files {
            decisions_of_files[file].push(decision);
        }
    }
    decisions_of_files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Declaration, FiredMatcher};

    fn decision(patterns: &[&str], markers: &[&str]) -> Decision {
        Decision {
            record_id: "0001".into(),
            title: String::new(),
            status: String::new(),
            bucket: String::new(),
            superseded_by: None,
            fired_matchers: patterns
                .iter()
                .map(|p| FiredMatcher { kind: "path".into(), pattern: (*p).into() })
                .collect(),
            declared_by: markers
                .iter()
                .map(|p| Declaration { path: (*p).into(), line: 1, reference: "0001".into() })
                .collect(),
        }
    }

    #[test]
    fn a_file_is_held_by_matchers_and_markers_once_each() {
        let report = CheckReport {
            changed_files: ["./m.ts", "a/x.ts", "a/y.ts", "z"].map(str::to_owned).to_vec(),
            governing: vec![decision(&["a/*", "**/x.ts"], &["m.ts", "a/y.ts"]), decision(&["a/y.ts"], &[])],
            active_proposals: vec![decision(&["*"], &["elsewhere"])],
            history: vec![decision(&["/bad"], &[])],
            ..CheckReport::default()
        };
        let coverage = Coverage::of(&report);
        assert_eq!(coverage.governing, [vec![0, 1, 2], vec![2]]);
        assert_eq!(coverage.governed_by, [vec![0], vec![0], vec![0, 1], vec![]]);
        assert_eq!(coverage.proposals, [vec![0, 3]]);
        assert_eq!(coverage.proposed_for, [vec![0], vec![], vec![], vec![0]]);
        assert_eq!(coverage.history, [[0; 0]]);
        assert_eq!(coverage.uncovered, [3]);
    }
}
