//! Where front matter ends and the body begins.

/// A record's text in its two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'t> {
    /// The YAML, line ends included.
    pub front_matter: &'t str,
    /// Everything after the closing line.
    pub body: &'t str,
}

/// Why there are no parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FenceError {
    /// The first line is not exactly `---`.
    Opening,
    /// No later line is exactly `---`.
    Closing,
}

impl FenceError {
    pub fn message(self) -> &'static str {
        match self {
            Self::Opening => "the first line must be exactly ---",
            Self::Closing => "the front matter is not closed by a line that is exactly ---",
        }
    }
}

/// The first line with its line break, and the rest.
fn split_line(text: &str) -> (&str, &str) {
    text.split_at(text.find('\n').map_or(text.len(), |at| at + 1))
}

/// One `\r` before the end of the line is allowed, blanks and a byte order mark are not.
fn is_fence(line: &str) -> bool {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line) == "---"
}

/// Splits a record's text.
pub(super) fn split(text: &str) -> Result<Parts<'_>, FenceError> {
    let (opening, rest) = split_line(text);
    if !is_fence(opening) {
        return Err(FenceError::Opening);
    }
    let mut after = rest;
    while !after.is_empty() {
        let (line, next) = split_line(after);
        if is_fence(line) {
            let front_matter = &rest[..rest.len() - after.len()];
            return Ok(Parts { front_matter, body: next });
        }
        after = next;
    }
    Err(FenceError::Closing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_exact_lines() {
        let ok =
            |text, front_matter, body| assert_eq!(split(text), Ok(Parts { front_matter, body }), "{text:?}");
        ok("---\na: 1\n---\nbody\n", "a: 1\n", "body\n");
        ok("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n");
        ok("---\n---\n", "", "");
        ok("---\n---", "", "");
        ok("---\n--- \n---x\n....\n---\r", "--- \n---x\n....\n", "");
        let fails = |text, error| assert_eq!(split(text), Err(error), "{text:?}");
        for text in ["", "\n---\n---\n", "\u{feff}---\n---\n", "--- \n---\n", "---\r---\n", " ---\n---\n"] {
            fails(text, FenceError::Opening);
        }
        for text in ["---", "---\n", "---\na: 1\n--- \n", "---\n---\r\r\n"] {
            fails(text, FenceError::Closing);
        }
    }
}
