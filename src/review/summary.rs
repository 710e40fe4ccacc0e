//! What a model may know of a review: ids in their grammar, statuses and states of fixed sets, counts, fixed notes.

use serde::Serialize;

use crate::hooks::RecordId;
use crate::panel::{Activity, Content, Held};
use crate::report::{Decision, LintReport, QueueReport, Severity};
use crate::snapshot::Changes;

/// The longest summary, as JSON. The limits below keep it shorter.
pub const MAX_SUMMARY_BYTES: usize = 4096;

/// The most ids of accepted decisions.
pub const MAX_GOVERNING_IDS: usize = 20;

/// The most ids of open proposals.
pub const MAX_PROPOSAL_IDS: usize = 12;

/// The most ids of history.
pub const MAX_HISTORY_IDS: usize = 8;

/// The summary. Its JSON form is this, key by key; what is not known is null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    version: u64,
    refreshing: bool,
    made_at: Option<String>,
    took_ms: Option<u64>,
    engines: Vec<&'static str>,
    changes: Option<Compared>,
    ungoverned_files: Option<usize>,
    governing: Option<Ids<String>>,
    proposals: Option<Ids<Stated>>,
    history: Option<Ids<Stated>>,
    lint: Option<Lint>,
    queue: Option<Queue>,
    notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Compared {
    files: usize,
    with: &'static str,
    #[serde(rename = "skippedNonUtf8")]
    skipped_non_utf8: usize,
}

/// Ids as far as there is room, and how many there are. One that is not in the grammar is counted, never told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Ids<T> {
    total: usize,
    listed: Vec<T>,
    unlisted: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Stated {
    id: String,
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Lint {
    checked: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Queue {
    total: usize,
    overdue: usize,
    escalated: usize,
    due: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Note {
    part: &'static str,
    code: &'static str,
    #[serde(rename = "note")]
    sentence: String,
}

impl Summary {
    pub(super) fn of(version: u64, content: &Content, activity: Activity) -> Self {
        let Content { changes, check, lint, queue, coverage, made, .. } = content;
        let report = check.value.as_ref().map(|it| &it.report);
        Self {
            version,
            refreshing: activity.refreshing,
            made_at: made.map(|it| it.at.to_iso()),
            took_ms: made.map(|it| u64::try_from(it.took.as_millis()).unwrap_or(u64::MAX)),
            engines: content.engines(),
            changes: changes.value.as_ref().map(compared),
            ungoverned_files: report.map(|_| coverage.uncovered.len()),
            governing: report.map(|it| ids(&it.governing, MAX_GOVERNING_IDS, |id, _| id)),
            proposals: report.map(|it| ids(&it.active_proposals, MAX_PROPOSAL_IDS, stated)),
            history: report.map(|it| ids(&it.history, MAX_HISTORY_IDS, stated)),
            lint: lint.value.as_ref().map(|it| tally(&it.report)),
            queue: queue.value.as_ref().map(|it| states(&it.report)),
            notes: [
                missing("changes", changes),
                missing("check", check),
                missing("lint", lint),
                missing("queue", queue),
            ]
            .into_iter()
            .flatten()
            .collect(),
        }
    }
}

fn compared(changes: &Changes) -> Compared {
    // A base is a name that somebody chose.
    let with = match changes.base {
        Some(_) => "base",
        None if changes.label == "HEAD" => "head",
        None => "empty-tree",
    };
    Compared { files: changes.files.len(), with, skipped_non_utf8: changes.skipped_non_utf8 }
}

fn ids<T>(decisions: &[Decision], limit: usize, entry: impl Fn(String, &'static str) -> T) -> Ids<T> {
    let told = decisions.iter().filter_map(|it| {
        let id = RecordId::parse(&it.record_id)?;
        Some(entry(id.as_str().to_owned(), status(&it.status)))
    });
    let listed: Vec<T> = told.take(limit).collect();
    Ids { total: decisions.len(), unlisted: decisions.len() - listed.len(), listed }
}

fn stated(id: String, status: &'static str) -> Stated {
    Stated { id, status }
}

fn status(status: &str) -> &'static str {
    ["draft", "proposed", "accepted", "rejected", "superseded", "deprecated"]
        .into_iter()
        .find(|known| *known == status)
        .unwrap_or("other")
}

fn tally(report: &LintReport) -> Lint {
    let count = |severity| report.findings.iter().filter(|it| it.severity == severity).count();
    Lint {
        checked: report.checked,
        errors: count(Severity::Error),
        warnings: count(Severity::Warn),
        infos: count(Severity::Info),
    }
}

fn states(report: &QueueReport) -> Queue {
    let count = |state| report.items.iter().filter(|it| it.sla_state == state).count();
    Queue {
        total: report.items.len(),
        overdue: count("overdue"),
        escalated: count("escalated"),
        due: count("due"),
    }
}

fn missing<T>(part: &'static str, held: &Held<T>) -> Option<Note> {
    Some(Note { part, code: held.code?, sentence: held.note.clone()? })
}
