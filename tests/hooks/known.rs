//! What is known is told at once, without a wait, a check or the disk.

use std::sync::atomic::Ordering::SeqCst;
use std::task::Poll;
use std::time::Duration;

use adrkit_native::hooks::limits::{CALL_DEADLINE, LOOK_AFTER, MAX_TEXT_AT_ONCE};
use serde_json::json;
use tokio::time::sleep;

use crate::bench::{Bench, edited, tool};

/// Lets what was begun in the background end.
async fn settle() {
    sleep(Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_of_a_known_file_is_answered_at_once() {
    let bench = Bench::governed(&["a", "b"]);
    assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Pending);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    bench.change(|world| world.disk_is_wedged = true);
    assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
    // Another session has not been told.
    let Poll::Ready(Some(text)) = bench.edit_now(&edited("t", "a")) else { panic!("nothing was told") };
    assert!(text.contains("accepted decisions 0001."), "{text}");
    assert_eq!(bench.edit_now(&edited("t", "a")), Poll::Ready(None));
    // Of several files all have to be known.
    let patch =
        "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Update File: b\n@@\n-x\n+y\n*** End Patch\n";
    assert_eq!(bench.edit_now(&tool("s", "apply_patch", &json!(patch))), Poll::Pending);
    assert_eq!(bench.counts.checks(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_check_that_has_not_ended_is_not_known() {
    let bench = Bench::governed(&["a"]);
    let input = edited("s", "a");
    let (first, ()) = tokio::join!(bench.edit_later(&input), async {
        tokio::task::yield_now().await;
        assert_eq!(bench.edit_now(&input), Poll::Pending);
    });
    assert!(first.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_file_that_has_come_to_lead_elsewhere_is_noticed_for_the_next_answer() {
    let bench = Bench::governed(&["a", "other"]);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    bench.change(|world| drop(world.links.insert("a".to_owned(), Some("other".to_owned()))));
    assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
    settle().await;
    assert!(bench.edit(&edited("s", "a")).await.is_some(), "the other file has not been told");

    bench.change(|world| drop(world.links.insert("a".to_owned(), Some("docs/adr/0001.md".to_owned()))));
    assert_eq!(bench.edit_now(&edited("s", "other")), Poll::Pending);
    assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
    settle().await;
    // The corpus was edited: what was known is not known any more.
    assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Pending);

    bench.change(|world| drop(world.links.insert("a".to_owned(), None)));
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
}

/// Each look has a thread, and each thread keeps memory: a burst of edits must not start many.
#[tokio::test(start_paused = true)]
async fn answers_in_quick_succession_share_a_look() {
    let bench = Bench::governed(&["a", "b"]);
    for path in ["a", "b"] {
        assert!(bench.edit(&edited("s", path)).await.is_some());
    }
    let before = bench.counts.locations.load(SeqCst);
    let looks = || bench.counts.locations.load(SeqCst) - before;
    let burst = || {
        for path in ["a", "b", "a", "a"] {
            assert_eq!(bench.edit_now(&edited("s", path)), Poll::Ready(None));
        }
    };
    let takes = Duration::from_secs(1);
    bench.change(|world| world.disk_takes = takes);
    burst();
    sleep(LOOK_AFTER / 2).await;
    assert_eq!(looks(), 0);
    sleep(takes / 2).await;
    assert_eq!(looks(), 1);
    // Those that come meanwhile wait for the end, and share another.
    burst();
    burst();
    sleep(takes / 4).await;
    assert_eq!(looks(), 1);
    sleep(takes * 4).await;
    assert_eq!(looks(), 2);
    burst();
    sleep(takes * 4).await;
    assert_eq!(looks(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_does_not_answer_holds_up_other_looks_for_a_while_only() {
    let bench = Bench::governed(&["a"]);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    let looks = || bench.counts.locations.load(SeqCst) - 1;
    bench.change(|world| world.disk_is_wedged = true);
    for _ in 0..2 {
        assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
        sleep(CALL_DEADLINE / 2).await;
        assert_eq!(looks(), 1);
    }
    sleep(CALL_DEADLINE).await;
    assert_eq!(looks(), 2);
}

/// A task goes with its runtime, and the hooks may outlive it.
#[test]
fn looks_go_on_in_another_runtime() {
    let runtime =
        || tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let bench = Bench::governed(&["a"]);
    runtime().block_on(async {
        assert!(bench.edit(&edited("s", "a")).await.is_some());
        assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
    });
    assert_eq!(bench.counts.locations.load(SeqCst), 1);
    runtime().block_on(async {
        assert_eq!(bench.edit_now(&edited("s", "a")), Poll::Ready(None));
        sleep(CALL_DEADLINE).await;
    });
    assert_eq!(bench.counts.locations.load(SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_large_input_is_read_elsewhere() {
    let bench = Bench::governed(&["a"]);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    let padded = |len: usize| {
        let patch = format!("*** Begin Patch\n*** Update File: a\n@@\n+{}\n*** End Patch\n", "x".repeat(len));
        tool("s", "apply_patch", &json!(patch))
    };
    assert_eq!(bench.edit_now(&padded(1)), Poll::Ready(None));
    assert_eq!(bench.edit_now(&padded(MAX_TEXT_AT_ONCE)), Poll::Pending);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_told_at_once_after_the_end() {
    let bench = Bench::governed(&["a"]);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    bench.hooks.dispose();
    assert_eq!(bench.edit_now(&edited("t", "a")), Poll::Ready(None));
}
