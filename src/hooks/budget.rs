//! How often a check may start a process.
//!
//! What counts is a check that may start one, the check at the start of a session too. Nothing gives back what was
//! spent: neither an edit of the corpus, after which paths are checked again, nor a command that turned out to be
//! another program. A check of the embedded engine starts no process and does not count.

use super::limits::MAX_CHECKS;

/// What is left of [`MAX_CHECKS`].
#[derive(Debug)]
pub(super) struct Budget {
    left: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: MAX_CHECKS }
    }
}

impl Budget {
    /// Takes one check; false where none is left.
    pub(super) fn take(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_spent_once() {
        let mut budget = Budget::default();
        assert_eq!((0..2 * MAX_CHECKS).filter(|_| budget.take()).count(), MAX_CHECKS as usize);
    }
}
