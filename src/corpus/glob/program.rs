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

/// One step of a program. "Next" is the following instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inst {
    /// Takes this unit.
    Unit(u16),
    /// Takes a unit of [`Program::sets`].
    Set(usize),
    /// Takes any unit but `/`.
    NotSlash,
    /// Continues at both places.
    Split { first: Pc, second: Pc, join: usize },
    /// Several ways meet here; each join has a number.
    Join(usize),
    /// Continues elsewhere.
    Jump(Pc),
    /// Holds at the start.
    Start,
    /// Holds at the end.
    End,
    /// Holds where word and non-word units meet, or where they do not.
    WordBoundary { negated: bool },
    /// Holds where the next unit is (or is not) this one.
    NextUnit { unit: u16, negated: bool },
    /// Holds where the next unit is (or is not) one of a set; at the end it is none.
    NextSet { set: usize, negated: bool },
    /// Holds unless a dot begins a segment here: `(?!(?:^|\/)\.)`.
    NoHiddenSegment,
    /// Holds where the lookaround of that number does (or does not).
    Look { look: usize, negated: bool },
    /// The end of a program.
    Match,

    // The rest occurs in programs for backreferences only.
    /// Remembers the position in a slot: two for each group, then one for each loop.
    Save(usize),
    /// Forgets the slots of some groups.
    Forget { from: usize, to: usize },
    /// Holds if something was taken since that slot was saved.
    Progress(usize),
    /// Takes again what a group holds.
    Recall(usize),
    /// Begins a lookaround whose body follows; `end` is where it continues.
    LookOpen { behind: bool, negated: bool, end: Pc },
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
