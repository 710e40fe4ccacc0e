//! From a pattern to the text of the regular expression that picomatch makes of it.
//!
//! The text matters to the letter: many patterns pass through as regex syntax, and what picomatch makes of odd ones
//! follows from how it cuts and joins text. So the same text is made here, by the same steps, and [`super::jsregex`]
//! reads it as JavaScript would.

mod analysis;
mod braces;
mod brackets;
mod extglob;
mod fast;
mod machine;
mod output;
mod punctuation;
mod stars;
mod token;

#[cfg(test)]
mod tests;

use super::BadPattern;
use crate::text::len_code_units;

/// The longest pattern, in UTF-16 code units.
pub const MAX_UNITS: usize = 1 << 16;

/// `*` within a segment.
const STAR: &str = "[^/]*?";
/// `**`: anything but a segment that begins with a dot.
const GLOBSTAR: &str = "(?:(?:(?!(?:^|\\/)\\.).)*?)";
const NO_DOT: &str = "(?!\\.)";
const NO_DOT_SLASH: &str = "(?!\\.{0,1}(?:\\/|$))";
const ONE_CHAR: &str = "(?=.)";
const DOT: &str = "\\.";
const PLUS: &str = "\\+";
const SLASH: &str = "\\/";
const QMARK: &str = "[^/]";
const QMARK_NO_DOT: &str = "[^.\\/]";

/// Why a pattern has no expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Making it fails in picomatch too.
    Bad(BadPattern),
    /// Making it needs more work than is allowed ([`analysis::Budget`]); picomatch would need seconds to hours.
    TooMuchWork,
}

/// The source of the regular expression for `pattern`.
pub fn translate(pattern: &str) -> Result<String, Failure> {
    if pattern.is_empty() || pattern.len() > MAX_UNITS && len_code_units(pattern) > MAX_UNITS {
        return Err(Failure::Bad(BadPattern::Invalid));
    }
    let whole = match pattern {
        "***" => "*",
        "**/**" | "**/**/**" => "**",
        other => other,
    };
    let input = whole.strip_prefix("./").unwrap_or(whole);
    if pattern.starts_with(['.', '*'])
        && let Some(output) = fast::whole(input)?
    {
        return Ok(anchor(&output));
    }
    let output = match fast::plain(input) {
        Some(output) => anchor(&output),
        None => machine::run(input)?,
    };
    Ok(anchor(&output))
}

fn anchor(output: &str) -> String {
    format!("^(?:{output})$")
}

/// Escapes what is special in a regular expression.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_special(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The escape of one code unit, for half of a pair, which no string can hold.
fn escape_unit(unit: u16) -> String {
    format!("\\u{unit:04x}")
}

fn is_special(c: char) -> bool {
    matches!(c, '-' | '*' | '+' | '?' | '.' | '^' | '$' | '{' | '}' | '(' | '|' | ')' | '[' | ']')
}
