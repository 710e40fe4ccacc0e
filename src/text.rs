//! The two string measures that the `adr` command takes from JavaScript, UTF-16 length and code-unit order; and how
//! Windows compares names.

use std::cmp::Ordering;

/// Compares as JavaScript's `<` does, by UTF-16 code units. It differs from Rust's order only where an astral
/// character meets one of U+E000 to U+FFFF.
#[must_use]
pub fn cmp_code_units(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let Some((x, y)) = a.iter().zip(b).find(|(x, y)| x != y) else { return a.len().cmp(&b.len()) };
    // Bytes that differ inside a character follow equal first bytes, so only first bytes can disagree: those from F0
    // on begin astral characters, and EE and EF those from U+E000 on.
    let is_high = |byte: u8| matches!(byte, 0xEE | 0xEF);
    match (*x, *y) {
        (0xF0.., y) if is_high(y) => Ordering::Less,
        (x, 0xF0..) if is_high(x) => Ordering::Greater,
        (x, y) => x.cmp(&y),
    }
}

/// JavaScript's `length`: the number of UTF-16 code units.
#[must_use]
pub fn len_code_units(s: &str) -> usize {
    s.encode_utf16().count()
}

/// Whether two names of files are one on Windows, as far as letter case goes: it compares character by character in
/// upper case.
#[must_use]
pub fn eq_on_windows(a: &str, b: &str) -> bool {
    a.chars().map(upper).eq(b.chars().map(upper))
}

/// One character to one: where upper case takes several, the character stays as it is.
fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_that_of_code_units(a in "[a-c\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}é]{0,4}", b in "[a-c\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}é]{0,4}") {
            prop_assert_eq!(cmp_code_units(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
        }
    }

    #[test]
    fn astral_characters_sort_below_the_private_use_area() {
        assert_eq!(cmp_code_units("\u{1F600}", "\u{E000}"), Ordering::Less);
        assert_eq!("\u{1F600}".cmp("\u{E000}"), Ordering::Greater);
        assert_eq!(cmp_code_units("a", "ab"), Ordering::Less);
        assert_eq!(len_code_units("a\u{1F600}"), 3);
    }
}
