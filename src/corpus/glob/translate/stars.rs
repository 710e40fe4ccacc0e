//! Stars: one, two, more.

use std::borrow::Cow;

use super::machine::Machine;
use super::token::{Kind, Token};
use super::{GLOBSTAR, NO_DOT, NO_DOT_SLASH, ONE_CHAR, SLASH, STAR};

impl Machine<'_> {
    pub fn star(&mut self) {
        if self.last().kind == Kind::Globstar || self.last().stars {
            let last = self.last_mut();
            last.kind = Kind::Star;
            last.stars = true;
            last.value.to_mut().push('*');
            last.output = Some(Cow::Borrowed(STAR));
            self.backtrack = true;
            return;
        }
        if self.opens_extglob() && self.peek(2).is_some() {
            self.open_extglob(Kind::Star);
            return;
        }
        if self.last().kind == Kind::Star {
            self.second_star();
            return;
        }
        self.guard_star();
        self.push(Token::with_output(Kind::Star, "*", STAR));
    }

    /// `**`: a globstar where it stands alone in a segment, else as if it were one star.
    fn second_star(&mut self) {
        let kind = |back: usize| self.tokens.len().checked_sub(back).map(|at| self.tokens[at].kind);
        let (prior, before) = (kind(2), kind(3));
        let after_slash = prior == Some(Kind::Slash) && before != Some(Kind::Begin);
        let after_begin = prior == Some(Kind::Begin);
        let in_brace = self.brace_depth > 0 && matches!(prior, Some(Kind::Comma | Kind::Brace));
        let in_extglob = !self.extglobs.is_empty() && prior == Some(Kind::Paren);
        let starts = matches!(prior, Some(Kind::Slash | Kind::Begin | Kind::Paren));
        if !starts && !in_brace && !in_extglob {
            self.push(Token::with_output(Kind::Star, "*", ""));
            return;
        }
        // More of the same adds nothing.
        while self.remaining().starts_with("/**") && matches!(self.peek(4), None | Some(b'/')) {
            self.next += 3;
        }
        let after_star = matches!(before, Some(Kind::Star | Kind::Globstar));
        let slash_follows = self.peek(1) == Some(b'/');
        if after_begin && self.at_end() {
            self.output.clear();
            self.make_globstar(GLOBSTAR.into());
        } else if after_slash && !after_star && self.at_end() {
            self.open_before_slash();
            self.make_globstar(format!("{GLOBSTAR}|$)").into());
        } else if after_slash && slash_follows {
            let end = if self.peek(2).is_some() { "|$" } else { "" };
            self.open_before_slash();
            self.make_globstar(format!("{GLOBSTAR}{SLASH}|{SLASH}{end})").into());
            self.next += 1;
            self.push(Token::with_output(Kind::Slash, "/", ""));
        } else if after_begin && slash_follows {
            self.output.clear();
            self.make_globstar(format!("(?:^|{SLASH}|{GLOBSTAR}{SLASH})").into());
            self.next += 1;
            self.push(Token::with_output(Kind::Slash, "/", ""));
        } else {
            let length = self.last().output().len();
            self.output.cut(length);
            self.make_globstar(GLOBSTAR.into());
        }
    }

    /// A star that starts a segment matches something, and nothing hidden.
    fn guard_star(&mut self) {
        let after_dot = self.last().kind == Kind::Dot;
        if self.index() != self.start && self.last().kind != Kind::Slash && !after_dot {
            return;
        }
        let mut guards = [if after_dot { NO_DOT_SLASH } else { NO_DOT }, ""];
        if self.peek(1) != Some(b'*') {
            guards[1] = ONE_CHAR;
        }
        for guard in guards {
            self.output.push(guard);
            self.last_mut().append_output(guard);
        }
    }

    /// The latest star becomes a globstar.
    fn make_globstar(&mut self, output: Cow<'static, str>) {
        self.output.push(&output);
        let last = self.last_mut();
        last.kind = Kind::Globstar;
        last.value.to_mut().push('*');
        last.output = Some(output);
    }

    /// Makes the slash before the latest star the first thing of a group; both are cut off the text, and the slash is
    /// put back.
    fn open_before_slash(&mut self) {
        let slash = self.tokens.len() - 2;
        let opened = format!("(?:{}", self.tokens[slash].output());
        self.output.cut(self.tokens[slash].output().len() + self.last().output().len());
        self.output.push(&opened);
        self.tokens[slash].output = Some(opened.into());
    }
}
