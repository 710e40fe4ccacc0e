//! What a model chose, judged without I/O. A verdict never echoes its input.

pub mod record_id;

/// Why an argument was refused: a stable code and a fixed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// Not a string, or an empty one.
    PathEmpty,
}

impl Rejection {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::PathEmpty => "path-empty",
        }
    }

    /// The fixed message.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::PathEmpty => "A path must be a non-empty string.",
        }
    }
}
