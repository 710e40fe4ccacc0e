//! The fingerprint of a corpus: a hash of its canonical JSON.

use std::fmt::Write as _;
use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::corpus::load::{Corpus, Hash};
use crate::corpus::record::{Contents, Record};
use crate::report::Finding;
use crate::text::cmp_code_units;

/// A hash that has taken in what a fingerprint says beside the records. `findings` is sorted.
pub(super) fn begin(corpus: &Corpus, findings: &[Finding]) -> Sha256 {
    let findings: Vec<String> = findings.iter().map(canonical_finding).collect();
    Sha256::new().chain_update(format!(
        r#"{{"corpusFindings":[{}],"corpusHealth":{{"excludedCount":{},"recordCount":{}}},"records":["#,
        findings.join(","),
        corpus.files.len() - corpus.records.len(),
        corpus.records.len(),
    ))
}

/// What stands for all that a hash has taken in so far.
pub(super) fn so_far(hash: &Sha256) -> Hash {
    hash.clone().finalize().into()
}

/// The canonical JSON of records.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// One text for all of them: what is this large, the system takes back as a whole.
    json: String,
    /// The id and path of each record, and where its JSON stands.
    places: Vec<(String, String, Range<usize>)>,
}

impl Records {
    pub(super) fn add(&mut self, path: &str, record: &Record, contents: &Contents<'_>) {
        let begin = self.json.len();
        // Writing to text cannot fail.
        let _ = write!(
            self.json,
            r#"{{"body":{},"frontmatter":{},"sourcePath":{}}}"#,
            json(contents.body),
            contents.canonical_front_matter(),
            json(path)
        );
        self.places.push((record.id.clone(), path.to_owned(), begin..self.json.len()));
    }

    /// SHA-256 in lower-case hex, of the canonical JSON of all. Keys stand in code-unit order.
    pub(super) fn end(mut self, mut hash: Sha256) -> String {
        self.places.sort_by(|a, b| cmp_code_units(&a.0, &b.0).then_with(|| cmp_code_units(&a.1, &b.1)));
        for (i, (.., range)) in self.places.iter().enumerate() {
            hash.update(if i > 0 { "," } else { "" });
            hash.update(&self.json[range.clone()]);
        }
        hash.update("]}");
        hash.finalize().iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
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
