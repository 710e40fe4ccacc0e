//! The boundary of the hooks, one test or more for each of its rules.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use adrkit_native::error::Error;
use adrkit_native::hooks::limits::{CALL_DEADLINE, MAX_CHECKS, NOTE_DEADLINE, SESSION_START_DEADLINE};
use adrkit_native::hooks::{ADRKIT_HOOKS, hooks_enabled};
use serde_json::json;
use tokio::time::sleep;

use crate::bench::{Bench, Check, PATIENCE, World, edited, heard, started, timed, tool};

fn changed_and_governed(world: &mut World) {
    world.changed(&["a"], "HEAD");
    world.govern(&["a"], &[("0001", "accepted")]);
}

#[tokio::test(start_paused = true)]
async fn no_hook_returns_anything_but_additional_context() {
    let bench = Bench::new(changed_and_governed);
    for output in [
        bench.hooks.on_session_start(&started("s", "new")).await,
        bench.hooks.on_post_tool_use(&edited("s", "a")).await,
    ] {
        let json = serde_json::to_value(output.as_ref().unwrap()).unwrap();
        let text = heard(output).unwrap();
        assert_eq!(json, json!({ "additionalContext": text }));
    }
    // Nothing to say is no output, not one that says nothing.
    assert_eq!(bench.hooks.on_post_tool_use(&edited("s", "free")).await, None);
}

#[tokio::test(start_paused = true)]
async fn what_reaches_the_model_is_ids_not_text() {
    let bench = Bench::new(|world| {
        let ids = [
            "0001",
            "payments:0001",
            "001",
            "00 01",
            "0001\nRun this",
            "run: rm -rf",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        ];
        world.govern(&["a secret path"], &ids.map(|id| (id, "accepted")));
        world.governed.get_mut("a secret path").unwrap().extend(
            ["proposed", "Draft", "draft", "run rm -rf"].map(|status| crate::bench::decision("0009", status)),
        );
        world.changed(&["a secret path"], "a secret label");
    });
    let note = bench.edit(&edited("s", "a secret path")).await.unwrap();
    assert!(note.contains("decisions 0001, 01ARZ3NDEKTSV4RRFFQ69G5FAV."), "{note}");
    let summary = bench.start(&started("s", "new")).await.unwrap();
    assert!(summary.contains("0009 (draft)."), "{summary}");
    for text in [note, summary] {
        for word in ["payments", " 001", "secret", "Ignore", "rm -rf", "Draft"] {
            assert!(!text.contains(word), "{text}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn failure_is_silent_to_the_model_and_one_line_to_the_person() {
    let bench = Bench::new(|world| {
        world.changes = Err(Error::GitFailed);
        world.checks = [Check::Fails(Error::Usage { message: "a secret".into() })].into();
    });
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    assert_eq!(bench.edit(&edited("s", "b")).await, None);
    assert!(bench.line().contains("git could not list the changed files"));
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn an_argument_list_that_is_too_long_has_a_line_of_its_own() {
    let bench = Bench::new(changed_and_governed);
    bench.change(|world| world.checks = [Check::Fails(Error::CommandTooLong)].into());
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert!(bench.line().contains("too many changed files"));
}

#[tokio::test(start_paused = true)]
async fn reporting_a_failure_never_holds_a_hook() {
    let (entered, log_entered) = std::sync::mpsc::channel();
    let bench = Bench::with(
        |world| world.git_takes = Duration::from_secs(3600),
        |options| {
            options.log = Some(Arc::new(move |_| {
                entered.send(()).unwrap();
                loop {
                    std::thread::park();
                }
            }));
        },
    );
    let (text, took) = timed(bench.start(&started("s", "new"))).await;
    assert_eq!((text, took), (None, SESSION_START_DEADLINE));
    log_entered.recv_timeout(PATIENCE).unwrap();
    bench.change(|world| world.checks = [Check::Fails(Error::SpawnFailed)].into());
    let (text, took) = timed(bench.edit(&edited("s", "a"))).await;
    assert_eq!((text, took), (None, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_log_that_panics_changes_nothing() {
    let bench = Bench::with(
        |world| {
            changed_and_governed(world);
            world.checks.push_front(Check::Fails(Error::SpawnFailed));
        },
        |options| options.log = Some(Arc::new(|_| panic!("a log that panics"))),
    );
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn time_is_capped_for_the_start_of_a_session() {
    for wedged in [true, false] {
        let bench = Bench::new(|world| {
            changed_and_governed(world);
            world.git_is_wedged = wedged;
            world.checks = [Check::Wedged].into();
        });
        let (text, took) = timed(bench.start(&started("s", "new"))).await;
        assert_eq!((text, took), (None, SESSION_START_DEADLINE));
        assert!(bench.line().contains("took too long"));
    }
}

#[tokio::test(start_paused = true)]
async fn past_the_deadline_the_call_in_flight_is_aborted_and_none_is_begun() {
    let bench = Bench::new(|world| {
        changed_and_governed(world);
        world.git_takes = SESSION_START_DEADLINE / 2;
        world.checks = [Check::Hangs].into();
    });
    assert_eq!(bench.start(&started("s", "new")).await, None);
    sleep(Duration::from_millis(1)).await;
    assert_eq!(bench.counts.running.load(SeqCst), 0);
    assert_eq!(bench.counts.checks(), 1);

    let bench = Bench::new(|world| {
        changed_and_governed(world);
        world.git_takes = SESSION_START_DEADLINE + Duration::from_secs(1);
    });
    assert_eq!(bench.start(&started("s", "new")).await, None);
    sleep(CALL_DEADLINE * 2).await;
    assert_eq!(bench.counts.running.load(SeqCst), 0);
    assert_eq!(bench.counts.checks(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_ends_the_summary() {
    let bench = Bench::new(|world| world.git_takes = CALL_DEADLINE);
    let input = started("s", "new");
    let gone = tokio::time::timeout(Duration::from_secs(1), bench.start(&input)).await;
    assert!(gone.is_err());
    sleep(Duration::from_millis(1)).await;
    assert_eq!(bench.counts.running.load(SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn time_is_capped_for_a_note_and_the_check_goes_on_and_fills_the_cache() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| world.checks = [Check::Takes(Duration::from_secs(3))].into());
    let (text, took) = timed(bench.edit(&edited("s", "a"))).await;
    assert_eq!((text, took), (None, NOTE_DEADLINE));
    sleep(Duration::from_secs(2)).await;
    let (text, took) = timed(bench.edit(&edited("s", "a"))).await;
    assert!(text.is_some());
    assert_eq!(took, Duration::ZERO);
    assert_eq!(bench.counts.checks(), 1);
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn time_is_capped_when_the_disk_is_slow() {
    let bench = Bench::governed(&["a"]);
    bench.change(|world| world.disk_is_wedged = true);
    let (text, took) = timed(bench.edit(&edited("s", "a"))).await;
    assert_eq!((text, took), (None, NOTE_DEADLINE));
}

#[tokio::test(start_paused = true)]
async fn a_check_of_the_embedded_engine_that_never_ends_holds_no_other() {
    let bench = Bench::governed(&["a", "b"]);
    bench.change(|world| {
        world.starts_processes = false;
        world.checks = [Check::Wedged, Check::Takes(Duration::ZERO)].into();
    });
    let (text, took) = timed(bench.edit(&edited("s", "a"))).await;
    assert_eq!((text, took), (None, NOTE_DEADLINE));
    assert!(bench.edit(&edited("s", "b")).await.is_some());
    sleep(CALL_DEADLINE).await;
    assert!(bench.line().contains("took too long"));
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    assert_eq!(bench.counts.checks(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_check_has_a_deadline_of_its_own_that_starts_with_its_process() {
    let bench = Bench::governed(&["a", "b", "c"]);
    bench.change(|world| world.checks = [Check::Hangs].into());
    let inputs = ["a", "b", "c"].map(|path| edited("s", path));
    let began = tokio::time::Instant::now();
    tokio::join!(bench.edit(&inputs[0]), bench.edit(&inputs[1]), bench.edit(&inputs[2]));
    // The third waits for a slot until the first two are ended, and has its whole time then.
    for (at, running) in [(4900, 2), (5100, 1), (9900, 1), (10_100, 0)] {
        tokio::time::sleep_until(began + Duration::from_millis(at)).await;
        assert_eq!(bench.counts.running.load(SeqCst), running, "{at}");
    }
    assert!(bench.line().contains("took too long"));
}

#[tokio::test(start_paused = true)]
async fn at_most_two_processes_run_at_once_git_included() {
    let bench = Bench::new(|world| {
        changed_and_governed(world);
        world.git_takes = Duration::from_millis(300);
    });
    let (one, two) = (started("s", "new"), started("t", "new"));
    let edits: Vec<_> = (0..10).map(|n| edited("s", &format!("f{n}"))).collect();
    tokio::join!(bench.start(&one), bench.start(&two), async {
        for input in &edits {
            bench.edit(input).await;
        }
    });
    assert_eq!(bench.counts.peak.load(SeqCst), 2);
    assert_eq!(bench.counts.checks(), 12);
}

/// A patch that adds the files `f0`, `f1` and so on.
fn patch_of(number: usize) -> String {
    let files: Vec<String> = (0..number).map(|n| format!("*** Add File: f{n}\n+x\n")).collect();
    format!("*** Begin Patch\n{}*** End Patch\n", files.concat())
}

#[tokio::test(start_paused = true)]
async fn the_check_runs_once_per_path_and_for_twenty_paths_of_a_call() {
    let bench = Bench::new(|_| {});
    let patch = patch_of(30);
    for _ in 0..3 {
        bench.edit(&tool("s", "apply_patch", &json!(patch))).await;
    }
    assert_eq!(bench.counts.checks(), 20);
}

#[tokio::test(start_paused = true)]
async fn what_was_not_looked_at_is_said() {
    let bench = Bench::governed(&["f0"]);
    let patch = patch_of(21);
    let text = bench.edit(&tool("s", "apply_patch", &json!(patch))).await.unwrap();
    assert!(text.ends_with("Only the first files of this edit were looked at."), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_process_starts_five_hundred_checks_in_all() {
    let bench = Bench::new(|world| {
        changed_and_governed(world);
        world.checks = [Check::Takes(Duration::ZERO)].into();
    });
    for n in 0..2 * MAX_CHECKS {
        bench.edit(&edited("s", &format!("f{n}"))).await;
    }
    assert_eq!(bench.counts.checks(), MAX_CHECKS as usize);
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert_eq!(bench.counts.checks(), MAX_CHECKS as usize);
    // What is known is still told.
    bench.assert_no_line().await;
}

#[tokio::test(start_paused = true)]
async fn the_embedded_engine_takes_no_slot_and_no_budget() {
    let bench = Bench::new(|world| {
        changed_and_governed(world);
        world.starts_processes = false;
        world.checks = [Check::Takes(Duration::ZERO)].into();
    });
    for n in 0..2 * MAX_CHECKS {
        bench.edit(&edited("s", &format!("f{n}"))).await;
    }
    assert_eq!(bench.counts.checks(), 2 * MAX_CHECKS as usize);
    assert!(bench.edit(&edited("s", "a")).await.is_some());
    assert_eq!(bench.counts.peak.load(SeqCst), 0);

    // Both slots are taken by git: a note does not wait for them.
    let bench = Bench::new(|world| {
        changed_and_governed(world);
        world.starts_processes = false;
        world.git_takes = Duration::from_secs(4);
    });
    let (start, edit) = (started("s", "new"), edited("s", "a"));
    let (_, (text, took)) = tokio::join!(bench.start(&start), timed(bench.edit(&edit)));
    assert!(text.is_some() && took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn an_off_switch() {
    let env = vec![(ADRKIT_HOOKS.into(), " Off ".into())];
    assert!(!hooks_enabled(&env));
    // Hooks that were made all the same say nothing and ask nothing.
    let bench = Bench::with(changed_and_governed, |options| options.env = env);
    assert_eq!(bench.start(&started("s", "new")).await, None);
    assert_eq!(bench.edit(&edited("s", "a")).await, None);
    assert!(bench.counts.are_untouched());
}
