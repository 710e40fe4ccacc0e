//! The native core of adrkit: which architecture decisions govern a file.
//!
//! Arrows point down: a module uses those below it and none above.
//!
//! | module | its job |
//! | --- | --- |
//! | [`tools`], [`session_dir`] | the three read-only tools of a session, and the directory that it works in |
//! | [`review`], [`panel`] | the decision review of a directory: what is shown when, and its page |
//! | [`join`] | the joins that the Copilot extension tries, in order |
//! | [`engine`] | one door to checks: the `adr` command or the embedded engine, the same shapes from either |
//! | [`cli`] | the `adr` command: which executable, its command lines, what its end means |
//! | [`corpus`] | the embedded engine: files in, reports out; no process, clock or environment |
//! | [`git`] | the work tree, and what has changed in it |
//! | [`process`] | supervised processes: groups, deadlines, captured output, a registry of what is alive |
//! | [`validate`] | what a model chose, judged without I/O |
//! | [`report`], [`error`], [`text`], [`logging`] | the ground: shapes, codes, string measures, what is logged |
//!
//! The embedded engine alone is synchronous and needs nothing:
//!
//! ```
//! use adrkit_native::corpus;
//! use camino::Utf8Path;
//!
//! // This crate keeps its own decisions in docs/adr.
//! let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
//! let (exit_code, report) = corpus::check(root, "docs/adr", &["src/git/mod.rs".to_owned()])?;
//!
//! assert_eq!(exit_code, 0);
//! assert!(report.governing.iter().any(|d| d.title == "Run no program that a repository chose"));
//! # Ok::<(), adrkit_native::error::Error>(())
//! ```

pub mod cli;
mod contain;
pub mod corpus;
pub mod engine;
pub mod error;
pub mod git;
pub mod hooks;
pub mod join;
pub mod logging;
#[cfg(feature = "node")]
mod node;
pub mod panel;
pub mod process;
pub mod refresh;
pub mod report;
pub mod review;
pub mod session_dir;
pub mod slots;
pub mod snapshot;
pub mod text;
mod threads;
pub mod tools;
pub mod validate;
