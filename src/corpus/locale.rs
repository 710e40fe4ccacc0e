//! The order of JavaScript's `localeCompare` in the root locale.

use std::cmp::Ordering;

use icu_collator::CollatorBorrowed;
use icu_collator::options::CollatorOptions;

static ROOT: CollatorBorrowed<'static> = CollatorBorrowed::new_root(CollatorOptions::default());

/// ASCII letters and digits alone need no collation data: whole texts without regard to case first, then lower case
/// before upper.
fn cmp_alphanumeric(a: &str, b: &str) -> Ordering {
    let fold = |b: u8| b.to_ascii_lowercase();
    a.bytes().map(fold).cmp(b.bytes().map(fold)).then_with(|| b.cmp(a))
}

/// Compares as `a.localeCompare(b)` does: whole texts by letter, then by accent, then lower case before upper.
/// Punctuation counts, and comes before digits and letters.
#[must_use]
pub fn locale_cmp(a: &str, b: &str) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let is_simple = |s: &str| s.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_simple(a) && is_simple(b) {
        return cmp_alphanumeric(a, b);
    }
    ROOT.compare(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_before_case_and_after_punctuation() {
        let sorted =
            ["", " ", "_a", "-a", "a-b", "a/b", "0a", "1", "a", "A", "ab", "aB", "Ab", "b", "é", "z"];
        let mut texts = sorted;
        texts.sort_unstable();
        texts.sort_by(|a, b| locale_cmp(a, b));
        let expected =
            ["", " ", "_a", "-a", "0a", "1", "a", "A", "a-b", "a/b", "ab", "aB", "Ab", "b", "é", "z"];
        assert_eq!(texts, expected);
    }
}
