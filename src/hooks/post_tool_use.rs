//! The note on an edit.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;

use super::cache::{File, Shared, Ticket};
use super::edits::{self, Edit};
use super::event::Event;
use super::limits::{CALL_DEADLINE, MAX_TEXT_AT_ONCE};
use super::notes::SessionId;
use super::rulings::Rulings;
use super::{Core, Memory, words};

use crate::contain::contained;
use crate::error::{Error, Result};

/// The text for the model, if there is something to tell.
pub(super) async fn answer(core: &Arc<Core>, event: Event<'_>) -> Result<Option<String>> {
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
    drop(memory);
    if let Some(refresh) = &core.refresh {
        refresh.request();
    }
    tokio::spawn(look_again(Arc::clone(core), cwd.to_owned(), paths).in_current_span());
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
        let begin = begin(Arc::clone(self.core), cwd, targets);
        // A task of its own: that the corpus was edited must not be lost to the deadline on a slow disk.
        let mut checks = tokio::spawn(begin.in_current_span()).await.unwrap_or(Err(Error::Internal))?;
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
            checks = join(self.core, &mut memory, ruled.into_iter().map(|(file, _)| file));
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

/// Finds out where the targets lie, and begins the checks that are not known.
async fn begin(core: Arc<Core>, cwd: Utf8PathBuf, targets: Vec<String>) -> Result<Checks> {
    let files = locate(&core, &cwd, targets).await?;
    let mut memory = core.memory();
    Ok(join(&core, &mut memory, files.into_iter()))
}

/// Notices that a target leads elsewhere than it did, or into the corpus.
async fn look_again(core: Arc<Core>, cwd: Utf8PathBuf, targets: Vec<String>) {
    let turn = core.looks.acquire().await;
    let mut looked = pin!(locate(&core, &cwd, targets));
    let looked = if let Ok(looked) = timeout(CALL_DEADLINE, &mut looked).await {
        looked
    } else {
        // A disk that does not answer must not hold up the looks at others.
        drop(turn);
        looked.await
    };
    if let Err(error) = looked {
        core.memory().places.clear();
        tracing::debug!(code = error.code(), "the targets are not where they were");
    }
}

/// The files that the targets name, each once. Drops what is known where the corpus was edited.
async fn locate(core: &Arc<Core>, cwd: &Utf8Path, targets: Vec<String>) -> Result<Vec<File>> {
    let located = contained(core.repository.locate(cwd.to_owned(), targets.clone())).await?;
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
    Ok(files)
}

/// The checks of `files`; those that nobody has begun are begun.
fn join(core: &Arc<Core>, memory: &mut Memory, files: impl Iterator<Item = File>) -> Checks {
    let mut of = Vec::new();
    for file in files {
        let (shared, ticket) = memory.cache.join(&file);
        if let Some(ticket) = ticket {
            tokio::spawn(check(Arc::clone(core), ticket).in_current_span());
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
    core.memory().cache.settle(&ticket, rulings, is_kept);
}
