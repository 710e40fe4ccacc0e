//! The native core of adrkit: which architecture decisions govern a file.

pub mod cli;
pub mod corpus;
pub mod engine;
pub mod error;
pub mod git;
#[cfg(feature = "node")]
mod node;
pub mod process;
pub mod report;
pub mod text;
pub mod validate;
