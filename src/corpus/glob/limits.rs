//! Which expressions V8 accepts and then, at the first match, finds too large.
//!
//! The command then calls the pattern bad, but only if there is a path to match. There are two reasons, both beyond any
//! pattern that a person writes:
//!
//! - a run of more than [`MAX_RUN`] units that are taken one after the other (exact);
//! - a chain of pieces that is too long for the recursive analysis on V8's stack of 984 KiB. This is an estimate, fitted
//!   to Node 22: it is right within a tenth for simple repetitions such as `*/*/…`, `a*a*…`, `{a,b}{a,b}…`.

use super::jsregex::{Ast, Node};

/// Shorter expressions are never too large, so they are not looked at. (Length in bytes of the expression.)
pub const ALWAYS_FINE: usize = 16 << 10;

/// The longest run of units (V8's largest offset of a character).
const MAX_RUN: u64 = (1 << 15) - 1;

/// How much stack the analysis has, in the units of the weights below.
const STACK: u64 = 62_500;

/// What each kind of piece takes of the stack.
const TEXT: u64 = 5;
const CHOICE: u64 = 5;
const LOOP: u64 = 3;
const OPTION: u64 = 6;
const CAPTURE: u64 = 6;
const LOOKAHEAD: u64 = 11;
const NEGATIVE_LOOKAHEAD: u64 = 6;

/// What is known of a node.
#[derive(Clone, Copy, Default)]
struct Weight {
    /// Stack, without runs of text at the top level of the node.
    stack: u64,
    /// The longest run inside.
    run: u64,
    /// It is nothing but text, of this length.
    text: Option<u64>,
}

/// Would V8 refuse to run the expression?
pub fn exceeds(ast: &Ast) -> bool {
    // Children always come before their parents.
    let mut weights: Vec<Weight> = Vec::with_capacity(ast.len());
    for id in 0..ast.len() {
        let weight = match ast.node(id) {
            Node::Unit(_) | Node::Set(_) => Weight { stack: TEXT, run: 1, text: Some(1) },
            Node::Empty => Weight { text: Some(0), ..Weight::default() },
            Node::Start | Node::End | Node::WordBoundary { .. } | Node::Backreference(_) => {
                Weight { stack: LOOP, ..Weight::default() }
            }
            Node::Concat(range) => sequence(ast.children(range).iter().map(|&child| weights[child])),
            Node::Alternation(range) => {
                let children = ast.children(range).iter().map(|&child| weights[child]);
                let widest =
                    children.fold((0, 0), |(stack, run), child| (child.stack.max(stack), child.run.max(run)));
                Weight { stack: CHOICE + widest.0, run: widest.1, text: None }
            }
            Node::Repeat { child, min, max, .. } => {
                let own = if *min == 0 && max.is_none() { LOOP } else { OPTION };
                Weight { stack: own, run: weights[*child].run, text: None }
            }
            Node::Capture { child, .. } => {
                Weight { stack: CAPTURE + weights[*child].stack, run: weights[*child].run, text: None }
            }
            Node::Look { child, negated, .. } => {
                let own = if *negated { NEGATIVE_LOOKAHEAD } else { LOOKAHEAD };
                Weight { stack: own, run: weights[*child].run, text: None }
            }
        };
        if weight.run > MAX_RUN || weight.stack > STACK {
            return true;
        }
        weights.push(weight);
    }
    false
}

fn sequence(children: impl Iterator<Item = Weight>) -> Weight {
    let mut whole = Weight { text: Some(0), ..Weight::default() };
    let mut run = 0;
    for child in children {
        let Some(length) = child.text else {
            whole.stack += child.stack;
            whole.run = whole.run.max(child.run);
            whole.text = None;
            run = 0;
            continue;
        };
        whole.stack += if run == 0 && length > 0 { TEXT } else { 0 };
        run += length;
        whole.run = whole.run.max(run);
        whole.text = whole.text.map(|text| text + length);
    }
    whole
}

#[cfg(test)]
mod tests {
    use crate::corpus::glob::{BadPattern, Candidate, Glob};

    /// How often a piece may be repeated, measured with Node 22.23.3; the estimate may be off by a tenth.
    #[test]
    fn thresholds() {
        for (piece, fails_from, exact) in [
            ("a", 32_768, true),
            ("a/", 16_384, true),
            ("*/", 2_503, false),
            ("a*", 7_820, false),
            ("{a,b}", 3_911, false),
            ("{a,b}x", 2_980, false),
            ("(x)", 5_688, false),
            ("@(a)", 5_688, false),
            ("?(a)", 10_425, false),
            ("+(a)", 10_425, false),
            ("!(a)", 6_950, false),
        ] {
            let slack = if exact { 0 } else { fails_from / 10 };
            let fails = |count: usize| {
                let glob = Glob::new(&piece.repeat(count));
                glob.and_then(|glob| glob.check(&Candidate::new("b"))) == Err(BadPattern::Invalid)
            };
            assert!(!fails(fails_from - 1 - slack), "{piece}");
            assert!(fails(fails_from + slack), "{piece}");
        }
    }
}
