//! Supervised processes and the choice of executables on Windows, through the public interface.
//!
//! The tests that are ignored need a program of plain C, which `npm run check:platforms -- windows` compiles and names
//! in `ADRKIT_WINDOWS_HELPER`: Node puts its own children into a job, so a tree of Node processes would end even
//! without ours.
#![cfg(windows)]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod choice;
mod command_lines;
mod starts;
mod support;
mod trees;
