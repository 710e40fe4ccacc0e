//! Cuts a long list of paths into command lines of a length that every system takes.

use std::collections::HashSet;

use crate::corpus::MAX_MARKER_FILES;

/// How many bytes of paths stand on one command line: 24 KiB. Windows takes 32,767 UTF-16 units for the whole line.
pub const MAX_BATCH_BYTES: usize = 24 * 1024;

/// The same where `cmd.exe` runs the command: it takes 8,191 units.
pub const MAX_SHELL_BATCH_BYTES: usize = 6 * 1024;

/// What one argument costs beside its text: a blank and two quotes.
const ARGUMENT_BYTES: usize = 3;

/// Distinct `paths` in their order, in lists of at most `max_bytes` and [`MAX_MARKER_FILES`] paths, so that no file of a
/// batch is left unsearched. A path that is longer alone stands alone. No path makes one empty batch.
pub(crate) fn split(paths: &[String], max_bytes: usize) -> Vec<Vec<String>> {
    let mut seen = HashSet::new();
    let mut batches = Vec::new();
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for path in paths.iter().filter(|path| seen.insert(path.as_str())) {
        let cost = path.len() + ARGUMENT_BYTES;
        if !batch.is_empty() && (bytes + cost > max_bytes || batch.len() == MAX_MARKER_FILES) {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
        batch.push(path.clone());
        bytes += cost;
    }
    batches.push(batch);
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_is_one_question() {
        assert_eq!(split(&[], 10), [Vec::<String>::new()]);
    }

    #[test]
    fn many_short_paths_are_cut_by_their_number() {
        let paths: Vec<String> = (0..=MAX_MARKER_FILES * 2).map(|n| format!("{n:x}")).collect();
        let sizes: Vec<usize> = split(&paths, usize::MAX).iter().map(Vec::len).collect();
        assert_eq!(sizes, [MAX_MARKER_FILES, MAX_MARKER_FILES, 1]);
    }

    proptest::proptest! {
        #[test]
        fn batches_hold_all_paths_once_within_the_limit(paths in proptest::collection::vec("[a-d]{0,9}", 0..40), max in 1usize..40) {
            let batches = split(&paths, max);
            let mut distinct = Vec::new();
            for path in &paths {
                if !distinct.contains(path) {
                    distinct.push(path.clone());
                }
            }
            proptest::prop_assert_eq!(batches.concat(), distinct);
            for batch in &batches {
                let bytes: usize = batch.iter().map(|p| p.len() + ARGUMENT_BYTES).sum();
                proptest::prop_assert!(bytes <= max || batch.len() == 1);
                proptest::prop_assert!(!batch.is_empty() || paths.is_empty());
            }
            // Greedy: no batch could have taken the first path of the next one.
            for pair in batches.windows(2) {
                let bytes: usize = pair[0].iter().chain(&pair[1][..1]).map(|p| p.len() + ARGUMENT_BYTES).sum();
                proptest::prop_assert!(bytes > max);
            }
        }
    }
}
