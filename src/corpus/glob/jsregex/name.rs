//! The names of capture groups.

use super::SyntaxError;

/// Reads `name>` at `at`; the name and the position after `>`.
///
/// A name is an ECMAScript identifier, in which `\uXXXX` and `\u{X}` stand for characters. Beyond ASCII the identifier
/// properties are approximated by "alphabetic" and "numeric".
pub fn read(units: &[u16], mut at: usize) -> Result<(String, usize), SyntaxError> {
    let mut name = String::new();
    loop {
        let (c, next) = character(units, at)?;
        let escaped = units[at] == u16::from(b'\\');
        at = next;
        if c == '>' && !escaped {
            return if name.is_empty() { Err(SyntaxError) } else { Ok((name, at)) };
        }
        let fits = c == '$' || c == '_' || c.is_alphabetic() && !(name.is_empty() && is_mark(c));
        let continues = c.is_numeric() || is_mark(c) || c == '\u{200C}' || c == '\u{200D}';
        if !(fits || continues && !name.is_empty()) {
            return Err(SyntaxError);
        }
        name.push(c);
    }
}

/// The combining marks that identifiers of living scripts are likely to hold.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}' | '\u{900}'..='\u{903}' | '\u{93A}'..='\u{94F}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20DC}')
}

fn character(units: &[u16], at: usize) -> Result<(char, usize), SyntaxError> {
    let first = *units.get(at).ok_or(SyntaxError)?;
    if first == u16::from(b'\\') {
        return escape(units, at + 1);
    }
    let c = char::decode_utf16(units[at..].iter().copied().take(2)).next();
    let c = c.and_then(Result::ok).ok_or(SyntaxError)?;
    Ok((c, at + c.len_utf16()))
}

/// Reads `uXXXX` or `u{X}`; two escaped surrogates make one character.
fn escape(units: &[u16], at: usize) -> Result<(char, usize), SyntaxError> {
    if units.get(at) != Some(&u16::from(b'u')) {
        return Err(SyntaxError);
    }
    if units.get(at + 1) == Some(&u16::from(b'{')) {
        let mut value = 0u32;
        let mut at = at + 2;
        let begin = at;
        while let Some(digit) = units.get(at).and_then(|&u| hex(u)) {
            value = value.saturating_mul(16).saturating_add(digit);
            at += 1;
        }
        if at == begin || units.get(at) != Some(&u16::from(b'}')) {
            return Err(SyntaxError);
        }
        return Ok((char::from_u32(value).ok_or(SyntaxError)?, at + 1));
    }
    let (high, next) = four(units, at + 1).ok_or(SyntaxError)?;
    if let Some(c) = char::from_u32(high) {
        return Ok((c, next));
    }
    if units.get(next..next + 2) != Some(&[u16::from(b'\\'), u16::from(b'u')]) {
        return Err(SyntaxError);
    }
    let (low, next) = four(units, next + 2).ok_or(SyntaxError)?;
    let pair = [high, low].map(|half| u16::try_from(half).unwrap_or(0));
    let c = char::decode_utf16(pair).next().and_then(Result::ok).ok_or(SyntaxError)?;
    Ok((c, next))
}

fn four(units: &[u16], at: usize) -> Option<(u32, usize)> {
    let mut value = 0;
    for &unit in units.get(at..at + 4)? {
        value = value * 16 + hex(unit)?;
    }
    Some((value, at + 4))
}

/// The value of a hexadecimal digit.
pub fn hex(unit: u16) -> Option<u32> {
    char::from_u32(u32::from(unit))?.to_digit(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let read_all = |text: &str| read(&text.encode_utf16().collect::<Vec<_>>(), 0).map(|(name, _)| name);
        for (text, name) in [
            ("a>", "a"),
            ("$_1>x", "$_1"),
            ("\\u0061b>", "ab"),
            ("a\\u{62}>", "ab"),
            ("\u{10400}>", "\u{10400}"),
            ("\\ud801\\udc00>", "\u{10400}"),
            ("a\u{300}>", "a\u{300}"),
        ] {
            assert_eq!(read_all(text), Ok(name.to_owned()), "{text}");
        }
        for text in
            ["", ">", "1a>", "a", "a b>", "\u{300}>", "\\u{}>", "\\x61>", "\\ud801>", "\\u003e>", "a-b>"]
        {
            assert_eq!(read_all(text), Err(SyntaxError), "{text}");
        }
    }
}
