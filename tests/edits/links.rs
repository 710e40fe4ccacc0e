//! Where targets lie when links are in the way.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use adrkit_native::hooks::edits::inside;
use camino::Utf8Path;

use crate::places::tree;

fn link(target: impl AsRef<Path>, place: impl AsRef<Path>) {
    symlink(target, place).expect("a link");
}

#[test]
fn a_link_counts_as_where_it_leads() {
    let (_dir, path) = tree();
    let ws = path.join("ws");
    link("sub", ws.join("inner"));
    link("sub/a.ts", ws.join("leaf.ts"));
    link("inner", ws.join("twice"));
    link(path.join("other"), ws.join("outer"));
    link("../other/a.ts", ws.join("outer.ts"));
    link("../other", ws.join("sub/up"));
    link("../ws/sub", path.join("other/back"));
    link("nowhere", ws.join("dangling"));
    link("/nowhere/at/all", ws.join("dangling-out"));
    link("loop-b", ws.join("loop-a"));
    link("loop-a", ws.join("loop-b"));
    for (target, want) in [
        ("inner/a.ts", Some("sub/a.ts")),
        ("inner/gone/x.ts", Some("sub/gone/x.ts")),
        ("twice/a.ts", Some("sub/a.ts")),
        ("leaf.ts", Some("sub/a.ts")),
        ("inner", Some("sub")),
        ("outer/back/a.ts", Some("sub/a.ts")),
        ("../other/back/a.ts", Some("sub/a.ts")),
        ("outer/a.ts", None),
        ("outer/gone.ts", None),
        ("outer/gone/gone.ts", None),
        ("outer", None),
        ("outer.ts", None),
        ("sub/up/a.ts", None),
        ("inner/up/gone.ts", None),
        ("dangling", None),
        ("dangling/x.ts", None),
        ("dangling/x/y.ts", None),
        ("dangling-out", None),
        ("loop-a", None),
        ("loop-a/x.ts", None),
    ] {
        assert_eq!(inside(&ws, target).as_deref(), want, "{target}");
        assert_eq!(inside(&ws, ws.join(target).as_str()).as_deref(), want, "absolute {target}");
    }
}

// A tool that collapses the text edits `ws/x.ts`; one that leaves it to the system edits a file beside the link's end.
#[test]
fn a_parent_of_a_link_is_unclear() {
    let (_dir, path) = tree();
    let ws = path.join("ws");
    link(path.join("other"), ws.join("outer"));
    link("sub", ws.join("inner"));
    fs::create_dir(ws.join("sub/deep")).expect("a directory");
    for (target, want) in [
        ("outer/../x.ts", None),
        ("inner/../x.ts", None),
        ("./inner/./../x.ts", None),
        ("inner/deep/../a.ts", Some("sub/a.ts")),
        ("inner/deep/../../x.ts", None),
        ("sub/../x.ts", Some("x.ts")),
        ("gone/../x.ts", Some("x.ts")),
    ] {
        assert_eq!(inside(&ws, target).as_deref(), want, "{target}");
    }
    assert_eq!(inside(&ws.join("inner/.."), "x.ts"), None);
    assert_eq!(inside(&ws.join("sub/.."), "x.ts").as_deref(), Some("x.ts"));
}

// As with `/var`, which is `/private/var` on macOS.
#[test]
fn the_directory_may_itself_be_given_by_a_link() {
    let (_dir, path) = tree();
    link("ws", path.join("by-link"));
    let by_link = path.join("by-link");
    let names = ["by-link/sub/a.ts", "ws/sub/a.ts", "by-link/sub/gone.ts", "ws/sub/gone.ts"];
    for directory in [&by_link, &path.join("ws")] {
        for name in names {
            let want = name.split_once('/').map(|(_, rest)| rest);
            assert_eq!(inside(directory, path.join(name).as_str()).as_deref(), want, "{directory} {name}");
        }
        assert_eq!(inside(directory, "sub/a.ts").as_deref(), Some("sub/a.ts"));
        assert_eq!(inside(directory, path.join("other/a.ts").as_str()), None);
    }
    // Leaving it is leaving a link.
    assert_eq!(inside(&by_link, "../ws/sub/a.ts"), None);
    assert_eq!(inside(&by_link, "sub/../x.ts").as_deref(), Some("x.ts"));
}

#[test]
fn a_deleted_link_is_what_was_edited() {
    let (_dir, path) = tree();
    let ws = path.join("ws");
    link("sub/a.ts", ws.join("leaf.ts"));
    fs::remove_file(ws.join("leaf.ts")).expect("a link");
    assert_eq!(inside(&ws, "leaf.ts").as_deref(), Some("leaf.ts"));
}

#[test]
fn names_that_are_odd_and_names_that_are_not_utf8() {
    let (_dir, path) = tree();
    let ws = path.join("ws");
    for name in ["a\nb", "a\tb", "C:a", r"a\b", "a.", "a ", "nul", "\"a\"", "a*?[b]"] {
        assert_eq!(inside(&ws, name).as_deref(), Some(name));
    }
    let long = "x".repeat(300);
    assert_eq!(inside(&ws, &long), None, "longer than a name can be");
    let latin1 = ws.as_std_path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    // Some file systems take no such name.
    if fs::create_dir(&latin1).is_ok() {
        link(&latin1, ws.join("cafe"));
        assert_eq!(inside(&ws, "cafe/a.ts"), None);
    }
    assert_eq!(inside(Utf8Path::new("/"), "gone-from-the-root.ts").as_deref(), Some("gone-from-the-root.ts"));
}
