//! Who waits for which refresh, and what becomes of its result. The clock is tokio's and stands still.

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::*;
use crate::report::{CheckReport, Decision, Finding, LintReport, QueueItem, QueueReport, Severity};
use crate::snapshot::{CHANGES_UNKNOWN, Changes, Missing, Part as Found, Reported, Snapshot};

/// One collection under way. Dropped without an answer, it panics.
struct Collection {
    deadline: Duration,
    cancel: Cancel,
    answer: oneshot::Sender<Collected>,
}

impl Collection {
    fn ends(self, collected: Collected) {
        assert!(self.answer.send(collected).is_ok(), "nobody waits for it");
    }
}

struct Desk {
    review: Review,
    collections: mpsc::UnboundedReceiver<Collection>,
}

impl Desk {
    fn new() -> Self {
        let (begun, collections) = mpsc::unbounded_channel();
        let collect: CollectFn = Arc::new(move |deadline, cancel| {
            let (answer, answered) = oneshot::channel();
            let _ = begun.send(Collection { deadline, cancel, answer });
            Box::pin(async move { answered.await.expect("the test answers") })
        });
        let subject = Subject { directory: "/w".into(), corpus: DEFAULT_DIR.to_owned() };
        let review = Review::with(subject, collect, || date::Instant::from_unix_ms(0));
        Self { review, collections }
    }

    fn ask(&self, trigger: Trigger, cancel: &Cancel) -> JoinHandle<()> {
        tokio::spawn(self.review.refresh(trigger, cancel.clone()))
    }

    async fn begun(&mut self) -> Collection {
        in_time(self.collections.recv()).await.unwrap()
    }

    /// Whether another collection begins once everything has come to rest.
    async fn is_idle(&mut self) -> bool {
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.collections.is_empty()
    }

    fn notes(&self) -> Vec<(&'static str, String)> {
        let content = Arc::clone(&self.review.0.state().content);
        let notes = [
            ("changes", content.changes.note.clone()),
            ("check", content.check.note.clone()),
            ("lint", content.lint.note.clone()),
            ("queue", content.queue.note.clone()),
        ];
        notes.into_iter().filter_map(|(part, note)| Some((part, note?))).collect()
    }

    /// The only changed file that is shown.
    fn file(&self) -> Option<String> {
        self.review.0.state().content.changes.value.as_ref().map(|it| it.files.concat())
    }

    fn is_refreshing(&self) -> bool {
        self.review.fragments().parts[0].html.contains("data-busy")
    }
}

/// What never ends fails the test: the clock leaps where nothing else is to be done.
async fn in_time<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(3600), work).await.expect("it ends")
}

async fn ends(call: JoinHandle<()>) {
    in_time(call).await.unwrap();
}

/// Everything was found out, and `file` has changed.
fn found(file: &str) -> Collected {
    let files = vec![file.to_owned()];
    let check = CheckReport { changed_files: files.clone(), ..CheckReport::default() };
    Collected {
        snapshot: Snapshot {
            changes: Found::Ready(Changes { files, base: None, label: "HEAD".into(), skipped_non_utf8: 0 }),
            check: ready(check),
            lint: ready(LintReport { checked: 1, findings: vec![] }),
            queue: ready(queue(vec![])),
        },
        no_corpus: false,
    }
}

fn ready<R>(report: R) -> Found<Reported<R>> {
    Found::Ready(Reported { exit_code: 0, engine: "embedded", report })
}

fn queue(items: Vec<QueueItem>) -> QueueReport {
    QueueReport {
        version: "1".into(),
        as_of: "2026-11-30".into(),
        corpus_fingerprint: String::new(),
        total_items: items.len(),
        total_corpus_findings: 0,
        items_with_findings: 0,
        items,
        corpus_findings: vec![],
    }
}

const EDITED: &str = "Automatic refresh timed out; showing the previous result.";

#[tokio::test(start_paused = true)]
async fn calls_meanwhile_make_one_more() {
    let mut desk = Desk::new();
    let cancel = Cancel::new();
    let first = desk.ask(Trigger::Open, &cancel);
    let one = desk.begun().await;
    let others = [(); 5].map(|()| desk.ask(Trigger::Manual, &cancel));
    assert!(desk.is_idle().await);
    one.ends(found("a"));
    ends(first).await;
    let another = desk.begun().await;
    assert_eq!(desk.file().as_deref(), Some("a"));
    assert!(others.iter().all(|it| !it.is_finished()));
    another.ends(found("b"));
    for it in others {
        ends(it).await;
    }
    assert_eq!(desk.file().as_deref(), Some("b"));
    assert!(desk.is_idle().await);
}

#[tokio::test(start_paused = true)]
async fn what_is_shown_has_a_version() {
    let mut desk = Desk::new();
    let cancel = Cancel::new();
    let mut versions = vec![desk.review.version()];
    assert!(!desk.is_refreshing());
    let refresh = desk.review.refresh(Trigger::Open, cancel.clone());
    // As soon as it is asked for, before anything runs.
    versions.push(desk.review.version());
    assert!(desk.is_refreshing());
    let refresh = tokio::spawn(refresh);
    desk.begun().await.ends(found("a"));
    ends(refresh).await;
    versions.push(desk.review.version());
    assert!(!desk.is_refreshing());
    assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
    let fragments = desk.review.fragments();
    assert_eq!(fragments.version, versions[2]);
    assert_eq!(fragments.parts.iter().map(|it| it.id).collect::<Vec<_>>(), panel::PART_IDS);
    let page = desk.review.document(Frame { nonce: "n", base: "/t/" });
    assert!(fragments.parts.iter().all(|part| page.contains(&part.html)));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_that_of_whoever_asked_last() {
    for (triggers, deadline, note) in [
        (&[Trigger::Edit, Trigger::Edit][..], REFRESH_DEADLINE, EDITED),
        (&[Trigger::Edit, Trigger::Open], ASKED_DEADLINE, "Refresh timed out; showing the previous result."),
        (
            &[Trigger::Manual, Trigger::Edit],
            ASKED_DEADLINE,
            "Refresh timed out; showing the previous result.",
        ),
    ] {
        let mut desk = Desk::new();
        let cancel = Cancel::new();
        let first = desk.ask(Trigger::Open, &cancel);
        desk.begun().await.ends(found("a"));
        ends(first).await;
        let asked: Vec<_> = triggers.iter().map(|it| desk.ask(*it, &cancel)).collect();
        let collection = desk.begun().await;
        assert_eq!(collection.deadline, deadline);
        let begin = Instant::now();
        in_time(collection.cancel.cancelled()).await;
        assert_eq!(begin.elapsed(), deadline);
        // What was found until then stands; the rest says that it was cut off.
        let aborted = || Missing::from(&Error::Aborted);
        let mut partly = found("b");
        partly.snapshot.lint = Found::Missing(aborted());
        partly.snapshot.queue = Found::Missing(aborted());
        collection.ends(partly);
        for it in asked {
            ends(it).await;
        }
        assert_eq!(desk.file().as_deref(), Some("b"));
        assert_eq!(desk.notes(), [("lint", note.to_owned()), ("queue", note.to_owned())]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refresh_is_cancelled_when_nobody_waits_for_it() {
    let mut desk = Desk::new();
    let (mine, theirs) = (Cancel::new(), Cancel::new());
    let me = desk.ask(Trigger::Manual, &mine);
    let they = desk.ask(Trigger::Manual, &theirs);
    let collection = desk.begun().await;
    mine.cancel();
    ends(me).await;
    assert!(!collection.cancel.is_cancelled());
    theirs.cancel();
    in_time(collection.cancel.cancelled()).await;
    assert!(!they.is_finished(), "what was started is still there");
    collection.ends(Collected::failed(&Error::Aborted));
    ends(they).await;
    assert_eq!(desk.notes()[0], ("changes", "Refresh was stopped.".to_owned()));
    assert!(!desk.is_refreshing());
}

#[tokio::test(start_paused = true)]
async fn one_that_nobody_waits_for_does_not_begin() {
    let mut desk = Desk::new();
    let (cancelled, cancel) = (Cancel::new(), Cancel::new());
    cancelled.cancel();
    ends(desk.ask(Trigger::Manual, &cancelled)).await;
    drop(desk.review.refresh(Trigger::Manual, cancel.clone()));
    assert!(desk.is_idle().await);
    assert!(!desk.is_refreshing());
    // And the next one is not held up by them.
    let next = desk.ask(Trigger::Manual, &cancel);
    drop(desk.review.refresh(Trigger::Manual, cancel.clone()));
    desk.begun().await.ends(found("a"));
    ends(next).await;
    assert_eq!(desk.file().as_deref(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn one_that_does_not_end_holds_nobody_and_replaces_nothing_newer() {
    for is_overtaken in [true, false] {
        let mut desk = Desk::new();
        let cancel = Cancel::new();
        let first = desk.ask(Trigger::Edit, &cancel);
        let stuck = desk.begun().await;
        let begin = Instant::now();
        ends(first).await;
        assert_eq!(begin.elapsed(), REFRESH_DEADLINE + PATIENCE);
        assert_eq!(desk.notes()[0], ("changes", "Automatic refresh timed out.".to_owned()));
        if is_overtaken {
            let second = desk.ask(Trigger::Edit, &cancel);
            desk.begun().await.ends(found("newer"));
            ends(second).await;
        }
        let before = desk.review.version();
        stuck.ends(found("older"));
        in_time(async {
            while desk.review.version() == before {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
        assert_eq!(desk.file().as_deref(), Some(if is_overtaken { "newer" } else { "older" }));
        assert_eq!(desk.notes(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_noted_and_forgotten() {
    let mut desk = Desk::new();
    let cancel = Cancel::new();
    let first = desk.ask(Trigger::Manual, &cancel);
    drop(desk.begun().await);
    ends(first).await;
    assert_eq!(desk.notes()[0], ("changes", "An internal error occurred.".to_owned()));
    let second = desk.ask(Trigger::Manual, &cancel);
    desk.begun().await.ends(found("a"));
    ends(second).await;
    assert_eq!(desk.notes(), []);
}

#[tokio::test(start_paused = true)]
async fn disposal_ends_what_is_under_way_and_what_waits() {
    let mut desk = Desk::new();
    let cancel = Cancel::new();
    let running = desk.ask(Trigger::Manual, &cancel);
    let collection = desk.begun().await;
    let waiting = desk.ask(Trigger::Manual, &cancel);
    assert!(desk.is_idle().await);
    desk.review.dispose();
    ends(waiting).await;
    in_time(collection.cancel.cancelled()).await;
    collection.ends(Collected::failed(&Error::Aborted));
    ends(running).await;
    let version = desk.review.version();
    ends(desk.ask(Trigger::Manual, &cancel)).await;
    assert!(desk.is_idle().await);
    assert_eq!(desk.review.version(), version);
}

/// A result is merged part by part, however its parts fail.
#[test]
fn parts_keep_their_last_result() {
    let taken = |number, collected, made: i64| Taken {
        number,
        collected,
        trigger: Trigger::Edit,
        cut: Some(Cut::TimedOut),
        made: date::Instant::from_unix_ms(made).map(|at| Made { at, took: Duration::ZERO }),
    };
    let mut ledger = Ledger::default();
    ledger.take(taken(1, found("a"), 1));
    let mut second = found("b");
    second.snapshot.changes = Found::Missing(Missing::from(&Error::Aborted));
    let unknown = Missing { code: CHANGES_UNKNOWN, ..Missing::from(&Error::Internal) };
    second.snapshot.check = Found::Missing(unknown);
    ledger.take(taken(2, second, 2));
    let content = ledger.content();
    assert_eq!(content.changes.value.as_ref().unwrap().files, ["a"]);
    assert_eq!(content.check.value.as_ref().unwrap().report.changed_files, ["a"]);
    assert_eq!(content.coverage.uncovered, [0]);
    for held in [(&content.changes.note, content.changes.code), (&content.check.note, content.check.code)] {
        assert_eq!(held, (&Some(EDITED.to_owned()), Some("aborted")));
    }
    assert_eq!((&content.lint.note, &content.queue.note), (&None, &None));
    let at = |ledger: &Ledger| ledger.content().made.map(|it| it.at);
    // What is shown is as old as what it says about decisions.
    assert_eq!(at(&ledger), date::Instant::from_unix_ms(1));
    ledger.take(taken(3, Collected::failed(&Error::GitFailed), 3));
    assert_eq!(at(&ledger), date::Instant::from_unix_ms(1));
    assert_eq!(ledger.content().lint.note.as_deref(), Some("Git failed. Showing the previous result."));
    // And an older one changes nothing.
    let before = ledger.content().clone();
    ledger.take(taken(2, found("c"), 4));
    assert_eq!(*ledger.content(), before);
    ledger.take(taken(4, found("d"), 5));
    assert_eq!(at(&ledger), date::Instant::from_unix_ms(5));
    // Where there is nothing about decisions, it is as old as the rest.
    let mut ledger = Ledger::default();
    let mut without = found("a");
    without.snapshot.check = Found::Missing(Missing::from(&Error::GitFailed));
    ledger.take(taken(1, without, 6));
    assert_eq!(at(&ledger), date::Instant::from_unix_ms(6));
}

#[test]
fn a_summary_is_short_and_has_no_text_of_the_repository() {
    let secret = "SECRET <b> \u{202e} \"quoted\"".repeat(100);
    let digits = |n: usize| format!("{n:032}");
    let decision = |n: usize, id: String, status: &str| Decision {
        record_id: id,
        title: secret.clone(),
        status: if n == 0 { secret.clone() } else { status.to_owned() },
        bucket: secret.clone(),
        superseded_by: Some(secret.clone()),
        fired_matchers: vec![],
        declared_by: vec![],
    };
    let many = |status: &str| -> Vec<Decision> {
        let odd = [secret.clone(), "payments:0001".to_owned(), "1".repeat(33)].into_iter();
        odd.chain((0..500).map(digits)).enumerate().map(|(n, id)| decision(n, id, status)).collect()
    };
    let check = CheckReport {
        changed_files: vec![secret.clone(); 3000],
        governing: many("accepted"),
        active_proposals: many("proposed"),
        history: many("superseded"),
        ..CheckReport::default()
    };
    let finding = Finding::new(&secret, Severity::Warn, secret.clone()).path(secret.clone());
    let longest = Error::CliUnresolved;
    let failed = |error: &Error| Missing::from(error);
    let mut collected = found("x");
    collected.snapshot.changes = Found::Ready(Changes {
        files: check.changed_files.clone(),
        base: Some(secret.clone()),
        label: secret.clone(),
        skipped_non_utf8: usize::MAX,
    });
    collected.snapshot.check = ready(check);
    collected.snapshot.lint = ready(LintReport { checked: usize::MAX, findings: vec![finding; 3] });
    let mut ledger = Ledger::default();
    let taken = |number, collected| Taken {
        number,
        collected,
        trigger: Trigger::Manual,
        cut: None,
        made: date::Instant::from_unix_ms(0).map(|at| Made { at, took: Duration::MAX }),
    };
    ledger.take(taken(1, collected));
    let mut noted = Collected::failed(&longest);
    noted.snapshot.queue = Found::Missing(failed(&longest));
    ledger.take(taken(2, noted));
    let summary = Summary::of(u64::MAX, ledger.content(), Activity { refreshing: false });
    let json = serde_json::to_string(&summary).unwrap();
    assert!(json.len() < MAX_SUMMARY_BYTES, "{}", json.len());
    assert!(json.len() > MAX_SUMMARY_BYTES / 2, "{}: the limits could be wider", json.len());
    for text in ["SECRET", "payments", "\u{202e}"] {
        assert!(!json.contains(text), "{text}");
    }
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    for (key, limit) in
        [("governing", MAX_GOVERNING_IDS), ("proposals", MAX_PROPOSAL_IDS), ("history", MAX_HISTORY_IDS)]
    {
        let ids = &value[key];
        let counts = [&ids["total"], &ids["unlisted"]].map(|it| it.as_u64().unwrap());
        assert_eq!(counts, [503, 503 - limit as u64], "{key}");
        assert_eq!(ids["listed"].as_array().map(Vec::len), Some(limit), "{key}");
    }
    assert_eq!(value["notes"].as_array().map(Vec::len), Some(4));
    assert_eq!(value["changes"]["with"], "base");
}

#[tokio::test(start_paused = true)]
async fn a_future_that_is_dropped_half_way_leaves() {
    let mut desk = Desk::new();
    let mut refresh = Box::pin(desk.review.refresh(Trigger::Manual, Cancel::new()));
    let collection = tokio::select! {
        biased;
        () = &mut refresh => panic!("it cannot have ended"),
        collection = desk.collections.recv() => collection.unwrap(),
    };
    drop(refresh);
    in_time(collection.cancel.cancelled()).await;
    assert!(desk.is_refreshing(), "what was started is still there");
    in_time(async {
        while desk.is_refreshing() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
    assert_eq!(desk.notes()[0], ("changes", "Refresh was stopped.".to_owned()));
}
