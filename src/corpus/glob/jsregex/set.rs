//! Sets of UTF-16 code units.

/// How many units the bitmap covers.
const ASCII: u16 = 128;

/// `\s`: white space and line terminators of ECMAScript.
const SPACE: &[(u16, u16)] = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
const DIGIT: &[(u16, u16)] = &[(0x30, 0x39)];
const WORD: &[(u16, u16)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];

/// The class of a class escape: the letter of `\d`, `\s` or `\w` in lower case.
fn named(letter: u8) -> &'static [(u16, u16)] {
    match letter {
        b'd' => DIGIT,
        b's' => SPACE,
        _ => WORD,
    }
}

/// A set of code units: a bitmap for ASCII, sorted ranges above it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Set {
    ascii: u128,
    ranges: Vec<(u16, u16)>,
    negated: bool,
}

impl Set {
    /// `.`: everything but line terminators.
    pub fn dot() -> Self {
        let mut set = Self::default();
        for (from, to) in [(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)] {
            set.insert(from, to);
        }
        set.negated = true;
        set
    }

    /// What `\d`, `\D`, `\s`, `\S`, `\w` or `\W` stands for.
    pub fn class_escape(letter: u8) -> Self {
        let mut set = Self::default();
        set.insert_class_escape(letter);
        set
    }

    /// Adds `from..=to`.
    pub fn insert(&mut self, from: u16, to: u16) {
        for unit in from..=to.min(ASCII - 1) {
            self.ascii |= 1 << unit;
        }
        if to >= ASCII {
            self.ranges.push((from.max(ASCII), to));
        }
    }

    /// Adds some units.
    pub fn insert_all(&mut self, units: impl IntoIterator<Item = u16>) {
        for unit in units {
            self.insert(unit, unit);
        }
    }

    /// Adds what a class escape stands for.
    pub fn insert_class_escape(&mut self, letter: u8) {
        let ranges = named(letter.to_ascii_lowercase());
        if letter.is_ascii_lowercase() {
            for &(from, to) in ranges {
                self.insert(from, to);
            }
            return;
        }
        let mut next = 0;
        for &(from, to) in ranges {
            if from > next {
                self.insert(next, from - 1);
            }
            next = to + 1;
        }
        self.insert(next, u16::MAX);
    }

    /// Sorts the ranges; negates the set when asked.
    pub fn finish(mut self, negated: bool) -> Self {
        self.ranges.sort_unstable();
        self.ranges.dedup_by(|next, kept| {
            let overlaps = u32::from(next.0) <= u32::from(kept.1) + 1;
            if overlaps {
                kept.1 = kept.1.max(next.1);
            }
            overlaps
        });
        self.negated = negated;
        self
    }

    /// Is it `[^/]`, the most common set of all?
    pub fn is_all_but_slash(&self) -> bool {
        self.negated && self.ascii == 1 << b'/' && self.ranges.is_empty()
    }

    /// Is `unit` in the set?
    pub fn contains(&self, unit: u16) -> bool {
        let inside = if unit < ASCII {
            self.ascii >> unit & 1 == 1
        } else {
            let after = self.ranges.partition_point(|&(from, _)| from <= unit);
            after > 0 && unit <= self.ranges[after - 1].1
        };
        inside != self.negated
    }
}

/// Is `unit` a word character, as `\b` sees it?
pub fn is_word(unit: u16) -> bool {
    WORD.iter().any(|&(from, to)| (from..=to).contains(&unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn membership() {
        let mut set = Set::default();
        for (from, to) in [(0x61, 0x63), (0xE9, 0xE9), (0x70, 0x90), (0x100, 0x200), (0x150, 0x151)] {
            set.insert(from, to);
        }
        let yes = [0x61, 0x63, 0xE9, 0x70, 0x7F, 0x80, 0x90, 0x100, 0x180, 0x200];
        let no = [0x60, 0x64, 0xE8, 0xEA, 0x91, 0xFF, 0x201, 0xFFFF];
        let negated = set.clone().finish(true);
        let set = set.finish(false);
        for unit in yes {
            assert!(set.contains(unit) && !negated.contains(unit), "{unit:x}");
        }
        for unit in no {
            assert!(!set.contains(unit) && negated.contains(unit), "{unit:x}");
        }
    }

    #[test]
    fn class_escapes_complement_each_other() {
        for letter in [b'd', b's', b'w'] {
            let lower = Set::class_escape(letter).finish(false);
            let upper = Set::class_escape(letter.to_ascii_uppercase()).finish(false);
            for unit in 0..=u16::MAX {
                assert_ne!(lower.contains(unit), upper.contains(unit), "{letter} {unit:x}");
            }
        }
        assert!(Set::class_escape(b's').finish(false).contains(0xFEFF));
        assert!(!Set::dot().contains(0x2028) && Set::dot().contains(0x85));
    }
}
