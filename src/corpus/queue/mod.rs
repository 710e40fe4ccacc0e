//! `queue`: the proposed records that wait for a decision.

mod fingerprint;
mod item;
mod markdown;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use camino::Utf8Path;

use super::check::lint_findings;
use super::date;
use super::discover;
use super::load::{Corpus, Reader};
use super::paths::resolve;
use super::record::Status;
use super::sort_findings;
use crate::error::{Error, Result};
use crate::report::{CorpusFinding, Finding, QueueReport, Severity};
use crate::text::cmp_code_units;

use fingerprint::Records;
pub use markdown::queue_markdown;

/// The version of the report's shape.
const REPORT_VERSION: &str = "1";

/// `adr queue`: the exit code and the report. `root` is absolute and free of links; deadlines are judged on the date
/// that `as_of` means (`YYYY-MM-DD`, or a date and time with its zone).
///
/// # Errors
/// Where `as_of` means no date or the corpus directory is none ([`Error::Usage`]), where it cannot be read, or a
/// deadline lies beyond all dates.
pub fn queue(root: &Utf8Path, dir: &str, as_of: &str) -> Result<(u8, QueueReport)> {
    queue_by(Reader::default(), root, dir, as_of)
}

pub(super) fn queue_by(
    reader: Reader<'_>,
    root: &Utf8Path,
    dir: &str,
    as_of: &str,
) -> Result<(u8, QueueReport)> {
    let as_of = date::as_of(as_of).map_err(|e| Error::Usage { message: format!("as-of: {e}") })?;
    let at = resolve(root, dir);
    if !at.is_dir() {
        return Err(Error::Usage { message: format!("Corpus directory not found: '{dir}'.") });
    }
    // An existing directory that cannot be read is a failure here, not a usage error as in the other commands.
    let (corpus, findings, corpus_fingerprint) =
        fingerprinted(reader, root, dir).map_err(|_| Error::CorpusUnreadable)?;

    let proposed = corpus.records.iter().filter(|p| p.record().status == Status::Proposed);
    let mut items = proposed.map(|p| item::item(p, &as_of)).collect::<Result<Vec<_>>>()?;
    items.sort_by(item::by_urgency);
    let corpus_findings = corpus_findings(&corpus, &findings);
    let failed = corpus_findings.iter().any(|f| f.severity == Severity::Error);
    let report = QueueReport {
        version: REPORT_VERSION.to_owned(),
        as_of,
        corpus_fingerprint,
        total_items: items.len(),
        total_corpus_findings: corpus_findings.len(),
        items_with_findings: items.iter().filter(|i| !i.item_findings.is_empty()).count(),
        items,
        corpus_findings,
    };
    Ok((u8::from(failed), report))
}

/// The corpus, all its findings in order, and its fingerprint. That is of all that the files hold, and so they are read
/// for it, unless it is remembered.
fn fingerprinted(
    reader: Reader<'_>,
    root: &Utf8Path,
    dir: &str,
) -> Result<(Arc<Corpus>, Vec<Finding>, String)> {
    let findings = |corpus: &Corpus| {
        let mut findings = lint_findings(corpus);
        findings.extend(discover::skipped_files(root, &resolve(root, dir)));
        sort_findings(&mut findings);
        findings
    };
    if let Some(corpus) = reader.remembered(root, dir)? {
        let findings = findings(&corpus);
        let hash = fingerprint::begin(&corpus, &findings);
        if let Some(fingerprint) = corpus.memo.of(&fingerprint::so_far(&hash)) {
            return Ok((corpus, findings, fingerprint));
        }
    }
    let mut records = Records::default();
    let corpus = reader
        .load_listening(root, dir, &mut |path, record, contents| records.add(path, record, contents))?;
    let findings = findings(&corpus);
    let hash = fingerprint::begin(&corpus, &findings);
    let so_far = fingerprint::so_far(&hash);
    let fingerprint = records.end(hash);
    corpus.memo.keep(so_far, fingerprint.clone());
    Ok((corpus, findings, fingerprint))
}

/// All findings of the files that are no valid records.
fn corpus_findings(corpus: &Corpus, findings: &[Finding]) -> Vec<CorpusFinding> {
    let valid: HashSet<&str> = corpus.records.iter().map(|p| p.path.as_str()).collect();
    let mut by_path: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        if let Some(path) = finding.path.as_deref().filter(|p| !valid.contains(p)) {
            by_path.entry(path).or_default().push(finding);
        }
    }
    let matters = |f: &&Finding| f.severity == Severity::Error || f.rule == "corpus-file-skipped";
    by_path.retain(|_, findings| findings.iter().any(matters));
    let mut out: Vec<CorpusFinding> = by_path
        .into_iter()
        .flat_map(|(path, findings)| {
            findings.into_iter().map(move |f| CorpusFinding {
                source_path: path.replace('\\', "/"),
                code: code(&f.rule).to_owned(),
                severity: if f.rule == "corpus-file-skipped" { Severity::Warn } else { Severity::Error },
                message: f.message.clone(),
            })
        })
        .collect();
    out.sort_by(|a, b| {
        cmp_code_units(&a.source_path, &b.source_path)
            .then_with(|| cmp_code_units(&a.code, &b.code))
            .then_with(|| a.severity.cmp(&b.severity))
            .then_with(|| cmp_code_units(&a.message, &b.message))
    });
    out
}

fn code(rule: &str) -> &'static str {
    match rule {
        "file-read" => "corpus.read-error",
        "frontmatter-parse" | "frontmatter-fence" => "corpus.parse-error",
        "one-way-door-disallows-auto" => "corpus.one-way-door-auto-tier",
        "corpus-file-skipped" => "corpus.file-skipped",
        _ => "corpus.schema-invalid",
    }
}
