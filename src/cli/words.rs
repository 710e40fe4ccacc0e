//! The words of a usage error, made fit to be passed on.

use std::fmt::Write as _;

use crate::validate::text::{is_bidi_control, is_control, is_line_separator, is_tag, is_zero_width};

/// What is kept of the words, in bytes.
pub const MAX_WORDS_BYTES: usize = 2 * 1024;

/// What is looked at, in bytes: what is left out may come before what is kept.
const MAX_READ_BYTES: usize = 64 * 1024;

/// The command's own words without stack lines (`^\s+at `), terminal sequences, control and other unseen characters;
/// at most [`MAX_WORDS_BYTES`], cut between two characters.
pub(crate) fn clean(stderr: &[u8]) -> String {
    let read = stderr.get(..MAX_READ_BYTES).unwrap_or(stderr);
    let text = String::from_utf8_lossy(read).replace("\r\n", "\n");
    let text = visible(&text);
    let mut out = String::new();
    for line in text.lines().filter(|line| !is_stack_line(line)) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let out = out.trim();
    let end = (0..=out.len().min(MAX_WORDS_BYTES)).rev().find(|end| out.is_char_boundary(*end));
    out[..end.unwrap_or(0)].trim_end().to_owned()
}

fn is_stack_line(line: &str) -> bool {
    let body = line.trim_start();
    body.len() < line.len() && body.starts_with("at ")
}

/// `text` with one kind of line break and without what a person would not see.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\r' | '\u{85}' => out.push('\n'),
            '\t' => out.push(' '),
            '\u{1B}' if chars.next_if_eq(&'[').is_some() => {
                // A control sequence ends at its first character from `@` to `~` (ECMA-48).
                while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
                let _ = chars.next_if(|c| matches!(c, '@'..='~'));
            }
            c if is_line_separator(c) => out.push('\n'),
            c if is_control(c) || is_bidi_control(c) || is_zero_width(c) || is_tag(c) => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_and_stacks_are_not() {
        for (stderr, want) in [
            ("Corpus directory not found: 'x'.\n", "Corpus directory not found: 'x'."),
            ("Error: x\n    at main (/opt/adr/cli.js:1:2)\n\tat f\nusage", "Error: x\nusage"),
            ("a\r\n  at b\r\nc\rd", "a\nc\nd"),
            ("at the start\nx at y", "at the start\nx at y"),
            ("a\n \u{0} at b\n\u{200B} at c\n\u{1b}[2m  at d\u{1b}[0m", "a"),
            ("\u{1b}[31mred\u{1b}[0m \u{1b}]8;;x\u{7}y", "red ]8;;xy"),
            ("a\u{2028}  at b\u{85}c\u{202E}d\u{E0041}", "a\ncd"),
            ("", ""),
            ("\n\n  \n", ""),
        ] {
            assert_eq!(clean(stderr.as_bytes()), want, "{stderr:?}");
        }
        assert_eq!(clean(b"a\xff\xfeb"), "a\u{FFFD}\u{FFFD}b");
    }

    #[test]
    fn a_long_text_is_cut_between_two_characters() {
        let words = clean("é".repeat(5000).as_bytes());
        assert_eq!(words.len(), MAX_WORDS_BYTES);
        let words = clean(format!("x{}", "é".repeat(5000)).as_bytes());
        assert_eq!(words.len(), MAX_WORDS_BYTES - 1);
        let hidden = format!("{}words", "    at f\n".repeat(2000));
        assert_eq!(clean(hidden.as_bytes()), "words");
    }

    proptest::proptest! {
        #[test]
        fn nothing_unseen_gets_through(bytes in proptest::collection::vec(0u8.., 0..300)) {
            let words = clean(&bytes);
            proptest::prop_assert!(words.len() <= MAX_WORDS_BYTES);
            proptest::prop_assert!(words.chars().all(|c| c == '\n' || !is_control(c)));
            proptest::prop_assert!(!words.lines().any(is_stack_line));
        }
    }
}
