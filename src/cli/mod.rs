//! The `adr` command: which executable, its command lines, and what its end means.
//!
//! [`resolve`] chooses the executable by the environment alone. A [`Session`] puts one question to it; paths that are
//! too many for one command line go in batches, whose reports [`merge`] makes one again.

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
