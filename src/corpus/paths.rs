//! Lexical path work, as Node's `path.resolve` and `path.relative` do it: no link is followed.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// `path` seen from `root` (absolute), with `.` and `..` collapsed. An empty path is `root` itself.
pub(crate) fn resolve(root: &Utf8Path, path: &str) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for component in root.join(path).components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                // `pop` leaves a root alone, as Node does.
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// How `to` is written relative to `from`, `/`-separated; empty when they are the same. Both are absolute and
/// collapsed. Across Windows drives there is no relative form: `to` comes back whole.
pub(crate) fn relative(from: &Utf8Path, to: &Utf8Path) -> String {
    let mut base = from.components().peekable();
    let mut rest = to.components().peekable();
    let mut common = 0;
    while let (Some(a), Some(b)) = (base.peek(), rest.peek()) {
        if a != b {
            break;
        }
        common += 1;
        base.next();
        rest.next();
    }
    if common == 0 {
        return to.as_str().replace('\\', "/");
    }
    let parts: Vec<&str> = base.map(|_| "..").chain(rest.map(|c| c.as_str())).collect();
    parts.join("/")
}

/// The path of a file as reports show it: relative to `root`, or its base name where that would be empty.
pub(crate) fn display(root: &Utf8Path, file: &Utf8Path) -> String {
    let shown = relative(root, file);
    if shown.is_empty() { file.file_name().unwrap_or_default().to_owned() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolve_is_lexical() {
        for (path, want) in [
            ("", "/r/x"),
            (".", "/r/x"),
            ("a//b/./c/", "/r/x/a/b/c"),
            ("../y", "/r/y"),
            ("../../../../y", "/y"),
            ("/abs/../z", "/z"),
            ("a/../..", "/r"),
        ] {
            assert_eq!(resolve(Utf8Path::new("/r/x"), path), want, "{path}");
        }
    }

    #[test]
    fn relative_walks_up_and_down() {
        for (from, to, want) in [
            ("/r/x", "/r/x", ""),
            ("/r/x", "/r/x/a/b", "a/b"),
            ("/r/x", "/r/y", "../y"),
            ("/r/x", "/r/xy", "../xy"),
            ("/r/x", "/", "../.."),
            ("/", "/a", "a"),
        ] {
            assert_eq!(relative(Utf8Path::new(from), Utf8Path::new(to)), want, "{from} {to}");
        }
        assert_eq!(display(Utf8Path::new("/r/x"), Utf8Path::new("/r/x")), "x");
    }
}
