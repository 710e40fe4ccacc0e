//! Keys by which the page finds an element again after an update.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// How many bytes of the digest a key shows. Two of a page's texts share them by chance once in 2^40 pages.
const DIGEST_BYTES: usize = 8;

/// Makes the keys of one part.
#[derive(Debug)]
pub(super) struct Keys {
    prefix: &'static str,
    seen: HashMap<String, usize>,
}

impl Keys {
    /// Keys that begin with `prefix`, which no other part uses.
    pub(super) fn new(prefix: &'static str) -> Self {
        Self { prefix, seen: HashMap::new() }
    }

    /// The key of what `text` names: the same in every page. The second of that name gets another one.
    pub(super) fn of(&mut self, text: &str) -> String {
        let mut key = format!("{}-", self.prefix);
        for byte in &Sha256::digest(text)[..DIGEST_BYTES] {
            // Writing to a string cannot fail.
            let _ = write!(key, "{byte:02x}");
        }
        let count = self.seen.entry(key.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            let _ = write!(key, "-{count}");
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_stable_and_never_repeated() {
        let (mut one, mut other) = (Keys::new("d"), Keys::new("d"));
        let key = one.of("0001");
        assert_eq!(other.of("0001"), key);
        assert_ne!(one.of("0002"), key);
        assert_eq!(one.of("0001"), format!("{key}-2"));
    }
}
