//! Collects what the report shows: one look at git, one at the corpus.

use std::time::{Duration, Instant};

use adrkit_native::corpus;
use adrkit_native::corpus::survey::{Survey, SurveyedFile, SurveyedRecord};
use adrkit_native::error::{Error, Result};
use adrkit_native::git;
use adrkit_native::process::Cancel;
use adrkit_native::report::{Decision, LintReport};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The directory that was named, absolute and free of links.
    pub(crate) start: Utf8PathBuf,
    pub(crate) base: Option<String>,
    /// The corpus directory, relative to the directory that is reported on.
    pub(crate) dir: String,
    /// Show the map even if something has changed.
    pub(crate) all: bool,
}

/// The whole report. Its JSON form is this, key by key.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    pub(crate) repository: String,
    pub(crate) dir: String,
    pub(crate) engine: &'static str,
    pub(crate) base: Option<String>,
    /// What the changes are relative to, in words.
    pub(crate) label: String,
    pub(crate) skipped_non_utf8: usize,
    pub(crate) changed_files: Vec<File>,
    pub(crate) open_proposals: Vec<Proposal>,
    pub(crate) lint: LintReport,
    pub(crate) map: Option<Map>,
    pub(crate) timings_ms: Timings,
}

/// A file and what governs it.
#[derive(Debug, Serialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) decisions: Vec<Matched>,
}

/// A decision that matches a file, and why.
#[derive(Debug, Serialize)]
pub(crate) struct Matched {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) status: String,
    pub(crate) bucket: String,
    pub(crate) because: Vec<Reason>,
}

/// A matcher of the record, or a marker in the file.
#[derive(Debug, Serialize)]
pub(crate) struct Reason {
    pub(crate) kind: &'static str,
    /// The pattern or the reference.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) path: String,
    pub(crate) line: Option<u32>,
}

/// A record that is not decided yet.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Proposal {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) status: String,
    pub(crate) path: String,
    /// How many of the changed files it would govern.
    pub(crate) changed_files: usize,
}

/// What governs the tracked files.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Map {
    pub(crate) tracked_files: usize,
    pub(crate) decisions: Vec<Mapped>,
    /// The tracked files that no accepted decision governs.
    pub(crate) ungoverned: Vec<String>,
}

/// A decision and how many tracked files it matches.
#[derive(Debug, Serialize)]
pub(crate) struct Mapped {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) status: String,
    pub(crate) files: usize,
}

/// How long each step took, in milliseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Timings {
    pub(crate) git: f64,
    pub(crate) decisions: f64,
    pub(crate) lint: f64,
}

const ENGINE: &str = "embedded";

/// Asks git and the corpus.
pub(crate) async fn gather(question: &Question) -> Result<Report> {
    let options = git::Options::new(std::env::vars_os().collect());
    let cancel = Cancel::new();

    let begin = Instant::now();
    let root = report_root(question, &options, &cancel).await?;
    let changed = git::changed_files(&root, question.base.as_deref(), &options, &cancel).await?;
    let show_map = question.all || changed.files.is_empty();
    let tracked = if show_map { git::tracked_files(&root, &options, &cancel).await? } else { Vec::new() };
    let git_time = begin.elapsed();

    let begin = Instant::now();
    let survey = corpus::survey::survey(&root, &question.dir, changed.files)?;
    let map = if show_map { Some(map(corpus::survey::survey(&root, &question.dir, tracked)?)) } else { None };
    let decisions_time = begin.elapsed();

    let begin = Instant::now();
    let (_, lint) = corpus::lint(&root, &question.dir)?;
    let lint_time = begin.elapsed();

    Ok(Report {
        repository: root.into_string(),
        dir: question.dir.clone(),
        engine: ENGINE,
        base: changed.base,
        label: changed.label,
        skipped_non_utf8: changed.skipped_non_utf8,
        open_proposals: proposals(&survey),
        changed_files: survey.files.iter().map(|f| file(f, &survey.records)).collect(),
        lint,
        map,
        timings_ms: Timings {
            git: milliseconds(git_time),
            decisions: milliseconds(decisions_time),
            lint: milliseconds(lint_time),
        },
    })
}

/// The directory that is reported on: the one that was named if the corpus is there, else the root of its work tree.
async fn report_root(question: &Question, options: &git::Options, cancel: &Cancel) -> Result<Utf8PathBuf> {
    let work_tree = git::work_tree(&question.start, options, cancel).await?;
    if question.start.join(&question.dir).is_dir() {
        return Ok(question.start.clone());
    }
    Utf8PathBuf::try_from(work_tree.root).map_err(|_| Error::NotWorkTree)
}

fn file(file: &SurveyedFile, records: &[SurveyedRecord]) -> File {
    File { path: file.path.clone(), decisions: file.decisions.iter().map(|d| matched(d, records)).collect() }
}

fn matched(decision: &Decision, records: &[SurveyedRecord]) -> Matched {
    let matchers = decision.fired_matchers.iter().map(|fired| {
        let ours = records.iter().filter(|r| r.id == decision.record_id);
        let stand = ours.flat_map(|r| r.patterns.iter().map(move |(p, line)| (p, *line, &r.path)));
        let place = stand.into_iter().find(|(pattern, ..)| **pattern == fired.pattern);
        Reason {
            kind: "matcher",
            text: fired.pattern.clone(),
            path: place.map(|(_, _, path)| path.clone()).unwrap_or_default(),
            line: place.and_then(|(_, line, _)| line),
        }
    });
    let markers = decision.declared_by.iter().map(|d| Reason {
        kind: "marker",
        text: format!("@adr {}", d.reference),
        path: d.path.clone(),
        line: Some(d.line),
    });
    Matched {
        id: decision.record_id.clone(),
        title: decision.title.clone(),
        status: decision.status.clone(),
        bucket: decision.bucket.clone(),
        because: matchers.chain(markers).collect(),
    }
}

fn proposals(survey: &Survey) -> Vec<Proposal> {
    let open = survey.records.iter().filter(|r| matches!(r.status.as_str(), "draft" | "proposed"));
    open.map(|r| Proposal {
        id: r.id.clone(),
        title: r.title.clone(),
        status: r.status.clone(),
        path: r.path.clone(),
        changed_files: uses(&survey.files, &r.id),
    })
    .collect()
}

fn map(survey: Survey) -> Map {
    let decisions = survey.records.iter().map(|r| Mapped {
        id: r.id.clone(),
        title: r.title.clone(),
        status: r.status.clone(),
        files: uses(&survey.files, &r.id),
    });
    Map {
        tracked_files: survey.files.len(),
        decisions: decisions.collect(),
        ungoverned: survey
            .files
            .into_iter()
            .filter(|f| !f.decisions.iter().any(|d| d.bucket == "governing"))
            .map(|f| f.path)
            .collect(),
    }
}

fn uses(files: &[SurveyedFile], id: &str) -> usize {
    files.iter().filter(|f| f.decisions.iter().any(|d| d.record_id == id)).count()
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 10_000.0).round() / 10.0
}

/// Makes the named directory absolute and free of links.
pub(crate) fn start_directory(path: Option<&str>) -> Option<Utf8PathBuf> {
    let path = Utf8Path::new(path.unwrap_or("."));
    let real = path.canonicalize_utf8().ok()?;
    real.is_dir().then_some(real)
}
