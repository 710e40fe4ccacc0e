//! The JSON shapes of the four reports, keys in the order in which the `adr` command prints them.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// How bad a [`Finding`] is. Only `Error` changes an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Fails a lint.
    Error,
    /// Worth a look.
    Warn,
    /// For information.
    Info,
}

/// One observation about a record, a matcher or a marker.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Finding {
    /// The stable rule id, such as `required-field`.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// A sentence for people; not part of the contract.
    pub message: String,
    /// The file it is about, relative to the working directory.
    #[serde(default)]
    pub path: Option<String>,
    /// The raw id of the record.
    #[serde(default)]
    pub id: Option<String>,
    /// The field, as dotted path segments.
    #[serde(default)]
    pub field: Option<String>,
    /// The matcher's pattern or the marker's reference.
    #[serde(default)]
    pub pattern: Option<String>,
}

impl Finding {
    /// A finding with neither path, id, field nor pattern.
    pub fn new(rule: &str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            rule: rule.to_owned(),
            severity,
            message: message.into(),
            path: None,
            id: None,
            field: None,
            pattern: None,
        }
    }

    /// With the file it is about.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// With the record's raw id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// With the field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// With the pattern or reference.
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }
}

impl Serialize for Finding {
    // The command prints `id` before `path` for the findings of matchers and after it for all others.
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("rule", &self.rule)?;
        map.serialize_entry("severity", &self.severity)?;
        map.serialize_entry("message", &self.message)?;
        let id_first = self.rule.starts_with("affects-");
        let mut put = |key: &str, value: &Option<String>| match value {
            Some(v) => map.serialize_entry(key, v),
            None => Ok(()),
        };
        if id_first {
            put("id", &self.id)?;
        }
        put("path", &self.path)?;
        if !id_first {
            put("id", &self.id)?;
        }
        put("field", &self.field)?;
        put("pattern", &self.pattern)?;
        map.end()
    }
}
