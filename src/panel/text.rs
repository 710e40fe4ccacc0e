//! Repository text, as a page shows it: cut where it is long, with a visible mark for what a person would not see.

use std::fmt::Write as _;

use maud::{Escaper, Render};

use super::limits::{MESSAGE_CHARS, NAME_CHARS, PATH_CHARS, TITLE_CHARS};
use crate::validate::text::{
    is_control, is_default_ignorable, is_interlinear_annotation, is_line_separator, is_variation_selector,
};

/// The most hidden characters of one run that are named one by one.
const NAMED_OF_A_RUN: usize = 8;

/// Text that somebody else wrote. Rendered it is text in an element and nothing else: escaped, with `‹U+202E›` for a
/// bidi control, a control or any other character that shows as nothing or breaks a line.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    text: &'a str,
    chars: usize,
}

impl<'a> Shown<'a> {
    /// A title.
    #[must_use]
    pub fn title(text: &'a str) -> Self {
        Self { text, chars: TITLE_CHARS }
    }

    /// A path or a pattern.
    #[must_use]
    pub fn path(text: &'a str) -> Self {
        Self { text, chars: PATH_CHARS }
    }

    /// An id, a status or another short name.
    #[must_use]
    pub fn name(text: &'a str) -> Self {
        Self { text, chars: NAME_CHARS }
    }

    /// The message of a finding.
    #[must_use]
    pub fn message(text: &'a str) -> Self {
        Self { text, chars: MESSAGE_CHARS }
    }

    /// The text for an attribute: the marks are part of it.
    #[must_use]
    pub fn plain(self) -> String {
        let mut out = String::new();
        for piece in pieces(self.kept()) {
            match piece {
                Piece::Visible(text) => out.push_str(text),
                Piece::Hidden(run) => mark(&mut out, run),
            }
        }
        if self.is_cut() {
            out.push('…');
        }
        out
    }

    /// As much of it as is shown.
    fn kept(self) -> &'a str {
        self.text.char_indices().nth(self.chars).map_or(self.text, |(end, _)| &self.text[..end])
    }

    fn is_cut(self) -> bool {
        self.kept().len() < self.text.len()
    }
}

impl Render for Shown<'_> {
    fn render_to(&self, out: &mut String) {
        for piece in pieces(self.kept()) {
            match piece {
                // Writing to a string cannot fail.
                Piece::Visible(text) => {
                    let _ = Escaper::new(out).write_str(text);
                }
                Piece::Hidden(run) => {
                    out.push_str("<b class=\"hidden-char\">");
                    mark(out, run);
                    out.push_str("</b>");
                }
            }
        }
        if self.is_cut() {
            let _ = write!(out, "<i class=\"cut\">… ({} bytes in all)</i>", self.text.len());
        }
    }
}

/// A stretch of text, either all visible or all hidden.
enum Piece<'a> {
    Visible(&'a str),
    Hidden(&'a str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    let mut before = None;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let hidden = is_hidden(first, before);
        let mut last = before;
        let end = rest.char_indices().find(|&(_, c)| {
            let ends = is_hidden(c, last) != hidden;
            if !ends {
                last = Some(c);
            }
            ends
        });
        let (piece, others) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        (rest, before) = (others, last);
        Some(if hidden { Piece::Hidden(piece) } else { Piece::Visible(piece) })
    })
}

/// One variation selector after something visible is how emoji are written.
fn is_hidden(c: char, before: Option<char>) -> bool {
    if is_variation_selector(c) {
        return before.is_none_or(|b| b == '/' || is_variation_selector(b) || is_invisible(b));
    }
    is_invisible(c)
}

/// Shows as nothing, or breaks a line, or changes how the others are shown.
pub(super) fn is_invisible(c: char) -> bool {
    is_control(c) || is_line_separator(c) || is_default_ignorable(c) || is_interlinear_annotation(c)
}

/// Names the characters of a run. The mark has no character that markup would have to escape.
fn mark(out: &mut String, run: &str) {
    out.push('‹');
    for (place, c) in run.chars().take(NAMED_OF_A_RUN).enumerate() {
        let _ = write!(out, "{}U+{:04X}", if place > 0 { " " } else { "" }, u32::from(c));
    }
    let rest = run.chars().count().saturating_sub(NAMED_OF_A_RUN);
    if rest > 0 {
        let _ = write!(out, " and {rest} more");
    }
    out.push('›');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn html(text: &str) -> String {
        Shown::name(text).render().0
    }

    #[test]
    fn what_nobody_sees_is_marked_and_what_markup_means_is_escaped() {
        for (text, expected) in [
            ("plain é 日本", "plain é 日本"),
            ("<b>&\"", "&lt;b&gt;&amp;&quot;"),
            ("a\u{202e}b", "a<b class=\"hidden-char\">‹U+202E›</b>b"),
            ("\0\n\u{2028}", "<b class=\"hidden-char\">‹U+0000 U+000A U+2028›</b>"),
            ("❤\u{fe0f}", "❤\u{fe0f}"),
            ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}<b class=\"hidden-char\">‹U+FE0F›</b>"),
            ("\u{fe0f}", "<b class=\"hidden-char\">‹U+FE0F›</b>"),
            (
                "\u{e0041}".repeat(10).as_str(),
                "<b class=\"hidden-char\">‹U+E0041 U+E0041 U+E0041 U+E0041 U+E0041 U+E0041 U+E0041 U+E0041 and 2 more›</b>",
            ),
        ] {
            assert_eq!(html(text), expected, "{text:?}");
        }
    }

    #[test]
    fn long_text_is_cut_at_characters_and_says_how_long_it_is() {
        let text = "é".repeat(NAME_CHARS);
        assert_eq!(html(&text), text);
        let longer = format!("{text}é");
        assert_eq!(html(&longer), format!("{text}<i class=\"cut\">… ({} bytes in all)</i>", longer.len()));
        assert_eq!(Shown::name(&longer).plain(), format!("{text}…"));
    }

    proptest! {
        #[test]
        fn nothing_invisible_and_no_markup_of_the_text_is_left(text in any::<String>()) {
            let plain = Shown::title(&text).plain();
            let selects = |c: char| is_variation_selector(c);
            prop_assert!(!plain.chars().any(|c| is_invisible(c) && !selects(c)), "{plain:?}");
            let html = html(&text).replace("<b class=\"hidden-char\">", "").replace("</b>", "");
            let html = html.split("<i class=\"cut\">").next().unwrap_or_default();
            prop_assert!(!html.contains(['<', '>', '"']), "{html}");
        }
    }
}
