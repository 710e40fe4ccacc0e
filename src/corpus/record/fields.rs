//! The fields of a record.

use super::grammar::Form;
use super::schema::Type::{self, Formed, Integer, List, Number, Object, OneOf, Record, Sized, Text};
use super::schema::{flag, list, optional, required, word};

const DATE: Type = Formed(Form::Date);
const DATE_TIME: Type = Formed(Form::DateTime);
const IDENTITY: Type = Formed(Form::Identity);
const SLUG: Type = Formed(Form::Slug);
const REF: Type = Formed(Form::RecordRef);
const SEVERITY: Type = OneOf(&["error", "warn", "info"]);

const IDENTITIES: Type = List { items: &IDENTITY, unique: false };
const UNIQUE_REFS: Type = List { items: &REF, unique: true };

const MATCHER: Type = Object(&[
    required("type", &OneOf(&["path", "entity", "package", "resource", "api", "data"])),
    required("pattern", &Sized { min: 1, max: None }),
    optional("repo", &Text),
    flag("negate"),
    optional("note", &Text),
]);

const ASSERTION: Type = Object(&[
    required("id", &SLUG),
    optional("description", &Text),
    optional("expression", &Text),
    optional("expressionFile", &Text),
    required("engine", &OneOf(&["rego", "jsonpath", "grep", "custom"])),
    word("input", &OneOf(&["source", "iac-plan", "sbom", "openapi", "catalog", "custom"]), "source"),
    required("severity", &SEVERITY),
]);

const AGENT: Type = Object(&[
    optional("name", &Text),
    optional("model", &Text),
    optional("harness", &Text),
    optional("runId", &Text),
]);

const IMPORTED_FROM: Type = Object(&[
    required("sourceKind", &OneOf(&["madr", "agent-log", "plan-artifact", "other"])),
    required("sourceRef", &Text),
    required("fingerprint", &Text),
    optional("importedAt", &DATE_TIME),
]);

const PROVENANCE: Type = Object(&[
    word("authoredBy", &OneOf(&["human", "agent", "agent-drafted"]), "human"),
    optional("agent", &AGENT),
    optional("ratifiedBy", &IDENTITY),
    optional("sourceArtifact", &Text),
    optional("importedFrom", &IMPORTED_FROM),
]);

const OBJECTION: Type = Object(&[required("by", &IDENTITY), optional("summary", &Text), flag("resolved")]);

const REVIEW: Type = Object(&[
    optional("tier", &OneOf(&["auto", "async", "arb"])),
    optional("tierReason", &Text),
    optional("queuedAt", &DATE_TIME),
    optional("escalatedAt", &DATE_TIME),
    optional("decidedAt", &DATE_TIME),
    optional("slaDays", &Integer { min: 0.0 }),
    optional("quorum", &Integer { min: 1.0 }),
    list("approvals", &IDENTITIES),
    list("objections", &List { items: &OBJECTION, unique: false }),
]);

const ESCALATION_REASON: Type = OneOf(&[
    "one-way-door",
    "cost-threshold",
    "security-surface",
    "data-residency",
    "regulatory",
    "contradicts-accepted-adr",
    "low-confidence",
    "pass-disagreement",
    "agent-authored-production",
    "novel-no-precedent",
    "human-requested",
]);

const DETERMINISTIC_FINDING: Type = Object(&[
    required("rule", &Text),
    required("severity", &SEVERITY),
    optional("message", &Text),
    optional("adr", &REF),
]);

const EVALUATION: Type = Object(&[
    optional("ranAt", &DATE_TIME),
    optional("evaluatorVersion", &Text),
    optional("rubricVersion", &Text),
    optional("scores", &Record(&Number { min: 0.0, max: 4.0 })),
    optional("confidence", &Number { min: 0.0, max: 1.0 }),
    optional("escalate", &Type::Bool),
    list("escalationReasons", &List { items: &ESCALATION_REASON, unique: false }),
    list("deterministicFindings", &List { items: &DETERMINISTIC_FINDING, unique: false }),
]);

const EXTERNAL_REF: Type = Object(&[
    required("type", &OneOf(&["issue", "pr", "rfc", "incident", "doc", "meeting", "control", "other"])),
    optional("id", &Text),
    optional("label", &Text),
    required("url", &Formed(Form::Url)),
]);

/// The shape of a record's front matter.
pub(super) const FRONT_MATTER: Type = Object(&[
    word("schemaVersion", &Formed(Form::Version), "0.1.0"),
    required("id", &Formed(Form::RecordId)),
    required("title", &Sized { min: 3, max: Some(120) }),
    required("status", &OneOf(&["draft", "proposed", "accepted", "rejected", "superseded", "deprecated"])),
    required("date", &DATE),
    optional("created", &DATE),
    optional("reviewBy", &DATE),
    list("deciders", &IDENTITIES),
    list("consulted", &IDENTITIES),
    list("informed", &IDENTITIES),
    list("tags", &List { items: &SLUG, unique: true }),
    word("scope", &OneOf(&["component", "domain", "org"]), "component"),
    optional("domain", &Text),
    word("reversibility", &OneOf(&["two-way-door", "one-way-door", "unknown"]), "unknown"),
    word("blastRadius", &OneOf(&["component", "team", "cross-team", "org"]), "component"),
    list("supersedes", &UNIQUE_REFS),
    list("relatesTo", &UNIQUE_REFS),
    optional("supersededBy", &REF),
    list("conflictsWith", &List { items: &REF, unique: false }),
    list("affects", &List { items: &MATCHER, unique: false }),
    list("assertions", &List { items: &ASSERTION, unique: false }),
    optional("provenance", &PROVENANCE),
    optional("review", &REVIEW),
    optional("evaluation", &EVALUATION),
    list("externalRefs", &List { items: &EXTERNAL_REF, unique: false }),
    list("complianceControls", &List { items: &Text, unique: true }),
]);
