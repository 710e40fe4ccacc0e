//! Slashes, dots, question marks, pluses, and the text between.

use super::machine::Machine;
use super::token::{Kind, Token};
use super::{DOT, PLUS, QMARK, QMARK_NO_DOT, SLASH};

impl<'a> Machine<'a> {
    pub fn slash(&mut self) {
        if self.last().kind == Kind::Dot && self.index() == self.start + 1 {
            self.start = self.index() + 1;
            self.output.clear();
            self.tokens.pop();
            return;
        }
        self.push(Token::with_output(Kind::Slash, "/", SLASH));
    }

    pub fn dot(&mut self) {
        if self.brace_depth > 0 && self.last().kind == Kind::Dot {
            let last = self.last_mut();
            last.kind = Kind::Dots;
            last.append_output(".");
            last.value.to_mut().push('.');
            if let Some(brace) = self.braces.last_mut() {
                brace.dots = true;
            }
            return;
        }
        let inside = self.brace_depth + self.paren_depth != 0;
        let kind = if inside || matches!(self.last().kind, Kind::Begin | Kind::Slash) {
            Kind::Dot
        } else {
            Kind::Text
        };
        self.push(Token::with_output(kind, ".", DOT));
    }

    pub fn question_mark(&mut self) {
        let after_open = self.last().value == "(";
        if !after_open && self.opens_extglob() {
            return self.open_extglob(Kind::Qmark);
        }
        if self.last().kind == Kind::Paren {
            let next = self.peek(1);
            let is_group = matches!(next, Some(b'!' | b'=' | b'<' | b':'));
            let literal = after_open && !is_group || next == Some(b'<') && !self.angle_follows();
            self.push(Token::with_output(Kind::Text, "?", if literal { "\\?" } else { "?" }));
            return;
        }
        let first = matches!(self.last().kind, Kind::Slash | Kind::Begin);
        self.push(Token::with_output(Kind::Qmark, "?", if first { QMARK_NO_DOT } else { QMARK }));
    }

    /// Is there a `<=`, `<!` or `<name>` anywhere in what remains?
    fn angle_follows(&mut self) -> bool {
        let bytes = self.input.as_bytes();
        let end = *self.last_angle.get_or_insert_with(|| {
            let mut closes = false;
            let last = (0..bytes.len()).rev().find(|&at| {
                let (b, follows) = (bytes[at], bytes.get(at + 1));
                let named = closes && follows.is_some_and(|&f| f != b'>');
                closes = b == b'>' || closes && (b.is_ascii_alphanumeric() || b == b'_');
                b == b'<' && (named || matches!(follows, Some(b'=' | b'!')))
            });
            last.map_or(0, |at| at + 1)
        });
        end > self.next
    }

    pub fn plus(&mut self) {
        if self.opens_extglob() {
            return self.open_extglob(Kind::Plus);
        }
        let last = self.last();
        let token = if last.value == "(" {
            Token::with_output(Kind::Plus, "+", PLUS)
        } else if matches!(last.kind, Kind::Bracket | Kind::Paren | Kind::Brace) || self.paren_depth > 0 {
            Token::new(Kind::Plus, "+")
        } else {
            Token::new(Kind::Plus, PLUS)
        };
        self.push(token);
    }

    /// Plain text: a character and all that follow and mean nothing.
    pub fn text(&mut self, c: char, begin: usize) {
        self.take_plain();
        let text = &self.input[begin..self.next];
        if matches!(c, '$' | '^') {
            self.push_text(format!("\\{text}"));
        } else {
            self.push_text(text);
        }
    }

    /// Takes the run of characters that mean nothing.
    pub fn take_plain(&mut self) -> &'a str {
        let rest = self.remaining();
        let (plain, _) = rest.split_at(rest.find(is_special).unwrap_or(rest.len()));
        self.next += plain.len();
        plain
    }
}

/// The characters that end a run of plain text.
fn is_special(c: char) -> bool {
    matches!(
        c,
        '@' | '!'
            | '['
            | ']'
            | '.'
            | ','
            | '$'
            | '*'
            | '+'
            | '?'
            | '^'
            | '{'
            | '}'
            | '('
            | ')'
            | '|'
            | '\\'
            | '/'
    )
}
