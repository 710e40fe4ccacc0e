//! The command line that a copy button copies.

use std::fmt::Write as _;

use super::limits::COPIED_BYTES;
use super::text::is_invisible as is_hidden;
use crate::engine::DEFAULT_DIR;

/// `adr explain` for a file, quoted for the shell of the platform: POSIX (with `$'…'`, which bash, zsh and ksh have,
/// where a character is hidden), or PowerShell on Windows. None where it cannot be said in visible characters, or is
/// longer than [`COPIED_BYTES`].
pub(super) fn explain(corpus: &str, path: &str) -> Option<String> {
    if path.len() > COPIED_BYTES {
        return None;
    }
    let dir = if corpus == DEFAULT_DIR { String::new() } else { format!("--dir {} ", quote(corpus)?) };
    let command = format!("adr explain {dir}-- {}", quote(path)?);
    (command.len() <= COPIED_BYTES).then_some(command)
}

fn quote(text: &str) -> Option<String> {
    if cfg!(windows) { powershell(text) } else { Some(posix(text)) }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+:@%".contains(&b))
}

fn posix(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    if !text.chars().any(is_hidden) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut out = "$'".to_owned();
    for c in text.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            // Bytes, because bash 3 (macOS) knows no other form. Writing to a string cannot fail.
            c if is_hidden(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    out + "'"
}

/// PowerShell takes the typographic quotes for `'` as well.
fn powershell(text: &str) -> Option<String> {
    if text.chars().any(is_hidden) {
        return None;
    }
    if is_plain(text) && !text.starts_with('@') {
        return Some(text.to_owned());
    }
    let doubled = text.chars().flat_map(|c| {
        let again = matches!(c, '\'' | '\u{2018}'..='\u{201B}').then_some(c);
        std::iter::once(c).chain(again)
    });
    Some(format!("'{}'", doubled.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_posix_shell_reads_one_word() {
        for (text, quoted) in [
            ("src/a-b_c.ts", "src/a-b_c.ts"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(x)`y`\\", "'$(x)`y`\\'"),
            ("it's", r"'it'\''s'"),
            ("~", "'~'"),
            ("a\nb'\\", r"$'a\012b\'\\'"),
            ("a\u{202e}é", r"$'a\342\200\256é'"),
        ] {
            assert_eq!(posix(text), quoted, "{text:?}");
        }
    }

    #[test]
    fn powershell_reads_one_word_or_none_is_offered() {
        for (text, quoted) in [
            ("src/a.ts", Some("src/a.ts")),
            ("@a", Some("'@a'")),
            ("a b", Some("'a b'")),
            ("it's", Some("'it''s'")),
            ("it\u{2019}s", Some("'it\u{2019}\u{2019}s'")),
            ("a\u{202e}", None),
        ] {
            assert_eq!(powershell(text).as_deref(), quoted, "{text:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_corpus_is_named_where_it_is_not_the_usual_one() {
        assert_eq!(explain("docs/adr", "-x").as_deref(), Some("adr explain -- -x"));
        assert_eq!(explain("my adr", "a").as_deref(), Some("adr explain --dir 'my adr' -- a"));
    }
}
