//! Many edits at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use camino::Utf8Path;
use tokio::time::{Instant, sleep};

use adrkit_native::hooks::limits::{NOTE_DEADLINE, NOTE_GLANCE, PATIENCE_RETURNS};

use crate::bench::{Bench, CWD, Check, edited};

#[tokio::test(start_paused = true)]
async fn two_hundred_edits_in_a_second_over_fifty_files() {
    let paths: Vec<String> = (0..50).map(|n| format!("src/f{n}")).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let bench = Arc::new(Bench::governed(&names));
    bench.hooks.panel_opened(Utf8Path::new(CWD));
    let mut events = tokio::task::JoinSet::new();
    for n in 0..200 {
        let (bench, path) = (Arc::clone(&bench), paths[n * 7 % 50].clone());
        events.spawn(async move {
            sleep(Duration::from_millis(n as u64 * 5)).await;
            (bench.edit(&edited("s", &path)).await.is_some(), path)
        });
    }
    let mut notes: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(event) = events.join_next().await {
        let (is_noted, path) = event.unwrap();
        *notes.entry(path).or_default() += usize::from(is_noted);
    }
    assert_eq!(notes.len(), 50);
    assert!(notes.values().all(|number| *number == 1), "{notes:?}");
    let mut checked = bench.counts.checked.lock().unwrap().concat();
    checked.sort();
    let mut paths = paths;
    paths.sort();
    assert_eq!(checked, paths);
    assert_eq!(bench.counts.peak.load(SeqCst), 2);
    sleep(Duration::from_secs(60)).await;
    assert_eq!(bench.counts.refreshes.load(SeqCst), 1);
}

// The host asks for the notes of parallel calls one after another.
#[tokio::test(start_paused = true)]
async fn edits_of_one_turn_hold_it_no_longer_than_one_edit() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| world.checks = [Check::Hangs].into());
    let began = Instant::now();
    for n in 0..8 {
        assert!(bench.edit(&edited("s", &format!("f{n}"))).await.is_none());
    }
    let held = began.elapsed();
    assert!(held <= NOTE_DEADLINE + NOTE_GLANCE * 7, "{held:?}");
    // It is made up for: a file that is known by now is told at its next edit, and one that is not is waited for.
    sleep(NOTE_DEADLINE * PATIENCE_RETURNS).await;
    bench.change(|world| world.checks = [Check::Takes(Duration::from_secs(1))].into());
    assert!(bench.edit(&edited("s", "a")).await.is_some());
}
