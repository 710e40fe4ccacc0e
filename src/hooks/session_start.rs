//! The summary at the start of a session.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use tracing::Instrument as _;

use super::event::Event;
use super::limits::SESSION_START_DEADLINE;
use super::rulings::Rulings;
use super::{Core, words};
use crate::contain::contained;
use crate::error::{Error, Result};
use crate::process::Cancel;

/// The text for the model, if there is something to tell.
pub(super) async fn answer(core: &Arc<Core>, event: Event<'_>) -> Result<Option<String>> {
    let Some(cwd) = event.working_directory() else { return Ok(None) };
    let is_first = core.memory().sessions.claim_start(&event.session());
    if !is_first && !event.is_resume() {
        return Ok(None);
    }
    let cancel = core.life.child_token();
    // Past the deadline, or when nobody waits any more, what runs is ended and nothing else is begun. That takes its
    // time, which nobody waits for.
    let _ended = cancel.clone().drop_guard();
    let survey = tokio::spawn(survey(Arc::clone(core), cwd.to_owned(), cancel).in_current_span());
    tokio::select! {
        biased;
        text = survey => text.unwrap_or(Err(Error::Internal)),
        () = tokio::time::sleep(SESSION_START_DEADLINE) => Err(Error::TimedOut),
    }
}

async fn survey(core: Arc<Core>, cwd: Utf8PathBuf, cancel: Cancel) -> Result<Option<String>> {
    contained(summary(&core, &cwd, &cancel)).await
}

async fn summary(core: &Core, cwd: &Utf8Path, cancel: &Cancel) -> Result<Option<String>> {
    let changes = {
        let _slots = core.slots.all(cancel).await?;
        core.repository.changed_files(cwd, cancel).await?
    };
    if changes.files.is_empty() {
        return Ok(None);
    }
    let number = changes.files.len();
    let Some(report) = core.check(cwd, changes.files, cancel).await? else { return Ok(None) };
    Ok(words::session_start(number, &changes.label, &Rulings::from(&report)))
}
