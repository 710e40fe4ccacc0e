//! How we would know that the hooks were a mistake, one test for each sign.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use adrkit_native::error::Error;
use adrkit_native::hooks::limits::{NOTE_DEADLINE, SESSION_START_DEADLINE};
use adrkit_native::hooks::{ADRKIT_HOOKS, HookOutput, hooks_enabled};
use camino::Utf8Path;
use serde_json::json;

use crate::bench::{Bench, CWD, Check, World, edited, started, timed, tool};

fn governed(world: &mut World) {
    world.changed(&["a"], "HEAD");
    world.govern(&["a"], &[("0001", "accepted")]);
}

/// Every way of going wrong that a check has.
fn troubles() -> Vec<Check> {
    vec![
        Check::Fails(Error::Usage { message: "a secret".into() }),
        Check::Fails(Error::NoReport { exit_code: None }),
        Check::Fails(Error::TimedOut),
        Check::Hangs,
        Check::Wedged,
        Check::Panics,
    ]
}

#[tokio::test(start_paused = true)]
async fn a_hook_returns_any_key_other_than_additional_context() {
    let bench = Bench::new(governed);
    let output = bench.hooks.on_post_tool_use(&edited("s", "a")).await.unwrap();
    let json = serde_json::to_value(&output).unwrap();
    assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["additionalContext"]);
    let HookOutput { additional_context: _ } = output;
}

#[tokio::test(start_paused = true)]
async fn an_edit_or_prompt_is_blocked_held_rewritten_or_auto_approved() {
    for trouble in troubles() {
        let bench = Bench::new(|world| {
            governed(world);
            world.checks = [trouble].into();
        });
        let (_, took) = timed(bench.start(&started("s", "new"))).await;
        assert!(took <= SESSION_START_DEADLINE);
        let (_, took) = timed(bench.edit(&edited("s", "a"))).await;
        assert!(took <= NOTE_DEADLINE);
    }
    // The result of the tool goes in and nothing of it comes out.
    let bench = Bench::new(governed);
    let mut input = edited("s", "a");
    input["toolResult"]["permissionDecision"] = json!("allow");
    input["modifiedResult"] = json!("rewritten");
    let text = bench.edit(&input).await.unwrap();
    assert!(!text.contains("allow") && !text.contains("rewritten"));
}

#[test]
fn a_pre_tool_hook_is_registered() {
    // What the extension can register is what this type offers. Its words for permission must not appear at all.
    let dir = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("src/hooks");
    for file in dir.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for word in ["pre_tool", "PreTool", "permission", "modified", "suppress"] {
            assert!(!text.contains(word), "{file}: {word}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_title_path_or_error_text_reaches_hook_context() {
    let bench = Bench::new(|world| {
        world.changed(&["secret/a", "secret/b"], "HEAD");
        world.govern(&["secret/a", "secret/b"], &[("0001", "accepted"), ("0002", "draft")]);
        world.checks.push_front(Check::Fails(Error::Usage { message: "secret".into() }));
    });
    for text in [
        bench.start(&started("s", "new")).await,
        bench.start(&started("s", "resume")).await,
        bench.edit(&edited("s", "secret/a")).await,
        bench.edit(&edited("s", "secret/b")).await,
    ]
    .into_iter()
    .flatten()
    {
        assert!(!text.contains("secret") && !text.contains("Ignore"), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_hooks_failure_shows_up_in_the_models_context_or_throws_into_the_runtime() {
    for trouble in troubles() {
        let bench = Bench::new(|world| {
            governed(world);
            world.checks = [trouble].into();
        });
        assert_eq!(bench.start(&started("s", "new")).await, None);
        assert_eq!(bench.edit(&edited("s", "a")).await, None);
    }
    for error in [Error::GitFailed, Error::GitUnavailable, Error::NotWorkTree, Error::Internal] {
        let bench = Bench::new(|world| world.changes = Err(error));
        assert_eq!(bench.start(&started("s", "new")).await, None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_hook_starts_a_review_or_spends_credits() {
    // All that a hook can ask for is what the bench counts, and of that it asks for this much.
    let bench = Bench::new(governed);
    bench.hooks.panel_opened(Utf8Path::new(CWD));
    bench.start(&started("s", "new")).await;
    bench.edit(&edited("s", "a")).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let counts = &bench.counts;
    let asked = [&counts.listings, &counts.locations, &counts.refreshes].map(|n| n.load(SeqCst));
    assert_eq!((asked, counts.checks()), ([1, 1, 1], 2));
}

#[test]
fn adrkit_hooks_0_leaves_any_hook_registered() {
    assert!(!hooks_enabled(&[(ADRKIT_HOOKS.into(), "0".into())]));
}

#[tokio::test(start_paused = true)]
async fn a_hooks_failure_takes_anything_else_down() {
    let bench = Bench::new(|world| {
        governed(world);
        world.checks = [Check::Panics, Check::Panics, Check::Takes(Duration::ZERO)].into();
    });
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert_eq!(bench.edit(&edited("s", "b")).await, None);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    assert!(bench.start(&started("t", "new")).await.is_some());
    assert!(bench.line().contains("internal error"));
}

#[tokio::test(start_paused = true)]
async fn hook_triggered_refreshes_pile_up() {
    let bench = Bench::new(governed);
    bench.hooks.panel_opened(Utf8Path::new(CWD));
    for n in 0..50 {
        bench.edit(&edited("s", &format!("f{n}"))).await;
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(bench.counts.refreshes.load(SeqCst), 1);
    bench.hooks.panel_closed(Utf8Path::new(CWD));
    bench.edit(&edited("s", "f0")).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(bench.counts.refreshes.load(SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn the_added_latency_is_noticeable_in_practice() {
    let bench = Bench::governed(&["a"]);
    // The first edit waits for one check, and no further edit of the file for anything.
    let (_, first) = timed(bench.edit(&edited("s", "a"))).await;
    let (_, second) = timed(bench.edit(&edited("s", "a"))).await;
    assert_eq!((first, second), (Duration::from_millis(20), Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_not_an_edit_touches_git_the_cli_a_timer_or_the_disk() {
    let bench = Bench::new(governed);
    bench.hooks.panel_opened(Utf8Path::new(CWD));
    for (name, arguments) in [
        ("view", json!({ "path": "a" })),
        ("bash", json!({ "command": "sed -i s/a/b/ a", "path": "a" })),
        ("str_replace_editor", json!({ "command": "view", "path": "a" })),
        ("Edit", json!({ "path": "a" })),
        ("open_canvas", json!({})),
        ("", json!(null)),
    ] {
        let (text, took) = timed(bench.edit(&tool("s", name, &arguments))).await;
        assert_eq!((text, took), (None, Duration::ZERO), "{name}");
    }
    // A timer would be due by then.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(bench.counts.are_untouched());
}

#[tokio::test(start_paused = true)]
async fn agents_read_the_advisory_as_a_gate() {
    let bench = Bench::new(governed);
    let summary = bench.start(&started("s", "new")).await.unwrap();
    assert!(summary.contains("advisory; it blocks nothing"), "{summary}");
    let note = bench.edit(&edited("s", "a")).await.unwrap();
    assert!(note.contains("advisory; it blocked nothing") && note.contains("check the change you just made"));
    for word in ["must", "forbidden", "not allowed", "stop", "deny", "denied", "revert"] {
        assert!(!summary.contains(word) && !note.contains(word), "{word}");
    }
}
