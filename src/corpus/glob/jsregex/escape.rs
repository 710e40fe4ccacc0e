//! What follows a backslash, where it stands for one unit.

use super::SyntaxError;
use super::name::hex;

/// Reads the escape after the backslash at `at - 1`, the same inside and outside a class.
///
/// `Ok((unit, next))`. `\c` without a letter stands for the backslash alone, so `next` is then `at`.
pub fn unit(
    units: &[u16],
    at: usize,
    in_class: bool,
    named_groups: bool,
) -> Result<(u16, usize), SyntaxError> {
    let first = *units.get(at).ok_or(SyntaxError)?;
    let Ok(byte) = u8::try_from(first) else { return Ok((first, at + 1)) };
    let control = match byte {
        b'f' => 0x0C,
        b'n' => 0x0A,
        b'r' => 0x0D,
        b't' => 0x09,
        b'v' => 0x0B,
        b'b' if in_class => 0x08,
        b'0'..=b'7' => return Ok(octal(units, at)),
        b'c' => {
            let letter = units.get(at + 1).and_then(|&u| u8::try_from(u).ok());
            let takes = |l: u8| l.is_ascii_alphabetic() || in_class && (l.is_ascii_digit() || l == b'_');
            return Ok(match letter {
                Some(l) if takes(l) => (u16::from(l & 0x1F), at + 2),
                _ => (u16::from(b'\\'), at),
            });
        }
        b'x' | b'u' => {
            let digits = if byte == b'x' { 2 } else { 4 };
            return Ok(
                hexadecimal(units, at + 1, digits).map_or((first, at + 1), |value| (value, at + 1 + digits))
            );
        }
        b'k' if named_groups => return Err(SyntaxError),
        _ => first,
    };
    Ok((control, at + 1))
}

/// Up to three octal digits with a value below 256.
fn octal(units: &[u16], at: usize) -> (u16, usize) {
    let digit = |at: usize| units.get(at).map(|&u| u.wrapping_sub(u16::from(b'0'))).filter(|&d| d < 8);
    let mut value = digit(at).unwrap_or(0);
    let mut next = at + 1;
    while let Some(d) = digit(next)
        && next < at + 3
        && value < 32
    {
        value = value * 8 + d;
        next += 1;
    }
    (value, next)
}

fn hexadecimal(units: &[u16], at: usize, digits: usize) -> Option<u16> {
    let mut value = 0;
    for &unit in units.get(at..at + digits)? {
        value = value * 16 + hex(unit)?;
    }
    u16::try_from(value).ok()
}
