//! What a tool call gives back: one text for the model, and whether it worked.

use serde::Serialize;

use super::arguments::Refused;
use super::fit::{self, MAX_RESULT_BYTES};
use super::scrub;
use super::tree::Tree;
use crate::error::Error;

/// Whether a call worked. A check that found something worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultType {
    /// The text holds a report.
    Success,
    /// The text holds an error.
    Failure,
}

impl ResultType {
    /// `success` or `failure`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
        }
    }
}

/// The result of a tool call, as the host takes it.
///
/// The text is JSON of at most [`MAX_RESULT_BYTES`] bytes:
/// - success: `{ exitCode: 0 | 1, report }`, and `skippedFiles` where changed files have names that were not checked;
/// - failure: `{ error: { code, message, argument?, index? } }`, where `argument` is the name of the argument that was
///   refused and `index` the place in it from 0; `exitCode` where the `adr` command ended with one; and `files`, which
///   were to be checked, where that failed after they had been judged.
///
/// A shortened object begins with `truncated: true` and `omitted`; see [`fit`](super::fit).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// What the model reads.
    pub text_result_for_llm: String,
    /// Whether it worked.
    pub result_type: ResultType,
}

/// What went well.
#[derive(Debug)]
pub(super) struct Success {
    pub(super) exit_code: u8,
    pub(super) report: Tree,
    /// Changed files whose names were not checked.
    pub(super) skipped: usize,
}

/// What did not.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) refused: Refused,
    /// In place of the error's own words.
    pub(super) message: Option<&'static str>,
    /// Files that were judged, where the failure came after that.
    pub(super) files: Vec<String>,
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self { refused, message: None, files: Vec::new() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Refused::from(error).into()
    }
}

/// What an `adr` usage error exits with.
const USAGE_EXIT_CODE: i32 = 2;

/// What is said of a defect. Written out, since it must be there when nothing else works.
const INTERNAL: &str = r#"{"error":{"code":"internal","message":"An internal error occurred."}}"#;

impl ToolResult {
    pub(super) fn internal() -> Self {
        Self { text_result_for_llm: INTERNAL.to_owned(), result_type: ResultType::Failure }
    }
}

/// Shapes, shortens, scrubs and serializes.
pub(super) fn render(outcome: Result<Success, Failure>) -> ToolResult {
    let (result_type, tree, within): (_, _, &[&str]) = match outcome {
        Ok(success) => (ResultType::Success, success_tree(success), &["report"]),
        Err(failure) => (ResultType::Failure, failure_tree(failure), &[]),
    };
    // Last, since a text that was cut can end in what is a name only now; it makes nothing longer.
    let clean = |mut tree| {
        scrub::tree(&mut tree);
        serde_json::to_string(&tree).ok()
    };
    match fit::shorten(tree, within, MAX_RESULT_BYTES).and_then(clean) {
        Some(text_result_for_llm) => ToolResult { text_result_for_llm, result_type },
        // Single texts and numbers of this length are no report.
        None if result_type == ResultType::Success => render(Err(Error::OutputTooLarge.into())),
        None => ToolResult::internal(),
    }
}

fn success_tree(Success { exit_code, report, skipped }: Success) -> Tree {
    object([
        Some(("exitCode", usize::from(exit_code).into())),
        (skipped > 0).then(|| ("skippedFiles", skipped.into())),
        Some(("report", report)),
    ])
}

fn failure_tree(Failure { refused: Refused { error, argument, index }, message, files }: Failure) -> Tree {
    let exit_code = match &error {
        Error::Usage { .. } => Some(USAGE_EXIT_CODE),
        Error::NoReport { exit_code } => *exit_code,
        _ => None,
    };
    let message = message.map_or_else(|| error.to_string(), str::to_owned);
    let about = [
        Some(("code", error.code().into())),
        Some(("message", Tree::Text(message))),
        argument.map(|name| ("argument", name.into())),
        index.map(|at| ("index", at.into())),
    ];
    let entries = [
        Some(("error", object(about))),
        exit_code.map(|code| ("exitCode", Tree::Number(code.into()))),
        (!files.is_empty()).then(|| ("files", Tree::List(files.into_iter().map(Tree::Text).collect()))),
    ];
    object(entries)
}

fn object<const N: usize>(entries: [Option<(&'static str, Tree)>; N]) -> Tree {
    Tree::Object(entries.into_iter().flatten().map(|(key, value)| (key.into(), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(outcome: Result<Success, Failure>) -> String {
        render(outcome).text_result_for_llm
    }

    #[test]
    fn success_holds_the_exit_code_and_the_report() {
        let report = || serde_json::from_str(r#"{"checked":2,"findings":[]}"#).unwrap();
        let of = |exit_code, skipped| text(Ok(Success { exit_code, report: report(), skipped }));
        assert_eq!(of(1, 0), r#"{"exitCode":1,"report":{"checked":2,"findings":[]}}"#);
        assert_eq!(of(0, 3), r#"{"exitCode":0,"skippedFiles":3,"report":{"checked":2,"findings":[]}}"#);
    }

    #[test]
    fn failure_holds_a_code_and_a_message() {
        let usage = || Error::Usage { message: "Corpus directory not found: 'x'.".to_owned() };
        assert_eq!(
            text(Err(Error::TimedOut.into())),
            r#"{"error":{"code":"timed-out","message":"The call took too long and was ended."}}"#
        );
        assert_eq!(
            text(Err(usage().into())),
            r#"{"error":{"code":"usage-error","message":"Corpus directory not found: 'x'."},"exitCode":2}"#
        );
        let crashed =
            Failure { files: vec!["a".to_owned()], ..Error::NoReport { exit_code: Some(70) }.into() };
        assert_eq!(
            text(Err(crashed)),
            r#"{"error":{"code":"no-report","message":"The adr command ended without a report."},"exitCode":70,"files":["a"]}"#
        );
    }

    #[test]
    fn the_words_for_a_defect_are_those_of_the_error() {
        assert_eq!(render(Err(Error::Internal.into())), ToolResult::internal());
    }

    #[test]
    fn a_usage_error_is_scrubbed() {
        let message = "Run `adr new` first.".to_owned();
        let shown = text(Err(Error::Usage { message }.into()));
        assert!(shown.contains("Run `adr …` first."), "{shown}");
    }

    #[test]
    fn a_cut_does_not_make_a_command() {
        let message = format!("{}adr newer things", "x".repeat(239 - "adr new".len()));
        assert_eq!(scrub::text(&message), message);
        let finding = Tree::Object(vec![("message".into(), Tree::Text(message))]);
        let report = Tree::Object(vec![("findings".into(), Tree::List(vec![finding; 100]))]);
        let shown = text(Ok(Success { exit_code: 1, report, skipped: 0 }));
        assert!(shown.contains("xadr ……\""), "{shown}");
    }

    #[test]
    fn what_no_step_shortens_becomes_a_failure() {
        let endless = "x".repeat(MAX_RESULT_BYTES);
        let report = Tree::Object(vec![("path".into(), Tree::Text(endless.clone()))]);
        let result = render(Ok(Success { exit_code: 0, report, skipped: 0 }));
        assert_eq!(result, render(Err(Error::OutputTooLarge.into())));
    }

    #[test]
    fn is_what_the_host_takes() {
        let result = ToolResult { text_result_for_llm: "x".to_owned(), result_type: ResultType::Failure };
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(json, r#"{"textResultForLlm":"x","resultType":"failure"}"#);
        assert_eq!(result.result_type.as_str(), "failure");
    }
}
