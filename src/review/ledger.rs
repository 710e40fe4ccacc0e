//! What is held of all refreshes so far, part by part.

use super::Trigger;
use super::words::{Failure, note};
use crate::error::Error;
use crate::panel::coverage::Coverage;
use crate::panel::{Content, Held, Made};
use crate::snapshot::{CHANGES_UNKNOWN, Missing, Part, Snapshot};

/// What a refresh found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Collected {
    /// The parts.
    pub snapshot: Snapshot,
    /// There is no directory of records.
    pub no_corpus: bool,
}

/// Why a refresh was told to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Its deadline passed.
    TimedOut,
    /// Nobody waits for it any more.
    Stopped,
}

/// A result that is to be taken over.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    /// The number of the refresh: a greater one began later.
    pub(super) number: u64,
    pub(super) collected: Collected,
    pub(super) trigger: Trigger,
    pub(super) cut: Option<Cut>,
    pub(super) made: Option<Made>,
}

/// The content, and the refresh that each part of it was last decided by.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    content: Content,
    changes: u64,
    check: u64,
    lint: u64,
    queue: u64,
}

impl Collected {
    /// Nothing was found out.
    pub(super) fn failed(error: &Error) -> Self {
        fn missing<T>(error: &Error) -> Part<T> {
            Part::Missing(Missing::from(error))
        }
        let (changes, check) = (missing(error), missing(error));
        Self {
            snapshot: Snapshot { changes, check, lint: missing(error), queue: missing(error) },
            no_corpus: false,
        }
    }
}

impl Ledger {
    pub(super) fn content(&self) -> &Content {
        &self.content
    }

    /// Takes a result over. Nothing of it replaces what a later refresh decided, and what it did not find out stays as
    /// it was, with a note.
    pub(super) fn take(&mut self, taken: Taken) {
        let Taken { number, collected: Collected { snapshot, no_corpus }, trigger, cut, made } = taken;
        let Snapshot { changes, check, lint, queue } = snapshot;
        let coverage = check.ready().map(|it| Coverage::of(&it.report));
        let check = because_of(check, &changes);
        let failure = Failure { trigger, cut, no_corpus };
        let content = &mut self.content;
        let knew = content.check.value.is_some();
        let mut found = hold(&mut content.changes, &mut self.changes, number, changes, failure).is_found();
        let held = hold(&mut content.check, &mut self.check, number, check, failure);
        if held != Hold::Older {
            content.no_corpus = no_corpus;
        }
        let governs = held.is_found();
        if governs {
            content.coverage = coverage.unwrap_or_default();
        }
        found |= hold(&mut content.lint, &mut self.lint, number, lint, failure).is_found();
        found |= hold(&mut content.queue, &mut self.queue, number, queue, failure).is_found();
        // The page is as old as what it says about decisions, where it says anything about them.
        if governs || (found && !knew) {
            content.made = made.or(content.made);
        }
    }
}

/// A check that had nothing to ask about failed for the reason for which the changes are not known.
fn because_of<T, C>(check: Part<T>, changes: &Part<C>) -> Part<T> {
    match (check, changes) {
        (Part::Missing(missing), Part::Missing(cause)) if missing.code == CHANGES_UNKNOWN => {
            Part::Missing(cause.clone())
        }
        (check, _) => check,
    }
}

/// What became of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    /// It is shown.
    Found,
    /// It was not found out, and that is noted.
    Noted,
    /// A later refresh has decided.
    Older,
}

impl Hold {
    fn is_found(self) -> bool {
        self == Self::Found
    }
}

fn hold<T>(held: &mut Held<T>, decided_by: &mut u64, number: u64, part: Part<T>, failure: Failure) -> Hold {
    if number < *decided_by {
        return Hold::Older;
    }
    *decided_by = number;
    match part {
        Part::Ready(value) => {
            *held = Held { value: Some(value), ..Held::default() };
            Hold::Found
        }
        Part::Missing(missing) => {
            held.note = Some(note(&missing, failure, held.value.is_some()));
            held.code = Some(missing.code);
            Hold::Noted
        }
    }
}
