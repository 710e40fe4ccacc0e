//! The embedded engine.

pub mod glob;
pub mod record;
