//! A valid record, as the rest of the engine sees it.

use super::canonical;
use crate::corpus::yaml::Value;

/// Where a decision stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Being written.
    Draft,
    /// Up for review.
    Proposed,
    /// In force.
    Accepted,
    /// Turned down.
    Rejected,
    /// Replaced by another record.
    Superseded,
    /// No longer of use.
    Deprecated,
}

/// What a [`Status`] means for a file that the record governs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bucket {
    /// It is in force.
    Governing,
    /// It may come into force.
    ActiveProposals,
    /// It is not in force.
    History,
}

impl Status {
    const ALL: [Self; 6] =
        [Self::Draft, Self::Proposed, Self::Accepted, Self::Rejected, Self::Superseded, Self::Deprecated];

    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Proposed => "proposed",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Superseded => "superseded",
            Self::Deprecated => "deprecated",
        }
    }

    /// What it means for a governed file.
    #[must_use]
    pub fn bucket(self) -> Bucket {
        match self {
            Self::Accepted => Bucket::Governing,
            Self::Draft | Self::Proposed => Bucket::ActiveProposals,
            Self::Rejected | Self::Superseded | Self::Deprecated => Bucket::History,
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == text)
    }
}

impl Bucket {
    /// Its key in the reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Governing => "governing",
            Self::ActiveProposals => "activeProposals",
            Self::History => "history",
        }
    }
}

/// What a [`Matcher`] matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatcherKind {
    /// Files, by a glob.
    Path,
    /// Something in a catalog.
    Entity,
    /// A dependency, by name and version range.
    Package,
    /// A piece of infrastructure.
    Resource,
    /// An interface.
    Api,
    /// A data set.
    Data,
}

impl MatcherKind {
    const ALL: [Self; 6] = [Self::Path, Self::Entity, Self::Package, Self::Resource, Self::Api, Self::Data];

    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Entity => "entity",
            Self::Package => "package",
            Self::Resource => "resource",
            Self::Api => "api",
            Self::Data => "data",
        }
    }
}

/// An entry of `affects`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matcher {
    /// What it matches.
    pub kind: MatcherKind,
    /// The pattern, not empty.
    pub pattern: String,
    /// The repository it is about; a record may well say `""`.
    pub repo: Option<String>,
    /// It takes the record out instead.
    pub negate: bool,
}

/// The `review` of a record. Moments are kept as they are written; they are valid date-times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review {
    /// `auto`, `async` or `arb`.
    pub tier: Option<String>,
    /// When it was queued.
    pub queued_at: Option<String>,
    /// When it was escalated.
    pub escalated_at: Option<String>,
    /// When it was decided.
    pub decided_at: Option<String>,
    /// How many days a decision may take, 0 to 2^53 - 1.
    pub sla_days: Option<i64>,
    /// How many approvals it needs, 1 to 2^53 - 1.
    pub quorum: Option<i64>,
    /// Who has approved.
    pub approvals: Vec<String>,
    /// Of each objection, whether it is resolved.
    pub objections: Vec<bool>,
}

/// A record without any issue.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The id.
    pub id: String,
    /// The title, 3 to 120 UTF-16 units.
    pub title: String,
    /// Where the decision stands.
    pub status: Status,
    /// The record that replaces it.
    pub superseded_by: Option<String>,
    /// The records that it replaces.
    pub supersedes: Vec<String>,
    /// Records that belong with it.
    pub relates_to: Vec<String>,
    /// Records that it contradicts; may repeat.
    pub conflicts_with: Vec<String>,
    /// What it governs.
    pub affects: Vec<Matcher>,
    /// Who decides.
    pub deciders: Vec<String>,
    /// The state of its review. Few records have one.
    pub review: Option<Box<Review>>,
    /// The date by which it is to be reviewed.
    pub review_by: Option<String>,
    /// It was imported: `provenance.importedFrom` is set.
    pub imported: bool,
}

/// All that the file of a valid record holds. It is several times as large as the [`Record`] and only hashed, so it is
/// not kept with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents<'t> {
    /// The text after the front matter, as it is.
    pub body: &'t str,
    /// The front matter with defaults filled in.
    pub front_matter: Value,
}

impl Contents<'_> {
    /// The canonical JSON of the front matter: compact, keys in code-unit order, defaults filled in.
    #[must_use]
    pub fn canonical_front_matter(&self) -> String {
        canonical::to_json(&self.front_matter)
    }
}

impl Record {
    /// Reads the fields of a front matter that was found valid.
    pub(super) fn new(root: &Value) -> Option<Self> {
        Some(Self {
            id: text(root, "id")?,
            title: text(root, "title")?,
            status: Status::from_text(root.get("status")?.as_str()?)?,
            superseded_by: text(root, "supersededBy"),
            supersedes: texts(root, "supersedes"),
            relates_to: texts(root, "relatesTo"),
            conflicts_with: texts(root, "conflictsWith"),
            affects: exact(items(root, "affects").iter().filter_map(matcher)),
            deciders: texts(root, "deciders"),
            review: root.get("review").map(review).map(Box::new),
            review_by: text(root, "reviewBy"),
            imported: root.get("provenance").is_some_and(|p| p.get("importedFrom").is_some()),
        })
    }
}

fn text(map: &Value, key: &str) -> Option<String> {
    map.get(key)?.as_str().map(str::to_owned)
}

fn items<'v>(map: &'v Value, key: &str) -> &'v [Value] {
    map.get(key).and_then(Value::as_seq).unwrap_or_default()
}

fn texts(map: &Value, key: &str) -> Vec<String> {
    exact(items(map, key).iter().filter_map(Value::as_str).map(str::to_owned))
}

/// A list without room for more: it is kept, and does not grow.
fn exact<T>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.shrink_to_fit();
    items
}

fn whole(map: &Value, key: &str) -> Option<i64> {
    match map.get(key)? {
        #[expect(clippy::cast_possible_truncation, reason = "a valid one is a safe integer")]
        Value::Number(n) => Some(*n as i64),
        _ => None,
    }
}

fn is_true(map: &Value, key: &str) -> bool {
    matches!(map.get(key), Some(Value::Bool(true)))
}

fn matcher(entry: &Value) -> Option<Matcher> {
    let kind = entry.get("type")?.as_str()?;
    Some(Matcher {
        kind: MatcherKind::ALL.into_iter().find(|k| k.as_str() == kind)?,
        pattern: text(entry, "pattern")?,
        repo: text(entry, "repo"),
        negate: is_true(entry, "negate"),
    })
}

fn review(entry: &Value) -> Review {
    Review {
        tier: text(entry, "tier"),
        queued_at: text(entry, "queuedAt"),
        escalated_at: text(entry, "escalatedAt"),
        decided_at: text(entry, "decidedAt"),
        sla_days: whole(entry, "slaDays"),
        quorum: whole(entry, "quorum"),
        approvals: texts(entry, "approvals"),
        objections: items(entry, "objections").iter().map(|o| is_true(o, "resolved")).collect(),
    }
}
