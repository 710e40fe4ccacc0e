//! The `adr` command: which executable, its command lines, and what its end means.
//!
//! [`resolve`] chooses the executable by the environment alone. A session puts one question to it; paths that are too
//! many for one command line go in batches, whose reports are merged into the one that a single call would have given.
//!
//! What the command starts in turn is looked up in a `PATH` less the repository's entries, and it orders text by the
//! root collation (`LC_ALL=C`) as the embedded engine does. The rest of its environment is the caller's.

mod answer;
pub(crate) mod argv;
pub(crate) mod batch;
mod cmd_exe;
mod identity;
mod launch;
pub(crate) mod merge;
mod resolve;
mod search;
mod session;
mod shim;
mod words;

use std::ffi::OsString;

pub use batch::{MAX_BATCH_BYTES, MAX_SHELL_BATCH_BYTES};
pub use launch::{Launch, MAX_SHIM_BYTES};
pub use resolve::{ADRKIT_CLI, CliSource, ResolvedCli, resolve};
pub(crate) use search::work_tree_around;
pub(crate) use session::{Clock, Session};
pub use session::{IDENTITY_DEADLINE, MAX_OUTPUT_BYTES};
pub use words::MAX_WORDS_BYTES;

/// An environment: names and values.
pub type Env = [(OsString, OsString)];
