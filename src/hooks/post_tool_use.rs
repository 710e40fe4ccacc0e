//! The note on an edit.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8PathBuf;
use tokio::time::{Instant, sleep};
use tracing::Instrument as _;

use super::cache::{File, Shared, Ticket};
use super::edits::{self, Edit};
use super::event::Event;
use super::notes::SessionId;
use super::rulings::Rulings;
use super::{Core, Memory, words};

use crate::contain::contained;
use crate::error::{Error, Result};

/// The text for the model, if there is something to tell.
pub(super) async fn answer(core: &Arc<Core>, event: Event<'_>) -> Result<Option<String>> {
    let Some(cwd) = event.working_directory() else { return Ok(None) };
    let Edit::Targets { paths, truncated } = edits::targets(event.0) else { return Ok(None) };
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
    let located = contained(core.repository.locate(cwd.clone(), targets)).await?;
    let mut memory = core.memory();
    if located.in_corpus {
        memory.cache.clear();
        memory.sessions.forget_notes();
    }
    let files = located.paths.into_iter().map(|path| File::new(cwd.clone(), path));
    Ok(join(&core, &mut memory, files))
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
