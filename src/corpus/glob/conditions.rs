//! What an instruction says about one position; shared by the matchers.

use super::jsregex::is_word;
use super::program::{Inst, Program};

const DOT: u16 = b'.' as u16;
const SLASH: u16 = b'/' as u16;

/// Does an instruction take `unit`? None where it takes no unit at all.
pub fn takes(program: &Program, inst: Inst, unit: u16) -> Option<bool> {
    match inst {
        Inst::Unit(own) => Some(own == unit),
        Inst::NotSlash => Some(unit != SLASH),
        Inst::Set(set) => Some(program.sets[set].contains(unit)),
        _ => None,
    }
}

/// Does a condition hold at a position? None where the instruction is no condition of this kind.
pub fn holds(program: &Program, inst: Inst, text: &[u16], at: usize) -> Option<bool> {
    let next = text.get(at).copied();
    Some(match inst {
        Inst::Start => at == 0,
        Inst::End => at == text.len(),
        Inst::WordBoundary { negated } => {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            (before.copied().is_some_and(is_word) != next.is_some_and(is_word)) != negated
        }
        Inst::NextUnit { unit, negated } => (next == Some(unit)) != negated,
        Inst::NextSet { set, negated } => {
            next.is_some_and(|unit| program.sets[set].contains(unit)) != negated
        }
        Inst::NoHiddenSegment => {
            let after_slash = next == Some(SLASH) && text.get(at + 1) == Some(&DOT);
            !(after_slash || at == 0 && next == Some(DOT))
        }
        _ => return None,
    })
}
