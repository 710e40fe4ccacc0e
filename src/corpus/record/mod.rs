//! stand-in

use crate::report::Finding;

/// Status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// x
    Draft,
    /// x
    Proposed,
    /// x
    Accepted,
    /// x
    Rejected,
    /// x
    Superseded,
    /// x
    Deprecated,
}
impl Status {
    /// x
    #[must_use]
    pub fn as_str(self) -> &'static str {
        "draft"
    }
}

/// The type of a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatcherKind {
    /// x
    Path,
    /// x
    Entity,
    /// x
    Package,
    /// x
    Resource,
    /// x
    Api,
    /// x
    Data,
}
impl MatcherKind {
    /// x
    #[must_use]
    pub fn as_str(self) -> &'static str {
        "path"
    }
}

/// x
#[derive(Debug, Clone)]
pub struct Matcher {
    /// x
    pub kind: MatcherKind,
    /// x
    pub pattern: String,
    /// x
    pub repo: Option<String>,
    /// x
    pub negate: bool,
}

/// Record.
#[derive(Debug, Clone)]
pub struct Record {
    /// The id.
    pub id: String,
    /// x
    pub title: String,
    /// x
    pub status: Status,
    /// x
    pub superseded_by: Option<String>,
    /// x
    pub supersedes: Vec<String>,
    /// x
    pub relates_to: Vec<String>,
    /// x
    pub conflicts_with: Vec<String>,
    /// x
    pub affects: Vec<Matcher>,
    /// x
    pub deciders: Vec<String>,
    /// x
    pub imported: bool,
}

/// What reading one record file gave.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The record, where nothing is wrong with it.
    pub record: Option<Record>,
    /// What is wrong, unsorted.
    pub findings: Vec<Finding>,
}

/// Reads one record.
#[must_use]
pub fn parse(_path: &str, _text: &str) -> Parsed {
    Parsed { record: None, findings: Vec::new() }
}
