//! The path patterns of `affects`: picomatch's dialect.

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Glob {
    source: String,
}

/// The pattern cannot be compiled (`affects-bad-pattern`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPattern {
    /// It begins with `/`.
    LeadingSlash,
    /// It is longer than the engine takes.
    Invalid,
}

impl Glob {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Where the command reports `affects-bad-pattern` for it.
    pub fn new(pattern: &str) -> Result<Self, BadPattern> {
        Ok(Self { source: pattern.to_owned() })
    }

    /// Does the pattern match the whole path?
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        self.source == path
    }
}
