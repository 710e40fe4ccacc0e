//! Where targets lie, as far as it is the same on every system.

use std::fs;

use adrkit_native::hooks::edits::{MAX_PATH_BYTES, inside};
use camino::{Utf8Path, Utf8PathBuf};

/// A directory with `ws/sub/a.ts` and `other/a.ts` in it, by the name that the system gives for temporary files, which
/// may lead through links.
pub fn tree() -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).expect("UTF-8");
    for place in ["ws/sub", "other", "wsx"] {
        fs::create_dir_all(path.join(place)).expect("a directory");
        fs::write(path.join(place).join("a.ts"), "").expect("a file");
    }
    (dir, path)
}

#[test]
fn what_lies_below_the_directory_is_named_from_there() {
    let (_dir, path) = tree();
    let ws = path.join("ws");
    let real = ws.canonicalize_utf8().expect("it exists");
    for (target, want) in [
        ("sub/a.ts", Some("sub/a.ts")),
        ("./sub//./a.ts", Some("sub/a.ts")),
        ("sub/../sub/a.ts", Some("sub/a.ts")),
        ("gone.ts", Some("gone.ts")),
        ("new/dir/é ü.ts", Some("new/dir/é ü.ts")),
        ("sub/gone/../a.ts", Some("sub/a.ts")),
        ("sub/a.ts/below-a-file", Some("sub/a.ts/below-a-file")),
        ("../ws/sub/a.ts", Some("sub/a.ts")),
        (ws.join("sub/a.ts").as_str(), Some("sub/a.ts")),
        (ws.join("gone/a.ts").as_str(), Some("gone/a.ts")),
        (real.join("sub/a.ts").as_str(), Some("sub/a.ts")),
        (real.join("gone/a.ts").as_str(), Some("gone/a.ts")),
        (ws.join("../ws/gone.ts").as_str(), Some("gone.ts")),
        ("-x", Some("-x")),
        ("a\u{202e}b", Some("a\u{202e}b")),
        (".github/a.yml", Some(".github/a.yml")),
        (".gitignore", Some(".gitignore")),
        ("", None),
        (".", None),
        ("..", None),
        ("sub/..", None),
        ("../other/a.ts", None),
        ("../gone.ts", None),
        ("../wsx/a.ts", None),
        ("../../../../../../../../../../../../a.ts", None),
        (path.join("other/a.ts").as_str(), None),
        (path.join("wsx/a.ts").as_str(), None),
        (ws.as_str(), None),
        (real.as_str(), None),
        ("/", None),
        ("/gone.ts", None),
        ("a\0b", None),
        (".git/config", None),
        ("sub/.git", None),
        ("vendor/.GIT/hooks/x", None),
    ] {
        assert_eq!(inside(&ws, target).as_deref(), want, "{target:?}");
    }
}

#[test]
fn a_part_of_a_work_tree_does_not_see_what_is_above_it() {
    let (_dir, path) = tree();
    fs::create_dir(path.join(".git")).expect("a directory");
    let sub = path.join("ws/sub");
    assert_eq!(inside(&sub, "a.ts").as_deref(), Some("a.ts"));
    assert_eq!(inside(&sub, "../b.ts"), None);
    assert_eq!(inside(&path, "ws/b.ts").as_deref(), Some("ws/b.ts"));
}

#[test]
fn a_directory_that_is_gone_relative_or_endless_holds_nothing() {
    let (_dir, path) = tree();
    for directory in [path.join("gone"), path.join("ws/sub/a.ts/x"), "ws".into(), "".into(), ".".into()] {
        assert_eq!(inside(&directory, "a.ts"), None, "{directory}");
        assert_eq!(inside(&directory, path.join("ws/sub/a.ts").as_str()), None, "{directory}");
    }
    let endless = format!("{path}{}", "/.".repeat(MAX_PATH_BYTES));
    assert_eq!(inside(Utf8Path::new(&endless), "ws/a.ts"), None);
    let target = "./".repeat(MAX_PATH_BYTES / 2 - 1) + "a";
    assert_eq!(inside(&path.join("ws"), &target).as_deref(), Some("a"));
    assert_eq!(inside(&path.join("ws"), &("./".repeat(MAX_PATH_BYTES / 2) + "a")), None);
}

#[cfg(windows)]
#[test]
fn windows_names_are_one_in_every_spelling() {
    let (_dir, path) = tree();
    let ws = path.join("ws");
    let upper = ws.as_str().to_uppercase();
    for (target, want) in [
        (r"SUB\A.TS".to_owned(), Some("sub/a.ts")),
        (r".\sub/../SUB\a.ts".to_owned(), Some("sub/a.ts")),
        (format!(r"{upper}\sub\a.ts"), Some("sub/a.ts")),
        (format!(r"\\?\{ws}\sub\a.ts"), Some("sub/a.ts")),
        (format!(r"\\?\{upper}\gone.ts"), Some("gone.ts")),
        (format!(r"{}\sub\a.ts", &ws.as_str()[2..]), Some("sub/a.ts")),
        ("C:a.ts".to_owned(), None),
        (r"\\.\NUL".to_owned(), None),
        ("a.ts:stream".to_owned(), None),
        ("a.ts.".to_owned(), None),
        (r"..\other\a.ts".to_owned(), None),
    ] {
        assert_eq!(inside(&ws, &target).as_deref(), want, "{target:?}");
    }
}
