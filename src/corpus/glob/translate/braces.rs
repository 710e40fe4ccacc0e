//! Braces: alternatives, ranges, and those that are neither.

use std::borrow::Cow;

use super::escape;
use super::machine::{Machine, Nesting};
use super::output::Mark;
use super::token::{Kind, Token};
use crate::corpus::glob::jsregex;
use crate::text::cmp_code_units;

/// An open brace.
#[derive(Debug)]
pub struct OpenBrace {
    /// The text before it.
    before: Mark,
    /// The place of its token.
    token: usize,
    /// A comma of its own was seen.
    pub comma: bool,
    /// Two dots were seen.
    pub dots: bool,
}

impl<'a> Machine<'a> {
    pub fn open_brace(&mut self) {
        self.open(Nesting::Braces);
        self.braces.push(OpenBrace {
            before: self.output.mark(),
            token: self.tokens.len(),
            comma: false,
            dots: false,
        });
        self.push(Token::with_output(Kind::Brace, "{", "("));
    }

    pub fn comma(&mut self) {
        let mut output = ",";
        if self.nesting.last() == Some(&Nesting::Braces)
            && let Some(brace) = self.braces.last_mut()
        {
            brace.comma = true;
            output = "|";
        }
        self.push(Token::with_output(Kind::Comma, ",", output));
    }

    pub fn close_brace(&mut self) {
        let Some(brace) = self.braces.pop() else {
            self.push(Token::with_output(Kind::Text, "}", "}"));
            return;
        };
        let token = if brace.dots {
            self.backtrack = true;
            let ends = self.take_range();
            Token::with_output(Kind::Brace, "}", expand_range(ends))
        } else if brace.comma {
            Token::with_output(Kind::Brace, "}", ")")
        } else {
            self.make_literal(&brace);
            Token::with_output(Kind::Brace, "\\}", "\\}")
        };
        self.push(token);
        self.close(Nesting::Braces);
    }

    /// Takes the tokens since the latest brace, and that; what stood between the dots.
    fn take_range(&mut self) -> Vec<Cow<'a, str>> {
        let mut ends = Vec::new();
        while self.tokens.len() > 1
            && let Some(token) = self.tokens.pop()
        {
            match token.kind {
                Kind::Brace => break,
                Kind::Dots => {}
                _ => ends.push(token.value),
            }
        }
        ends.reverse();
        ends
    }

    /// No comma and no dots: the braces stand for themselves, and the text since then is made anew.
    fn make_literal(&mut self, brace: &OpenBrace) {
        if let Some(token) = self.tokens.get_mut(brace.token) {
            token.value = Cow::Borrowed("\\{");
            token.output = Some(Cow::Borrowed("\\{"));
        }
        self.output.cut_to(brace.before);
        self.output.push_tokens(brace.token, self.tokens.len());
    }
}

/// A range becomes a class, if that is one.
fn expand_range(mut ends: Vec<Cow<'_, str>>) -> String {
    ends.sort_by(|a, b| cmp_code_units(a, b));
    let class = format!("[{}]", ends.join("-"));
    if jsregex::parse(&class).is_ok() {
        return class;
    }
    let escaped: Vec<_> = ends.iter().map(|end| escape(end)).collect();
    escaped.join("..")
}
