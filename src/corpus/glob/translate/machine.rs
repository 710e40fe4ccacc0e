//! The token machine: reads the pattern character by character, looking at the token before and a little ahead.

use std::borrow::Cow;

use super::analysis::Budget;
use super::braces::OpenBrace;
use super::brackets::OpenBracket;
use super::extglob::OpenExtglob;
use super::output::{Output, escape_last};
use super::token::{Kind, Token};
use super::{Failure, SLASH, STAR};
use crate::corpus::glob::BadPattern;

/// How many parentheses (or braces) without an end are escaped. picomatch recurses over those already escaped, and
/// V8's stack (984 KiB) holds between 7,000 and 8,000.
const MAX_UNCLOSED: usize = 7_500;

/// What is open, in order of opening. A closing character closes the latest, whatever that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    Brackets,
    Braces,
    Parens,
}

/// The state of the machine. Positions are bytes of `input`; all characters that it knows are ASCII.
pub struct Machine<'a> {
    pub input: &'a str,
    /// The position after the current character.
    pub next: usize,
    /// Where the pattern begins, behind any `./`.
    pub start: usize,
    pub output: Output,
    /// Never empty: the first is [`Kind::Begin`].
    pub tokens: Vec<Token<'a>>,
    /// The output has to be made from the tokens at the end.
    pub backtrack: bool,
    pub bracket: Option<OpenBracket>,
    /// Open braces and parentheses. These can fall below zero and rise again.
    pub brace_depth: i32,
    pub paren_depth: i32,
    quoted: bool,
    pub nesting: Vec<Nesting>,
    pub braces: Vec<OpenBrace>,
    pub extglobs: Vec<OpenExtglob>,
    pub budget: Budget,
    /// The position of the last `]`.
    last_bracket: Option<usize>,
    /// Where the run of `)` at the end begins.
    pub tail: usize,
    /// The end of the last `<` that `=`, `!` or `name>` follows (0: there is none), once it was needed.
    pub last_angle: Option<usize>,
}

/// Runs the machine over a pattern without its leading `./`.
pub fn run(input: &str) -> Result<String, Failure> {
    let mut machine = Machine {
        input,
        next: 0,
        start: 0,
        output: Output::default(),
        tokens: Vec::with_capacity(16),
        backtrack: false,
        bracket: None,
        brace_depth: 0,
        paren_depth: 0,
        quoted: false,
        nesting: Vec::new(),
        braces: Vec::new(),
        extglobs: Vec::new(),
        budget: Budget::new(),
        last_bracket: input.rfind(']'),
        tail: input.trim_end_matches(')').len(),
        last_angle: None,
    };
    machine.tokens.push(Token::with_output(Kind::Begin, "", ""));
    while let Some(c) = machine.input[machine.next..].chars().next() {
        machine.next += c.len_utf8();
        machine.character(c)?;
    }
    machine.finish()
}

impl<'a> Machine<'a> {
    /// The position of the current character, if it is ASCII.
    pub fn index(&self) -> usize {
        self.next - 1
    }

    pub fn at_end(&self) -> bool {
        self.next == self.input.len()
    }

    /// The byte `n` places after the current character, from 1.
    pub fn peek(&self, n: usize) -> Option<u8> {
        self.input.as_bytes().get(self.next + n - 1).copied()
    }

    pub fn remaining(&self) -> &'a str {
        &self.input[self.next..]
    }

    /// The latest token. There always is one.
    pub fn last(&self) -> &Token<'a> {
        &self.tokens[self.tokens.len() - 1]
    }

    pub fn last_mut(&mut self) -> &mut Token<'a> {
        let last = self.tokens.len() - 1;
        &mut self.tokens[last]
    }

    pub fn open(&mut self, nesting: Nesting) {
        *self.depth(nesting) += 1;
        self.nesting.push(nesting);
    }

    pub fn close(&mut self, nesting: Nesting) {
        *self.depth(nesting) -= 1;
        self.nesting.pop();
    }

    fn depth(&mut self, nesting: Nesting) -> &mut i32 {
        if nesting == Nesting::Braces { &mut self.brace_depth } else { &mut self.paren_depth }
    }

    /// Adds a token and its text.
    pub fn push(&mut self, token: Token<'a>) {
        if self.last().kind == Kind::Globstar {
            let in_brace = self.brace_depth > 0 && matches!(token.kind, Kind::Comma | Kind::Brace);
            let keeps = matches!(token.kind, Kind::Slash | Kind::Paren) || in_brace || token.extglob;
            if !keeps {
                let length = self.last().output().len();
                self.output.cut(length);
                let last = self.last_mut();
                last.kind = Kind::Star;
                last.value = Cow::Borrowed("*");
                last.output = Some(Cow::Borrowed(STAR));
                self.output.push(STAR);
            }
        }
        if token.kind != Kind::Paren
            && let Some(extglob) = self.extglobs.last_mut()
        {
            extglob.note_inner(&token.value);
        }
        self.output.push(token.text());
        if token.kind == Kind::Text && self.last().kind == Kind::Text {
            let last = self.last_mut();
            if last.output().is_empty() {
                last.output = Some(last.value.clone());
            }
            last.append_output(&token.value);
            last.value.to_mut().push_str(&token.value);
            return;
        }
        self.tokens.push(token);
    }

    pub fn push_text(&mut self, value: impl Into<Cow<'a, str>>) {
        self.push(Token::new(Kind::Text, value));
    }

    /// Adds to the value of the latest token, and to the text.
    pub fn extend_last(&mut self, value: &str) {
        self.last_mut().value.to_mut().push_str(value);
        self.output.push(value);
    }

    fn character(&mut self, c: char) -> Result<(), Failure> {
        if c == '\0' {
            return Ok(());
        }
        let begin = self.next - c.len_utf8();
        let mut value = Cow::Borrowed(&self.input[begin..self.next]);
        if c == '\\' {
            match self.backslash() {
                None => return Ok(()),
                Some(escaped) => value = escaped,
            }
            if self.bracket.is_none() {
                self.push_text(value);
                return Ok(());
            }
        }
        if self.bracket.is_some() {
            self.in_bracket(&value);
            return Ok(());
        }
        if self.quoted && c != '"' {
            let escaped = super::escape(&value);
            self.extend_last(&escaped);
            return Ok(());
        }
        match c {
            '"' => self.quoted = !self.quoted,
            '(' => {
                self.open(Nesting::Parens);
                self.push(Token::new(Kind::Paren, "("));
            }
            ')' => return self.close_paren(),
            '[' if self.last_bracket.is_some_and(|last| last >= self.next) => self.open_bracket(),
            '[' => self.push(Token::new(Kind::Bracket, "\\[")),
            ']' => self.push(Token::with_output(Kind::Text, "]", "\\]")),
            '{' => self.open_brace(),
            '}' => self.close_brace(),
            '|' => self.push_text("|"),
            ',' => self.comma(),
            '/' => self.slash(),
            '.' => self.dot(),
            '?' => self.question_mark(),
            '!' if self.opens_negation() => self.open_extglob(Kind::Negate),
            '+' => self.plus(),
            '@' if self.opens_extglob() => self.push(Token::with_output(Kind::At, "@", "").extglob()),
            '@' => self.push_text("@"),
            '*' => self.star(),
            _ => self.text(c, begin),
        }
        Ok(())
    }

    /// After a backslash: what it escapes, with it; none where it is dropped.
    fn backslash(&mut self) -> Option<Cow<'a, str>> {
        match self.peek(1) {
            Some(b'/' | b'.' | b';') => return None,
            None => {
                self.push_text("\\\\");
                return None;
            }
            Some(_) => {}
        }
        let run = self.remaining().len() - self.remaining().trim_start_matches('\\').len();
        let mut value = String::from("\\");
        if run > 2 {
            self.next += run;
            if !run.is_multiple_of(2) {
                value.push('\\');
            }
        }
        if let Some(c) = self.remaining().chars().next() {
            self.next += c.len_utf8();
            value.push(c);
            // picomatch takes one code unit here; the other half of a pair begins a run of plain text.
            if c.len_utf16() == 2 && !self.quoted && self.bracket.is_none() {
                value.push_str(self.take_plain());
            }
        }
        Some(Cow::Owned(value))
    }

    /// A `(` follows, and not `(?`.
    pub fn opens_extglob(&self) -> bool {
        self.peek(1) == Some(b'(') && self.peek(2) != Some(b'?')
    }

    fn opens_negation(&self) -> bool {
        let look = self.peek(2) == Some(b'?') && matches!(self.peek(3), Some(b'!' | b'=' | b'<' | b':'));
        self.peek(1) == Some(b'(') && !look
    }

    fn close_paren(&mut self) -> Result<(), Failure> {
        if self.extglobs.last().is_some_and(|extglob| self.paren_depth == extglob.depth + 1) {
            return self.close_extglob();
        }
        let output = if self.paren_depth == 0 { "\\)" } else { ")" };
        self.push(Token::with_output(Kind::Paren, ")", output));
        self.close(Nesting::Parens);
        Ok(())
    }

    fn finish(mut self) -> Result<String, Failure> {
        let unclosed =
            [usize::from(self.bracket.is_some()), depth(self.paren_depth), depth(self.brace_depth)];
        let ends_open = matches!(self.last().kind, Kind::Star | Kind::Bracket);
        if self.backtrack {
            if unclosed.iter().any(|&count| count > MAX_UNCLOSED) {
                return Err(Failure::Bad(BadPattern::Invalid));
            }
            let mut text: String = self.tokens.iter().map(Token::text).collect();
            if ends_open {
                text.push_str(SLASH);
                text.push('?');
            }
            return Ok(text);
        }
        let output = std::mem::take(&mut self.output);
        let mut text = output.finish(&self.tokens);
        for (which, count) in [b'[', b'(', b'{'].into_iter().zip(unclosed) {
            if count > MAX_UNCLOSED && text.bytes().filter(|&b| b == which).take(count).count() > MAX_UNCLOSED
            {
                return Err(Failure::Bad(BadPattern::Invalid));
            }
            text = escape_last(text, which, count);
        }
        if ends_open {
            text.push_str(SLASH);
            text.push('?');
        }
        Ok(text)
    }
}

fn depth(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}
