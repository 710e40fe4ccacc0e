//! What an instruction says about one position; shared by the matchers.

use super::jsregex::is_word;
use super::program::{Inst, Program};

const DOT: u16 = b'.' as u16;
const SLASH: u16 = b'/' as u16;

/// Does an instruction take `unit`? False for those that take none.
pub fn takes(program: &Program, inst: Inst, unit: u16) -> bool {
    match inst {
        Inst::Unit(own) => own == unit,
        Inst::NotSlash => unit != SLASH,
        Inst::Set(set) => program.sets[set as usize].contains(unit),
        _ => false,
    }
}

/// Does a condition hold at a position? False for instructions that are no conditions, or not of this kind.
pub fn holds(program: &Program, inst: Inst, text: &[u16], at: usize) -> bool {
    let next = text.get(at).copied();
    match inst {
        Inst::Start => at == 0,
        Inst::End => at == text.len(),
        Inst::WordBoundary { negated } => {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            (before.copied().is_some_and(is_word) != next.is_some_and(is_word)) != negated
        }
        Inst::NextUnit { unit, negated } => (next == Some(unit)) != negated,
        Inst::NextSet { set, negated } => {
            next.is_some_and(|unit| program.sets[set as usize].contains(unit)) != negated
        }
        Inst::NoHiddenSegment => {
            let after_slash = next == Some(SLASH) && text.get(at + 1) == Some(&DOT);
            !(after_slash || at == 0 && next == Some(DOT))
        }
        _ => false,
    }
}
