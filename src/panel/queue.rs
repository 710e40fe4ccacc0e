//! The proposals that wait for a decision, the most urgent first.

use maud::{Markup, html};

use super::limits::{DETAILS_OF_AN_ITEM, QUEUED};
use super::lint::severity;
use super::list::{counted, empty, heading, missing, more, note};
use super::text::Shown;
use super::view::Content;
use crate::report::QueueItem;

pub(super) fn render(content: &Content) -> Markup {
    let Some(report) = content.queue.value.as_ref().map(|it| &it.report) else {
        return missing("Review queue", &content.queue, content);
    };
    html! {
        (heading("Review queue", Some(report.items.len())))
        (note(&content.queue))
        @if report.items.is_empty() {
            (empty("No proposal waits for a decision."))
        } @else {
            p.lead { "Deadlines as of " (Shown::name(&report.as_of)) "." }
            ul.queue data-group { @for item in report.items.iter().take(QUEUED) { (row(item)) } }
            (more(report.items.len(), QUEUED))
        }
    }
}

fn row(item: &QueueItem) -> Markup {
    html! {
        li data-row {
            h3 {
                span.id { (Shown::name(&item.id)) } " "
                bdi.title { (Shown::title(&item.title)) } " "
                (sla(&item.sla_state))
            }
            p.facts {
                @if let Some(date) = &item.deadline_date { span { "by " (Shown::name(date)) } }
                @if let Some(label) = &item.tier_label { " " span { (Shown::name(label)) } }
                " " span { (approvals(item)) }
                @if item.unresolved_objection_count > 0 {
                    " " span.warn { (counted(item.unresolved_objection_count, "open objection")) }
                }
            }
            @if !item.routing_targets.is_empty() {
                p.facts {
                    "Decided by"
                    @for target in item.routing_targets.iter().take(DETAILS_OF_AN_ITEM) { " " span.name { (Shown::name(target)) } }
                    @if item.routing_targets.len() > DETAILS_OF_AN_ITEM { " +" (item.routing_targets.len() - DETAILS_OF_AN_ITEM) }
                }
            }
            @if !item.item_findings.is_empty() {
                ul.observations {
                    @for finding in item.item_findings.iter().take(DETAILS_OF_AN_ITEM) {
                        li { (severity(finding.severity)) " " bdi { (Shown::message(&finding.message)) } }
                    }
                }
            }
        }
    }
}

fn approvals(item: &QueueItem) -> String {
    match item.quorum {
        Some(quorum) => format!("{} of {quorum} approvals", item.approval_count),
        None => counted(item.approval_count, "approval"),
    }
}

/// The state of its service level agreement, as a badge.
fn sla(state: &str) -> Markup {
    let (class, word) = match state {
        "overdue" => ("badge bad", "overdue"),
        "escalated" => ("badge bad", "escalated"),
        "due" => ("badge warn", "due today"),
        "within-sla" => ("badge good", "within SLA"),
        "missing-sla" => ("badge warn", "no SLA"),
        "not-queued" => ("badge", "not queued"),
        "decided" => ("badge", "decided"),
        other => ("badge", other),
    };
    html! { span class=(class) { (Shown::name(word)) } }
}
