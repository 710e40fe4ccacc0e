//! Which records the `affects` matchers of a corpus pick for a set of changed files.

use super::glob::{BadPattern, Candidate, Glob};
use super::load::Placed;
use super::locale::locale_cmp;
use super::package::package_pattern_is_valid;
use super::record::{Matcher, MatcherKind, Record};
use crate::report::{Finding, FiredMatcher, Severity};

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

    fn fires(&self, files: &[Candidate]) -> bool {
        self.glob.as_ref().is_ok_and(|glob| files.iter().any(|file| glob.is_match_candidate(file)))
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

    /// What is to say about matchers that can never fire.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let problem = |placed: &'a Placed| {
            placed.compiled().iter().filter_map(|m| Some(m.glob.as_ref().err()?.finding(placed, m)))
        };
        self.records.iter().flat_map(problem).collect()
    }

    /// The records that match, by id in locale order. A negated matcher that fires for any of the files takes its
    /// record out for all of them.
    pub(crate) fn resolve(&self, files: &[String]) -> Vec<Match> {
        let files: Vec<Candidate> = files.iter().map(|f| Candidate::new(f)).collect();
        let mut matches: Vec<Match> =
            (0..self.records.len()).filter_map(|index| self.judge(index, &files)).collect();
        matches.sort_by(|a, b| locale_cmp(self.id(a.index), self.id(b.index)));
        matches
    }

    fn id(&self, index: usize) -> &str {
        &self.records[index].record().id
    }

    fn judge(&self, index: usize, files: &[Candidate]) -> Option<Match> {
        let mut fired: Vec<FiredMatcher> = Vec::new();
        for matcher in self.records[index].compiled().iter().filter(|m| m.fires(files)) {
            if matcher.negate {
                return None;
            }
            let hit =
                FiredMatcher { kind: matcher.kind.as_str().to_owned(), pattern: matcher.pattern.clone() };
            if !fired.contains(&hit) {
                fired.push(hit);
            }
        }
        fired.sort_by(|a, b| locale_cmp(&a.kind, &b.kind).then_with(|| locale_cmp(&a.pattern, &b.pattern)));
        (!fired.is_empty()).then_some(Match { index, fired })
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
        MatcherKind::Path => Glob::new(&matcher.pattern).map_err(|bad| match bad {
            BadPattern::LeadingSlash => Problem::LeadingSlash,
            BadPattern::Invalid => Problem::InvalidGlob,
        }),
        MatcherKind::Package if !package_pattern_is_valid(&matcher.pattern) => Err(Problem::InvalidPackage),
        _ => Err(Problem::Unresolvable),
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
