//! The queue as a markdown page.

use std::fmt::Write as _;

use crate::report::{QueueItem, QueueReport, Severity};

/// The page that `adr queue` prints by default.
#[must_use]
pub fn queue_markdown(report: &QueueReport) -> String {
    let mut blocks = vec![
        format!("# ARB Queue — {}", report.as_of),
        format!(
            "Corpus fingerprint: `{}`\n{} | {} | {} with findings",
            report.corpus_fingerprint,
            counted(report.total_items, "item"),
            counted(report.total_corpus_findings, "corpus finding"),
            counted(report.items_with_findings, "item"),
        ),
    ];
    if !report.corpus_findings.is_empty() {
        let mut table = String::from(
            "| Source Path | Code | Severity | Message |\n|-------------|------|----------|---------|",
        );
        for f in &report.corpus_findings {
            let (path, message) = (escaped(&f.source_path), escaped(&f.message));
            let _ = write!(table, "\n| `{path}` | `{}` | {} | {message} |", f.code, severity(f.severity));
        }
        blocks.push("## Corpus Findings".to_owned());
        blocks.push(table);
    }
    blocks.push("## Queue Items".to_owned());
    if report.items.is_empty() {
        blocks.push("*No proposed records found.*".to_owned());
    } else {
        blocks.push(overview(&report.items));
        for item in &report.items {
            details(&mut blocks, item);
        }
    }
    blocks.join("\n\n") + "\n"
}

fn overview(items: &[QueueItem]) -> String {
    let mut table = String::from(
        "| # | ID | Title | Tier | SLA State | Deadline | Approvals | Objections |\n\
         |---|----|-------|------|-----------|----------|-----------|------------|",
    );
    for (n, item) in (1..).zip(items) {
        let tier = match (&item.tier, &item.tier_label) {
            (Some(tier), Some(label)) => format!("{tier} ({label})"),
            (Some(tier), None) => tier.clone(),
            (None, _) => "(none)".to_owned(),
        };
        let objections = match item.resolved_objection_count {
            0 => item.unresolved_objection_count.to_string(),
            resolved => format!("{} ({resolved} resolved)", item.unresolved_objection_count),
        };
        let _ = write!(
            table,
            "\n| {n} | `{}` | {} | {} | {} | {} | {}/{} | {objections} |",
            item.id,
            escaped(&item.title),
            escaped(&tier),
            item.sla_state,
            or_dash(item.deadline_date.as_deref()),
            item.approval_count,
            item.quorum.map_or_else(|| "-".to_owned(), |q| q.to_string()),
        );
    }
    table
}

fn details(blocks: &mut Vec<String>, item: &QueueItem) {
    let title = item.title.replace("\r\n", " ").replace(['\r', '\n'], " ");
    blocks.push(format!("### {} — {title}", item.id));
    let number = |n: Option<i64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let targets = if item.routing_targets.is_empty() {
        "-".to_owned()
    } else {
        item.routing_targets.iter().map(|t| escaped(t)).collect::<Vec<_>>().join(", ")
    };
    let rows = [
        ("Source", format!("`{}`", escaped(&item.source_path))),
        ("Tier", item.tier.clone().unwrap_or_else(|| "(none)".to_owned())),
        ("Tier Label", or_dash(item.tier_label.as_deref())),
        ("SLA State", item.sla_state.clone()),
        ("Queued At", or_dash(item.queued_at.as_deref())),
        ("SLA Days", number(item.sla_days)),
        ("Review By", or_dash(item.review_by.as_deref())),
        ("Deadline", or_dash(item.deadline_date.as_deref())),
        ("Routing Targets", targets),
        ("Quorum", number(item.quorum)),
        ("Approvals", item.approval_count.to_string()),
        ("Unresolved Objections", item.unresolved_objection_count.to_string()),
        ("Resolved Objections", item.resolved_objection_count.to_string()),
        ("Escalated At", or_dash(item.escalated_at.as_deref())),
        ("Decided At", or_dash(item.decided_at.as_deref())),
    ];
    let mut table = String::from("| Field | Value |\n|-------|-------|");
    for (field, value) in rows {
        let _ = write!(table, "\n| {field} | {value} |");
    }
    blocks.push(table);
    if !item.item_findings.is_empty() {
        blocks.push("#### Findings".to_owned());
        let bullets: Vec<String> = item
            .item_findings
            .iter()
            .map(|f| format!("- `{}` ({}): {}", f.code, severity(f.severity), f.message))
            .collect();
        blocks.push(bullets.join("\n"));
    }
}

fn or_dash(text: Option<&str>) -> String {
    text.map_or_else(|| "-".to_owned(), escaped)
}

fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warn => "warn",
        Severity::Info => "info",
    }
}

/// The text of a table cell: no line break, and nothing that ends the cell or opens code.
fn escaped(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', " ")
        .replace('\n', "<br>")
        .replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('`', "\\`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_their_text() {
        assert_eq!(escaped("a|b\\c`d\r\ne\rf\ng"), "a\\|b\\\\c\\`d<br>e f<br>g");
    }
}
