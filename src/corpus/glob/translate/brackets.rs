//! Character classes.

use super::machine::Machine;
use super::token::{Kind, Token};
use super::{ONE_CHAR, escape, escape_unit, is_special};
use crate::text::len_code_units;

/// What `[:name:]` becomes. The backslashes are the expression's.
const POSIX: &[(&str, &str)] = &[
    ("alnum", "a-zA-Z0-9"),
    ("alpha", "a-zA-Z"),
    ("ascii", "\\x00-\\x7F"),
    ("blank", " \\t"),
    ("cntrl", "\\x00-\\x1F\\x7F"),
    ("digit", "0-9"),
    ("graph", "\\x21-\\x7E"),
    ("lower", "a-z"),
    ("print", "\\x20-\\x7E "),
    ("punct", "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~"),
    ("space", " \\t\\r\\n\\v\\f"),
    ("upper", "A-Z"),
    ("word", "A-Za-z0-9_"),
    ("xdigit", "A-Fa-f0-9"),
];

/// An open class. Its text is the value of the latest token.
#[derive(Debug, Default)]
pub struct OpenBracket {
    /// A `[:` was seen inside.
    posix: bool,
    /// Where in the value the `[` inside are.
    opens: Vec<usize>,
    /// Where in the value the first `:` is.
    colon: Option<usize>,
}

impl OpenBracket {
    fn note(&mut self, begin: usize, text: &str) {
        self.opens.extend(text.match_indices('[').map(|(at, _)| begin + at));
        if self.colon.is_none() {
            self.colon = text.find(':').map(|at| begin + at);
        }
    }
}

impl Machine<'_> {
    pub fn open_bracket(&mut self) {
        self.bracket = Some(OpenBracket::default());
        self.nesting.push(super::machine::Nesting::Brackets);
        self.push(Token::new(Kind::Bracket, "["));
    }

    /// A character inside a class: `value` has its backslash, if it was escaped.
    pub fn in_bracket(&mut self, value: &str) {
        let at_begin = matches!(&*self.last().value, "[" | "[^");
        if value == "]" && !at_begin {
            return self.close_bracket();
        }
        if value == ":" && self.posix_name() {
            return;
        }
        let next = self.peek(1);
        let escaped = match value {
            "[" if next != Some(b':') => "\\[",
            "-" if next == Some(b']') => "\\-",
            "]" => "\\]",
            other => other,
        };
        let begin = self.last().value.len();
        if let Some(bracket) = &mut self.bracket {
            bracket.note(begin, escaped);
        }
        self.extend_last(escaped);
    }

    /// At a `:`: if it ends a POSIX name, that is replaced.
    fn posix_name(&mut self) -> bool {
        let Some(bracket) = &mut self.bracket else { return false };
        let Some(&open) = bracket.opens.last() else { return false };
        bracket.posix = true;
        if bracket.colon.is_none() {
            return false;
        }
        let last = self.tokens.len() - 1;
        let value = &self.tokens[last].value;
        let mut name = value[open + 1..].chars();
        let separator = name.next();
        // Half of a pair would be left in the name, so that it is none.
        if separator.is_some_and(|c| c.len_utf16() == 2) {
            return false;
        }
        let Some(&(_, class)) = POSIX.iter().find(|(known, _)| *known == name.as_str()) else { return false };
        let value = self.tokens[last].value.to_mut();
        value.truncate(open);
        value.push_str(class);
        bracket.opens.pop();
        bracket.colon = bracket.colon.filter(|&colon| colon < open);
        bracket.note(open, class);
        self.backtrack = true;
        self.skip_unit(last);
        if last == 1 && self.tokens[0].output().is_empty() {
            self.tokens[0].append_output(ONE_CHAR);
        }
        true
    }

    /// Skips what should be the `]` of `:]` unseen: one code unit. Of a pair the second half stays, as an escape.
    fn skip_unit(&mut self, last: usize) {
        let Some(c) = self.remaining().chars().next() else { return };
        self.next += c.len_utf8();
        let mut pair = [0; 2];
        if let [_, half] = *c.encode_utf16(&mut pair) {
            self.tokens[last].value.to_mut().push_str(&escape_unit(half));
        }
    }

    fn close_bracket(&mut self) {
        let posix = self.bracket.take().is_some_and(|bracket| bracket.posix);
        self.nesting.pop();
        let inner = &self.last().value[1..];
        let has_special = inner.contains(is_special);
        let excludes_slash = !posix && inner.starts_with('^') && !inner.contains('/');
        self.extend_last(if excludes_slash { "/]" } else { "]" });
        if has_special {
            return;
        }
        // Nothing special inside: the class may also be meant literally.
        let value = std::mem::take(&mut self.last_mut().value);
        self.output.cut(len_code_units(&value));
        let both = format!("(?:{}|{value})", escape(&value));
        self.output.push(&both);
        self.last_mut().value = both.into();
    }
}
