//! The forms of text that fields must have.

use url::Url;

use crate::corpus::date;
use crate::corpus::package::is_js_space;

/// The length of a ULID.
const ULID_LEN: usize = 26;

/// A form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Version,
    RecordId,
    RecordRef,
    Slug,
    Identity,
    Date,
    DateTime,
    Url,
}

impl Form {
    /// Does `text` have it?
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Version => is_version(text),
            Self::RecordId => is_record_id(text),
            Self::RecordRef => match text.split_once(':') {
                Some((log, id)) => is_slug(log) && is_record_id(id),
                None => is_record_id(text),
            },
            Self::Slug => is_slug(text),
            Self::Identity => is_identity(text),
            Self::Date => date::is_iso_date(text),
            Self::DateTime => date::is_iso_date_time(text),
            Self::Url => Url::parse(text.trim_matches(is_js_space)).is_ok(),
        }
    }

    /// What a value of this form is called.
    pub fn description(self) -> &'static str {
        match self {
            Self::Version => "a version such as 0.1.0",
            Self::RecordId => "a record id: four digits or more, or a ULID",
            Self::RecordRef => "the id of a record, such as 0001",
            Self::Slug => "lower-case letters, digits and hyphens",
            Self::Identity => "@handle, team:name or an email address",
            Self::Date => "a date YYYY-MM-DD",
            Self::DateTime => "a date and time with a time zone, such as 2026-01-31T12:00:00Z",
            Self::Url => "an absolute URL",
        }
    }
}

fn all(text: &str, is_one: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(is_one)
}

fn is_digits(text: &str) -> bool {
    all(text, |b| b.is_ascii_digit())
}

fn is_version(text: &str) -> bool {
    text.split('.').count() == 3 && text.split('.').all(is_digits)
}

/// Four digits or more, or 26 letters of Crockford's alphabet.
fn is_record_id(text: &str) -> bool {
    let is_crockford = |b: u8| b.is_ascii_alphanumeric() && !b"ILOUilou".contains(&b);
    (text.len() >= 4 && is_digits(text)) || (text.len() == ULID_LEN && all(text, is_crockford))
}

fn is_slug_byte(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'
}

fn is_slug(text: &str) -> bool {
    all(text, is_slug_byte) && !text.starts_with('-')
}

fn is_identity(text: &str) -> bool {
    if let Some(handle) = text.strip_prefix('@') {
        return all(handle, |b| b.is_ascii_alphanumeric() || b == b'-');
    }
    if text.strip_prefix("team:").is_some_and(|name| all(name, is_slug_byte)) {
        return true;
    }
    // An address: one @, no white space, and a dot inside the domain.
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_clean = !domain.contains('@') && !text.contains(is_js_space);
    let mut dots = domain.char_indices().filter(|(_, c)| *c == '.').map(|(at, _)| at);
    is_clean && !local.is_empty() && dots.any(|at| at > 0 && at + 1 < domain.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(form: Form, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(form.accepts(text), "{form:?} should take {text:?}");
        }
        for text in bad {
            assert!(!form.accepts(text), "{form:?} should not take {text:?}");
        }
    }

    #[test]
    fn forms_take_what_the_contract_says() {
        check(Form::Version, &["0.1.0", "10.0.22"], &["1.0", "1.0.0.0", "1..0", "v1.0.0", "1.0.0\n", ""]);
        check(
            Form::RecordId,
            &["0001", "12345", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav"],
            &["001", "000a", "01ARZ3NDEKTSV4RRFFQ69G5FAI", "log:0001", "0001\n", ""],
        );
        check(
            Form::RecordRef,
            &["0001", "my-log:0001"],
            &["My:0001", ":0001", "a:b:0001", "log:1", "-a:0001"],
        );
        check(Form::Slug, &["a", "0-a-"], &["-a", "A", "", "é"]);
        check(
            Form::Identity,
            &["@a-B9", "team:a-9", "a@b.c", "é+x@b.c.d", "team:X@y.z", "a@..c"],
            &[
                "@",
                "@a_b",
                "team:",
                "team:A",
                "a@b",
                "a@b.",
                "a@.c",
                "a b@c.d",
                "a@b@c.d",
                "@a.b",
                "a@b.c\u{a0}",
                "",
            ],
        );
        check(
            Form::Url,
            &["https://x.y", " http:foo ", "mailto:a", "javascript:1", "\u{feff}a:b\u{a0}", "ht\ntps://x"],
            &["", "foo", "//x.y", "https://", "https://exa mple", "1:x"],
        );
    }
}
