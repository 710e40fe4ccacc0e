//! How much is shown. What is left out is always counted.

/// A title is cut after this many characters.
pub const TITLE_CHARS: usize = 300;

/// A path or a pattern is cut after this many characters.
pub const PATH_CHARS: usize = 500;

/// An id, a status, a rule or a name is cut after this many characters.
pub const NAME_CHARS: usize = 80;

/// The message of a finding is cut after this many characters.
pub const MESSAGE_CHARS: usize = 600;

/// The most changed files in the list of all. It is also how many of them one check searches for markers.
pub const CHANGED_FILES: usize = 3000;

/// The files at the head of a list that are in the open. The others are below a fold.
pub const OPEN_FILES: usize = 12;

/// The most files in the list of those that no decision governs.
pub const UNCOVERED_FILES: usize = 500;

/// The most decisions of each kind.
pub const DECISIONS: usize = 500;

/// The files listed below decisions, all in all. Each decision gets an equal share of it, but at least
/// [`FILES_OF_A_DECISION`].
pub const FILES_OF_DECISIONS: usize = 4000;

/// The files that each decision may list, however many decisions there are.
pub const FILES_OF_A_DECISION: usize = 10;

/// The most reasons of one decision, matchers and markers apart.
pub const REASONS: usize = 12;

/// The most ids beside one changed file.
pub const IDS_OF_A_FILE: usize = 8;

/// The most decisions in the picture.
pub const PICTURED_DECISIONS: usize = 8;

/// The most findings, all in all.
pub const FINDINGS: usize = 1000;

/// The most items of the queue.
pub const QUEUED: usize = 500;

/// The most deciders of one item, and the most observations about it.
pub const DETAILS_OF_AN_ITEM: usize = 8;

/// The longest command line that a button copies, in bytes: as long as a path may be on Linux.
pub const COPIED_BYTES: usize = 4096;
