//! The JSON shapes of the four reports, keys in the order in which the `adr` command prints them.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// How bad a [`Finding`] is. Only `Error` changes an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Fails a lint.
    Error,
    /// Worth a look.
    Warn,
    /// For information.
    Info,
}

/// One observation about a record, a matcher or a marker.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
pub struct Finding {
    /// The stable rule id, such as `required-field`.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for people; not part of the contract.
    pub message: String,
    /// The file it is about, relative to the working directory.
    #[serde(default)]
    pub path: Option<String>,
    /// The raw id of the record.
    #[serde(default)]
    pub id: Option<String>,
    /// The field, as dotted path segments.
    #[serde(default)]
    pub field: Option<String>,
    /// The matcher's pattern or the marker's reference.
    #[serde(default)]
    pub pattern: Option<String>,
}

impl Finding {
    /// A finding with neither path, id, field nor pattern.
    pub fn new(rule: &str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            rule: rule.to_owned(),
            severity,
            message: message.into(),
            path: None,
            id: None,
            field: None,
            pattern: None,
        }
    }

    /// With the file it is about.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// With the record's raw id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// With the field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// With the pattern or reference.
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }
}

impl Serialize for Finding {
    // The command prints `id` before `path` for the findings of matchers and after it for all others.
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("rule", &self.rule)?;
        map.serialize_entry("severity", &self.severity)?;
        map.serialize_entry("message", &self.message)?;
        let id_first = self.rule.starts_with("affects-");
        let mut put = |key: &str, value: &Option<String>| match value {
            Some(v) => map.serialize_entry(key, v),
            None => Ok(()),
        };
        if id_first {
            put("id", &self.id)?;
        }
        put("path", &self.path)?;
        if !id_first {
            put("id", &self.id)?;
        }
        put("field", &self.field)?;
        put("pattern", &self.pattern)?;
        map.end()
    }
}

/// The JSON of `adr check --json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// The files that were asked about, `\` as `/`, distinct, in code-unit order.
    pub changed_files: Vec<String>,
    /// Every decision that matches, whatever its status.
    pub governed_by: Vec<Decision>,
    /// The accepted ones.
    pub governing: Vec<Decision>,
    /// The draft and proposed ones.
    pub active_proposals: Vec<Decision>,
    /// The rejected, superseded and deprecated ones.
    pub history: Vec<Decision>,
    /// Those of the changed files that are record files of the corpus.
    pub changed_records: Vec<String>,
    /// Findings about matchers, markers and changed records.
    pub findings: Vec<Finding>,
    /// What the search for `@adr` markers saw.
    pub marker_scan: MarkerScan,
    /// False when a changed record has an error.
    pub ok: bool,
}

/// A decision and why it matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The record's id.
    pub record_id: String,
    /// Its title: repository text.
    pub title: String,
    /// `draft`, `proposed`, `accepted`, `rejected`, `superseded` or `deprecated`.
    pub status: String,
    /// `governing`, `activeProposals` or `history`.
    pub bucket: String,
    /// The record that replaces it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub superseded_by: Option<String>,
    /// The distinct matchers that fired.
    pub fired_matchers: Vec<FiredMatcher>,
    /// The markers that name it; absent where none does.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub declared_by: Vec<Declaration>,
}

/// A matcher of `affects` that fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiredMatcher {
    /// The matcher's type; only `path` can fire.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its pattern.
    pub pattern: String,
}

/// An `@adr` marker that names a valid record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declaration {
    /// The file that holds the marker.
    pub path: String,
    /// Its line, from 1.
    pub line: u32,
    /// The reference as written.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// What the marker scan of a check saw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarkerScan {
    /// Distinct files asked about.
    pub total_candidates: usize,
    /// How many are looked at: [`crate::corpus::MAX_MARKER_FILES`].
    pub limit: usize,
    /// How many of each state.
    pub counts: MarkerCounts,
    /// Files that do not exist.
    pub absent_paths: Vec<String>,
    /// Files behind a symlink, or no regular files, or not readable.
    pub unreadable_paths: Vec<String>,
    /// Paths that lead out of the working directory; never opened.
    pub out_of_tree_paths: Vec<String>,
    /// Files of which only the first 8 KiB were searched.
    pub truncated_paths: Vec<String>,
    /// Files past the limit.
    pub skipped_paths: Vec<String>,
}

/// How many files are in which state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MarkerCounts {
    /// Searched.
    pub scanned: usize,
    /// Not there.
    pub absent: usize,
    /// There, but not searched.
    pub unreadable: usize,
    /// Outside the working directory.
    pub out_of_tree: usize,
    /// Searched in part; also counted as scanned.
    pub truncated: usize,
    /// Past the limit.
    pub skipped: usize,
}

/// The JSON of `adr explain --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainReport {
    /// The path as given.
    pub path: String,
    /// Every decision that matches; empty when any record of the corpus has an error.
    pub governed_by: Vec<Decision>,
    /// The accepted ones.
    pub governing: Vec<Decision>,
    /// The draft and proposed ones.
    pub active_proposals: Vec<Decision>,
    /// The rejected, superseded and deprecated ones.
    pub history: Vec<Decision>,
    /// The markers of the file.
    pub markers: FileMarkers,
    /// About matchers and markers; on an erroneous corpus, all lint findings.
    pub findings: Vec<Finding>,
}

/// The markers of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileMarkers {
    /// `scanned`, `absent`, `unreadable` or `out-of-tree`.
    pub state: String,
    /// How much of a file is searched, in bytes.
    pub window_bytes: usize,
    /// Bytes searched, where scanned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub scanned_bytes: Option<u64>,
    /// The file's size, where scanned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file_bytes: Option<u64>,
    /// The file is longer than the window.
    pub truncated: bool,
    /// The references in file order, duplicates and dangling ones included.
    pub declared: Vec<DeclaredMarker>,
}

/// A reference in a marker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredMarker {
    /// The reference as written.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Its line, from 1.
    pub line: u32,
}

/// The JSON of `adr lint --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LintReport {
    /// Files read or tried.
    pub checked: usize,
    /// What was found, sorted.
    pub findings: Vec<Finding>,
}

/// The JSON of `adr queue --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueReport {
    /// The version of this shape: `1`.
    pub version: String,
    /// The date on which deadlines are judged, `YYYY-MM-DD`.
    pub as_of: String,
    /// SHA-256 of the canonical corpus, lower-case hex.
    pub corpus_fingerprint: String,
    /// Number of items.
    pub total_items: usize,
    /// Number of corpus findings.
    pub total_corpus_findings: usize,
    /// Items with at least one finding.
    pub items_with_findings: usize,
    /// The proposed records, most urgent first.
    pub items: Vec<QueueItem>,
    /// Files that are no valid records.
    pub corpus_findings: Vec<CorpusFinding>,
}

/// A proposed record that waits for a decision. Absent values are null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueItem {
    /// The record's id.
    pub id: String,
    /// Its title: repository text.
    pub title: String,
    /// Its file.
    pub source_path: String,
    /// `auto`, `async` or `arb`.
    pub tier: Option<String>,
    /// The tier in words.
    pub tier_label: Option<String>,
    /// UTC, ISO 8601 with milliseconds.
    pub queued_at: Option<String>,
    /// Days from queueing to the deadline.
    pub sla_days: Option<i64>,
    /// The date given by the record.
    pub review_by: Option<String>,
    /// `overdue`, `escalated`, `due`, `within-sla`, `missing-sla`, `not-queued` or `decided`.
    pub sla_state: String,
    /// The date by which to decide.
    pub deadline_date: Option<String>,
    /// The deciders.
    pub routing_targets: Vec<String>,
    /// How many approvals are needed.
    pub quorum: Option<i64>,
    /// How many there are.
    pub approval_count: usize,
    /// Open objections.
    pub unresolved_objection_count: usize,
    /// Settled objections.
    pub resolved_objection_count: usize,
    /// UTC, ISO 8601 with milliseconds.
    pub escalated_at: Option<String>,
    /// UTC, ISO 8601 with milliseconds.
    pub decided_at: Option<String>,
    /// Observations about the item.
    pub item_findings: Vec<ItemFinding>,
}

/// An observation about one queue item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemFinding {
    /// The stable code, such as `item.tier-absent`.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for people.
    pub message: String,
}

/// An observation about a file that is no valid record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CorpusFinding {
    /// The file.
    pub source_path: String,
    /// The stable code, such as `corpus.parse-error`.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for people.
    pub message: String,
}
