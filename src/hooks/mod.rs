//! The advisory hooks of a session. They inform and never block.

pub mod edits;
