//! The two string measures that the `adr` command takes from JavaScript: UTF-16 length and code-unit order.

use std::cmp::Ordering;

/// Compares as JavaScript's `<` does, by UTF-16 code units. It differs from Rust's order only where an astral
/// character meets one of U+E000 to U+FFFF.
#[must_use]
pub fn cmp_code_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// JavaScript's `length`: the number of UTF-16 code units.
#[must_use]
pub fn len_code_units(s: &str) -> usize {
    s.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn astral_characters_sort_below_the_private_use_area() {
        assert_eq!(cmp_code_units("\u{1F600}", "\u{E000}"), Ordering::Less);
        assert_eq!("\u{1F600}".cmp("\u{E000}"), Ordering::Greater);
        assert_eq!(cmp_code_units("a", "ab"), Ordering::Less);
        assert_eq!(len_code_units("a\u{1F600}"), 3);
    }
}
