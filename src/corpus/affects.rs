//! Which records the `affects` matchers of a corpus pick for a set of changed files.

use std::ops::Range;

use super::beside::beside;
use super::glob::{BadPattern, Candidates, Glob};
use super::load::Placed;
use super::locale::locale_cmp;
use super::package::package_pattern_is_valid;
use super::record::{Matcher, MatcherKind, Record};
use crate::report::{Finding, FiredMatcher, Severity};

/// From so many pairs of a record and a file on, two threads match: a pair takes some 20 nanoseconds.
const MATCHED_BESIDE_FROM: usize = 20_000;

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

    /// Does it fire for one of the files? Some patterns are found to be bad only when they are put to use.
    fn fires(&self, files: &Candidates) -> Result<bool, Problem> {
        let Ok(glob) = &self.glob else { return Ok(false) };
        glob.check_any(files).map_err(Problem::from)
    }
}

/// The matchers of a corpus.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matchers<'a> {
    records: &'a [Placed],
}

impl<'a> Matchers<'a> {
    pub(crate) fn of(records: &'a [Placed]) -> Self {
        Self { records }
    }

    /// What is to say about matchers that can never fire, whatever the files.
    fn findings(&self) -> Vec<Finding> {
        let problem = |placed: &'a Placed| {
            placed.compiled().iter().filter_map(|m| Some(m.glob.as_ref().err()?.finding(placed, m)))
        };
        self.records.iter().flat_map(problem).collect()
    }

    /// The records that match, and everything that is to say about matchers.
    pub(crate) fn resolve(&self, files: &[String]) -> (Vec<Match>, Vec<Finding>) {
        let (matches, in_use) = self.judge_all(files);
        let mut findings = self.findings();
        findings.extend(in_use);
        (matches, findings)
    }

    /// The records that match, by id in locale order. A negated matcher that fires for any of the files takes its
    /// record out for all of them.
    pub(crate) fn matches(&self, files: &[String]) -> Vec<Match> {
        self.judge_all(files).0
    }

    fn judge_all(&self, files: &[String]) -> (Vec<Match>, Vec<Finding>) {
        let files = Candidates::new(files);
        let all = self.records.len();
        let judge = |range: Range<usize>| -> (Vec<Match>, Vec<Finding>) {
            let mut findings = Vec::new();
            (range.filter_map(|index| self.judge(index, &files, &mut findings)).collect(), findings)
        };
        let is_large = all * files.len() >= MATCHED_BESIDE_FROM;
        let (later, (mut matches, mut findings)) =
            beside(is_large, || judge(all / 2..all), || judge(0..all / 2));
        matches.extend(later.0);
        findings.extend(later.1);
        matches.sort_by(|a, b| locale_cmp(self.id(a.index), self.id(b.index)));
        (matches, findings)
    }

    fn id(&self, index: usize) -> &str {
        &self.records[index].record().id
    }

    fn judge(&self, index: usize, files: &Candidates, findings: &mut Vec<Finding>) -> Option<Match> {
        let placed = &self.records[index];
        let mut fired: Vec<FiredMatcher> = Vec::new();
        let mut is_suppressed = false;
        for matcher in placed.compiled() {
            match matcher.fires(files) {
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
#[derive(Debug)]
enum Problem {
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
    fn finding(&self, placed: &Placed, matcher: &Compiled) -> Finding {
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
}
