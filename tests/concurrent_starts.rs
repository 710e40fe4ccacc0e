//! Processes that start at the same time do not hold each other's pipes. A binary of its own: what another test starts
//! by itself would hold them.
#![cfg(unix)]

#[expect(dead_code, reason = "its other users do more")]
mod support;

use std::time::Duration;

use adrkit_native::process::{Bounds, Cancel, run_within};
use support::{QUICK, sh};
use tokio::task::JoinSet;

#[tokio::test]
async fn the_output_of_each_has_ended_when_its_process_has() {
    // Nothing is waited for after the exit.
    let bounds = Bounds { drain: Duration::ZERO, ..QUICK };
    let one = async move || run_within(sh("echo a"), Cancel::new(), bounds).await.unwrap();
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        callers.spawn(async move {
            for _ in 0..50 {
                let finished = one().await;
                assert_eq!((finished.stdout.as_slice(), finished.output_incomplete), (&b"a\n"[..], false));
            }
        });
    }
    callers.join_all().await;
}
