//! What is kept of the output.

/// The bytes of one stream, up to a limit.
#[derive(Debug)]
pub(super) struct Capture {
    kept: Vec<u8>,
    limit: usize,
    over: bool,
}

impl Capture {
    pub(super) fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, over: false }
    }

    /// Takes `bytes`: keeps what fits and drops the rest.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        self.over |= bytes.len() > room;
    }

    /// Something was dropped.
    pub(super) fn over_limit(&self) -> bool {
        self.over
    }

    /// Hands out what was kept.
    pub(super) fn take_kept(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.kept)
    }
}

/// What a process wrote.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// A pipe was still open when the capture ended, or something was dropped.
    pub(super) incomplete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn keeps_the_longest_prefix_that_fits(chunks in proptest::collection::vec(proptest::collection::vec(0u8.., 0..9), 0..9), limit in 0usize..40) {
            let mut capture = Capture::new(limit);
            for chunk in &chunks {
                capture.take(chunk);
            }
            let all = chunks.concat();
            proptest::prop_assert_eq!(capture.over_limit(), all.len() > limit);
            proptest::prop_assert_eq!(&capture.take_kept()[..], &all[..all.len().min(limit)]);
        }
    }
}
