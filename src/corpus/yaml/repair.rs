//! Small repairs of the source, where npm `yaml` reads on and the parser used here stops.
//!
//! Each is made only where the parser has stopped for exactly that reason, and the text is then read again. What a
//! repair cannot mend stays an error.

use granit_parser::{ErrorKind, ScanError};

use super::SyntaxError;

/// How many repairs one document may need. Each costs another reading.
const MAX_REPAIRS: usize = 64;

/// The characters that may stand for control characters while the text is read: a block of private use.
const STAND_IN: u32 = 0xF_0000;

/// Text that is being read, and repaired where that is needed.
pub(super) struct Source {
    pub text: String,
    /// Control characters have stand-ins.
    hides_controls: bool,
    /// Where it was repaired, as lengths of what follows: those do not move when something before them is repaired.
    repaired: Vec<usize>,
}

impl Source {
    pub fn new(text: &str) -> Self {
        // npm yaml takes control characters for ordinary ones, a carriage return in a line too.
        let is_foreign =
            |(at, c): (usize, char)| is_refused(c) || (c == '\r' && !text[at..].starts_with("\r\n"));
        let hides_controls = text.char_indices().any(is_foreign) && !text.chars().any(|c| shown(c).is_some());
        if !hides_controls {
            return Self { text: text.to_owned(), hides_controls, repaired: Vec::new() };
        }
        let hide = |(at, c)| if is_foreign((at, c)) { stand_in(c) } else { c };
        Self { text: text.char_indices().map(hide).collect(), hides_controls, repaired: Vec::new() }
    }

    /// A piece of the text as it was written.
    pub fn restore(&self, piece: &str) -> String {
        if self.hides_controls {
            piece.chars().map(|c| shown(c).unwrap_or(c)).collect()
        } else {
            piece.to_owned()
        }
    }

    /// Mends what stopped the parser, or says what is wrong.
    pub fn repair(&mut self, error: &ScanError) -> Result<(), SyntaxError> {
        let at = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
        let stop = SyntaxError::new(at, reason(error.kind()));
        let (before, after) = self.text.split_at_checked(at).ok_or(stop)?;
        let rest = after.len();
        if self.repaired.contains(&rest) || self.repaired.len() == MAX_REPAIRS {
            return Err(stop);
        }
        let mended = match error.kind() {
            // A closing bracket may stand at the column of its parent; one blank takes it past that.
            ErrorKind::InvalidIndentation if after.starts_with([']', '}']) => format!("{before} {after}"),
            // An outdented line ends a quoted scalar, and the scalar's last character closes it, escaped or not.
            ErrorKind::InvalidQuotedScalarIndent if !after.is_empty() => {
                let line = before.trim_end_matches(['\n', '\r', ' ', '\t']);
                let quote = line.chars().next_back().filter(|c| matches!(c, '\'' | '"')).ok_or(stop)?;
                format!("{line}{quote}{}", &self.text[line.len()..])
            }
            ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate
            | ErrorKind::InvalidLowSurrogate
            | ErrorKind::InvalidLowSurrogateHexEscape => {
                let (from, to) = lone_surrogate(after).ok_or(stop)?;
                format!("{before}{}\\ufffd{}", &after[..from], &after[to..])
            }
            _ => return Err(stop),
        };
        self.repaired.push(rest);
        self.text = mended;
        Ok(())
    }
}

/// The characters at which the parser stops.
fn is_refused(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}'
        | '\u{7F}'..='\u{84}' | '\u{86}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
}

fn stand_in(c: char) -> char {
    char::from_u32(STAND_IN + (u32::from(c) & 0xFF)).unwrap_or(c)
}

fn shown(c: char) -> Option<char> {
    match u32::from(c).checked_sub(STAND_IN)? {
        low @ 0xFE..=0xFF => char::from_u32(0xFF00 + low),
        low @ 0..0xFE => char::from_u32(low),
        _ => None,
    }
}

/// Where the first escape of half a character stands that has no other half.
fn lone_surrogate(text: &str) -> Option<(usize, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('\\') {
        at += found;
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => return Some((at, at + 6)),
            _ => at += 2,
        }
    }
    None
}

fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidIndentation | ErrorKind::InvalidQuotedScalarIndent => "the indentation is wrong",
        _ => "the text is not YAML",
    }
}
