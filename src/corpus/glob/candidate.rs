//! A path, prepared once and matched against many patterns.

/// A path as patterns see it: `/`-separated, without a leading `./`.
///
/// Patterns measure in UTF-16 code units, so those are kept too.
#[derive(Debug, Clone)]
pub struct Candidate {
    text: String,
    units: Vec<u16>,
    hidden: bool,
}

impl Candidate {
    /// Prepares a path: every `\` becomes `/`, then one leading `./` is dropped.
    #[must_use]
    pub fn new(path: &str) -> Self {
        let text = path.replace('\\', "/");
        let text = match text.strip_prefix("./") {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        let units = text.encode_utf16().collect();
        let hidden = has_hidden_segment(&text);
        Self { text, units, hidden }
    }

    /// The prepared path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The prepared path in UTF-16 code units.
    pub(super) fn units(&self) -> &[u16] {
        &self.units
    }

    /// Does a segment begin with a dot?
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden
    }
}

/// Does a `/`-separated segment begin with a dot, other than `.` and `..`?
pub(super) fn has_hidden_segment(text: &str) -> bool {
    text.split('/').any(|segment| segment.starts_with('.') && segment != "." && segment != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preparation() {
        for (path, text, hidden) in [
            ("src/a.ts", "src/a.ts", false),
            ("src\\a.ts", "src/a.ts", false),
            (".\\a", "a", false),
            ("././a", "./a", false),
            ("../a", "../a", false),
            ("./.a", ".a", true),
            ("a/.b/c", "a/.b/c", true),
            ("...", "...", true),
            ("", "", false),
        ] {
            let candidate = Candidate::new(path);
            assert_eq!((candidate.as_str(), candidate.is_hidden()), (text, hidden), "{path}");
        }
        assert_eq!(Candidate::new("\u{1F600}").units().len(), 2);
    }
}
