//! A verdict as the binding hands it out.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Rejection;

/// Whether a value keeps the rules. Serialized as `{ "ok": true }` or `{ "ok": false, "code", "message" }`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Accepted,
    /// It does not, and this is why.
    Refused(Rejection),
}

impl Verdict {
    /// Whether the value keeps the rules.
    #[must_use]
    pub const fn ok(self) -> bool {
        matches!(self, Self::Accepted)
    }

    /// The code of the rule that was broken.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::Accepted => None,
            Self::Refused(r) => Some(r.code()),
        }
    }

    /// The sentence that states the rule that was broken.
    #[must_use]
    pub const fn message(self) -> Option<&'static str> {
        match self {
            Self::Accepted => None,
            Self::Refused(r) => Some(r.message()),
        }
    }
}

impl<T> From<Result<T, Rejection>> for Verdict {
    fn from(result: Result<T, Rejection>) -> Self {
        match result {
            Ok(_) => Self::Accepted,
            Err(r) => Self::Refused(r),
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("ok", &self.ok())?;
        if let Self::Refused(r) = self {
            map.serialize_entry("code", r.code())?;
            map.serialize_entry("message", r.message())?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::RepoPath;
    use super::*;

    #[test]
    fn has_the_two_documented_shapes() {
        let json = |v: Verdict| serde_json::to_string(&v).unwrap();
        assert_eq!(json(RepoPath::parse("a").into()), r#"{"ok":true}"#);
        assert_eq!(
            json(RepoPath::parse("").into()),
            r#"{"ok":false,"code":"path-empty","message":"A path must be a non-empty string."}"#
        );
    }
}
