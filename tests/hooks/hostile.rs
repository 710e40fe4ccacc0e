//! Inputs that nobody should send.

use std::time::Duration;

use adrkit_native::hooks::limits::{NOTE_DEADLINE, SESSION_START_DEADLINE};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::bench::{Bench, CWD, Check, timed};

const MEMBERS: [&str; 14] = [
    "sessionId",
    "workingDirectory",
    "toolName",
    "toolArgs",
    "toolResult",
    "source",
    "agentId",
    "timestamp",
    "initialPrompt",
    "__proto__",
    "constructor",
    "path",
    "command",
    "toolCallId",
];

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        r"\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "edit",
            "create",
            "apply_patch",
            "str_replace_editor",
            "resume",
            "a",
            CWD,
            "..",
            "\0",
            "/"
        ])
        .prop_map(Value::from),
        (1usize..200_000).prop_map(|length| Value::from("x".repeat(length))),
        (1usize..2000).prop_map(|n| Value::from("*** Update File: a\n".repeat(n))),
    ];
    let leaf = prop_oneof![
        4 => text,
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            members(inner).prop_map(Value::from),
        ]
    })
}

fn members(of: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((prop::sample::select(MEMBERS.to_vec()), of), 0..8)
        .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Something like an input, in which members are missing, or are of any kind.
fn input() -> impl Strategy<Value = Value> {
    let near = (members(value()), 0u8..32, 0u8..8).prop_map(|(mut members, kept, file)| {
        let usual = [
            ("sessionId", json!("s")),
            ("workingDirectory", json!(CWD)),
            ("toolName", json!("edit")),
            ("toolArgs", json!({ "path": format!("f{file}") })),
            ("source", json!("resume")),
        ];
        for (n, (name, value)) in usual.into_iter().enumerate() {
            if kept >> n & 1 == 1 {
                members.insert(name.to_owned(), value);
            }
        }
        Value::from(members)
    });
    prop_oneof![4 => near, 1 => value()]
}

#[tokio::test(start_paused = true)]
async fn a_thousand_hostile_inputs() {
    let mut runner = TestRunner::deterministic();
    let strategy = input();
    let bench = Bench::governed(&["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"]);
    bench.change(|world| {
        world.changed(&["f0"], "HEAD");
        world.checks =
            [Check::Hangs, Check::Panics, Check::Hangs, Check::Takes(Duration::from_millis(3))].into();
    });
    let (mut starts, mut notes) = (0, 0);
    for _ in 0..1000 {
        let input = strategy.new_tree(&mut runner).unwrap().current();
        let (text, took) = timed(bench.start(&input)).await;
        assert!(took <= SESSION_START_DEADLINE, "{took:?}: {input}");
        starts += usize::from(text.is_some());
        let (text, took) = timed(bench.edit(&input)).await;
        assert!(took <= NOTE_DEADLINE, "{took:?}: {input}");
        notes += usize::from(text.is_some());
    }
    // They were not all turned away at the door.
    assert!(starts > 0 && notes > 0, "{starts} {notes}");
}

#[tokio::test(start_paused = true)]
async fn a_deep_and_a_long_input() {
    let bench = Bench::governed(&["a"]);
    // JSON text deeper than 128 levels is no JSON to the parser.
    let deep = (0..500).fold(json!("a"), |inner, _| json!([inner]));
    let long = "x".repeat(10 << 20);
    for arguments in [&deep, &json!({ "path": deep }), &json!({ "path": long }), &json!(long)] {
        for name in ["edit", "apply_patch"] {
            let input = json!({ "toolName": name, "toolArgs": arguments, "workingDirectory": CWD, "sessionId": long });
            let (_, took) = timed(bench.edit(&input)).await;
            assert!(took <= NOTE_DEADLINE);
        }
    }
}
