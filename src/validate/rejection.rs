//! Why an argument was refused.

/// Why an argument was refused: a stable code and a fixed message that states the rule, never the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rejection {
    /// Not a string, or an empty one.
    PathEmpty,
    /// Longer than [`MAX_PATH_CHARS`](super::MAX_PATH_CHARS).
    PathTooLong,
    /// Holds half of a surrogate pair, so it names no file in UTF-8.
    PathNotUnicode,
    /// Holds a C0 or C1 control, DEL, or a line or paragraph separator.
    PathControlCharacter,
    /// Holds a character that a reader cannot see, or that reorders what is seen.
    PathHiddenCharacter,
    /// Would be read as an option.
    PathLeadingDash,
    /// Absolute on some system: POSIX, Windows drive (with or without a slash after it), UNC or device path.
    PathAbsolute,
    /// Has a `..` segment.
    PathParentSegment,
    /// Has a `:`, which names a drive or an alternate data stream on Windows.
    PathColon,
    /// Has a segment that Windows reads as a device.
    PathDeviceName,
    /// Has a segment from which Windows strips the end, so that it names another file there.
    PathTrailingDotOrSpace,
    /// The list of paths is no list, or has no entry.
    PathsEmpty,
    /// The list has more than [`MAX_PATHS`](super::MAX_PATHS) entries.
    PathsTooMany,
    /// Paths and a base were both given.
    PathsWithBase,
    /// Not a string, or an empty one.
    RevisionEmpty,
    /// Longer than [`MAX_REVISION_CHARS`](super::MAX_REVISION_CHARS).
    RevisionTooLong,
    /// Begins with something that is an option, a negation, or no name.
    RevisionStart,
    /// Holds a character outside the set.
    RevisionCharacter,
    /// Names a range or a set of commits.
    RevisionRange,
}

impl Rejection {
    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.texts().0
    }

    /// The fixed message: one sentence that states the rule.
    #[must_use]
    pub const fn message(self) -> &'static str {
        self.texts().1
    }

    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::PathEmpty => ("path-empty", "A path must be a non-empty string."),
            Self::PathTooLong => ("path-too-long", "A path must have at most 1024 characters."),
            Self::PathNotUnicode => ("path-not-unicode", "A path must be well-formed Unicode."),
            Self::PathControlCharacter => {
                ("path-control-character", "A path must not contain control characters or line separators.")
            }
            Self::PathHiddenCharacter => (
                "path-hidden-character",
                "A path must not contain invisible or bidirectional formatting characters.",
            ),
            Self::PathLeadingDash => ("path-leading-dash", "A path must not start with a dash."),
            Self::PathAbsolute => ("path-absolute", "A path must be relative to the repository."),
            Self::PathParentSegment => {
                ("path-parent-segment", "A path must not have a parent (dot dot) segment.")
            }
            Self::PathColon => ("path-colon", "A path must not contain a colon."),
            Self::PathDeviceName => {
                ("path-device-name", "A path must not have a segment that is a Windows device name.")
            }
            Self::PathTrailingDotOrSpace => {
                ("path-trailing-dot-or-space", "A segment of a path must not end with a dot or a space.")
            }
            Self::PathsEmpty => ("paths-empty", "The paths must be a list of 1 to 200 paths."),
            Self::PathsTooMany => ("paths-too-many", "The paths must be a list of at most 200 paths."),
            Self::PathsWithBase => ("paths-with-base", "Give either paths or a base, not both."),
            Self::RevisionEmpty => ("revision-empty", "A revision must be a non-empty string."),
            Self::RevisionTooLong => ("revision-too-long", "A revision must have at most 256 characters."),
            Self::RevisionStart => (
                "revision-start",
                "A revision must start with an ASCII letter, a digit, an underscore, an at sign or a number sign.",
            ),
            Self::RevisionCharacter => (
                "revision-character",
                "A revision must have only ASCII letters, digits, and the characters . _ / - + = , @ # ~ ^ in it.",
            ),
            Self::RevisionRange => {
                ("revision-range", "A revision must name one commit, not a range or a set.")
            }
        }
    }
}

#[cfg(test)]
impl Rejection {
    pub(super) const ALL: [Self; 19] = [
        Self::PathEmpty,
        Self::PathTooLong,
        Self::PathNotUnicode,
        Self::PathControlCharacter,
        Self::PathHiddenCharacter,
        Self::PathLeadingDash,
        Self::PathAbsolute,
        Self::PathParentSegment,
        Self::PathColon,
        Self::PathDeviceName,
        Self::PathTrailingDotOrSpace,
        Self::PathsEmpty,
        Self::PathsTooMany,
        Self::PathsWithBase,
        Self::RevisionEmpty,
        Self::RevisionTooLong,
        Self::RevisionStart,
        Self::RevisionCharacter,
        Self::RevisionRange,
    ];
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{MAX_PATH_CHARS, MAX_PATHS, MAX_REVISION_CHARS};
    use super::*;

    #[test]
    fn codes_are_distinct_and_in_kebab_case() {
        let codes: HashSet<_> = Rejection::ALL.iter().map(|r| r.code()).collect();
        assert_eq!(codes.len(), Rejection::ALL.len());
        for code in codes {
            assert!(
                code.split('-').all(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase())),
                "{code}"
            );
        }
    }

    #[test]
    fn messages_are_one_sentence_and_tell_the_limit() {
        for r in Rejection::ALL {
            let m = r.message();
            assert!(
                m.ends_with('.') && m.is_ascii() && m.starts_with(|c: char| c.is_ascii_uppercase()),
                "{m}"
            );
        }
        for (r, limit) in [
            (Rejection::PathTooLong, MAX_PATH_CHARS),
            (Rejection::PathsEmpty, MAX_PATHS),
            (Rejection::PathsTooMany, MAX_PATHS),
            (Rejection::RevisionTooLong, MAX_REVISION_CHARS),
        ] {
            assert!(r.message().contains(&format!(" {limit} ")), "{}", r.message());
        }
    }
}
