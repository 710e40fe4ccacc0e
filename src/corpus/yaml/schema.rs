//! The types of plain scalars: YAML 1.2's core schema, and YAML 1.1's for documents that ask for it.

use super::tags::Tag;
use super::value::{Opaque, Value};

/// The value of untagged plain text.
pub(super) fn plain(text: &str, is_1_1: bool) -> Value {
    let types: &[Tag] = if is_1_1 {
        &[Tag::Null, Tag::Bool, Tag::Int, Tag::Float, Tag::Timestamp]
    } else {
        &[Tag::Null, Tag::Bool, Tag::Int, Tag::Float]
    };
    types.iter().find_map(|tag| typed(text, *tag, is_1_1)).unwrap_or_else(|| text.into())
}

/// The value of a scalar with a tag. It is text where the tag does not fit it.
pub(super) fn tagged(text: &str, tag: Tag, is_1_1: bool) -> Result<Value, &'static str> {
    match tag {
        Tag::Binary => Ok(Value::Opaque(Opaque::Bytes)),
        Tag::Timestamp if !is_1_1 && !is_timestamp(text) => Err("!!timestamp needs a date"),
        _ => Ok(typed(text, tag, is_1_1).unwrap_or_else(|| text.into())),
    }
}

fn typed(text: &str, tag: Tag, is_1_1: bool) -> Option<Value> {
    match tag {
        Tag::Null => matches!(text, "" | "~" | "null" | "Null" | "NULL").then_some(Value::Null),
        Tag::Bool => bool(text, is_1_1).map(Value::Bool),
        Tag::Int => if is_1_1 { int_1_1(text) } else { int(text) }.map(Value::Number),
        Tag::Float => float(text, is_1_1).map(Value::Number),
        Tag::Timestamp => is_timestamp(text).then_some(Value::Opaque(Opaque::Date)),
        _ => None,
    }
}

fn bool(text: &str, is_1_1: bool) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" if is_1_1 => Some(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" if is_1_1 => Some(false),
        _ => None,
    }
}

fn unsigned(text: &str) -> (&str, f64) {
    match text.as_bytes().first() {
        Some(b'-') => (&text[1..], -1.0),
        Some(b'+') => (&text[1..], 1.0),
        _ => (text, 1.0),
    }
}

fn all(text: &str, is_one: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(is_one)
}

/// Digits of a base that is a power of two, rounded to the nearest double as JavaScript does.
fn power_of_two_base(digits: &str, bits: u32) -> f64 {
    let mut mantissa: u64 = 0;
    let mut dropped: i32 = 0;
    let mut is_inexact = false;
    for digit in digits.chars().filter_map(|c| c.to_digit(1 << bits)) {
        if mantissa.leading_zeros() > bits {
            mantissa = (mantissa << bits) | u64::from(digit);
        } else {
            dropped = dropped.saturating_add(bits.cast_signed());
            is_inexact |= digit != 0;
        }
    }
    // More than 53 bits are kept, so that one sticky bit makes the conversion round correctly.
    #[expect(clippy::cast_precision_loss, reason = "rounding is the point")]
    let rounded = (mantissa | u64::from(is_inexact)) as f64;
    rounded * 2f64.powi(dropped)
}

fn decimal(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

fn int(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0o") {
        return all(digits, |b| (b'0'..=b'7').contains(&b)).then(|| power_of_two_base(digits, 3));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, |b| b.is_ascii_hexdigit()).then(|| power_of_two_base(digits, 4));
    }
    let (digits, sign) = unsigned(text);
    all(digits, |b| b.is_ascii_digit()).then(|| sign * decimal(digits))
}

fn int_1_1(text: &str) -> Option<f64> {
    let (digits, sign) = unsigned(text);
    let number = |digits: &str, bits| {
        let digits = digits.replace('_', "");
        let value = match bits {
            _ if digits.is_empty() => f64::NAN,
            Some(bits) => power_of_two_base(&digits, bits),
            None => decimal(&digits),
        };
        Some(sign * value)
    };
    if let Some(rest) = digits.strip_prefix("0b").filter(|s| all(s, |b| matches!(b, b'0' | b'1' | b'_'))) {
        return number(rest, Some(1));
    }
    if let Some(rest) = digits.strip_prefix('0').filter(|s| all(s, |b| matches!(b, b'0'..=b'7' | b'_'))) {
        return number(rest, Some(3));
    }
    if let Some(rest) = digits.strip_prefix("0x").filter(|s| all(s, |b| b.is_ascii_hexdigit() || b == b'_')) {
        return number(rest, Some(4));
    }
    let begins_with_digit = digits.bytes().next().is_some_and(|b| b.is_ascii_digit());
    if begins_with_digit && all(digits, |b| b.is_ascii_digit() || b == b'_') {
        return number(digits, None);
    }
    // Sexagesimal: hours, minutes and seconds.
    sexagesimal(digits, false).map(|n| sign * n)
}

/// `h:mm:ss`, with a fraction of the last part where `fraction`.
fn sexagesimal(digits: &str, fraction: bool) -> Option<f64> {
    let digits_only = |s: &str| all(s, |b| b.is_ascii_digit());
    let (whole, part) = if fraction { digits.rsplit_once('.')? } else { (digits, "") };
    if !part.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return None;
    }
    let mut groups = whole.split(':');
    let first = groups.next()?;
    if !first.bytes().next()?.is_ascii_digit() || !all(first, |b| b.is_ascii_digit() || b == b'_') {
        return None;
    }
    let mut total = decimal(&first.replace('_', ""));
    let mut count = 0;
    for group in groups {
        let is_short = group.len() == 1 || (group.len() == 2 && matches!(group.as_bytes()[0], b'0'..=b'5'));
        if !is_short || !digits_only(group) {
            return None;
        }
        total = total * 60.0 + decimal(group);
        count += 1;
    }
    let part = part.replace('_', "");
    if !part.is_empty() {
        total += decimal(&format!("0.{part}"));
    }
    (count > 0).then_some(total)
}

fn float(text: &str, is_1_1: bool) -> Option<f64> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        _ => {}
    }
    let (digits, sign) = unsigned(text);
    if matches!(digits, ".inf" | ".Inf" | ".INF") {
        return Some(sign * f64::INFINITY);
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    if let Some(exponent) = exponent {
        let (power, _) = unsigned(exponent);
        if !all(power, |b| b.is_ascii_digit()) {
            return None;
        }
    }
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    if exponent.is_none() && part.is_none() {
        return None;
    }
    if is_1_1 {
        let is_number = |s: &str| s.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        if whole.starts_with('_') || !is_number(whole) || !is_number(part.unwrap_or_default()) {
            return if exponent.is_none() { sexagesimal(digits, true).map(|n| sign * n) } else { None };
        }
        // Without any digit this is not a number to JavaScript, though it is a float to YAML.
        return Some(sign * decimal(&digits.replace('_', "")));
    }
    let is_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let has_digits = !whole.is_empty() || part.is_some_and(|p| !p.is_empty());
    if !has_digits || !is_digits(whole) || !is_digits(part.unwrap_or_default()) {
        return None;
    }
    Some(sign * decimal(digits))
}

/// `YYYY-M-D`, optionally with a time and a zone; the numbers need not make a date.
fn is_timestamp(text: &str) -> bool {
    fn digits(text: &mut &str, min: usize, max: usize) -> bool {
        let count = text.bytes().take(max).take_while(u8::is_ascii_digit).count();
        *text = &text[count..];
        count >= min
    }
    fn literal(text: &mut &str, byte: char) -> bool {
        text.strip_prefix(byte).is_some_and(|rest| {
            *text = rest;
            true
        })
    }
    fn blanks(text: &mut &str) -> bool {
        let rest = text.trim_start_matches([' ', '\t']);
        let any = rest.len() < text.len();
        *text = rest;
        any
    }
    let mut rest = text;
    let r = &mut rest;
    if !(digits(r, 4, 4) && literal(r, '-') && digits(r, 1, 2) && literal(r, '-') && digits(r, 1, 2)) {
        return false;
    }
    if r.is_empty() {
        return true;
    }
    if !(literal(r, 't') || literal(r, 'T') || blanks(r)) {
        return false;
    }
    if !(digits(r, 1, 2) && literal(r, ':') && digits(r, 1, 2) && literal(r, ':') && digits(r, 1, 2)) {
        return false;
    }
    if literal(r, '.') && !digits(r, 1, usize::MAX) {
        return false;
    }
    if r.is_empty() {
        return true;
    }
    blanks(r);
    if literal(r, 'Z') {
        return r.is_empty();
    }
    if !(literal(r, '-') || literal(r, '+')) {
        return false;
    }
    let hours = r.bytes().take_while(u8::is_ascii_digit).count();
    let is_hour = hours == 1 || (hours == 2 && matches!(r.as_bytes()[0], b'0'..=b'2'));
    *r = &r[hours..];
    is_hour && (r.is_empty() || (literal(r, ':') && digits(r, 2, 2) && r.is_empty()))
}
