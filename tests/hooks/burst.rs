//! Many edits at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use camino::Utf8Path;
use tokio::time::sleep;

use crate::bench::{Bench, CWD, edited};

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
