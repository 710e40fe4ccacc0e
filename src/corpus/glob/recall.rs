//! Runs a program with captures, by backtracking, as ECMAScript defines it.
//!
//! Only backreferences need this: in a pattern they are written `(a)\1` or `{a,b}\1`, which nobody means. Matching them
//! has no good bound, so the number of steps is bounded instead; past it the pattern does not match.

use super::conditions::{holds, takes};
use super::program::{Inst, Pc, Program};

/// How many instructions one match may run.
pub const MAX_STEPS: u64 = 2_000_000;

/// What to undo or try when a way ends.
enum Entry {
    /// Another way.
    Way { pc: Pc, at: usize },
    /// A slot's former value.
    Slot { slot: usize, was: Option<usize> },
    /// A lookaround began here.
    Look { open: Pc, at: usize, backward: bool },
}

struct Recall<'a> {
    program: &'a Program,
    text: &'a [u16],
    slots: Vec<Option<usize>>,
    trail: Vec<Entry>,
    /// Where on the trail the lookarounds around this place began.
    looks: Vec<usize>,
    backward: bool,
}

/// Does the program match somewhere? Counts instructions in `steps`.
pub fn is_match(program: &Program, text: &[u16], steps: &mut u64) -> bool {
    let last = if program.anchored { 0 } else { text.len() };
    (0..=last).any(|begin| {
        let slots = vec![None; program.slots];
        Recall { program, text, slots, trail: Vec::new(), looks: Vec::new(), backward: false }
            .run(begin, steps)
    })
}

impl Recall<'_> {
    fn run(&mut self, begin: usize, steps: &mut u64) -> bool {
        let mut way = Some((0, begin));
        while let Some((pc, at)) = way {
            *steps += 1;
            if *steps > MAX_STEPS {
                return false;
            }
            if self.program.code[pc] == Inst::Match {
                return true;
            }
            way = self.step(pc, at).or_else(|| self.back());
        }
        false
    }

    fn set(&mut self, slot: usize, value: Option<usize>) {
        let was = std::mem::replace(&mut self.slots[slot], value);
        self.trail.push(Entry::Slot { slot, was });
    }

    /// The next place, or none where this way ends.
    fn step(&mut self, pc: Pc, at: usize) -> Option<(Pc, usize)> {
        let next = pc + 1;
        match self.program.code[pc] {
            Inst::Split { second, .. } => self.trail.push(Entry::Way { pc: second as Pc, at }),
            Inst::Join(_) => return Some((next, at)),
            Inst::Jump(to) => return Some((to as Pc, at)),
            Inst::Save(slot) => self.set(slot as usize, Some(at)),
            Inst::Forget { from, to } => (from..to).for_each(|slot| self.set(slot as usize, None)),
            Inst::Progress(slot) => return (self.slots[slot as usize] != Some(at)).then_some((next, at)),
            Inst::Recall(group) => return self.recall(group as usize, at).map(|at| (next, at)),
            Inst::LookOpen { behind, .. } => {
                self.looks.push(self.trail.len());
                self.trail.push(Entry::Look { open: pc, at, backward: self.backward });
                self.backward = behind;
            }
            Inst::LookClose => return self.close(),
            inst @ (Inst::Unit(_) | Inst::NotSlash | Inst::Set(_)) => {
                let (from, to) = if self.backward { (at.checked_sub(1)?, at - 1) } else { (at, at + 1) };
                let &unit = self.text.get(from)?;
                return takes(self.program, inst, unit).then_some((next, to));
            }
            condition => {
                return holds(self.program, condition, self.text, at).then_some((next, at));
            }
        }
        Some((next, at))
    }

    /// Takes again what a group holds; a group that holds nothing takes nothing.
    fn recall(&self, group: usize, at: usize) -> Option<usize> {
        let (Some(from), Some(to)) = (self.slots[2 * group], self.slots[2 * group + 1]) else {
            return Some(at);
        };
        let held = self.text.get(from..to)?;
        let (begin, end) =
            if self.backward { (at.checked_sub(held.len())?, at) } else { (at, at.checked_add(held.len())?) };
        (self.text.get(begin..end)? == held).then_some(if self.backward { begin } else { end })
    }

    /// The body of the innermost lookaround has matched: its other ways are given up.
    fn close(&mut self) -> Option<(Pc, usize)> {
        let begin = self.looks.pop()?;
        let inner = self.trail.split_off(begin + 1);
        let Some(&Entry::Look { open, at, backward }) = self.trail.last() else { return None };
        self.trail.pop();
        self.backward = backward;
        let Inst::LookOpen { negated, end, .. } = self.program.code[open] else { return None };
        if negated {
            inner.iter().rev().for_each(|entry| self.undo(entry));
            return None;
        }
        // What it captured stays, and is forgotten with the ways before it.
        self.trail.extend(inner.into_iter().filter(|entry| matches!(entry, Entry::Slot { .. })));
        Some((end as Pc, at))
    }

    fn undo(&mut self, entry: &Entry) {
        if let &Entry::Slot { slot, was } = entry {
            self.slots[slot] = was;
        }
    }

    /// Goes back to the latest place that has another way.
    fn back(&mut self) -> Option<(Pc, usize)> {
        while let Some(entry) = self.trail.pop() {
            match entry {
                Entry::Way { pc, at } => return Some((pc, at)),
                Entry::Slot { .. } => self.undo(&entry),
                Entry::Look { open, at, backward } => {
                    self.looks.pop();
                    self.backward = backward;
                    if let Inst::LookOpen { negated: true, end, .. } = self.program.code[open] {
                        return Some((end as Pc, at));
                    }
                }
            }
        }
        None
    }
}
