//! When panels are refreshed, on the paused clock.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adrkit_native::error::{Error, Result};
use adrkit_native::process::Cancel;
use adrkit_native::refresh::{DEBOUNCE, REFRESH_DEADLINE, RefreshFn, RefreshScheduler};
use camino::{Utf8Path, Utf8PathBuf};
use tokio::time::{Instant, sleep};

const A: &str = "/a";
const B: &str = "/b";
const SECOND: Duration = Duration::from_secs(1);

/// How a refresh goes.
#[derive(Clone)]
enum How {
    Takes(Duration),
    Fails,
    /// It ends when it is cancelled.
    Hangs,
    /// It never ends.
    Wedged,
    Panics,
}

struct Watched {
    scheduler: RefreshScheduler,
    begun: Arc<Mutex<Vec<(Duration, Utf8PathBuf)>>>,
    failures: Arc<Mutex<Vec<Error>>>,
    cancelled: Arc<AtomicUsize>,
}

impl Watched {
    fn new(how: How) -> Self {
        let epoch = Instant::now();
        let (begun, failures): (Arc<Mutex<Vec<_>>>, Arc<Mutex<Vec<Error>>>) = Default::default();
        let cancelled = Arc::new(AtomicUsize::new(0));
        let running: Arc<Mutex<BTreeSet<Utf8PathBuf>>> = Arc::default();
        let refresh: RefreshFn = {
            let (begun, cancelled) = (Arc::clone(&begun), Arc::clone(&cancelled));
            Arc::new(move |dir, cancel| {
                begun.lock().unwrap().push((epoch.elapsed(), dir.clone()));
                assert!(running.lock().unwrap().insert(dir.clone()), "two refreshes of {dir} at once");
                let (how, running, cancelled) = (how.clone(), Arc::clone(&running), Arc::clone(&cancelled));
                Box::pin(async move {
                    let result = go(how, &cancel).await;
                    cancelled.fetch_add(usize::from(cancel.is_cancelled()), SeqCst);
                    running.lock().unwrap().remove(&dir);
                    result
                })
            })
        };
        let failed = Arc::clone(&failures);
        let failed = Arc::new(move |error: &Error| failed.lock().unwrap().push(error.clone()));
        Self { scheduler: RefreshScheduler::new(refresh, failed), begun, failures, cancelled }
    }

    fn open(how: How) -> Self {
        let watched = Self::new(how);
        watched.scheduler.open(Utf8Path::new(A));
        watched
    }

    /// When refreshes of A began.
    fn times(&self) -> Vec<Duration> {
        self.begun.lock().unwrap().iter().map(|(at, _)| *at).collect()
    }

    fn failures(&self) -> Vec<Error> {
        self.failures.lock().unwrap().clone()
    }
}

async fn go(how: How, cancel: &Cancel) -> Result<()> {
    match how {
        How::Takes(time) => sleep(time).await,
        How::Fails => return Err(Error::GitFailed),
        How::Hangs => {
            cancel.cancelled().await;
            return Err(Error::Aborted);
        }
        How::Wedged => std::future::pending().await,
        How::Panics => panic!("a refresh that panics"),
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn it_waits_for_the_last_edit() {
    let watched = Watched::open(How::Takes(SECOND));
    for _ in 0..5 {
        watched.scheduler.request();
        sleep(SECOND).await;
    }
    sleep(60 * SECOND).await;
    assert_eq!(watched.times(), [4 * SECOND + DEBOUNCE]);
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times().len(), 2);
    assert_eq!(watched.failures(), []);
}

#[tokio::test(start_paused = true)]
async fn requests_during_a_refresh_make_one_more() {
    let watched = Watched::open(How::Takes(5 * SECOND));
    watched.scheduler.request();
    sleep(DEBOUNCE + SECOND).await;
    for _ in 0..3 {
        watched.scheduler.request();
        sleep(SECOND / 2).await;
    }
    sleep(60 * SECOND).await;
    // The second begins when the first has ended: its own debounce is over by then.
    assert_eq!(watched.times(), [DEBOUNCE, DEBOUNCE + 5 * SECOND]);
}

#[tokio::test(start_paused = true)]
async fn a_request_at_the_end_of_a_refresh_is_debounced_too() {
    let watched = Watched::open(How::Takes(5 * SECOND));
    watched.scheduler.request();
    sleep(DEBOUNCE + 4 * SECOND).await;
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times(), [DEBOUNCE, DEBOUNCE + 4 * SECOND + DEBOUNCE]);
}

#[tokio::test(start_paused = true)]
async fn directories_without_an_open_panel_are_never_refreshed() {
    let watched = Watched::new(How::Takes(SECOND));
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    // Two panels, of which one closes; and one that closes before the refresh is due.
    watched.scheduler.open(Utf8Path::new(A));
    watched.scheduler.open(Utf8Path::new(A));
    watched.scheduler.open(Utf8Path::new(B));
    watched.scheduler.request();
    sleep(SECOND).await;
    watched.scheduler.close(Utf8Path::new(A));
    watched.scheduler.close(Utf8Path::new(B));
    watched.scheduler.close(Utf8Path::new("/never/opened"));
    sleep(60 * SECOND).await;
    assert_eq!(*watched.begun.lock().unwrap(), [(60 * SECOND + DEBOUNCE, A.into())]);
    watched.scheduler.close(Utf8Path::new(A));
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_panel_that_opens_later_is_not_owed_anything() {
    let watched = Watched::open(How::Takes(SECOND));
    watched.scheduler.request();
    watched.scheduler.close(Utf8Path::new(A));
    watched.scheduler.open(Utf8Path::new(A));
    sleep(60 * SECOND).await;
    assert_eq!(watched.times(), []);
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times(), [60 * SECOND + DEBOUNCE]);
}

#[tokio::test(start_paused = true)]
async fn directories_do_not_wait_for_each_other() {
    let watched = Watched::open(How::Takes(5 * SECOND));
    watched.scheduler.open(Utf8Path::new(B));
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times(), [DEBOUNCE, DEBOUNCE]);
}

#[tokio::test(start_paused = true)]
async fn closing_the_last_panel_cancels_what_is_under_way_and_tells_nobody() {
    let watched = Watched::open(How::Hangs);
    watched.scheduler.request();
    sleep(DEBOUNCE + SECOND).await;
    watched.scheduler.close(Utf8Path::new(A));
    sleep(SECOND).await;
    assert_eq!(watched.cancelled.load(SeqCst), 1);
    assert_eq!(watched.failures(), []);
}

#[tokio::test(start_paused = true)]
async fn past_its_deadline_it_is_cancelled_and_told_once() {
    let watched = Watched::open(How::Hangs);
    watched.scheduler.request();
    sleep(DEBOUNCE + REFRESH_DEADLINE).await;
    assert_eq!(watched.cancelled.load(SeqCst), 0);
    sleep(SECOND).await;
    assert_eq!(watched.cancelled.load(SeqCst), 1);
    assert_eq!(watched.failures(), [Error::TimedOut]);
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn refreshes_that_never_end_do_not_pile_up() {
    let watched = Watched::open(How::Wedged);
    for _ in 0..10 {
        watched.scheduler.request();
        sleep(60 * SECOND).await;
    }
    watched.scheduler.close(Utf8Path::new(A));
    watched.scheduler.open(Utf8Path::new(A));
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times().len(), 1);
    assert_eq!(watched.failures(), [Error::TimedOut]);
}

#[tokio::test(start_paused = true)]
async fn one_that_fails_or_panics_is_told_and_the_next_one_comes() {
    for (how, error) in [(How::Fails, Error::GitFailed), (How::Panics, Error::Internal)] {
        let watched = Watched::open(how);
        for _ in 0..2 {
            watched.scheduler.request();
            sleep(60 * SECOND).await;
        }
        assert_eq!(watched.failures(), [error.clone(), error]);
    }
}

#[tokio::test(start_paused = true)]
async fn stopping_is_for_good() {
    let watched = Watched::open(How::Hangs);
    watched.scheduler.request();
    sleep(DEBOUNCE + SECOND).await;
    watched.scheduler.request();
    watched.scheduler.stop();
    sleep(SECOND).await;
    assert_eq!(watched.cancelled.load(SeqCst), 1);
    watched.scheduler.open(Utf8Path::new(B));
    watched.scheduler.request();
    sleep(60 * SECOND).await;
    assert_eq!(watched.times(), [DEBOUNCE]);
    assert_eq!(watched.failures(), []);
}

#[test]
fn a_runtime_that_goes_away_takes_the_timers_along() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let watched = runtime.block_on(async {
        let watched = Watched::open(How::Wedged);
        watched.scheduler.request();
        watched
    });
    drop(runtime);
    assert_eq!(Arc::strong_count(&watched.begun), 2, "a task is left");
    assert_eq!(watched.times(), []);
}
