//! The fingerprint of a corpus: a hash of its canonical JSON.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::corpus::load::Corpus;
use crate::report::Finding;
use crate::text::cmp_code_units;

/// SHA-256 in lower-case hex. Keys stand in code-unit order; `findings` is sorted.
pub(super) fn fingerprint(corpus: &Corpus, findings: &[Finding]) -> String {
    let mut records: Vec<_> = corpus.records.iter().collect();
    records.sort_by(|a, b| {
        cmp_code_units(&a.record().id, &b.record().id).then_with(|| cmp_code_units(&a.path, &b.path))
    });
    let records: Vec<String> = records
        .iter()
        .map(|p| {
            format!(
                r#"{{"body":{},"frontmatter":{},"sourcePath":{}}}"#,
                json(&p.record().body),
                p.record().canonical_front_matter(),
                json(&p.path)
            )
        })
        .collect();
    let findings: Vec<String> = findings.iter().map(canonical_finding).collect();
    let text = format!(
        r#"{{"corpusFindings":[{}],"corpusHealth":{{"excludedCount":{},"recordCount":{}}},"records":[{}]}}"#,
        findings.join(","),
        corpus.files.len() - corpus.records.len(),
        corpus.records.len(),
        records.join(",")
    );
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn canonical_finding(finding: &Finding) -> String {
    let severity = serde_json::to_string(&finding.severity).unwrap_or_default();
    let fields = [
        ("field", finding.field.as_deref().map(json)),
        ("id", finding.id.as_deref().map(json)),
        ("message", Some(json(&finding.message))),
        ("path", finding.path.as_deref().map(json)),
        ("pattern", finding.pattern.as_deref().map(json)),
        ("rule", Some(json(&finding.rule))),
        ("severity", Some(severity)),
    ];
    let fields: Vec<String> =
        fields.into_iter().filter_map(|(key, value)| Some(format!("\"{key}\":{}", value?))).collect();
    format!("{{{}}}", fields.join(","))
}

fn json(text: &str) -> String {
    // A string always has a JSON form.
    serde_json::to_string(text).unwrap_or_default()
}
