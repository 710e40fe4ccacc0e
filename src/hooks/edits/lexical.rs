//! Paths as text: what a name collapses to, and whether it lies below a directory. Nothing on disk is looked at, so
//! the rules of each system can be tested on every other.

use super::windows;
use crate::text::eq_on_windows;

/// Whose rules a path follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Posix,
    Windows,
}

/// An absolute path without `.` and `..`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Absolute {
    style: Style,
    /// `C:` or `\\server\share`; empty on POSIX.
    volume: String,
    names: Vec<String>,
}

/// How a path begins, and the rest of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Start<'a> {
    /// At the root of the named volume.
    Volume(String, &'a str),
    /// At the root of the volume one is on.
    Root(&'a str),
    /// Where one is.
    Here(&'a str),
}

impl Style {
    /// The rules of the system that this runs on.
    pub(super) const HOST: Self = if cfg!(windows) { Self::Windows } else { Self::Posix };

    /// `path` as an absolute path; none where it is not absolute or can name no file.
    pub(super) fn absolute(self, path: &str) -> Option<Absolute> {
        self.absolute_unless(path, &mut |_| false)
    }

    /// The root that stands in for an unknown directory.
    pub(super) fn root(self) -> Absolute {
        let volume = if self == Self::Windows { "C:" } else { "" };
        Absolute { style: self, volume: volume.to_owned(), names: Vec::new() }
    }

    /// `path` as seen from `base`; none where it can name no file.
    pub(super) fn resolve(self, base: &Absolute, path: &str) -> Option<Absolute> {
        self.resolve_unless(base, path, &mut |_| false)
    }

    /// As [`Style::absolute`], but none where `refuses` is true of a directory that a `..` leaves.
    pub(super) fn absolute_unless(
        self,
        path: &str,
        refuses: &mut dyn FnMut(&Absolute) -> bool,
    ) -> Option<Absolute> {
        match self.start(path)? {
            Start::Volume(volume, rest) => {
                Absolute { style: self, volume, names: Vec::new() }.walk(rest, refuses)
            }
            Start::Root(rest) if self == Self::Posix => self.root().walk(rest, refuses),
            _ => None,
        }
    }

    /// As [`Style::resolve`], but none where `refuses` is true of a directory that a `..` leaves.
    pub(super) fn resolve_unless(
        self,
        base: &Absolute,
        path: &str,
        refuses: &mut dyn FnMut(&Absolute) -> bool,
    ) -> Option<Absolute> {
        match self.start(path)? {
            Start::Volume(volume, rest) => {
                Absolute { style: self, volume, names: Vec::new() }.walk(rest, refuses)
            }
            Start::Root(rest) => {
                Absolute { style: self, volume: base.volume.clone(), names: Vec::new() }.walk(rest, refuses)
            }
            Start::Here(rest) => base.clone().walk(rest, refuses),
        }
    }

    /// None where `path` is empty, or of a form that names nothing certain.
    fn start(self, path: &str) -> Option<Start<'_>> {
        match self {
            _ if path.is_empty() => None,
            Self::Windows => windows::start(path),
            Self::Posix => Some(path.strip_prefix('/').map_or(Start::Here(path), Start::Root)),
        }
    }

    fn names(self, path: &str) -> impl Iterator<Item = &str> {
        path.split(move |c| c == '/' || c == '\\' && self == Self::Windows)
    }

    fn is_name(self, name: &str) -> bool {
        !name.contains('\0') && (self == Self::Posix || windows::is_name(name))
    }

    fn same(self, a: &str, b: &str) -> bool {
        a == b || self == Self::Windows && eq_on_windows(a, b)
    }
}

impl Absolute {
    fn walk(mut self, path: &str, refuses: &mut dyn FnMut(&Self) -> bool) -> Option<Self> {
        let style = self.style;
        for name in style.names(path) {
            match name {
                "" | "." => {}
                ".." if refuses(&self) => return None,
                // The parent of a root is the root.
                ".." => drop(self.names.pop()),
                name if style.is_name(name) => self.names.push(name.to_owned()),
                _ => return None,
            }
        }
        Some(self)
    }

    /// The path as the system takes it.
    pub(super) fn to_text(&self) -> String {
        let separator = if self.style == Style::Windows { "\\" } else { "/" };
        format!("{}{separator}{}", self.volume, self.names.join(separator))
    }

    /// The names that lead from `directory` down to this path; none where it does not lie below.
    pub(super) fn below(&self, directory: &Self) -> Option<&[String]> {
        let (up, down) = self.names.split_at_checked(directory.names.len())?;
        let same = |a: &str, b: &str| self.style.same(a, b);
        let holds =
            same(&self.volume, &directory.volume) && up.iter().zip(&directory.names).all(|(a, b)| same(a, b));
        (holds && !down.is_empty()).then_some(down)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn resolved(style: Style, base: &str, path: &str) -> Option<String> {
        Some(style.resolve(&style.absolute(base)?, path)?.to_text())
    }

    #[test]
    fn posix_names_collapse_and_keep_what_windows_would_not() {
        for (path, want) in [
            ("a.ts", "/ws/sub/a.ts"),
            ("./a//b/./c/", "/ws/sub/a/b/c"),
            ("../a.ts", "/ws/a.ts"),
            ("../../../../a.ts", "/a.ts"),
            ("/other/../ws/a.ts", "/ws/a.ts"),
            ("//ws/a.ts", "/ws/a.ts"),
            ("/", "/"),
            ("x/..", "/ws/sub"),
            ("C:a", "/ws/sub/C:a"),
            (r"a\b", r"/ws/sub/a\b"),
            ("~/a", "/ws/sub/~/a"),
            ("-a", "/ws/sub/-a"),
            ("a. ", "/ws/sub/a. "),
            ("...", "/ws/sub/..."),
            ("a\nb", "/ws/sub/a\nb"),
            ("日本/é.ts", "/ws/sub/日本/é.ts"),
        ] {
            assert_eq!(resolved(Style::Posix, "/ws/sub", path).as_deref(), Some(want), "{path:?}");
        }
        for path in ["", "a\0b", "\0", "a\0/../b"] {
            assert_eq!(resolved(Style::Posix, "/ws/sub", path), None, "{path:?}");
        }
        for base in ["", "ws", "./ws", "C:/ws"] {
            assert_eq!(Style::Posix.absolute(base), None, "{base:?}");
        }
    }

    #[test]
    fn windows_names_take_both_separators_and_the_volume_of_the_base() {
        for (path, want) in [
            ("a.ts", r"C:\ws\sub\a.ts"),
            (r".\a/b\\c\", r"C:\ws\sub\a\b\c"),
            (r"..\a.ts", r"C:\ws\a.ts"),
            (r"..\..\..\..\a.ts", r"C:\a.ts"),
            (r"\x\a.ts", r"C:\x\a.ts"),
            ("/x/a.ts", r"C:\x\a.ts"),
            (r"D:\x\a.ts", r"D:\x\a.ts"),
            ("d:/x/../a.ts", r"D:\a.ts"),
            (r"\\?\c:\x\a.ts", r"C:\x\a.ts"),
            (r"\\server\share\a.ts", r"\\server\share\a.ts"),
            (r"//server/share/../a.ts", r"\\server\share\a.ts"),
            (r"\\?\UNC\server\share\a.ts", r"\\server\share\a.ts"),
            (r"\\?\unc\server\share", r"\\server\share\"),
            (".hidden", r"C:\ws\sub\.hidden"),
            ("é日.ts", r"C:\ws\sub\é日.ts"),
        ] {
            assert_eq!(resolved(Style::Windows, r"c:\ws\sub", path).as_deref(), Some(want), "{path:?}");
        }
        for path in [
            "",
            "C:",
            "C:a.ts",
            "c:..\\a.ts",
            "D:a.ts",
            "1:\\a",
            "é:\\a",
            "a.ts:stream",
            "a.ts::$DATA",
            "a.ts.",
            "a.ts ",
            "dir./a.ts",
            "...",
            "a\0b",
            r"\\.\C:\ws\a.ts",
            r"\\.\pipe\x",
            r"\\?\Volume{1}\a",
            r"\\?\C:a",
            r"\\?\C:\ws\..\a",
            r"\\?\C:\ws/a",
            r"\\?\",
            r"\\?",
            "//?/C:/ws/a",
            "//?/UNC/server/share/a",
            "//./UNC/server/share/a",
            r"\??\C:\ws\a",
            r"\\server",
            r"\\server\",
            r"\\\share\a",
            r"\\..\share\a",
        ] {
            assert_eq!(resolved(Style::Windows, r"C:\ws\sub", path), None, "{path:?}");
        }
        for base in ["", "ws", r"\ws", "/ws", "C:ws"] {
            assert_eq!(Style::Windows.absolute(base), None, "{base:?}");
        }
    }

    #[test]
    fn below_means_strictly_below_a_whole_name() {
        use Style::{Posix, Windows};
        for (style, directory, path, want) in [
            (Posix, "/ws", "/ws/a/b", Some("a/b")),
            (Posix, "/", "/a", Some("a")),
            (Posix, "/ws", "/ws", None),
            (Posix, "/ws", "/wsx/a", None),
            (Posix, "/ws", "/w", None),
            (Posix, "/ws", "/WS/a", None),
            (Posix, "/ws/é", "/ws/É/a", None),
            (Windows, r"C:\ws", r"c:\WS\Src\A.ts", Some("Src/A.ts")),
            (Windows, r"C:\é", r"C:\É\a", Some("a")),
            (Windows, r"C:\ß", r"C:\ss\a", None),
            (Windows, r"C:\ß", r"C:\s\a", None),
            (Windows, r"C:\ws", r"D:\ws\a", None),
            (Windows, r"C:\ws", r"C:\wsx\a", None),
            (Windows, r"C:\ws", r"\\?\C:\ws\a", Some("a")),
            (Windows, r"\\Server\Share\ws", r"\\server\share\WS\a", Some("a")),
            (Windows, r"\\server\share", r"\\server\other\a", None),
            (Windows, r"C:\", r"C:\a", Some("a")),
        ] {
            let absolute = |path| style.absolute(path).expect("an absolute path");
            let (path, directory) = (absolute(path), absolute(directory));
            let found = path.below(&directory).map(|names| names.join("/"));
            assert_eq!(found.as_deref(), want, "{path:?} {directory:?}");
        }
    }

    #[test]
    fn a_refusal_is_asked_of_each_directory_that_is_left() {
        let base = Style::Posix.root();
        let mut left = Vec::new();
        let resolved = Style::Posix.resolve_unless(&base, "a/b/../../c/../d", &mut |directory| {
            left.push(directory.to_text());
            false
        });
        assert_eq!(resolved, Style::Posix.absolute("/d"));
        assert_eq!(left, ["/a/b", "/a", "/c"]);
        assert_eq!(Style::Posix.resolve_unless(&base, "a/../b", &mut |_| true), None);
        assert!(Style::Posix.resolve_unless(&base, "a/b", &mut |_| true).is_some());
    }

    proptest! {
        #[test]
        fn nothing_panics_and_what_resolves_is_stable(
            base in r"(/|[a-zA-Z]:|\\\\|\\\\\?\\|UNC|\.|é|a| ){0,8}",
            path in r"(/|\\|\.|\.\.|:|\?|UNC|[a-c]|é| |\x00){0,12}",
        ) {
            for style in [Style::Posix, Style::Windows] {
                let base = style.absolute(&base).unwrap_or_else(|| style.root());
                if let Some(place) = style.resolve(&base, &path) {
                    let again = style.absolute(&place.to_text());
                    prop_assert_eq!(again.as_ref(), Some(&place));
                    prop_assert!(!place.names.iter().any(|n| matches!(n.as_str(), "" | "." | "..")));
                }
            }
        }
    }
}
