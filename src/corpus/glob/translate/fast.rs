//! The two short cuts of the translation: whole patterns that are known, and patterns without structure.

use super::{DOT, Failure, GLOBSTAR, NO_DOT, ONE_CHAR, QMARK, QMARK_NO_DOT, SLASH, STAR};
use crate::corpus::glob::BadPattern;

/// How many `.word` endings a known pattern may have. picomatch recurses into each, and V8's stack (984 KiB) holds
/// between 5,000 and 10,000.
const MAX_ENDINGS: usize = 7_000;

/// A known pattern, or one followed by `.word` endings. Any may be followed by a slash.
pub fn whole(input: &str) -> Result<Option<String>, Failure> {
    let mut rest = input;
    let mut endings = Vec::new();
    let mut output = loop {
        if let Some(output) = known(rest) {
            break output;
        }
        let Some((before, word)) = rest.rsplit_once('.') else { return Ok(None) };
        let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_word {
            return Ok(None);
        }
        if endings.is_empty() && before.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
            return Ok(None);
        }
        endings.push(word);
        if endings.len() > MAX_ENDINGS {
            return Err(Failure::Bad(BadPattern::Invalid));
        }
        rest = before;
    };
    for word in endings.into_iter().rev() {
        output.push_str(DOT);
        output.push_str(word);
    }
    output.push_str(SLASH);
    output.push('?');
    Ok(Some(output))
}

fn known(input: &str) -> Option<String> {
    let directories = format_args!("(?:{NO_DOT}{GLOBSTAR}{SLASH})?");
    Some(match input {
        "*" => format!("{NO_DOT}{ONE_CHAR}{STAR}"),
        ".*" => format!("{DOT}{ONE_CHAR}{STAR}"),
        "*.*" => format!("{NO_DOT}{STAR}{DOT}{ONE_CHAR}{STAR}"),
        "*/*" => format!("{NO_DOT}{STAR}{SLASH}{ONE_CHAR}{NO_DOT}{STAR}"),
        "**" => format!("{NO_DOT}{GLOBSTAR}"),
        "**/*" => format!("{directories}{NO_DOT}{ONE_CHAR}{STAR}"),
        "**/*.*" => format!("{directories}{NO_DOT}{STAR}{DOT}{ONE_CHAR}{STAR}"),
        "**/.*" => format!("{directories}{DOT}{ONE_CHAR}{STAR}"),
        _ => return None,
    })
}

/// A pattern without slash, bracket, brace or quote, that does not begin with `*` or `!`: translated run by run of equal
/// characters.
pub fn plain(input: &str) -> Option<String> {
    if input.starts_with(['*', '!']) || input.contains(['/', '(', ')', '[', ']', '{', '}', '"']) {
        return None;
    }
    let mut output = String::with_capacity(input.len() + 16);
    let mut backslashes = false;
    let mut rest = input;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            output.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        // A backslash belongs to the run that follows, unless a word character does.
        let after = rest.strip_prefix('\\').and_then(|after| after.chars().next());
        let (escape, first) = match after {
            Some(c) if !(c.is_ascii_alphanumeric() || c == '_') => ("\\", c),
            _ => ("", first),
        };
        let run = &rest[escape.len()..];
        // Two surrogates are never equal, so a character beyond the BMP is a run of its own.
        let length = match first.len_utf16() {
            1 => run.len() - run.trim_start_matches(first).len(),
            _ => first.len_utf8(),
        };
        let count = length / first.len_utf8();
        let whole = &rest[..escape.len() + length];
        rest = &rest[whole.len()..];
        match (first, escape) {
            ('\\', _) => {
                backslashes = true;
                output.push_str(whole);
            }
            ('?', "") => {
                let at_start = output.is_empty() && whole.as_ptr() == input.as_ptr();
                output.push_str(if at_start { QMARK_NO_DOT } else { QMARK });
                (1..count).for_each(|_| output.push_str(QMARK));
            }
            ('?', _) => {
                output.push_str("\\?");
                (1..count).for_each(|_| output.push_str(QMARK));
            }
            ('.', _) => (0..count).for_each(|_| output.push_str(DOT)),
            ('*', "") => output.push_str(STAR),
            ('*', _) => {
                output.push_str("\\*");
                if count > 1 {
                    output.push_str(STAR);
                }
            }
            (_, "") => {
                output.push('\\');
                output.push_str(whole);
            }
            _ => output.push_str(whole),
        }
    }
    if backslashes { Some(collapse_backslashes(&output)) } else { Some(output) }
}

/// Every run of backslashes becomes one or two, by whether it is odd or even.
fn collapse_backslashes(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    let mut run = 0;
    for c in text.chars().map(Some).chain([None]) {
        if c == Some('\\') {
            run += 1;
            continue;
        }
        if run > 0 {
            output.push_str(if run % 2 == 0 { "\\\\" } else { "\\" });
            run = 0;
        }
        output.extend(c);
    }
    output
}
