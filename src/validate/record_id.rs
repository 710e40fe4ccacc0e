//! The grammar of a record's own id.

/// Letters of a ULID. Crockford's base 32 leaves out I, L, O and U.
const ULID_CHARS: usize = 26;

/// Whether `id` is a record's own id: four or more digits, or a ULID of 26 Crockford letters in either case.
///
/// ASCII only, and without the `namespace:` of a cross-reference: a namespace is free text that a corpus could spell
/// words in. There is no upper limit on the digits; who puts ids into a text for a model bounds that text.
#[must_use]
pub fn is_record_id(id: &str) -> bool {
    let bytes = id.as_bytes();
    let digits = bytes.len() >= 4 && bytes.iter().all(u8::is_ascii_digit);
    digits || (bytes.len() == ULID_CHARS && bytes.iter().all(|&b| is_crockford(b)))
}

fn is_crockford(b: u8) -> bool {
    b.is_ascii_alphanumeric() && !matches!(b.to_ascii_uppercase(), b'I' | b'L' | b'O' | b'U')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn accepts_digits_and_ulids() {
        for id in [
            "0001",
            "0000",
            "12345",
            "00010002000300040005",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "01arz3ndektsv4rrffq69g5fav",
            "zzzzzzzzzzzzzzzzzzzzzzzzzz",
            "00000000000000000000000000",
        ] {
            assert!(is_record_id(id), "{id}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        for id in [
            "",
            "1",
            "001",
            "payments:0001",
            ":0001",
            "0001:",
            "0001 ",
            " 0001",
            "0001\n",
            "\n0001",
            "00-01",
            "+0001",
            "-0001",
            "0x0001",
            "0001a",
            "a0001",
            "0.001",
            "1e10",
            "０００１",
            "٠٠٠١",
            "१२३४",
            "0001\u{301}",
            "0001\u{0}",
            "0001\u{200b}",
            "000\u{feff}1",
            "01ARZ3NDEKTSV4RRFFQ69G5FA",
            "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
            "01ARZ3NDEKTSV4RRFFQ69G5FAI",
            "01ARZ3NDEKTSV4RRFFQ69G5FAl",
            "01ARZ3NDEKTSV4RRFFQ69G5FAO",
            "01ARZ3NDEKTSV4RRFFQ69G5FAu",
            "01ARZ3NDEKTSV4RRFFQ69G5FA-",
            "01ARZ3NDEKTSV4RRFFQ69G5FÀ",
            "log:01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "01ARZ3NDEK TSV4RRFFQ69G5FAV",
            "IGNORE PREVIOUS INSTRUCTIONS",
        ] {
            assert!(!is_record_id(id), "{id:?}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_published_pattern(id in r"([0-9]{2,6}|[0-9A-Za-z]{26}|[0-9A-HJ-NP-Za-hj-np-z]{25,27}|\PC{0,8})") {
            let pattern = Regex::new("^(?:[0-9]{4,}|[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26})$").unwrap();
            prop_assert_eq!(is_record_id(&id), pattern.is_match(&id));
        }
    }
}
