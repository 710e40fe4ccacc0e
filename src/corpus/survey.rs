//! Which decisions govern each of many files, one file at a time.
//!
//! A check answers for a change as a whole: there a negated matcher that one file hits takes its record out for all
//! files. Here each file is asked about alone, as when it is edited alone.

use camino::Utf8Path;

use super::decide::{Decisions, Declared};
use super::load::Reader;
use super::paths::resolve;
use super::record::Record;
use super::window::{self, Scan, Scanner};
use crate::error::Result;
use crate::report::Decision;

/// What a corpus says about each of many files.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The files in the order in which they were given.
    pub files: Vec<SurveyedFile>,
    /// The valid records by id, then path.
    pub records: Vec<SurveyedRecord>,
}

/// One file and its decisions.
#[derive(Debug, Clone)]
pub struct SurveyedFile {
    /// As it was given.
    pub path: String,
    /// Every decision that matches, whatever its status.
    pub decisions: Vec<Decision>,
}

/// A valid record.
#[derive(Debug, Clone)]
pub struct SurveyedRecord {
    /// Its id.
    pub id: String,
    /// Its title: repository text.
    pub title: String,
    /// Its status.
    pub status: String,
    /// Its file, relative to the root.
    pub path: String,
    /// Each path pattern, and the line of the file on which it stands where that can be told.
    pub patterns: Vec<(String, Option<u32>)>,
}

/// Asks about `files` one by one. `root` is absolute and free of links.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub fn survey(root: &Utf8Path, dir: &str, files: Vec<String>) -> Result<Survey> {
    let corpus = Reader::default().load(root, dir)?;
    let matchers = corpus.matchers();
    let mut scanner = Scanner::new(root);
    let mut decide = |path: &String| {
        let scan = scanner.scan(window::normalise(path));
        let markers = match &scan {
            Scan::Scanned(s) => s.declared.as_slice(),
            _ => &[],
        };
        let declared = Declared::resolve(&corpus.records, &[(path, markers)]);
        let picked = matchers.matches(&[path.replace('\\', "/")]);
        Decisions::join(&corpus.records, picked, declared).all
    };
    let surveyed = |path: String| SurveyedFile { decisions: decide(&path), path };
    let files = files.into_iter().map(surveyed).collect();
    let records = corpus.records.iter().map(|p| describe(root, p.record(), &p.path)).collect();
    Ok(Survey { files, records })
}

fn describe(root: &Utf8Path, record: &Record, path: &str) -> SurveyedRecord {
    let text = std::fs::read_to_string(resolve(root, path)).unwrap_or_default();
    SurveyedRecord {
        id: record.id.clone(),
        title: record.title.clone(),
        status: record.status.as_str().to_owned(),
        path: path.to_owned(),
        patterns: record
            .affects
            .iter()
            .map(|m| (m.pattern.clone(), pattern_line(&text, &m.pattern)))
            .collect(),
    }
}

/// The line of a record's text on which a pattern stands, from 1: the first below `affects` that holds it whole.
fn pattern_line(text: &str, pattern: &str) -> Option<u32> {
    let is_edge = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "\"',{}[]:".contains(c));
    let holds = |line: &str| {
        line.match_indices(pattern).any(|(at, _)| {
            is_edge(line[..at].chars().next_back()) && is_edge(line[at + pattern.len()..].chars().next())
        })
    };
    let mut lines = text.lines().zip(1..).skip_while(|(line, _)| !line.starts_with("affects"));
    lines.find(|(line, _)| holds(line)).map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_whole_and_below_affects() {
        let text = "---\ntitle: src/** is\naffects:\n  - type: path\n    pattern: \"src/**/x\"\n  - {type: path, pattern: src/**}\n---\n";
        assert_eq!(pattern_line(text, "src/**"), Some(6));
        assert_eq!(pattern_line(text, "src/**/x"), Some(5));
        assert_eq!(pattern_line(text, "lib"), None);
    }
}
