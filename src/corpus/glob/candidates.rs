//! Many paths that meet many patterns.

use std::cmp::Ordering;

use super::candidate::Candidate;
use super::literal::{Affixes, SLASH};
use crate::text::cmp_code_units;

/// Paths, prepared once, and sorted in two ways so that those with given ends stand together.
#[derive(Debug, Clone)]
pub struct Candidates {
    given: Vec<Candidate>,
    /// Places in `given`, by the units from the first to the last.
    by_start: Vec<usize>,
    /// Places in `given`, by the units from the last to the first.
    by_end: Vec<usize>,
}

impl Candidates {
    /// Prepares each path as [`Candidate::new`] does.
    #[must_use]
    pub fn new<S: AsRef<str>>(paths: &[S]) -> Self {
        let given: Vec<Candidate> = paths.iter().map(|path| Candidate::new(path.as_ref())).collect();
        let mut by_start: Vec<usize> = (0..given.len()).collect();
        let mut by_end = by_start.clone();
        by_start.sort_by(|a, b| cmp_code_units(given[*a].as_str(), given[*b].as_str()));
        by_end.sort_by(|a, b| given[*a].units().iter().rev().cmp(given[*b].units().iter().rev()));
        Self { given, by_start, by_end }
    }

    /// The paths in the order in which they were given.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.given.iter()
    }

    /// The path that is `text`.
    pub(super) fn find(&self, text: &str) -> Option<&Candidate> {
        let order = |at: &usize| cmp_code_units(self.given[*at].as_str(), text);
        let found = self.by_start.binary_search_by(order).ok()?;
        Some(&self.given[self.by_start[found]])
    }

    /// All paths that `affixes` admit, and perhaps others, or some of them twice.
    pub(super) fn near<'a>(&'a self, affixes: &'a Affixes) -> impl Iterator<Item = &'a Candidate> {
        let (prefixes, suffixes) = (affixes.prefixes(), affixes.suffixes());
        let by_suffix = if prefixes.is_empty() { suffixes } else { &[] };
        let all = if prefixes.is_empty() && suffixes.is_empty() { &self.by_start[..] } else { &[] };
        let begun = prefixes.iter().map(|start| self.range(&self.by_start, |units| begin(units, start)));
        let ended = by_suffix.iter().map(|suffix| self.range(&self.by_end, |units| end(units, suffix)));
        let by_slash = if affixes.may_end_in_slash() { by_suffix } else { &[] };
        let slashed = by_slash.iter().map(|suffix| {
            self.range(&self.by_end, |units| match units.split_last() {
                Some((&SLASH, units)) => end(units, suffix),
                Some((last, _)) => last.cmp(&SLASH),
                None => Ordering::Less,
            })
        });
        let places = begun.chain(ended).chain(slashed).flatten().chain(all);
        places.map(|at| &self.given[*at])
    }

    /// The part of `order` for which `place` finds that it is neither before nor after what is looked for.
    fn range<'a>(&self, order: &'a [usize], place: impl Fn(&[u16]) -> Ordering) -> &'a [usize] {
        let place = |at: &usize| place(self.given[*at].units());
        let rest = &order[order.partition_point(|at| place(at).is_lt())..];
        &rest[..rest.partition_point(|at| place(at).is_eq())]
    }
}

/// Where `units` stand among those that begin with `start`: equal where they do.
fn begin(units: &[u16], start: &[u16]) -> Ordering {
    units[..units.len().min(start.len())].cmp(start)
}

/// The same from the last unit to the first.
fn end(units: &[u16], end: &[u16]) -> Ordering {
    units.iter().rev().take(end.len()).cmp(end.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::glob::Glob;

    const PATHS: [&str; 12] = [
        "src/a.ts",
        "src/a.ts/",
        "./src/b.ts",
        "src",
        "lib/a.ts",
        "",
        ".hidden/a.ts",
        "src/\u{FFFD}.ts",
        "src/\u{1F600}.ts",
        "a.ts",
        "*.ts",
        "src/a.js",
    ];
    const PATTERNS: [&str; 17] = [
        "src/**",
        "src/*.ts",
        "**/*.ts",
        "*.ts",
        "src/a.ts",
        "**",
        "src",
        "s*",
        ".hidden/**",
        "src/\u{1F600}.ts",
        "{src,lib}/a.ts",
        "{src,s}*/**",
        "**/*.{ts,js}",
        "{,src/}a.ts",
        "*.{ts,js}",
        "**/a.*",
        "nothing/**",
    ];

    #[test]
    fn together_they_match_as_each_alone() {
        for pattern in PATTERNS {
            let glob = Glob::new(pattern).unwrap();
            for some in (1..=PATHS.len()).flat_map(|count| PATHS.windows(count)) {
                let alone = some.iter().any(|path| glob.is_match(path));
                assert_eq!(glob.check_any(&Candidates::new(some)), Ok(alone), "{pattern} {some:?}");
            }
        }
    }

    #[test]
    fn a_path_is_found_by_its_text() {
        let candidates = Candidates::new(&PATHS);
        for path in PATHS {
            let text = Candidate::new(path).as_str().to_owned();
            assert_eq!(candidates.find(&text).map(Candidate::as_str), Some(text.as_str()));
        }
        assert!(candidates.find("src/c.ts").is_none());
    }
}
