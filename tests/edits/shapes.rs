//! Which calls are edits, and every form in which they name files.

use adrkit_native::hooks::edits::{Edit, MAX_PATH_BYTES, MAX_TARGETS, targets};
use serde_json::{Value, json};

use crate::{WS, input, patched, paths, with_telemetry};

const PATCH: &str = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** End Patch\n";

#[test]
fn an_edit_is_told_by_the_name_of_its_tool() {
    let arguments = json!({ "path": "a.ts" });
    for tool in ["edit", "create", "str_replace"] {
        assert_eq!(
            paths(&input(tool, arguments.clone())).as_deref(),
            Some(&["a.ts".to_owned()][..]),
            "{tool}"
        );
    }
    let others = [
        "view",
        "bash",
        "grep",
        "",
        "Edit",
        "EDIT",
        "edit ",
        "write",
        "patch",
        "functions.edit",
        "__proto__",
    ];
    for tool in others {
        assert_eq!(targets(&input(tool, arguments.clone())), Edit::NotAnEdit, "{tool}");
    }
    for tool in [Value::Null, json!(7), json!(["edit"]), json!({ "edit": 1 })] {
        let input = json!({ "toolName": tool, "toolArgs": arguments });
        assert_eq!(targets(&input), Edit::NotAnEdit, "{input}");
    }
    for input in [Value::Null, json!([]), json!("edit"), json!(1), json!({})] {
        assert_eq!(targets(&input), Edit::NotAnEdit, "{input}");
    }
}

#[test]
fn str_replace_editor_edits_with_three_commands_and_reads_with_another() {
    for (command, edits) in [
        (json!("create"), true),
        (json!("str_replace"), true),
        (json!("insert"), true),
        (json!("view"), false),
        (json!("undo_edit"), false),
        (json!("Create"), false),
        (json!(""), false),
        (Value::Null, false),
        (json!(["create"]), false),
    ] {
        let arguments = json!({ "command": command, "path": "a.ts" });
        let want = edits.then(|| vec!["a.ts".to_owned()]);
        assert_eq!(paths(&input("str_replace_editor", arguments.clone())), want, "{arguments}");
        assert_eq!(paths(&input("str_replace_editor", arguments.to_string())), want, "{arguments}");
    }
    for unreadable in
        [Value::Null, json!("create"), json!(["create", "a.ts"]), json!("[\"a.ts\",\"create\"]")]
    {
        assert_eq!(targets(&input("str_replace_editor", unreadable)), Edit::NotAnEdit);
    }
}

#[test]
fn only_a_success_counts() {
    for (result, edits) in [
        (json!({ "resultType": "success" }), true),
        (json!({ "resultType": "failure" }), false),
        (json!({ "resultType": "denied" }), false),
        (json!({ "resultType": "rejected" }), false),
        (json!({ "resultType": "" }), false),
        (json!({ "resultType": null }), true),
        (json!({}), true),
        (json!("success"), true),
        (Value::Null, true),
    ] {
        let mut input = input("edit", json!({ "path": "a.ts" }));
        input["toolResult"] = result;
        assert_eq!(targets(&input) != Edit::NotAnEdit, edits, "{input}");
    }
}

#[test]
fn the_path_of_one_file_is_a_member_or_a_member_in_json_text() {
    let long = "x".repeat(MAX_PATH_BYTES);
    let too_long = "x".repeat(MAX_PATH_BYTES + 1);
    for (arguments, want) in [
        (json!({ "path": "a b/é.ts", "file_text": "x" }), &["a b/é.ts"][..]),
        (json!({ "path": format!("{WS}/a.ts"), "old_str": "x" }), &[&*format!("{WS}/a.ts")]),
        (json!("{\"path\": \"\\u00e9.ts\", \"file_text\": \"x\"}"), &["é.ts"]),
        (json!(" \n{\"file_text\": [[[{\"path\": 1}]]], \"path\": \"a.ts\"}"), &["a.ts"]),
        (json!("{\"__proto__\": {\"path\": \"x\"}, \"path\": \"a.ts\"}"), &["a.ts"]),
        (json!({ "path": "-a\n.ts" }), &["-a\n.ts"]),
        (json!({ "path": long }), &[&long]),
        (json!({ "path": too_long }), &[]),
        (json!({ "path": "" }), &[]),
        (json!({ "path": "a\0b" }), &[]),
        (json!({ "path": ["a.ts"] }), &[]),
        (json!({ "path": 5 }), &[]),
        (json!({ "path": null }), &[]),
        (json!({ "Path": "a.ts", "__proto__": { "path": "a.ts" } }), &[]),
        (json!("{\"path\": 5}"), &[]),
        (json!("{\"path\": \"a.ts\""), &[]),
        (json!("[\"a.ts\", \"b.ts\"]"), &[]),
        (json!("\"{\\\"path\\\": \\\"a.ts\\\"}\""), &[]),
        (json!("a.ts"), &[]),
        (json!(["a.ts"]), &[]),
        (json!(PATCH), &[]),
        (json!(false), &[]),
        (Value::Null, &[]),
    ] {
        assert_eq!(paths(&input("edit", arguments)).expect("an edit"), want);
    }
}

#[test]
fn a_patch_is_a_string_a_member_or_a_word() {
    for arguments in [
        json!(PATCH),
        json!({ "input": PATCH }),
        json!({ "patch": PATCH }),
        json!({ "input": 5, "patch": PATCH, "explanation": "*** Begin Patch" }),
        json!(["apply_patch", PATCH]),
        json!(["bash", "-lc", format!("apply_patch <<'EOF'\n{PATCH}EOF\n")]),
        json!([null, 1, [PATCH], { "patch": PATCH }, PATCH]),
        json!(json!({ "input": PATCH }).to_string()),
        json!(json!({ "a": [[{}]], "patch": PATCH }).to_string()),
        json!(json!(["apply_patch", PATCH]).to_string()),
    ] {
        let shown = arguments.to_string();
        assert_eq!(paths(&input("apply_patch", arguments)).expect("an edit"), ["a.ts", "b.ts"], "{shown}");
    }
    for arguments in [
        Value::Null,
        json!(true),
        json!(1),
        json!({}),
        json!({ "path": "a.ts" }),
        json!({ "input": [PATCH] }),
        json!({ "__proto__": { "input": PATCH } }),
        json!([[PATCH]]),
        json!(format!("{{\"input\": {}", json!(PATCH))),
        json!("garbage"),
        json!(""),
    ] {
        let shown = arguments.to_string();
        assert_eq!(paths(&input("apply_patch", arguments)).expect("an edit"), [""; 0], "{shown}");
    }
}

// Beyond what the host accepts (`recorded.rs`): other hosts, other versions.
#[test]
fn a_patch_is_read_in_the_forms_that_mean_one_thing() {
    let body = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";
    for (name, patch, want) in [
        ("heredoc of another word", format!("<<'PATCH'\n{body}\nPATCH\n"), &["a"][..]),
        ("heredoc with tabs", format!("<<-EOF\n{body}\nEOF"), &["a"]),
        ("command and heredoc", format!("apply_patch <<'EOF'\n{body}\nEOF\n"), &["a"]),
        ("command and bare heredoc", format!("applypatch << EOF\n{body}\nEOF\n"), &["a"]),
        ("indented envelope", body.replace("***", "  ***"), &["a"]),
        ("text behind the end", format!("{body}\n*** Delete File: b\n"), &["a"]),
        ("command behind the end", format!("{body}\nEOF\nrm b\n*** Add File: b"), &["a"]),
        ("no end", body.replace("*** End Patch", ""), &["a"]),
        ("blank between bodies", body.replace("+x", "+x\n\n*** Add File: b\n+y"), &["a", "b"]),
        ("garbage between bodies", body.replace("+x", "garbage\n*** Add File: b"), &["a", "b"]),
        (
            "mark of the end in an added file",
            body.replace("+x", "+x\n*** End of File\n*** Add File: b"),
            &["a", "b"],
        ),
        ("an update without a body", body.replace("Add", "Update").replace("+x\n", ""), &["a"]),
        (
            "an update behind it",
            body.replace("Add File: a\n+x", "Update File: a\n*** Update File: b"),
            &["a", "b"],
        ),
        (
            "a star line in an update",
            body.replace("Add", "Update").replace("+x", "+x\n* y\n *** Add File: b"),
            &["a"],
        ),
        ("a move behind an addition", body.replace("+x", "*** Move to: b"), &["a"]),
        ("a move behind a deletion", body.replace("Add", "Delete").replace("+x", "*** Move to: b"), &["a"]),
        ("a move behind a body", body.replace("Add", "Update").replace("+x", "+x\n*** Move to: b"), &["a"]),
        (
            "a second move",
            body.replace("Add", "Update").replace("+x", "*** Move to: b\n*** Move to: c\n+x"),
            &["a", "b"],
        ),
        (
            "a move to a header",
            body.replace("Add", "Update").replace("+x", "*** Move to: *** End Patch\n+x"),
            &["a", "*** End Patch"],
        ),
        ("a name that is a header", body.replace(": a", ": *** End Patch"), &["*** End Patch"]),
        (
            "the same file in other words",
            body.replace("+x", "*** Add File: ./a\n*** Add File: b/../a\n"),
            &["a"],
        ),
        ("no envelope", "*** Add File: a\n+x\n".to_owned(), &[]),
        ("a fence around it", format!("```\n{body}\n```"), &[]),
        ("a sentence before it", format!("Here it is:\n{body}"), &[]),
        ("another directory", format!("cd sub && apply_patch <<'EOF'\n{body}\nEOF"), &[]),
        ("another command", format!("cat <<'EOF'\n{body}\nEOF"), &[]),
        ("two heredocs", format!("<<EOF\n<<EOF\n{body}\nEOF\nEOF"), &[]),
        ("a unified diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n".to_owned(), &[]),
        ("a name of a NUL", body.replace(": a", ": a\0"), &[]),
        ("half an envelope", "*** Begin Patc".to_owned(), &[]),
        ("nothing inside", "*** Begin Patch\n*** End Patch".to_owned(), &[]),
    ] {
        assert_eq!(patched(&patch), want, "{name}: {patch}");
    }
}

#[test]
fn the_host_completes_what_the_arguments_leave_open() {
    let list = |paths: &[&str]| json!(json!(paths).to_string());
    let a = format!("{WS}/a.ts");
    for (arguments, lists, want) in [
        (json!({ "path": "a.ts" }), json!({ "filePaths": list(&[&a]) }), &["a.ts"][..]),
        (json!({ "path": "b.ts" }), json!({ "filePaths": list(&[&a]) }), &["b.ts", &a]),
        (Value::Null, json!({ "filePaths": list(&[&a, &a, "a.ts"]) }), &[&a]),
        (
            Value::Null,
            json!({ "movedFromPaths": list(&["4"]), "deletedPaths": list(&["3"]), "addedPaths": list(&["2"]), "filePaths": list(&["1"]) }),
            &["1", "2", "3", "4"],
        ),
        (Value::Null, json!({ "filePaths": [a, 1, null, ["x"], { "x": "y" }, "b"] }), &[&a, "b"]),
        (
            Value::Null,
            json!({ "filePaths": "[1, null, [\"x\"], {\"x\": [1.5, true]}, -2, false, \"b\", 1e999]" }),
            &["b"],
        ),
        (Value::Null, json!({ "filePaths": "[\"a\", \"b\", oops" }), &["a", "b"]),
        (Value::Null, json!({ "filePaths": "[\"a\"] trailing" }), &["a"]),
        (Value::Null, json!({ "filePaths": "\"a\"" }), &[]),
        (Value::Null, json!({ "filePaths": "a" }), &[]),
        (Value::Null, json!({ "filePaths": "" }), &[]),
        (Value::Null, json!({ "filePaths": "{\"0\": \"a\"}" }), &[]),
        (Value::Null, json!({ "filePaths": "[[\"a\"]]" }), &[]),
        (Value::Null, json!({ "filePaths": { "0": "a" }, "addedPaths": 7, "deletedPaths": null }), &[]),
        (Value::Null, json!({ "filepaths": ["a"], "__proto__": { "filePaths": ["a"] } }), &[]),
        (Value::Null, json!(["a"]), &[]),
        (Value::Null, json!("[\"a\"]"), &[]),
        (Value::Null, Value::Null, &[]),
    ] {
        let shown = lists.to_string();
        assert_eq!(
            paths(&with_telemetry(input("edit", arguments), lists)).expect("an edit"),
            want,
            "{shown}"
        );
    }
}

#[test]
fn without_a_directory_files_are_still_told_apart() {
    for directory in [Value::Null, json!(5), json!("rel"), json!(""), json!("/x".repeat(MAX_PATH_BYTES))] {
        let mut input =
            input("apply_patch", json!(PATCH.replace("b.ts", "./b.ts\n@@\n+\n*** Delete File: b.ts")));
        input["workingDirectory"] = directory;
        assert_eq!(paths(&input).expect("an edit"), ["a.ts", "./b.ts"]);
    }
}

#[test]
fn reading_stops_at_the_first_file_too_many() {
    let header = |i: usize| format!("*** Delete File: {i}\n");
    let many = |n: usize| "*** Begin Patch\n".to_owned() + &(0..n).map(header).collect::<String>();
    let full: Vec<String> = (0..MAX_TARGETS).map(|i| i.to_string()).collect();
    let said = json!({ "filePaths": json!((0..=MAX_TARGETS).map(|i| i.to_string()).collect::<Vec<_>>()).to_string() });
    for (input, truncated) in [
        (input("apply_patch", many(MAX_TARGETS)), false),
        (input("apply_patch", many(MAX_TARGETS) + &header(0)), false),
        (input("apply_patch", many(MAX_TARGETS + 1)), true),
        (input("apply_patch", many(500_000)), true),
        (with_telemetry(input("apply_patch", many(MAX_TARGETS)), said.clone()), true),
        (with_telemetry(input("apply_patch", Value::Null), said), true),
    ] {
        assert_eq!(targets(&input), Edit::Targets { paths: full.clone(), truncated });
    }
}

#[test]
fn ten_mebibytes_are_read_in_every_form() {
    const SIZE: usize = 10 << 20;
    let wrap = |body: &str| {
        format!("*** Begin Patch\n*** Add File: first\n{body}\n*** Delete File: last\n*** End Patch\n")
    };
    let line = "+*** Add File: x\n";
    let patch = wrap(&line.repeat(SIZE / line.len()));
    assert_eq!(patched(&patch), ["first", "last"]);
    let text = json!({ "patch": patch }).to_string();
    assert_eq!(paths(&input("apply_patch", text)).expect("an edit"), ["first", "last"]);
    let text = json!({ "file_text": patch, "path": "a" }).to_string();
    assert_eq!(paths(&input("create", text)).expect("an edit"), ["a"]);
}

// What takes one pass at a time must not take one for every line or every character.
#[test]
fn bodies_that_invite_a_second_look_are_read_once() {
    const SIZE: usize = 1 << 20;
    for body in [
        "+".to_owned() + &"x".repeat(SIZE),
        "+\r".repeat(SIZE / 2),
        " ".repeat(SIZE),
        "*".repeat(SIZE),
        "*** ".repeat(SIZE / 4),
        " *** \n".repeat(SIZE / 6),
        "*** Add File: ".to_owned() + &"x".repeat(SIZE),
        "*** Add File: first\n".repeat(SIZE / 20),
        "*** Update File: first\n".to_owned() + &"\n".repeat(SIZE),
    ] {
        let patch =
            format!("*** Begin Patch\n*** Add File: first\n{body}\n*** Delete File: last\n*** End Patch\n");
        assert_eq!(patched(&patch), ["first", "last"]);
        assert_eq!(patched(&("\u{feff} ".repeat(SIZE / 8) + &patch)), ["first", "last"]);
        assert_eq!(patched(&("<<EOF".to_owned() + &" ".repeat(SIZE / 8) + "\n" + &patch)), ["first", "last"]);
    }
}

#[test]
fn deep_nesting_costs_no_stack() {
    const DEPTH: usize = 1_000_000;
    let deep = "[".repeat(DEPTH) + &"]".repeat(DEPTH);
    let text = format!("{{\"x\": {deep}, \"path\": \"a\"}}");
    assert_eq!(paths(&input("edit", text)).expect("an edit"), ["a"]);
    let in_place = format!("{{\"path\": {deep}}}");
    assert_eq!(paths(&input("edit", in_place)).expect("an edit"), [""; 0]);
    for text in [deep.clone(), "[".repeat(DEPTH), "{\"a\":".repeat(DEPTH)] {
        assert_eq!(paths(&input("apply_patch", text.clone())).expect("an edit"), [""; 0]);
        let said = with_telemetry(input("edit", text.clone()), json!({ "filePaths": text }));
        assert_eq!(paths(&said).expect("an edit"), [""; 0]);
    }
}
