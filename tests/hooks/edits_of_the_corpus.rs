//! An edit of a record may change what governs anything.

use std::time::Duration;

use adrkit_native::hooks::limits::MAX_CHECKS;

use crate::bench::{Bench, Check, edited, started};

#[tokio::test(start_paused = true)]
async fn it_drops_what_was_checked_and_what_was_told_but_not_the_start() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| world.changed(&["a"], "HEAD"));
    assert!(bench.start(&started("s", "new")).await.is_some());
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    bench.change(|world| world.govern(&["a"], &[("0002", "accepted")]));
    assert_eq!(bench.edit(&edited("s", "docs/adr/0001.md")).await, None);
    let text = bench.edit(&edited("s", "a")).await.unwrap();
    assert!(text.contains("accepted decisions 0002."), "{text}");
    assert_eq!(bench.start(&started("s", "new")).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_note_under_way_tells_what_the_corpus_says_now() {
    for starts_processes in [true, false] {
        let bench = Bench::governed(&["a"]);
        bench.change(|world| {
            world.starts_processes = starts_processes;
            world.checks = [Check::Takes(Duration::from_millis(500)), Check::Takes(Duration::ZERO)].into();
        });
        let (note, record) = (edited("s", "a"), edited("s", "docs/adr/0002.md"));
        let (text, _) = tokio::join!(bench.edit(&note), async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            bench.change(|world| world.govern(&["a"], &[("0002", "accepted")]));
            bench.edit(&record).await
        });
        assert!(text.unwrap().contains("accepted decisions 0002."));
        // And that is remembered.
        assert_eq!(bench.edit(&note).await, None);
        // The file, the record, and the file again.
        assert_eq!(bench.counts.checks(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn it_does_not_give_the_budget_back() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| world.checks = [Check::Takes(Duration::ZERO)].into());
    // A record and a file of each turn.
    for _ in 0..MAX_CHECKS / 2 {
        bench.edit(&edited("s", "docs/adr/0001.md")).await;
        assert!(bench.edit(&edited("s", "a")).await.is_some());
    }
    assert_eq!(bench.counts.checks(), MAX_CHECKS as usize);
    bench.edit(&edited("s", "docs/adr/0001.md")).await;
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    assert_eq!(bench.counts.checks(), MAX_CHECKS as usize);
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn it_counts_on_a_slow_disk_too() {
    let bench = Bench::governed(&["a"]);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    bench.change(|world| world.disk_takes = Duration::from_secs(3));
    assert_eq!(bench.edit(&edited("s", "docs/adr/0001.md")).await, None);
    tokio::time::sleep(Duration::from_secs(2)).await;
    bench.change(|world| world.disk_takes = Duration::ZERO);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
}
