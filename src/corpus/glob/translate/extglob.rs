//! Extended globs: `@(…)`, `?(…)`, `+(…)`, `*(…)`, `!(…)`. (`@` opens a plain group.)

use std::borrow::Cow;

use super::analysis::{Risk, analyse};
use super::machine::{Machine, Nesting};
use super::output::Mark;
use super::token::{Kind, Token};
use super::{Failure, GLOBSTAR, ONE_CHAR, STAR, escape};
use crate::corpus::glob::BadPattern;

/// An open extended glob.
#[derive(Debug)]
pub struct OpenExtglob {
    kind: Kind,
    /// How many parentheses were open before it.
    pub depth: i32,
    before: Mark,
    /// Nothing stood before it.
    first: bool,
    /// The position of its first character.
    begin: usize,
    /// The place of its first token.
    token: usize,
    /// About the values of the tokens directly inside: how long, and what is in them.
    inner_length: usize,
    inner_slash: bool,
    inner_star: bool,
}

impl OpenExtglob {
    pub fn note_inner(&mut self, value: &str) {
        self.inner_length += value.len();
        self.inner_slash |= value.contains('/');
        self.inner_star |= value.contains('*');
    }
}

impl Machine<'_> {
    pub fn open_extglob(&mut self, kind: Kind) {
        let begin = self.index();
        let first = self.output.is_empty();
        let extglob = OpenExtglob {
            kind,
            depth: self.paren_depth,
            before: self.output.mark(),
            first,
            begin,
            token: self.tokens.len(),
            inner_length: 0,
            inner_slash: false,
            inner_star: false,
        };
        self.open(Nesting::Parens);
        let value = &self.input[begin..self.next];
        self.push(Token::with_output(kind, value, if first { ONE_CHAR } else { "" }));
        self.next += 1;
        let group = if kind == Kind::Negate { "(?:(?!(?:" } else { "(?:" };
        self.push(Token::with_output(Kind::Paren, "(", group).extglob());
        self.extglobs.push(extglob);
    }

    /// At the `)` of the latest one.
    pub fn close_extglob(&mut self) -> Result<(), Failure> {
        let Some(extglob) = self.extglobs.pop() else { return Ok(()) };
        let output = match extglob.kind {
            Kind::Plus | Kind::Star => {
                let body = &self.input[extglob.begin + 2..self.index()];
                match analyse(body, &mut self.budget)? {
                    Risk::None => {}
                    Risk::Literal => return self.make_literal_extglob(&extglob, None),
                    Risk::Class(class) => return self.make_literal_extglob(&extglob, Some(&class)),
                }
                Cow::Borrowed(if extglob.kind == Kind::Plus { ")+" } else { ")*" })
            }
            Kind::Qmark => Cow::Borrowed(")?"),
            _ => self.end_of_negation(&extglob)?,
        };
        self.push(Token::with_output(Kind::Paren, ")", output).extglob());
        self.close(Nesting::Parens);
        Ok(())
    }

    /// A repetition that could take for ever is taken literally, or as a repeated class that means the same.
    fn make_literal_extglob(&mut self, extglob: &OpenExtglob, class: Option<&str>) -> Result<(), Failure> {
        let literal = &self.input[extglob.begin..self.next];
        self.budget.spend(literal.len() + self.tokens.len().saturating_sub(extglob.token))?;
        let output = match class {
            Some(class) => format!("{}{class}", if extglob.first { ONE_CHAR } else { "" }),
            None => escape(literal),
        };
        // A range that began before it may have taken its tokens away; picomatch then fails.
        let mut tokens = self.tokens.iter_mut().skip(extglob.token);
        let open = tokens.next().ok_or(Failure::Bad(BadPattern::Invalid))?;
        open.kind = Kind::Text;
        open.value = Cow::Borrowed(literal);
        open.output = Some(Cow::Owned(output.clone()));
        for token in tokens {
            token.value = Cow::Borrowed("");
            token.output = Some(Cow::Borrowed(""));
        }
        self.output.cut_to(extglob.before);
        self.output.push(&output);
        self.backtrack = true;
        self.push(Token::with_output(Kind::Paren, ")", "").extglob());
        self.close(Nesting::Parens);
        Ok(())
    }

    fn end_of_negation(&self, extglob: &OpenExtglob) -> Result<Cow<'static, str>, Failure> {
        let crosses = extglob.inner_length > 1 && extglob.inner_slash;
        let star = if crosses { GLOBSTAR } else { STAR };
        let rest = self.remaining();
        if extglob.inner_star && is_ending(rest) {
            // What follows belongs to what must not match: `!(*.d).ts`, `!(*.d).{ts,tsx}`.
            let ending = super::machine::run(rest)?;
            return Ok(format!("){ending}){star})").into());
        }
        if crosses || self.next >= self.tail {
            return Ok(format!(")$)){star}").into());
        }
        Ok(format!(")){STAR})").into())
    }
}

/// A dot, then at least one character, none a slash, backslash or dot.
fn is_ending(rest: &str) -> bool {
    rest.strip_prefix('.').is_some_and(|word| !word.is_empty() && !word.contains(['\\', '/', '.']))
}
