//! Which records the `affects` matchers of a corpus pick for a set of changed files.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::beside::{Shared, beside, joined};
use super::glob::{BadPattern, Candidates, Glob};
use super::load::{Placed, Valid};
use super::locale::locale_cmp;
use super::package::package_pattern_is_valid;
use super::record::{Matcher, MatcherKind, Record};
use crate::report::{Finding, FiredMatcher, Severity};

/// From so many pairs of a pattern and a file on, two threads match: a pair takes some 20 nanoseconds.
const MATCHED_BESIDE_FROM: usize = 20_000;

/// How many patterns a thread takes at once.
const MATCHED_AT_ONCE: usize = 64;

/// A record that matches, by its place in the corpus.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    pub(crate) index: usize,
    /// Distinct, by type and pattern in locale order.
    pub(crate) fired: Vec<FiredMatcher>,
}

/// A matcher that has a say here (it is about this repository), compiled.
#[derive(Debug)]
pub(crate) struct Compiled {
    kind: MatcherKind,
    pattern: String,
    negate: bool,
    glob: Result<Glob, Problem>,
}

impl Compiled {
    /// The matchers of a record.
    pub(crate) fn all(record: &Record) -> Vec<Self> {
        let ours = record.affects.iter().filter(|m| m.repo.as_deref().is_none_or(str::is_empty));
        let compile = |matcher: &Matcher| Self {
            kind: matcher.kind,
            pattern: matcher.pattern.clone(),
            negate: matcher.negate,
            glob: read(matcher),
        };
        ours.map(compile).collect()
    }

    fn fires(&self, files: &Candidates) -> Verdict {
        let Ok(glob) = &self.glob else { return Ok(false) };
        glob.check_any(files).map_err(Problem::from)
    }
}

/// Does a matcher fire for one of the files? Some patterns are found to be bad only when they are put to use.
pub(super) type Verdict = Result<bool, Problem>;

/// The patterns of a corpus, each once: many records speak of the same files.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    /// Of each, a record and the place of the matcher in it that has it. Shared with the threads that match.
    firsts: Arc<Vec<(Arc<Valid>, usize)>>,
    /// The place in `firsts` of each matcher of each record, in their order.
    places: Vec<usize>,
}

impl Patterns {
    pub(crate) fn of(records: &[Placed]) -> Self {
        let (mut firsts, mut places) = (Vec::new(), Vec::new());
        let mut known = HashMap::new();
        for placed in records {
            for (at, matcher) in placed.compiled().iter().enumerate() {
                let place = *known.entry((matcher.kind.as_str(), &*matcher.pattern)).or_insert_with(|| {
                    firsts.push((Arc::clone(&placed.valid), at));
                    firsts.len() - 1
                });
                places.push(place);
            }
        }
        Self { firsts: Arc::new(firsts), places }
    }
}

/// The matchers of a corpus.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matchers<'a> {
    records: &'a [Placed],
    patterns: &'a Patterns,
}

impl<'a> Matchers<'a> {
    /// `patterns` are those of the `records`.
    pub(crate) fn new(records: &'a [Placed], patterns: &'a Patterns) -> Self {
        Self { records, patterns }
    }

    /// What is to say about matchers that can never fire, whatever the files.
    fn findings(&self) -> Vec<Finding> {
        let problem = |placed: &'a Placed| {
            placed.compiled().iter().filter_map(|m| Some(m.glob.as_ref().err()?.finding(placed, m)))
        };
        self.records.iter().flat_map(problem).collect()
    }

    /// Whether to match so many files is worth another thread.
    pub(super) fn are_many_for(&self, files: usize) -> bool {
        self.patterns.firsts.len() * files >= MATCHED_BESIDE_FROM
    }

    /// Finds out of each pattern whether it matches one of the `files`.
    pub(super) fn asked_about(&self, files: &[String]) -> Shared<Verdict> {
        let (firsts, files) = (Arc::clone(&self.patterns.firsts), files.to_owned());
        let candidates = OnceLock::new();
        Shared::new(firsts.len(), MATCHED_AT_ONCE, move |range| {
            let candidates = candidates.get_or_init(|| Candidates::new(&files));
            firsts[range].iter().map(|(record, at)| record.compiled()[*at].fires(candidates)).collect()
        })
    }

    /// The records that match, by id in locale order, and everything that is to say about matchers.
    pub(super) fn resolve(&self, verdicts: &[Verdict]) -> (Vec<Match>, Vec<Finding>) {
        let mut findings = self.findings();
        (self.judge_all(verdicts, &mut findings), findings)
    }

    /// The records that match, by id in locale order. A negated matcher that fires for any of the files takes its
    /// record out for all of them.
    pub(crate) fn matches(&self, files: &[String]) -> Vec<Match> {
        let asked = Arc::new(self.asked_about(files));
        let aside = Arc::clone(&asked);
        let (one, other) =
            beside(self.are_many_for(files.len()), move || aside.take_part(), || asked.take_part());
        self.judge_all(&joined(one, other), &mut Vec::new())
    }

    fn judge_all(&self, verdicts: &[Verdict], findings: &mut Vec<Finding>) -> Vec<Match> {
        let mut verdicts = self.patterns.places.iter().map(|at| verdicts[*at]);
        let judge = |index| self.judge(index, &mut verdicts, findings);
        let mut matches: Vec<Match> = (0..self.records.len()).filter_map(judge).collect();
        matches.sort_by(|a, b| locale_cmp(self.id(a.index), self.id(b.index)));
        matches
    }

    fn id(&self, index: usize) -> &str {
        &self.records[index].record().id
    }

    /// The first of `verdicts` are those of the record's matchers.
    fn judge(
        &self,
        index: usize,
        verdicts: &mut impl Iterator<Item = Verdict>,
        findings: &mut Vec<Finding>,
    ) -> Option<Match> {
        let placed = &self.records[index];
        let mut fired: Vec<FiredMatcher> = Vec::new();
        let mut is_suppressed = false;
        for (matcher, verdict) in placed.compiled().iter().zip(verdicts) {
            match verdict {
                Ok(false) => {}
                Ok(true) if matcher.negate => is_suppressed = true,
                Ok(true) => {
                    let kind = matcher.kind.as_str().to_owned();
                    let hit = FiredMatcher { kind, pattern: matcher.pattern.clone() };
                    if !fired.contains(&hit) {
                        fired.push(hit);
                    }
                }
                Err(problem) => findings.push(problem.finding(placed, matcher)),
            }
        }
        fired.sort_by(|a, b| locale_cmp(&a.kind, &b.kind).then_with(|| locale_cmp(&a.pattern, &b.pattern)));
        (!is_suppressed && !fired.is_empty()).then_some(Match { index, fired })
    }
}

/// Why a matcher never fires.
#[derive(Debug, Clone, Copy)]
pub(super) enum Problem {
    LeadingSlash,
    InvalidGlob,
    InvalidPackage,
    Unresolvable,
}

fn read(matcher: &Matcher) -> Result<Glob, Problem> {
    match matcher.kind {
        MatcherKind::Path => Glob::new(&matcher.pattern).map_err(Problem::from),
        MatcherKind::Package if !package_pattern_is_valid(&matcher.pattern) => Err(Problem::InvalidPackage),
        _ => Err(Problem::Unresolvable),
    }
}

impl From<BadPattern> for Problem {
    fn from(bad: BadPattern) -> Self {
        match bad {
            BadPattern::LeadingSlash => Self::LeadingSlash,
            BadPattern::Invalid => Self::InvalidGlob,
        }
    }
}

impl Problem {
    fn finding(self, placed: &Placed, matcher: &Compiled) -> Finding {
        let (rule, severity, message) = match self {
            Self::LeadingSlash => (
                "affects-bad-pattern",
                Severity::Warn,
                "A path pattern is relative to the repository: it may not begin with a slash.",
            ),
            Self::InvalidGlob => {
                ("affects-bad-pattern", Severity::Warn, "The path pattern cannot be compiled.")
            }
            Self::InvalidPackage => (
                "affects-bad-pattern",
                Severity::Warn,
                "A package pattern is a name, or a name, an at sign and a version range.",
            ),
            Self::Unresolvable => (
                "affects-unresolvable",
                Severity::Info,
                "Matchers of this type cannot be resolved from file names.",
            ),
        };
        Finding::new(rule, severity, message)
            .id(&placed.record().id)
            .path(&placed.path)
            .field(format!("affects.{}", matcher.kind.as_str()))
            .pattern(&matcher.pattern)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;

    use camino::Utf8PathBuf;

    use crate::corpus;

    /// Beyond what the command's engine can run, but not beyond what it compiles.
    #[test]
    fn a_pattern_that_is_bad_in_use_is_told_only_where_it_is_used() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(dir.path().canonicalize().unwrap()).unwrap();
        fs::create_dir_all(root.join("docs/adr")).unwrap();
        let record = format!(
            "---\nid: \"0001\"\ntitle: Some title\nstatus: draft\ndate: 2026-01-01\naffects:\n  - {{type: path, pattern: \"{}\"}}\n---\n",
            "a".repeat(40_000)
        );
        fs::write(root.join("docs/adr/0001-a.md"), record).unwrap();
        let rules = |paths: &[String]| -> Vec<String> {
            let (_, report) = corpus::check(&root, "docs/adr", paths).unwrap();
            report.findings.into_iter().map(|f| f.rule).collect()
        };
        assert_eq!(rules(&[]), [""; 0]);
        assert_eq!(rules(&["b".to_owned()]), ["affects-bad-pattern"]);
        assert_eq!(rules(&["b".to_owned(), "c".to_owned()]), ["affects-bad-pattern"]);
    }

    #[test]
    fn records_may_share_their_patterns() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(dir.path().canonicalize().unwrap()).unwrap();
        fs::create_dir_all(root.join("docs/adr")).unwrap();
        for (number, patterns) in
            [["a/**", "b/**"], ["b/**", "!a/**"], ["c/**", "/a"], ["b/**", "b/**"], ["a/**", "/a"]]
                .into_iter()
                .enumerate()
        {
            let mut record = format!(
                "---\nid: \"000{number}\"\ntitle: Some title\nstatus: draft\ndate: 2026-01-01\naffects:\n"
            );
            for pattern in patterns {
                let negate = pattern.starts_with('!');
                let pattern = pattern.trim_start_matches('!');
                writeln!(record, "  - {{type: path, pattern: \"{pattern}\", negate: {negate}}}").unwrap();
            }
            record += "---\n";
            fs::write(root.join(format!("docs/adr/000{number}-a.md")), record).unwrap();
        }
        for (files, governed) in [
            (&["a/x"][..], &["0000", "0004"][..]),
            (&["b/x"], &["0000", "0001", "0003"]),
            (&["b/x", "a/x"], &["0000", "0003", "0004"]),
        ] {
            let files: Vec<String> = files.iter().map(ToString::to_string).collect();
            let (_, report) = corpus::check(&root, "docs/adr", &files).unwrap();
            let ids: Vec<&str> = report.governed_by.iter().map(|d| d.record_id.as_str()).collect();
            assert_eq!(ids, governed, "{files:?}");
            let bad: Vec<_> =
                report.findings.iter().map(|f| (f.id.as_deref(), f.pattern.as_deref())).collect();
            assert_eq!(bad, [(Some("0002"), Some("/a")), (Some("0004"), Some("/a"))], "{files:?}");
        }
    }
}
