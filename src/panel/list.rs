//! What several parts are made of.

use maud::{Markup, html};

use super::command;
use super::limits::PATH_CHARS;
use super::text::Shown;
use super::view::{Content, Held, Subject};

/// `1 file`, `2 files`.
pub(super) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", number(n)) }
}

/// With a thin space between thousands.
pub(super) fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push('\u{202F}');
        }
        out.push(digit);
    }
    out
}

/// The heading of a part, with how many of its kind there are.
pub(super) fn heading(title: &str, count: Option<usize>) -> Markup {
    html! {
        h2 {
            (title)
            @if let Some(count) = count { " " span.count { (number(count)) } }
        }
    }
}

/// What went wrong with a part since its last result.
pub(super) fn note<T>(held: &Held<T>) -> Markup {
    html! { @if let Some(note) = &held.note { p.note { (note) } } }
}

/// A part that never had a result.
pub(super) fn missing<T>(title: &str, held: &Held<T>, content: &Content) -> Markup {
    html! { @if held.note.is_some() && !content.is_blank() { (heading(title, None)) (note(held)) } }
}

/// A sentence where a list would be.
pub(super) fn empty(sentence: &str) -> Markup {
    html! { p.empty { (sentence) } }
}

/// How many were left out of a list.
pub(super) fn more(total: usize, shown: usize) -> Markup {
    html! { @if total > shown { p.more { "and " (number(total - shown)) " more" } } }
}

/// A path: the directory dimmed, so that names can be told apart at a glance.
pub(super) fn path(path: &str) -> Markup {
    let (directory, name) = path.rsplit_once('/').map_or(("", path), |(d, _)| path.split_at(d.len() + 1));
    // What would be cut is shown in one piece, or its end would be lost.
    let whole = path.chars().nth(PATH_CHARS).is_some();
    html! {
        @if whole || directory.is_empty() || name.is_empty() {
            code.path { (Shown::path(path)) }
        } @else {
            code.path { span.dir { (Shown::path(directory)) } (Shown::path(name)) }
        }
    }
}

/// A button that copies the command that explains a file.
pub(super) fn copy(subject: &Subject, key: &str, path: &str) -> Markup {
    html! {
        @if let Some(command) = command::explain(&subject.corpus, path) {
            button type="button" data-key=(key) data-copy=(command)
                aria-label={ "Copy adr explain for " (Shown::name(path).plain()) } title="Copy adr explain" { "Copy" }
        }
    }
}

/// The status of a record, as a badge.
pub(super) fn status(status: &str) -> Markup {
    let class = match status {
        "accepted" => "badge good",
        "draft" | "proposed" => "badge open",
        _ => "badge",
    };
    html! { span class=(class) { (Shown::name(status)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let grouped = [0, 999, 1000, 12_345, 1_234_567].map(number);
        assert_eq!(grouped, ["0", "999", "1\u{202f}000", "12\u{202f}345", "1\u{202f}234\u{202f}567"]);
        assert_eq!([counted(1, "file"), counted(2, "file")], ["1 file", "2 files"]);
    }

    #[test]
    fn a_path_loses_nothing_when_its_directory_is_dimmed() {
        for (given, shown) in [
            ("a", "<code class=\"path\">a</code>"),
            ("a/b/c", "<code class=\"path\"><span class=\"dir\">a/b/</span>c</code>"),
            ("/a", "<code class=\"path\"><span class=\"dir\">/</span>a</code>"),
            ("a/", "<code class=\"path\">a/</code>"),
        ] {
            assert_eq!(path(given).0, shown);
        }
    }
}
