//! One item of the queue: its state, its deadline, and its place.

use std::cmp::Ordering;

use crate::corpus::date::Instant;
use crate::corpus::load::Placed;
use crate::corpus::record::Review;
use crate::error::{Error, Result};
use crate::report::{ItemFinding, QueueItem, Severity};
use crate::text::cmp_code_units;

/// From most to least urgent.
const STATES: [&str; 7] =
    ["overdue", "escalated", "due", "within-sla", "missing-sla", "not-queued", "decided"];

/// The item of a proposed record.
///
/// # Errors
/// Where the deadline lies beyond the dates of JavaScript.
pub(super) fn item(placed: &Placed, as_of: &str) -> Result<QueueItem> {
    let record = placed.record();
    let none = Review::default();
    let review = record.review.as_deref().unwrap_or(&none);
    let queued = review.queued_at.as_deref().and_then(Instant::parse);
    let date = |text: &Option<String>| text.as_deref().and_then(Instant::parse).map(Instant::to_iso);
    let deadline_date = match (&record.review_by, queued, review.sla_days) {
        (Some(date), ..) => Some(date.clone()),
        (None, Some(queued), Some(days)) => {
            Some(queued.add_days(days).ok_or(Error::CorpusUnreadable)?.utc_date())
        }
        _ => None,
    };
    let tier = review.tier.clone();
    Ok(QueueItem {
        id: record.id.clone(),
        title: record.title.clone(),
        source_path: placed.path.replace('\\', "/"),
        tier_label: tier.as_deref().and_then(tier_label).map(str::to_owned),
        sla_state: sla_state(review, deadline_date.as_deref(), as_of).to_owned(),
        queued_at: queued.map(Instant::to_iso),
        sla_days: review.sla_days,
        review_by: record.review_by.clone(),
        routing_targets: record.deciders.clone(),
        quorum: review.quorum,
        approval_count: review.approvals.len(),
        unresolved_objection_count: review.objections.iter().filter(|r| !**r).count(),
        resolved_objection_count: review.objections.iter().filter(|r| **r).count(),
        escalated_at: date(&review.escalated_at),
        decided_at: date(&review.decided_at),
        item_findings: findings(placed, queued),
        tier,
        deadline_date,
    })
}

/// The order of the queue.
pub(super) fn by_urgency(a: &QueueItem, b: &QueueItem) -> Ordering {
    let rank = |item: &QueueItem| STATES.iter().position(|s| *s == item.sla_state);
    let queued = |item: &QueueItem| item.queued_at.clone().unwrap_or_default();
    rank(a)
        .cmp(&rank(b))
        .then_with(|| match (&a.deadline_date, &b.deadline_date) {
            (Some(a), Some(b)) => cmp_code_units(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        })
        .then_with(|| cmp_code_units(&queued(a), &queued(b)))
        .then_with(|| cmp_code_units(&a.id, &b.id))
        .then_with(|| cmp_code_units(&a.source_path, &b.source_path))
}

fn tier_label(tier: &str) -> Option<&'static str> {
    match tier {
        "auto" => Some("expedited routing; human acceptance required"),
        "async" => Some("asynchronous human review"),
        "arb" => Some("ARB human review"),
        _ => None,
    }
}

fn sla_state(review: &Review, deadline: Option<&str>, as_of: &str) -> &'static str {
    if review.decided_at.is_some() {
        return "decided";
    }
    if review.escalated_at.is_some() {
        return "escalated";
    }
    // Dates are compared as text, which is right up to the year 9999.
    match deadline.map(|d| cmp_code_units(as_of, d)) {
        Some(Ordering::Greater) => "overdue",
        Some(Ordering::Equal) => "due",
        Some(Ordering::Less) => "within-sla",
        None if review.queued_at.is_some() => "missing-sla",
        None => "not-queued",
    }
}

fn findings(placed: &Placed, queued: Option<Instant>) -> Vec<ItemFinding> {
    let record = placed.record();
    let mut found = Vec::new();
    let mut add = |code: &str, severity, message: &str| {
        found.push(ItemFinding { code: code.to_owned(), severity, message: message.to_owned() });
    };
    // In the order of their codes.
    if record.deciders.is_empty() && queued.is_some() {
        add("item.deciders-empty", Severity::Info, "The record is queued but names no deciders.");
    }
    if let (Some(by), Some(queued)) = (&record.review_by, queued)
        && cmp_code_units(by, &queued.utc_date()) == Ordering::Less
    {
        add("item.review-by-before-queued", Severity::Warn, "reviewBy lies before the day of queueing.");
    }
    if record.review.as_ref().is_some_and(|r| r.tier.is_none()) {
        add("item.tier-absent", Severity::Info, "The review has no tier.");
    }
    found
}
