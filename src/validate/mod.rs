//! What a model chose, judged without I/O: paths, revisions and record ids.
//!
//! A model that has just read untrusted text picks the arguments of a tool. Each is judged here, by the same rules on
//! every platform, before anything is opened or started. A [`RepoPath`] or [`Revision`] can only be made by its rules
//! and gives no way back to the raw text, so a checked value cannot be mixed up with the one that was checked.
//!
//! A [`Rejection`] is a code and a fixed sentence: it never echoes its input.

mod path;
mod record_id;
mod rejection;
mod revision;
pub mod text;
mod verdict;

pub use path::{MAX_PATH_CHARS, MAX_PATHS, RepoPath, corpus_dir, paths};
pub use record_id::is_record_id;
pub use rejection::Rejection;
pub use revision::{MAX_REVISION_CHARS, Revision};
pub use verdict::Verdict;
