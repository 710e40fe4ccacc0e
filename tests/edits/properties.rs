//! Whatever comes in, the same few things hold.

use std::collections::HashSet;

use adrkit_native::hooks::edits::{Edit, MAX_PATH_BYTES, MAX_TARGETS, targets};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::input;

const KEYS: [&str; 15] = [
    "toolName",
    "toolArgs",
    "toolResult",
    "workingDirectory",
    "resultType",
    "toolTelemetry",
    "restrictedProperties",
    "filePaths",
    "addedPaths",
    "movedFromPaths",
    "path",
    "command",
    "input",
    "patch",
    "__proto__",
];

const WORDS: [&str; 14] = [
    "edit",
    "create",
    "apply_patch",
    "str_replace_editor",
    "insert",
    "success",
    "failure",
    "/ws",
    "C:\\ws",
    "../a",
    "[\"/ws/a\",\"b\"]",
    "{\"path\":\"a\"}",
    "{\"patch\":\"*** Begin Patch\\n*** Add File: a\"}",
    "C:a",
];

fn patch_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => prop::sample::select(vec![
            "*** Begin Patch", "*** End Patch", "*** Add File: a", "*** Update File: b", "*** Delete File: c",
            "*** Move to: d", "*** End of File", "@@", "@@ x", "<<'EOF'", "EOF", "", "+x", "-x", " x", "* x",
        ]).prop_map(str::to_owned),
        1 => "[ +*\t\u{a0}-]{0,2}\\*\\*\\* (Add|Update|Delete) File: ?[a-z/. é]{0,6}",
        1 => "[ +-]{0,1}\\*\\*\\* (Move to: [a-z]{0,2}|End Patch|End of File|Begin Patch) ?",
        1 => "\\PC{0,12}",
    ];
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r"]);
    prop::collection::vec((line, end), 0..14)
        .prop_map(|lines| lines.into_iter().map(|(l, e)| l + e).collect())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(&WORDS[..]).prop_map(Value::from),
        patch_text().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let member = (prop::sample::select(&KEYS[..]).prop_map(str::to_owned), inner.clone());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(member, 0..5).prop_map(|m| m.into_iter().collect::<Map<_, _>>().into()),
            inner.prop_map(|value| value.to_string().into()),
        ]
    })
}

fn edits(tool: &'static str) -> impl Strategy<Value = Value> {
    (value(), value(), value()).prop_map(move |(arguments, list, directory)| {
        json!({
            "toolName": tool,
            "toolArgs": arguments,
            "workingDirectory": directory,
            "toolResult": { "toolTelemetry": { "restrictedProperties": { "filePaths": list } } },
        })
    })
}

fn hold(input: &Value) -> Result<(), TestCaseError> {
    if let Edit::Targets { paths, truncated } = targets(input) {
        prop_assert!(paths.len() <= MAX_TARGETS);
        prop_assert!(!truncated || paths.len() == MAX_TARGETS);
        prop_assert!(paths.iter().collect::<HashSet<_>>().len() == paths.len());
        prop_assert!(paths.iter().all(|p| !p.is_empty() && p.len() <= MAX_PATH_BYTES && !p.contains('\0')));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_json_is_an_input(input in value()) {
        hold(&input)?;
    }

    #[test]
    fn any_json_is_an_argument(input in prop_oneof![edits("edit"), edits("apply_patch"), edits("str_replace_editor")]) {
        hold(&input)?;
    }

    #[test]
    fn any_text_is_a_patch(patch in patch_text(), names in prop::collection::vec("[a-z]{1,2}", 0..60)) {
        let more = names.iter().map(|name| "*** Delete File: ".to_owned() + name + "\n").collect::<String>();
        hold(&input("apply_patch", patch.clone()))?;
        hold(&input("apply_patch", patch + "\n*** End Patch\n" + &more))?;
        hold(&input("apply_patch", "*** Begin Patch\n".to_owned() + &more))?;
    }
}
