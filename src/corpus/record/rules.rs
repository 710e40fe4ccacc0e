//! The rules that look at more than one field of a record.

use crate::corpus::yaml::Value;

/// A broken rule: its id, the field it is reported for, and what to do.
pub(super) struct Broken {
    pub rule: &'static str,
    pub field: &'static str,
    pub message: &'static str,
}

fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

/// The rules that `front_matter` breaks; its shape must be right.
pub(super) fn broken(front_matter: &Value) -> Vec<Broken> {
    let status = text(front_matter.get("status"));
    let superseded_by = text(front_matter.get("supersededBy"));
    let provenance = front_matter.get("provenance");
    let authored_by = text(provenance.and_then(|p| p.get("authoredBy")));
    let is_ratified = !text(provenance.and_then(|p| p.get("ratifiedBy"))).is_empty();
    let is_imported = provenance.is_some_and(|p| p.get("importedFrom").is_some());
    let has_deciders = front_matter.get("deciders").and_then(Value::as_seq).is_some_and(|d| !d.is_empty());
    let tier = text(front_matter.get("review").and_then(|r| r.get("tier")));
    let is_one_way = text(front_matter.get("reversibility")) == "one-way-door";

    let mut out = Vec::new();
    let mut check = |is_broken, rule, field, message| {
        if is_broken {
            out.push(Broken { rule, field, message });
        }
    };
    check(
        status == "superseded" && superseded_by.is_empty(),
        "superseded-requires-supersededBy",
        "supersededBy",
        "a superseded record must name the record that supersedes it",
    );
    check(
        status != "superseded" && !superseded_by.is_empty(),
        "supersededBy-requires-superseded-status",
        "status",
        "a record with supersededBy must have the status superseded",
    );
    check(
        status == "accepted" && !has_deciders && !is_imported,
        "accepted-requires-decider-unless-imported",
        "deciders",
        "an accepted record needs at least one decider unless it was imported",
    );
    check(
        status == "accepted" && matches!(authored_by, "agent" | "agent-drafted") && !is_ratified,
        "agent-accepted-requires-ratifier",
        "provenance.ratifiedBy",
        "an accepted record that an agent wrote needs a person who ratified it",
    );
    check(
        is_one_way && tier == "auto",
        "one-way-door-disallows-auto",
        "review.tier",
        "a one-way door cannot be reviewed in the tier auto",
    );
    out
}
