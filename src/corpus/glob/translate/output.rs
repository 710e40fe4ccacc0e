//! The growing text of the expression.

use super::escape_unit;
use super::token::Token;

/// A state of an [`Output`] to which it can be cut back.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    text: usize,
    rebuilt: usize,
}

/// A stretch that is the text of some tokens, made only at the end. A literal brace has the text since its beginning
/// made anew; many, one inside the other, would do so over and over.
#[derive(Debug, Clone, Copy)]
struct Rebuilt {
    at: usize,
    from: usize,
    to: usize,
}

/// The text so far.
#[derive(Debug, Default)]
pub struct Output {
    text: String,
    rebuilt: Vec<Rebuilt>,
}

impl Output {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.rebuilt.is_empty()
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.rebuilt.clear();
    }

    /// JavaScript's `slice(0, -n)`: cuts `n` code units off the end, or everything when `n` is 0.
    pub fn cut(&mut self, n: usize) {
        if n == 0 {
            return self.clear();
        }
        let mut left = n;
        while left > 0
            && let Some(c) = self.text.pop()
        {
            if left == 1
                && let [half, _] = *c.encode_utf16(&mut [0; 2])
            {
                // The first half of a pair stays, as an escape.
                self.text.push_str(&escape_unit(half));
                break;
            }
            left -= c.len_utf16();
        }
        let keep = self.text.len();
        while self.rebuilt.last().is_some_and(|rebuilt| rebuilt.at > keep) {
            self.rebuilt.pop();
        }
    }

    pub fn mark(&self) -> Mark {
        Mark { text: self.text.len(), rebuilt: self.rebuilt.len() }
    }

    /// Goes back to a mark. A mark beyond the end, which only occurs when the text is made from the tokens anyway, is
    /// the end.
    pub fn cut_to(&mut self, mark: Mark) {
        let mut keep = mark.text.min(self.text.len());
        while !self.text.is_char_boundary(keep) {
            keep -= 1;
        }
        self.text.truncate(keep);
        self.rebuilt.truncate(mark.rebuilt);
    }

    /// Appends the text of the tokens `from..to` as they will be at the end.
    pub fn push_tokens(&mut self, from: usize, to: usize) {
        self.rebuilt.push(Rebuilt { at: self.text.len(), from, to });
    }

    /// The text.
    pub fn finish(self, tokens: &[Token<'_>]) -> String {
        if self.rebuilt.is_empty() {
            return self.text;
        }
        let mut text = String::with_capacity(self.text.len() * 2);
        let mut done = 0;
        for Rebuilt { at, from, to } in self.rebuilt {
            text.push_str(&self.text[done..at]);
            done = at;
            tokens.iter().take(to).skip(from).for_each(|token| text.push_str(token.text_or_value()));
        }
        text.push_str(&self.text[done..]);
        text
    }
}

/// Escapes the last `count` of a character that have no backslash before them.
pub fn escape_last(text: String, which: u8, mut count: usize) -> String {
    if count == 0 {
        return text;
    }
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    for at in (0..bytes.len()).rev() {
        if count > 0 && bytes[at] == which && !(at > 0 && bytes[at - 1] == b'\\') {
            places.push(at);
            count -= 1;
        }
    }
    let mut escaped = String::with_capacity(text.len() + places.len());
    let mut done = 0;
    for &at in places.iter().rev() {
        escaped.push_str(&text[done..at]);
        escaped.push('\\');
        done = at;
    }
    escaped.push_str(&text[done..]);
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_nothing_cuts_everything() {
        let mut output = Output::default();
        output.push("abc");
        output.cut(1);
        assert_eq!(output.mark().text, 2);
        output.cut(0);
        assert!(output.is_empty());
    }

    #[test]
    fn the_last_unescaped_ones_are_escaped() {
        for (text, count, escaped) in [
            ("a(b(c", 1, "a(b\\(c"),
            ("a(b(c", 2, "a\\(b\\(c"),
            ("a(b(c", 9, "a\\(b\\(c"),
            ("a(b\\(c", 1, "a\\(b\\(c"),
            ("((", 1, "(\\("),
            ("x", 1, "x"),
        ] {
            assert_eq!(escape_last(text.to_owned(), b'(', count), escaped);
        }
    }
}
