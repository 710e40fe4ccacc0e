//! The programs that matchers run.
//!
//! Three matchers run programs: [`super::search`] (depth first, for usual sizes), [`super::sweep`] (all states at once,
//! for any size and for the lookarounds) and [`super::recall`] (with captures, for backreferences).

use super::jsregex::Set;

/// How many instructions a program may have. Only counted repetition can pass it: a pattern of the greatest length
/// needs about half of it. Such an expression never matches.
pub const MAX_INSTRUCTIONS: usize = 1 << 19;

/// Where an instruction stands.
pub type Pc = usize;

/// A number inside an instruction: a place, or which set, join, slot or lookaround. Programs are kept for as long as
/// their records, so half the width counts.
pub type Number = u32;

/// As it stands in an instruction. None of them comes near the limit: all are bounded by [`MAX_INSTRUCTIONS`] or by the
/// length of a pattern.
pub fn number(of: usize) -> Number {
    Number::try_from(of).unwrap_or(Number::MAX)
}

/// One step of a program. "Next" is the following instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inst {
    /// Takes this unit.
    Unit(u16),
    /// Takes a unit of [`Program::sets`].
    Set(Number),
    /// Takes any unit but `/`.
    NotSlash,
    /// Continues with the next instruction, and at the second place.
    Split { second: Number, join: Number },
    /// Several ways meet here; each join has a number.
    Join(Number),
    /// Continues elsewhere.
    Jump(Number),
    /// Holds at the start.
    Start,
    /// Holds at the end.
    End,
    /// Holds where word and non-word units meet, or where they do not.
    WordBoundary { negated: bool },
    /// Holds where the next unit is (or is not) this one.
    NextUnit { unit: u16, negated: bool },
    /// Holds where the next unit is (or is not) one of a set; at the end it is none.
    NextSet { set: Number, negated: bool },
    /// Holds unless a dot begins a segment here: `(?!(?:^|\/)\.)`.
    NoHiddenSegment,
    /// Holds where the lookaround of that number does (or does not).
    Look { look: Number, negated: bool },
    /// The end of a program.
    Match,

    // The rest occurs in programs for backreferences only.
    /// Remembers the position in a slot: two for each group, then one for each loop.
    Save(Number),
    /// Forgets the slots of some groups.
    Forget { from: Number, to: Number },
    /// Holds if something was taken since that slot was saved.
    Progress(Number),
    /// Takes again what a group holds.
    Recall(Number),
    /// Begins a lookaround whose body follows; `end` is where it continues.
    LookOpen { behind: bool, negated: bool, end: Number },
    /// The body of a lookaround has matched.
    LookClose,
}

/// A lookaround: holds at a position where its program matches from (or up to) it.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Its program. A lookahead's runs from right to left, a lookbehind's from left to right.
    pub entry: Pc,
    pub behind: bool,
}

/// A compiled regular expression.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub code: Vec<Inst>,
    pub sets: Vec<Set>,
    pub looks: Vec<Look>,
    /// How many [`Inst::Join`] and [`Inst::Split`] there are.
    pub joins: usize,
    /// How many slots a matcher with captures needs; none for other programs.
    pub slots: usize,
    /// A match can only begin at the start.
    pub anchored: bool,
}
