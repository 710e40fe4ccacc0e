//! Runs a program depth first, and never twice from the same place at the same position.
//!
//! All ways that meet do so at a join or a split, so it is enough to remember those; what lies between has one way in.
//! The work is at most instructions x positions. No way is remembered as a match: the first one ends the search.

use super::conditions::{holds, takes};
use super::program::{Inst, Number, Pc, Program};
use super::sweep::{self, Truths};

/// How many (join, position) pairs are remembered at most: 64 KiB of bits. Larger searches go to [`sweep`].
const MAX_VISITED: usize = 1 << 19;

/// How many words of bits are kept on the stack, which is enough for usual patterns and paths.
const SMALL: usize = 32;

/// So many ways are open at once in the usual search; more make the list grow.
const USUAL_WAYS: usize = 64;

/// Does the program match somewhere? Counts instructions in `steps`.
pub fn is_match(program: &Program, text: &[u16], steps: &mut u64) -> bool {
    let positions = text.len() + 1;
    let bits = program.joins * positions;
    if bits > MAX_VISITED || !program.anchored {
        let truths = sweep::truths(program, text, steps);
        return sweep::is_match(program, text, &truths, steps);
    }
    let words = bits.div_ceil(64);
    let mut small = [0; SMALL];
    let mut large = Vec::new();
    let visited = if words <= SMALL {
        &mut small[..words]
    } else {
        large.resize(words, 0);
        &mut large[..]
    };
    Search { program, text, positions, visited, truths: None, steps }.run()
}

struct Search<'a> {
    program: &'a Program,
    text: &'a [u16],
    positions: usize,
    visited: &'a mut [u64],
    /// Swept when the first lookaround is met.
    truths: Option<Truths>,
    steps: &'a mut u64,
}

impl Search<'_> {
    fn run(&mut self) -> bool {
        let mut open = Vec::with_capacity(USUAL_WAYS);
        let mut way = Some((0, 0));
        while let Some((pc, at)) = way {
            if self.follow(pc, at, &mut open) {
                return true;
            }
            way = open.pop();
        }
        false
    }

    /// Is this the first visit?
    fn visit(&mut self, join: Number, at: usize) -> bool {
        let bit = join as usize * self.positions + at;
        let (word, mask) = (&mut self.visited[bit / 64], 1 << (bit % 64));
        let first = *word & mask == 0;
        *word |= mask;
        first
    }

    /// Follows one way to its end; other ways are put on `open`. True on a match.
    fn follow(&mut self, mut pc: Pc, mut at: usize, open: &mut Vec<(Pc, usize)>) -> bool {
        loop {
            *self.steps += 1;
            let inst = self.program.code[pc];
            pc += 1;
            let goes_on = match inst {
                Inst::Split { second, join } => {
                    open.push((second as Pc, at));
                    let fresh = self.visit(join, at);
                    if !fresh {
                        open.pop();
                    }
                    fresh
                }
                Inst::Join(join) => self.visit(join, at),
                Inst::Jump(to) => {
                    pc = to as Pc;
                    true
                }
                Inst::Look { look, negated } => self.look(look, at) != negated,
                Inst::Match => return true,
                Inst::Unit(_) | Inst::NotSlash | Inst::Set(_) => {
                    let taken = self.text.get(at).is_some_and(|&unit| takes(self.program, inst, unit));
                    at += 1;
                    taken
                }
                condition => holds(self.program, condition, self.text, at),
            };
            if !goes_on {
                return false;
            }
        }
    }

    fn look(&mut self, look: Number, at: usize) -> bool {
        let (program, text) = (self.program, self.text);
        let steps = &mut *self.steps;
        self.truths.get_or_insert_with(|| sweep::truths(program, text, steps)).get(look, at)
    }
}
