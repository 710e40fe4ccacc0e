//! The grammar of a reference to a record: `[log:]id`.

/// Is this a bare id (four or more digits, or a ULID), alone or after a log name and a colon?
pub(crate) fn is_reference(text: &str) -> bool {
    match text.split_once(':') {
        Some((log, id)) => is_slug(log) && is_bare_id(id),
        None => is_bare_id(text),
    }
}

fn is_slug(text: &str) -> bool {
    !text.starts_with('-')
        && !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn is_bare_id(text: &str) -> bool {
    crate::validate::is_record_id(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        for text in ["0001", "123456", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "log:0001", "a-b:0001"] {
            assert!(is_reference(text), "{text}");
        }
        for text in [
            "",
            "001",
            "0001-",
            "-a:0001",
            ":0001",
            "A:0001",
            "a:b:0001",
            "0001:",
            "01ARZ3NDEKTSV4RRFFQ69G5FAU",
        ] {
            assert!(!is_reference(text), "{text}");
        }
    }
}
