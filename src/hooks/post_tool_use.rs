//! The note on an edit.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;

use super::cache::{File, Shared, Ticket};
use super::edits::{self, Edit};
use super::event::Event;
use super::limits::{CALL_DEADLINE, LOOK_AFTER, MAX_TEXT_AT_ONCE};
use super::notes::SessionId;
use super::rulings::Rulings;
use super::{Core, Located, Memory, words};
use crate::contain::contained;
use crate::error::{Error, Result};
use crate::report::CheckReport;

/// The text for the model, if there is something to tell.
pub(super) async fn answer(core: &Arc<Core>, event: Event<'_>) -> Result<Option<String>> {
    if !event.fits(MAX_TEXT_AT_ONCE) {
        // The first poll may come from a thread that must not be held.
        yield_now().await;
    }
    let Some(Edited { cwd, paths, truncated }) = edited(event) else { return Ok(None) };
    // From here on something may be touched: a tool has edited.
    if let Some(refresh) = &core.refresh {
        refresh.request();
    }
    if paths.is_empty() {
        return Ok(None);
    }
    let note = Note { core, session: event.session(), truncated };
    let patience = core.memory().patience.begin(Instant::now());
    let _waiting = Waiting(core);
    tokio::select! {
        biased;
        text = note.text(cwd.to_owned(), paths) => text,
        // No failure: the checks go on, and the next edit of the file is told.
        () = sleep(patience) => Ok(None),
    }
}

/// The same text, where nothing has to be found out for it.
pub(super) fn answer_now(core: &Arc<Core>, event: Event<'_>) -> Poll<Option<String>> {
    if !event.fits(MAX_TEXT_AT_ONCE) {
        return Poll::Pending;
    }
    let Some(Edited { cwd, paths, truncated }) = edited(event) else { return Poll::Ready(None) };
    let mut memory = core.memory();
    let Some(files) = memory.places.find(cwd, &paths) else { return Poll::Pending };
    let known = |file: File| memory.cache.known(&file).map(|rulings| (file, rulings));
    let Some(ruled) = files.into_iter().map(known).collect::<Option<Vec<_>>>() else { return Poll::Pending };
    let text = Note { core, session: event.session(), truncated }.claim(&mut memory, &ruled);
    let look = || tokio::spawn(look_again(Arc::clone(core)).in_current_span()).abort_handle();
    memory.looks.request(cwd, paths, look);
    drop(memory);
    if let Some(refresh) = &core.refresh {
        refresh.request();
    }
    Poll::Ready(text)
}

/// What a tool has edited.
struct Edited<'a> {
    cwd: &'a Utf8Path,
    paths: Vec<String>,
    truncated: bool,
}

fn edited(event: Event<'_>) -> Option<Edited<'_>> {
    let cwd = event.working_directory()?;
    let Edit::Targets { paths, truncated } = edits::targets(event.0) else { return None };
    Some(Edited { cwd, paths, truncated })
}

/// Held while a note is waited for.
struct Waiting<'a>(&'a Core);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.memory().patience.end(Instant::now());
    }
}

struct Note<'a> {
    core: &'a Arc<Core>,
    session: SessionId,
    truncated: bool,
}

impl Note<'_> {
    async fn text(&self, cwd: Utf8PathBuf, targets: Vec<String>) -> Result<Option<String>> {
        // A task of its own: that the corpus was edited must not be lost to the deadline on a slow disk.
        let mut checks = apart(begin(Arc::clone(self.core), cwd, targets)).await?;
        loop {
            let mut ruled = Vec::with_capacity(checks.of.len());
            for (file, mut shared) in checks.of {
                ruled.push((file, shared.rulings().await));
            }
            let mut memory = self.core.memory();
            if memory.cache.epoch() == checks.epoch {
                return Ok(self.claim(&mut memory, &ruled));
            }
            // The corpus was edited meanwhile: what was found is out of date.
            checks = join(self.core, &mut memory, ruled.into_iter().map(|(file, _)| file), None);
        }
    }

    /// Takes the notes that nobody has been given meanwhile, and says them.
    fn claim(&self, memory: &mut Memory, ruled: &[(File, Arc<Rulings>)]) -> Option<String> {
        let mut ids = BTreeSet::new();
        for (file, rulings) in ruled.iter().filter(|(_, rulings)| !rulings.accepted.is_empty()) {
            if memory.sessions.claim_note(&self.session, file) {
                ids.extend(rulings.accepted.iter().cloned());
            }
        }
        words::edited(&ids, self.truncated)
    }
}

/// Checks of files, joined while the cache was in its `epoch`.
struct Checks {
    epoch: u64,
    of: Vec<(File, Shared)>,
}

/// Runs `work` as a task of its own, which begins here and now.
async fn apart<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    let mut work = Box::pin(work.in_current_span());
    match poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await {
        Poll::Ready(done) => done,
        Poll::Pending => tokio::spawn(work).await.unwrap_or(Err(Error::Internal)),
    }
}

/// Finds out where the targets lie, and begins the checks that are not known.
async fn begin(core: Arc<Core>, cwd: Utf8PathBuf, targets: Vec<String>) -> Result<Checks> {
    let ([target], Ok(turn)) = (&targets[..], core.ahead.try_acquire()) else {
        let files = locate(&core, &cwd, targets).await?;
        return Ok(join(&core, &mut core.memory(), files.into_iter(), None));
    };
    let epoch = core.memory().cache.epoch();
    let mut ahead = pin!(contained(core.repository.locate_and_check(cwd.clone(), target.clone())));
    let ahead = tokio::select! {
        biased;
        () = core.life.cancelled() => return Err(Error::Aborted),
        ahead = &mut ahead => ahead?,
        () = sleep(CALL_DEADLINE) => {
            // As with any check that takes so long; that the corpus was edited is heard of all the same.
            drop(turn);
            core.warnings.hook_failed(&Error::TimedOut);
            ahead.await?
        }
    };
    let files = take_in(&core, &cwd, &targets, ahead.located);
    let mut memory = core.memory();
    // What was found before the corpus was edited is out of date.
    let report = ahead.report.filter(|_| memory.cache.epoch() == epoch);
    Ok(join(&core, &mut memory, files.into_iter(), report))
}

/// Notices that a target leads elsewhere than it did, or into the corpus.
async fn look_again(core: Arc<Core>) {
    sleep(LOOK_AFTER).await;
    loop {
        let Some((cwd, targets)) = core.memory().looks.next() else { return };
        let look = look(Arc::clone(&core), cwd, targets).in_current_span();
        // A disk that does not answer must not hold up the looks at others.
        let _ = timeout(CALL_DEADLINE, tokio::spawn(look)).await;
    }
}

async fn look(core: Arc<Core>, cwd: Utf8PathBuf, targets: Vec<String>) {
    if let Err(error) = locate(&core, &cwd, targets).await {
        core.memory().places.clear();
        tracing::debug!(code = error.code(), "the targets are not where they were");
    }
}

/// The files that the targets name, each once.
async fn locate(core: &Arc<Core>, cwd: &Utf8Path, targets: Vec<String>) -> Result<Vec<File>> {
    let located = contained(core.repository.locate(cwd.to_owned(), targets.clone())).await?;
    Ok(take_in(core, cwd, &targets, located))
}

/// The files that the targets name, each once. Drops what is known where the corpus was edited.
fn take_in(core: &Core, cwd: &Utf8Path, targets: &[String], located: Located) -> Vec<File> {
    let mut memory = core.memory();
    if located.in_corpus {
        memory.cache.clear();
        memory.places.clear();
        memory.sessions.forget_notes();
    }
    let mut files: Vec<File> = Vec::new();
    for (target, path) in targets.iter().zip(located.paths) {
        let file = path.map(|path| File::new(cwd.to_owned(), path));
        if !located.in_corpus {
            memory.places.put(cwd, target, file.clone());
        }
        files.extend(file.filter(|file| !files.contains(file)));
    }
    files
}

/// The checks of `files`; those that nobody has begun are begun. `report` is the answer to the first, if it is there.
fn join(
    core: &Arc<Core>,
    memory: &mut Memory,
    files: impl Iterator<Item = File>,
    mut report: Option<Result<CheckReport>>,
) -> Checks {
    let mut of = Vec::new();
    for file in files {
        let (shared, ticket) = memory.cache.join(&file);
        if let Some(ticket) = ticket {
            match report.take() {
                Some(report) => settle(core, memory, &ticket, report.map(Some)),
                None => drop(tokio::spawn(check(Arc::clone(core), ticket).in_current_span())),
            }
        }
        of.push((file, shared));
    }
    Checks { epoch: memory.cache.epoch(), of }
}

/// Makes the check of one file and tells those who wait for it.
async fn check(core: Arc<Core>, ticket: Ticket) {
    let cancel = core.life.child_token();
    let file = ticket.file.clone();
    let done = contained(core.check(file.cwd(), vec![file.path().to_owned()], &cancel)).await;
    settle(&core, &mut core.memory(), &ticket, done);
}

/// Tells those who wait for a check what it said.
fn settle(core: &Core, memory: &mut Memory, ticket: &Ticket, done: Result<Option<CheckReport>>) {
    let is_kept = match &done {
        Ok(report) => report.is_some(),
        Err(error) => !matches!(error, Error::Aborted | Error::TimedOut | Error::KilledBySignal),
    };
    let rulings = match done {
        Ok(report) => report.as_ref().map(Rulings::from).unwrap_or_default(),
        Err(error) => {
            core.warnings.hook_failed(&error);
            Rulings::default()
        }
    };
    memory.cache.settle(ticket, rulings, is_kept);
}
