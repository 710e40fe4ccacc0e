//! From a record's text to a record or its findings.
//!
//! [`fence`] splits the text, [`crate::corpus::yaml`] reads the front matter, [`validate`] checks it against
//! [`fields`], and [`rules`] looks at what several fields say together. Nothing here does I/O.

mod canonical;
mod fence;
mod fields;
mod grammar;
mod model;
mod rules;
mod schema;
mod validate;

pub use model::{Bucket, Contents, Matcher, MatcherKind, Record, Review, Status};

use self::validate::IssueKind;
use super::yaml::{self, LoadError, Value};
use crate::report::{Finding, Severity};

/// The newest version of the record schema that is known here.
pub const SCHEMA_VERSION: &str = "0.1.0";

/// What reading one record file gave: a record, or findings that are errors. Only a record of a newer schema has both,
/// and its findings are warnings.
#[derive(Debug, Clone)]
pub struct Parsed<'t> {
    /// The record, where nothing is wrong with it.
    pub record: Option<Record>,
    /// What its file holds, where there is a record.
    pub contents: Option<Contents<'t>>,
    /// What is wrong, unsorted.
    pub findings: Vec<Finding>,
}

impl Parsed<'_> {
    fn failed(findings: Vec<Finding>) -> Self {
        Self { record: None, contents: None, findings }
    }
}

/// The text of a file: UTF-8, each maximal invalid part replaced by U+FFFD, a byte order mark kept.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads one record. `path` is the display path that its findings carry.
#[must_use]
pub fn parse<'t>(path: &str, text: &'t str) -> Parsed<'t> {
    let front_matter_finding = |rule, message: String| {
        let finding = Finding::new(rule, Severity::Error, message).path(path).field("frontmatter");
        Parsed::failed(vec![finding])
    };
    let parts = match fence::split(text) {
        Ok(parts) => parts,
        Err(error) => return front_matter_finding("frontmatter-fence", error.message().to_owned()),
    };
    let value = match yaml::load(parts.front_matter) {
        Ok(value) => value,
        Err(LoadError::Syntax(error)) => {
            let line = line_number(parts.front_matter, error.at);
            return front_matter_finding("frontmatter-parse", format!("line {line}: {}", error.message));
        }
        Err(LoadError::Convert(error)) => {
            let finding = Finding::new("file-read", Severity::Error, error.to_string()).path(path);
            return Parsed::failed(vec![finding]);
        }
    };
    let id = value.get("id").and_then(Value::as_str);
    let (front_matter, issues) = validate::validate(&fields::FRONT_MATTER, &value);
    let is_newer = value.get("schemaVersion").and_then(Value::as_str).is_some_and(is_newer_schema);
    let finding = |rule: &str, severity, message: String, field: Option<String>| {
        let mut finding = Finding::new(rule, severity, message).path(path);
        finding.id = id.map(str::to_owned);
        finding.field = field;
        finding
    };
    // A field that a newer schema has added must not take the record, and what it governs, out of sight.
    let severity = |kind| match kind {
        IssueKind::UnknownKey if is_newer => Severity::Warn,
        _ => Severity::Error,
    };
    let has_shape = !issues.iter().any(|i| i.kind.breaks_shape() && severity(i.kind) == Severity::Error);
    let mut findings: Vec<Finding> =
        issues.into_iter().map(|i| finding(i.kind.rule(), severity(i.kind), i.message, i.field)).collect();
    if has_shape {
        for broken in rules::broken(&front_matter) {
            let field = Some(broken.field.to_owned());
            findings.push(finding(broken.rule, Severity::Error, broken.message.to_owned(), field));
        }
    }
    if findings.iter().any(|f| f.severity == Severity::Error) {
        return Parsed::failed(findings);
    }
    let record = Record::new(&front_matter);
    let contents = record.is_some().then_some(Contents { body: parts.body, front_matter });
    Parsed { record, contents, findings }
}

/// Is it a version above [`SCHEMA_VERSION`]? Text that is no version is not.
fn is_newer_schema(version: &str) -> bool {
    let numbers = |text: &str| text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>();
    match (numbers(version), numbers(SCHEMA_VERSION)) {
        (Some(given), Some(known)) => given.len() == known.len() && given > known,
        _ => false,
    }
}

/// The line of the file that a byte of its front matter is on. The first line is the fence.
fn line_number(front_matter: &str, at: usize) -> usize {
    2 + front_matter.get(..at).unwrap_or(front_matter).matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_record_may_have_fields_that_are_not_known_here() {
        let read = |version: &str, more: &str| {
            let text = format!("---\nschemaVersion: {version}\n{BASE}{more}---\n");
            let Parsed { record, findings, .. } = parse("a.md", &text);
            let rules: Vec<(String, Severity)> = findings.into_iter().map(|f| (f.rule, f.severity)).collect();
            (record.is_some(), rules)
        };
        let unknown = |severity| vec![("strict-unknown-key".to_owned(), severity)];
        for newer in ["0.1.1", "0.2.0", "1.0.0", "0.10.0"] {
            assert_eq!(read(newer, "rank: 1\n"), (true, unknown(Severity::Warn)), "{newer}");
        }
        for known in ["0.1.0", "0.0.9"] {
            assert_eq!(read(known, "rank: 1\n"), (false, unknown(Severity::Error)), "{known}");
        }
        let nested = "affects:\n  - {type: path, pattern: a, weight: 2}\n";
        assert_eq!(read("0.2.0", nested), (true, unknown(Severity::Warn)));
        // What is known stays as strict as it was.
        assert!(!read("0.2.0", "tags: 1\nrank: 1\n").0);
        assert!(!read("0.2.0", "supersededBy: \"0002\"\nrank: 1\n").0);
    }

    const BASE: &str = "id: \"0001\"\ntitle: Some title\nstatus: draft\ndate: 2026-01-01\n";

    fn text(front_matter: &str) -> String {
        format!("---\n{front_matter}---\nbody\n")
    }

    fn findings(front_matter: &str) -> Vec<Finding> {
        parse("docs/adr/0001-a.md", &text(front_matter)).findings
    }

    fn facts(front_matter: &str) -> Vec<String> {
        let fact = |f: Finding| format!("{} {}", f.rule, f.field.unwrap_or("-".to_owned()));
        let mut facts: Vec<String> = findings(front_matter).into_iter().map(fact).collect();
        facts.sort();
        facts
    }

    /// Checks the findings of the base record with `extra` lines, which replace lines of the same key.
    fn check(extra: &str, expected: &[&str]) {
        let is_replaced = |line: &str| {
            let key = line.split(':').next().unwrap_or_default();
            extra.lines().any(|l| l.starts_with(&format!("{key}:")))
        };
        let base: String = BASE.split_inclusive('\n').filter(|l| !is_replaced(l)).collect();
        assert_eq!(facts(&format!("{base}{extra}")), expected, "{extra:?}");
    }

    #[test]
    fn a_record_is_read_with_its_defaults() {
        let review =
            "review: {tier: arb, slaDays: 5, quorum: 2, approvals: [team:x], objections: [{by: '@a'}]}\n";
        let affects = "affects: [{type: path, pattern: 'src/**'}, {type: package, pattern: a, repo: '', negate: true}]\n";
        let text = text(&format!(
            "{BASE}{review}{affects}provenance: {{importedFrom: {{sourceKind: madr, sourceRef: a, fingerprint: b}}}}\n"
        ));
        let parsed = parse("docs/adr/0001-a.md", &text);
        let contents = parsed.contents.unwrap();
        let record = parsed.record.unwrap();
        assert_eq!((record.id.as_str(), record.title.as_str()), ("0001", "Some title"));
        assert_eq!((record.status, record.status.bucket()), (Status::Draft, Bucket::ActiveProposals));
        assert_eq!(contents.body, "body\n");
        assert!(record.imported && record.deciders.is_empty() && record.superseded_by.is_none());
        assert_eq!((record.affects[1].kind, record.affects[1].negate), (MatcherKind::Package, true));
        assert_eq!((record.affects[0].repo.as_deref(), record.affects[1].repo.as_deref()), (None, Some("")));
        let review = record.review.as_ref().unwrap();
        assert_eq!(
            (review.sla_days, review.quorum, review.objections.as_slice()),
            (Some(5), Some(2), &[false][..])
        );
        let json = contents.canonical_front_matter();
        assert!(
            json.starts_with(r#"{"affects":[{"negate":false,"pattern":"src/**","type":"path"},"#),
            "{json}"
        );
        assert!(json.contains(r#""schemaVersion":"0.1.0""#), "{json}");
    }

    #[test]
    fn issues_are_told_by_rule_and_field() {
        check("", &[]);
        check("id:\n", &["invalid-type id"]);
        check("title: []\n", &["invalid-size title", "invalid-type title"]);
        check("title: ab\nid: \"001\"\n", &["invalid-format id", "invalid-size title"]);
        check("title: \"\u{1f600}\u{1f600}\"\n", &[]);
        check("status: open\n", &["invalid-enum-value status"]);
        check("date: 2026-02-30\n", &["invalid-format date"]);
        check(
            "foo: 1\nconstructor: 1\n__proto__: 1\n",
            &["strict-unknown-key constructor", "strict-unknown-key foo"],
        );
        check("\"\": 1\n", &["strict-unknown-key "]);
        check("tags: [a, a]\n", &["unique-items tags"]);
        check("tags: [A, A]\n", &["invalid-format tags.0", "invalid-format tags.1", "unique-items tags"]);
        check("tags: [a, a, 1]\n", &["invalid-type tags.2"]);
        check("affects: [{}]\n", &["invalid-enum-value affects.0.type", "required-field affects.0.pattern"]);
        check("affects: [{type: path, pattern: !x}]\n", &["invalid-size affects.0.pattern"]);
        check(
            "review: {slaDays: 1.5, quorum: 0}\n",
            &["invalid-size review.quorum", "invalid-type review.slaDays"],
        );
        check("review: {slaDays: -1e300}\n", &["invalid-size review.slaDays", "invalid-size review.slaDays"]);
        check(
            "evaluation: {scores: {a: 5, b: .inf}}\n",
            &["invalid-size evaluation.scores.a", "invalid-type evaluation.scores.b"],
        );
        check("externalRefs: [{type: doc, url: x}]\n", &["invalid-format externalRefs.0.url"]);
        check("provenance: !!set {a}\n", &[]);
        check("provenance: []\n", &["invalid-type provenance"]);
        assert_eq!(facts(""), ["invalid-type -"]);
        assert_eq!(facts("- a\n"), ["invalid-type -"]);
        assert_eq!(findings("[]\n")[0].id, None);
    }

    #[test]
    fn rules_across_fields_need_the_right_shape() {
        check("status: superseded\n", &["superseded-requires-supersededBy supersededBy"]);
        check("supersededBy: \"0002\"\n", &["supersededBy-requires-superseded-status status"]);
        check("status: accepted\n", &["accepted-requires-decider-unless-imported deciders"]);
        check("status: accepted\nfoo: 1\n", &["strict-unknown-key foo"]);
        check("status: accepted\ndeciders: [x]\n", &["invalid-format deciders.0"]);
        check(
            "status: accepted\ndeciders: ['@a']\nprovenance: {authoredBy: agent}\n",
            &["agent-accepted-requires-ratifier provenance.ratifiedBy"],
        );
        check(
            "reversibility: one-way-door\nreview: {tier: auto}\n",
            &["one-way-door-disallows-auto review.tier"],
        );
    }

    #[test]
    fn text_that_cannot_be_read_gives_one_finding() {
        let only = |text| {
            let parsed = parse("a.md", text);
            assert_eq!((parsed.findings.len(), parsed.record), (1, None));
            let f = &parsed.findings[0];
            (f.rule.clone(), f.field.clone(), f.id.clone(), f.message.clone())
        };
        let (rule, field, id, _) = only("---\n");
        assert_eq!((rule.as_str(), field.as_deref(), id), ("frontmatter-fence", Some("frontmatter"), None));
        let (rule, field, _, message) = only("---\nid: 1\na: [@x]\n---\n");
        assert_eq!((rule.as_str(), field.as_deref()), ("frontmatter-parse", Some("frontmatter")));
        assert!(message.starts_with("line 3: "), "{message}");
        let (rule, field, _, _) = only("---\na: *.ts\n---\n");
        assert_eq!((rule.as_str(), field), ("file-read", None));
    }

    #[test]
    fn bytes_are_decoded_by_maximal_parts() {
        assert_eq!(decode(b"\xef\xbb\xbfa\xff\xe2\x82b\xf0\x9f\x98"), "\u{feff}a\u{fffd}\u{fffd}b\u{fffd}");
    }
}
