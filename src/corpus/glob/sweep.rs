//! Runs a program over a text by keeping the set of all states it may be in, one position after the other.
//!
//! The work is at most instructions x positions, whatever the program. Lookarounds are swept first, inner ones before
//! outer ones, each into a bit per position that says where it holds.

use super::conditions::{holds, takes};
use super::program::{Inst, Number, Pc, Program};

/// One bit per lookaround and position.
#[derive(Debug)]
pub struct Truths {
    words: Vec<u64>,
    positions: usize,
}

impl Truths {
    fn new(looks: usize, positions: usize) -> Self {
        Self { words: vec![0; (looks * positions).div_ceil(64)], positions }
    }

    /// Does the lookaround hold at the position?
    pub fn get(&self, look: Number, at: usize) -> bool {
        let bit = look as usize * self.positions + at;
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn set(&mut self, look: usize, at: usize) {
        let bit = look * self.positions + at;
        self.words[bit / 64] |= 1 << (bit % 64);
    }
}

/// A set of states that remembers the order of insertion and empties in no time.
struct States {
    dense: Vec<Pc>,
    sparse: Vec<usize>,
}

impl States {
    fn insert(&mut self, pc: Pc) -> bool {
        let index = self.sparse[pc];
        if self.dense.get(index) == Some(&pc) {
            return false;
        }
        self.sparse[pc] = self.dense.len();
        self.dense.push(pc);
        true
    }
}

struct Sweep<'a> {
    program: &'a Program,
    text: &'a [u16],
    /// The states whose instruction takes a unit, or has yet to be looked at.
    now: States,
    /// Those reached by taking the unit.
    next: Vec<Pc>,
    steps: &'a mut u64,
}

/// Where every lookaround of the program holds.
pub fn truths(program: &Program, text: &[u16], steps: &mut u64) -> Truths {
    let mut truths = Truths::new(program.looks.len(), text.len() + 1);
    let mut sweep = Sweep::new(program, text, steps);
    for (number, look) in program.looks.iter().enumerate().rev() {
        sweep.next.clear();
        for step in 0..=text.len() {
            let at = if look.behind { step } else { text.len() - step };
            if sweep.position(&truths, at, Some(look.entry)) {
                truths.set(number, at);
            }
            let taken =
                if look.behind { text.get(at) } else { at.checked_sub(1).and_then(|at| text.get(at)) };
            sweep.take(taken.copied());
        }
    }
    truths
}

/// Does the program match somewhere?
pub fn is_match(program: &Program, text: &[u16], truths: &Truths, steps: &mut u64) -> bool {
    let mut sweep = Sweep::new(program, text, steps);
    for at in 0..=text.len() {
        let begin = (at == 0 || !program.anchored).then_some(0);
        if sweep.position(truths, at, begin) {
            return true;
        }
        sweep.take(text.get(at).copied());
        if program.anchored && sweep.next.is_empty() {
            return false;
        }
    }
    false
}

impl<'a> Sweep<'a> {
    fn new(program: &'a Program, text: &'a [u16], steps: &'a mut u64) -> Self {
        let now = States { dense: Vec::new(), sparse: vec![0; program.code.len()] };
        Self { program, text, now, next: Vec::new(), steps }
    }

    /// Follows everything that takes no unit, from the states that were reached and from `begin`. True on a match.
    fn position(&mut self, truths: &Truths, at: usize, begin: Option<Pc>) -> bool {
        self.now.dense.clear();
        for index in 0..self.next.len() {
            self.now.insert(self.next[index]);
        }
        if let Some(begin) = begin {
            self.now.insert(begin);
        }
        let mut matched = false;
        let mut index = 0;
        while let Some(&pc) = self.now.dense.get(index) {
            index += 1;
            match self.program.code[pc] {
                Inst::Split { second, .. } => {
                    self.now.insert(pc + 1);
                    self.now.insert(second as Pc);
                }
                Inst::Jump(to) => {
                    self.now.insert(to as Pc);
                }
                Inst::Join(_) => {
                    self.now.insert(pc + 1);
                }
                Inst::Look { look, negated } => {
                    if truths.get(look, at) != negated {
                        self.now.insert(pc + 1);
                    }
                }
                Inst::Match => matched = true,
                inst => {
                    if holds(self.program, inst, self.text, at) {
                        self.now.insert(pc + 1);
                    }
                }
            }
        }
        *self.steps += index as u64;
        matched
    }

    /// Takes a unit in every state that does.
    fn take(&mut self, unit: Option<u16>) {
        self.next.clear();
        let Some(unit) = unit else { return };
        for &pc in &self.now.dense {
            if takes(self.program, self.program.code[pc], unit) {
                self.next.push(pc + 1);
            }
        }
    }
}
