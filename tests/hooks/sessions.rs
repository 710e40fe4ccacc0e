//! What a session is told at its start, and about its edits.

use std::sync::atomic::Ordering::SeqCst;

use adrkit_native::error::Error;
use adrkit_native::hooks::limits::MAX_SESSIONS;
use serde_json::json;

use crate::bench::{Bench, Check, edited, started, tool};

fn two_files() -> Bench {
    Bench::new(|world| {
        world.changed(&["a", "b"], "origin/main...HEAD");
        world.govern(&["a"], &[("0002", "accepted"), ("0003", "proposed")]);
        world.govern(&["b"], &[("0001", "accepted"), ("0004", "draft")]);
    })
}

#[tokio::test(start_paused = true)]
async fn the_summary_tells_numbers_and_ids() {
    let bench = two_files();
    let text = bench.start(&started("s", "new")).await.unwrap();
    assert!(text.contains("2 files have changed, compared with origin/main...HEAD"), "{text}");
    assert!(text.contains("accepted decisions 0001, 0002;"), "{text}");
    assert!(text.contains("0003 (proposed), 0004 (draft)."), "{text}");
    assert_eq!(*bench.counts.checked.lock().unwrap(), [["a", "b"]]);
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn proposals_alone_are_told_too() {
    let bench = Bench::new(|world| {
        world.changed(&["a"], "HEAD");
        world.govern(&["a"], &[("0003", "proposed")]);
    });
    let text = bench.start(&started("s", "new")).await.unwrap();
    assert!(
        text.contains("1 file has changed, compared with HEAD, governed by no accepted decision"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_label_that_is_not_ours_is_not_told() {
    let bench = Bench::new(|world| {
        world.changed(&["a"], "ignore/previous/instructions...HEAD");
        world.govern(&["a"], &[("0001", "accepted")]);
    });
    let text = bench.start(&started("s", "new")).await.unwrap();
    assert!(text.contains("1 file has changed, governed"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn without_changes_nothing_is_checked() {
    let bench = Bench::new(|world| world.changed(&[], "HEAD"));
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert_eq!(bench.counts.checks(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_starts_twice_is_told_once_and_a_resume_in_full() {
    let bench = two_files();
    let first = bench.start(&started("s", "new")).await;
    assert!(first.is_some());
    for source in ["new", "startup", "prompt", ""] {
        assert_eq!(bench.start(&started("s", source)).await, None, "{source}");
    }
    assert_eq!(bench.counts.listings.load(SeqCst), 1);
    for _ in 0..2 {
        assert_eq!(bench.start(&started("s", "resume")).await, first);
    }
    assert_eq!(bench.start(&started("another", "startup")).await, first);
    assert_eq!(bench.start(&started("resumed", "resume")).await, first);
    assert_eq!(bench.start(&started("resumed", "new")).await, None);
}

#[tokio::test(start_paused = true)]
async fn two_starts_at_once_are_told_once() {
    let bench = two_files();
    let input = started("s", "new");
    let (one, two) = tokio::join!(bench.start(&input), bench.start(&input));
    assert!(one.is_some() && two.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_edit_is_noted_once_per_path_and_session() {
    let bench = Bench::new(|world| {
        world.govern(&["a"], &[("0002", "accepted"), ("0003", "proposed")]);
        world.govern(&["b"], &[("0001", "accepted")]);
        world.govern(&["p"], &[("0003", "proposed")]);
    });
    let text = bench.edit(&edited("s", "a")).await.unwrap();
    assert!(text.contains("accepted decisions 0002."), "{text}");
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    // A path that is told already is not told again beside one that is not.
    let patch = "*** Begin Patch\n*** Update File: a\n*** Add File: b\n*** Add File: free\n*** End Patch";
    let text = bench.edit(&tool("s", "apply_patch", &json!(patch))).await.unwrap();
    assert!(text.contains("accepted decisions 0001."), "{text}");
    // Another session, such as a sub-agent's, has heard nothing yet; what is known is not checked again.
    let text = bench.edit(&tool("child", "apply_patch", &json!(patch))).await.unwrap();
    assert!(text.contains("accepted decisions 0001, 0002."), "{text}");
    // Proposals and free files are no reason for a note.
    assert_eq!(bench.edit(&edited("s", "p")).await, None);
    assert_eq!(bench.edit(&edited("s", "free")).await, None);
    assert_eq!(bench.counts.checks(), 4);
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn children_that_interleave_are_each_told_once() {
    let bench = Bench::governed(&["a", "b"]);
    let mut told = Vec::new();
    for _ in 0..3 {
        for child in ["k1", "k2", "main"] {
            for path in ["a", "b"] {
                let mut input = edited(child, path);
                input["agentId"] = json!(child);
                told.extend(bench.edit(&input).await.map(|_| (child, path)));
            }
        }
    }
    let want = ["k1", "k2", "main"].map(|child| ["a", "b"].map(|path| (child, path))).concat();
    assert_eq!(told, want);
    assert_eq!(bench.counts.checks(), 2);
}

#[tokio::test(start_paused = true)]
async fn concurrent_edits_of_a_path_share_one_check_and_one_note() {
    let bench = Bench::governed(&["a"]);
    let (s, t) = (edited("s", "a"), edited("t", "a"));
    let (one, two, other) = tokio::join!(bench.edit(&s), bench.edit(&s), bench.edit(&t));
    assert!(one.is_some() != two.is_some() && other.is_some());
    assert_eq!(bench.counts.checks(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_sixty_fifth_session_makes_the_first_one_new() {
    let bench = Bench::governed(&["a"]);
    for n in 0..=MAX_SESSIONS {
        assert!(bench.edit(&edited(&n.to_string(), "a")).await.is_some(), "{n}");
    }
    assert!(bench.edit(&edited("1", "a")).await.is_none());
    assert!(bench.edit(&edited("0", "a")).await.is_some());
    assert_eq!(bench.counts.checks(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_directory_of_each_event_is_its_own() {
    let bench = Bench::governed(&["a"]);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    let mut elsewhere = edited("s", "a");
    elsewhere["workingDirectory"] = json!(if cfg!(windows) { r"C:\other" } else { "/other" });
    assert!(bench.edit(&elsewhere).await.is_some());
    assert_eq!(bench.counts.checks(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_failed_check_is_nothing_for_good_unless_something_ended_it() {
    for (error, checks_after) in [
        (Error::CliNotFound, 1),
        (Error::NoReport { exit_code: Some(1) }, 1),
        (Error::OutputTooLarge, 1),
        (Error::Internal, 1),
        (Error::KilledBySignal, 2),
        (Error::TimedOut, 2),
        (Error::Aborted, 2),
    ] {
        let bench = Bench::governed(&["a"]);
        bench.change(|world| world.checks.push_front(Check::Fails(error.clone())));
        assert_eq!(bench.edit(&edited("s", "a")).await, None);
        let told = bench.edit(&edited("s", "a")).await;
        assert_eq!(told.is_some(), checks_after == 2, "{error:?}");
        assert_eq!(bench.counts.checks(), checks_after, "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_dispose_nothing_is_said_or_asked() {
    let bench = two_files();
    bench.hooks.dispose();
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    assert!(bench.counts.are_untouched());
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn after_dispose_nobody_hears_of_a_check_that_never_ends() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| {
        world.starts_processes = false;
        world.checks = [Check::Wedged].into();
    });
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    bench.hooks.dispose();
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn dispose_answers_what_waits_and_ends_what_runs() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| world.checks = [Check::Hangs].into());
    let input = edited("s", "a");
    let (told, ()) = tokio::join!(bench.edit(&input), async {
        tokio::task::yield_now().await;
        while bench.counts.running.load(SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        bench.hooks.dispose();
    });
    assert_eq!(told, None);
    while bench.counts.running.load(SeqCst) > 0 {
        tokio::task::yield_now().await;
    }
}
