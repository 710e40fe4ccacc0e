//! The hooks' numbers, in one place.
//!
//! Beside them: [`crate::slots::MAX_PROCESSES`], [`super::edits`] for what is read of one tool call, and the deadlines
//! of [`crate::refresh`].

use std::time::Duration;

/// The most that the first prompt waits for the summary at the start of a session.
pub const SESSION_START_DEADLINE: Duration = Duration::from_secs(5);

/// The most that the result of an edit waits for its note, and the results of one turn's parallel edits together.
pub const NOTE_DEADLINE: Duration = Duration::from_secs(2);

/// What a note may wait when the others have used up [`NOTE_DEADLINE`]: enough for what is known already.
pub const NOTE_GLANCE: Duration = Duration::from_millis(20);

/// How much text an input may hold, in bytes, for an answer on the thread that asks. More is read elsewhere.
pub const MAX_TEXT_AT_ONCE: usize = 16 * 1024;

/// In so many times of no waiting, waiting may be made up for.
pub const PATIENCE_RETURNS: u32 = 10;

/// Deadline of each git process, and of each check as a whole, from its start: waiting for a slot does not count.
pub const CALL_DEADLINE: Duration = Duration::from_secs(5);

/// How many checks that start a process one [`super::Hooks`] makes in its life.
pub const MAX_CHECKS: u32 = 500;

/// How many checks of the embedded engine read the corpus at once. They take no slot and no budget.
pub const MAX_EMBEDDED_CHECKS: usize = 2;

/// How many more are made at once in one go with the look at where a file lies. A host runs its hooks one after another.
pub const MAX_CHECKS_AHEAD: usize = 1;

/// From an answer that was given without a look at its targets to that look. One look is for all answers meanwhile, and
/// there is one at a time: each takes a thread for a moment, and each thread keeps memory of its own.
pub const LOOK_AFTER: Duration = Duration::from_millis(10);

/// How many sessions are remembered; the one that was met first is forgotten first.
pub const MAX_SESSIONS: usize = 64;

/// How many paths a session is told about. Past that it is told nothing more.
pub const MAX_NOTED_PATHS: usize = 4096;

/// How many paths' checks are kept, oldest out.
pub const MAX_CACHED_CHECKS: usize = 4096;

/// The whole text for the model, in characters. The host cuts silently at 10,240.
pub const MAX_CONTEXT_CHARS: usize = 8000;

/// The longest record id that is told. A number of more digits is nobody's id.
pub const MAX_ID_CHARS: usize = 32;

/// The longest id of a session that is told apart from others.
pub const MAX_SESSION_ID_BYTES: usize = 256;
