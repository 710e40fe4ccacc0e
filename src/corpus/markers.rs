//! `@adr` markers: the comment lines by which a file names the decisions that govern it. Pure text work.

use memchr::{memchr_iter, memchr2};

use super::reference::is_reference;
use crate::report::DeclaredMarker;

const SOURCE_INTRODUCERS: [&str; 11] = ["//", "/*", "{/*", "*", "#", "--", ";", "%", "<!--", "\"\"\"", "'''"];
const MARKDOWN_INTRODUCERS: [&str; 2] = ["{/*", "<!--"];
const MARKDOWN_EXTENSIONS: [&str; 3] = [".md", ".mdx", ".markdown"];
const BLANKS: [char; 2] = [' ', '\t'];
const MARKER: &str = "@adr";

/// Whether `bytes`, of a text in UTF-8, can declare anything: they hold the mark at all. Few files do.
pub(crate) fn are_possible_in(bytes: &[u8]) -> bool {
    memchr_iter(MARKER.as_bytes()[0], bytes).any(|at| bytes[at..].starts_with(MARKER.as_bytes()))
}

/// The references in `text`, in file order. `path` only decides which comment introducers count.
pub(crate) fn declared(path: &str, text: &str) -> Vec<DeclaredMarker> {
    let introducers: &[&str] = if is_markdown(path) { &MARKDOWN_INTRODUCERS } else { &SOURCE_INTRODUCERS };
    let mut found = Vec::new();
    let mut fence: Option<Fence> = None;
    for (line, number) in lines(text).zip(1..) {
        if let Some(open) = fence {
            if open.is_closed_by(line) {
                fence = None;
            }
        } else if let Some(run) = fence_run(line) {
            // A backtick fence whose info string holds a backtick opens nothing, and declares nothing either.
            if run.mark != '`' || !run.rest.contains('`') {
                fence = Some(Fence { mark: run.mark, length: run.length });
            }
        } else if let Some(list) = marker_list(line, introducers) {
            found.extend(references(list).map(|r| DeclaredMarker { reference: r.to_owned(), line: number }));
        }
    }
    found
}

fn is_markdown(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    MARKDOWN_EXTENSIONS.iter().any(|e| path.ends_with(e))
}

/// Lines end at CRLF, CR or LF.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr2(b'\n', b'\r', text.as_bytes()) else {
            rest = None;
            return Some(text);
        };
        let skip = if text[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[end + skip..]);
        Some(&text[..end])
    })
}

#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn is_closed_by(self, line: &str) -> bool {
        fence_run(line).is_some_and(|run| {
            run.mark == self.mark && run.length >= self.length && run.rest.trim_matches(BLANKS).is_empty()
        })
    }
}

struct Run<'a> {
    mark: char,
    length: usize,
    rest: &'a str,
}

/// At most three blanks, then at least three backticks or tildes.
fn fence_run(line: &str) -> Option<Run<'_>> {
    let body = line.trim_start_matches(' ');
    if line.len() - body.len() > 3 {
        return None;
    }
    let mark = body.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = body.trim_start_matches(mark);
    let length = body.len() - rest.len();
    (length >= 3).then_some(Run { mark, length, rest })
}

/// What follows `@adr` and its blanks on a marker line.
fn marker_list<'a>(line: &'a str, introducers: &[&str]) -> Option<&'a str> {
    let body = line.trim_start_matches(BLANKS);
    introducers.iter().find_map(|introducer| {
        let after = body.strip_prefix(introducer)?.trim_start_matches(BLANKS).strip_prefix(MARKER)?;
        let list = after.trim_start_matches(BLANKS);
        (list.len() < after.len()).then_some(list)
    })
}

/// References up to the first thing that is none, separated by commas.
fn references(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    std::iter::from_fn(move || {
        let text = rest?;
        let end =
            text.find(|c: char| !(c.is_ascii_alphanumeric() || c == ':' || c == '-')).unwrap_or(text.len());
        let (token, after) = text.split_at(end);
        rest = after.trim_start_matches(BLANKS).strip_prefix(',').map(|r| r.trim_start_matches(BLANKS));
        is_reference(token).then_some(token)
    })
    .fuse()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_is_declared_where_nothing_is_possible(text in "(// |@|@adr|adr|0001| |,|\r|\n|é|```){0,12}") {
            let found = declared("a.ts", &text);
            prop_assert!(found.is_empty() || are_possible_in(text.as_bytes()), "{found:?}");
        }
    }

    #[test]
    fn what_is_possible_stands_anywhere() {
        for (text, possible) in [
            ("@adr", true),
            ("@ @adr 1", true),
            ("x@@adr", true),
            ("@ad", false),
            ("", false),
            ("@ADR", false),
        ] {
            assert_eq!(are_possible_in(text.as_bytes()), possible, "{text}");
        }
    }
}
