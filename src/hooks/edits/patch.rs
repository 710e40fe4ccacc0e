//! The files of a patch in the form of `apply_patch`.
//!
//! Only the headers matter, but to know a header from a line of a file the bodies have to be followed. The rules are
//! those of the host's own parser (recorded in `tests/golden/apply-patch.json`) wherever it accepts a patch:
//! * A line ends with LF, CRLF or CR. White space is JavaScript's.
//! * `*** Add File: `, `*** Update File: ` and `*** Delete File: ` may be indented where a header is expected. The name
//!   is the rest of the line without white space at its ends; it is never quoted.
//! * The lines of an added file begin with `+`.
//! * The body of an updated file goes on until a line begins with `*`. An indented header in it is a line of the file.
//!   `*** End of File` ends a part of the body, not the body.
//! * `*** Move to: ` names a file only directly below `*** Update File: `, indented or not.
//! * A heredoc may be wrapped around the patch. We let it be any, with the command in front or not.
//!
//! A patch that the host would refuse never gets here, so where nothing is at stake we do not insist: lines between the
//! bodies that are no header are passed over, and the end may be missing.

use std::ops::ControlFlow;

use super::arguments::Found;
use crate::corpus::package::is_js_space;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const UPDATE: &str = "*** Update File: ";
const DELETE: &str = "*** Delete File: ";
const MOVE: &str = "*** Move to: ";

/// Where the scan is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Outside an update. An added file's body has no state of its own: with its `+` no line of it is a header.
    Nothing,
    /// Directly below the header of an update.
    UpdateHead,
    UpdateBody,
}

/// Hands over the paths of `patch` in its order. A text that does not begin as a patch has none.
pub(super) fn paths(patch: &str, found: &mut Found<'_>) -> ControlFlow<()> {
    paths_of_lines(Lines::of(trim(patch)), found)
}

fn paths_of_lines<'a>(mut lines: impl Iterator<Item = &'a str>, found: &mut Found<'_>) -> ControlFlow<()> {
    let mut first = lines.next();
    if first.is_some_and(opens_heredoc) {
        first = lines.next();
    }
    if first.map(trim) != Some(BEGIN) {
        return ControlFlow::Continue(());
    }
    let mut within = Within::Nothing;
    for line in lines {
        if within == Within::UpdateHead {
            within = Within::UpdateBody;
            if let Some(path) = trim(line).strip_prefix(MOVE) {
                found(trim(path))?;
                continue;
            }
        }
        if within == Within::UpdateBody && !line.starts_with('*') {
            continue;
        }
        let header = trim(line);
        if header == END {
            break;
        }
        // Anything else, such as `*** End of File`, changes nothing.
        if let Some((path, next)) = named(header) {
            within = next;
            found(trim(path))?;
        }
    }
    ControlFlow::Continue(())
}

/// The path in a header, and where the lines below it are.
fn named(header: &str) -> Option<(&str, Within)> {
    [(ADD, Within::Nothing), (UPDATE, Within::UpdateHead), (DELETE, Within::Nothing)]
        .into_iter()
        .find_map(|(marker, below)| Some((header.strip_prefix(marker)?, below)))
}

/// Whether `line` is `<<EOF` in any of its spellings, perhaps behind the name of the command. No other command may
/// stand there: after a `cd` the paths would mean something else.
fn opens_heredoc(line: &str) -> bool {
    let line = trim(line);
    let line = ["apply_patch", "applypatch"].iter().find_map(|c| line.strip_prefix(c)).unwrap_or(line);
    let Some(rest) = trim(line).strip_prefix("<<") else { return false };
    let word = trim(rest.strip_prefix('-').unwrap_or(rest));
    let unquoted = ['\'', '"'].iter().find_map(|q| word.strip_prefix(*q)?.strip_suffix(*q)).unwrap_or(word);
    !unquoted.is_empty() && unquoted.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// The lines of a text. Each byte is looked at once.
struct Lines<'a>(Option<&'a str>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self(Some(text))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.take()?;
        let Some(end) = text.bytes().position(|b| matches!(b, b'\n' | b'\r')) else { return Some(text) };
        let (line, rest) = text.split_at(end);
        let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\r', '\n']));
        self.0 = rest;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;

    fn split(text: &str) -> Vec<&str> {
        Lines::of(text).collect()
    }

    #[test]
    fn a_line_ends_with_lf_crlf_or_cr() {
        for (text, lines) in [
            ("", &[""][..]),
            ("a", &["a"]),
            ("a\nb", &["a", "b"]),
            ("a\r\nb\rc\n", &["a", "b", "c", ""]),
            ("a\r\r\n\n\rb", &["a", "", "", "", "b"]),
            ("a\u{2028}b\u{85}c\u{b}d", &["a\u{2028}b\u{85}c\u{b}d"]),
        ] {
            assert_eq!(split(text), lines, "{text:?}");
        }
    }

    #[test]
    fn a_heredoc_opens_bare_quoted_or_behind_the_command() {
        for line in [
            "<<EOF",
            "<<'EOF'",
            "<<\"EOF\"",
            "<<-EOF",
            "<< 'PATCH_1'",
            "apply_patch <<'EOF'",
            "  applypatch <<EOF ",
            "apply_patch<<EOF",
        ] {
            assert!(opens_heredoc(line), "{line}");
        }
        for line in [
            "",
            "EOF",
            "<EOF",
            "<<",
            "<<''",
            "<<'EOF",
            "<<'E F'",
            "<<EOF | cat",
            "<<<EOF",
            "cat <<EOF",
            "cd a && apply_patch <<EOF",
            "apply_patch",
            "apply_patch x <<EOF",
            "*** Begin Patch",
        ] {
            assert!(!opens_heredoc(line), "{line}");
        }
    }

    /// How many lines are taken from `text`, and the paths, of which `room` are wanted.
    fn taken(text: &str, room: usize) -> (usize, Vec<String>) {
        let steps = Cell::new(0);
        let mut paths = Vec::new();
        let lines = Lines::of(text).inspect(|_| steps.set(steps.get() + 1));
        let _ = paths_of_lines(lines, &mut |path| {
            paths.push(path.to_owned());
            if paths.len() < room { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        (steps.get(), paths)
    }

    #[test]
    fn nothing_is_read_after_the_last_wanted_path() {
        let head = "*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** Delete File: c\n";
        let patch = head.to_owned() + &"*** Delete File: x\n".repeat(100_000);
        assert_eq!(taken(&patch, 3), (4, vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
        assert_eq!(taken(&patch, usize::MAX).0, 100_005);
        let ended = head.to_owned() + "*** End Patch\n" + &"*** Delete File: x\n".repeat(100_000);
        assert_eq!(taken(&ended, usize::MAX).0, 5);
        assert_eq!(taken(&"no patch\n".repeat(100_000), usize::MAX), (1, Vec::new()));
    }

    proptest! {
        #[test]
        fn every_byte_is_in_one_line_or_one_line_end(text in r"([ab\n\r]|\r\n|é){0,40}") {
            let lines = split(&text);
            let mut rest = text.as_str();
            for (i, line) in lines.iter().enumerate() {
                rest = rest.strip_prefix(line).expect("the line stands next");
                if i + 1 < lines.len() {
                    let ends = ["\r\n", "\n", "\r"];
                    rest = ends.iter().find_map(|end| rest.strip_prefix(end)).expect("a line end");
                }
            }
            prop_assert_eq!(rest, "");
            prop_assert!(!lines.iter().any(|line| line.contains(['\r', '\n'])));
        }

        #[test]
        fn each_line_is_taken_once(text in r"(\*\*\* (Begin Patch|End Patch|(Add|Update|Delete) File: a|Move to: b)|[-+@ ]x|){0,1}(\n|\r\n|\r){0,1}") {
            let patch = "*** Begin Patch\n".to_owned() + &text.repeat(20);
            prop_assert!(taken(&patch, usize::MAX).0 <= split(&patch).len());
        }
    }
}
