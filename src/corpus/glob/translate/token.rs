//! The tokens of the machine.

use std::borrow::Cow;

/// What a token is. Later characters look at the kind of the token before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The beginning of the pattern.
    Begin,
    Text,
    Slash,
    Dot,
    /// Two dots inside braces.
    Dots,
    Comma,
    Brace,
    Bracket,
    Paren,
    Star,
    Globstar,
    Qmark,
    Plus,
    At,
    Negate,
}

/// A piece of the pattern and of the expression.
#[derive(Debug, Clone)]
pub struct Token<'a> {
    pub kind: Kind,
    /// Its text in the pattern, more or less.
    pub value: Cow<'a, str>,
    /// Its text in the expression, where that is not the value.
    pub output: Option<Cow<'a, str>>,
    /// More than two stars in a row.
    pub stars: bool,
    pub extglob: bool,
}

impl<'a> Token<'a> {
    pub fn new(kind: Kind, value: impl Into<Cow<'a, str>>) -> Self {
        Self { kind, value: value.into(), output: None, stars: false, extglob: false }
    }

    pub fn with_output(kind: Kind, value: impl Into<Cow<'a, str>>, output: impl Into<Cow<'a, str>>) -> Self {
        Self { output: Some(output.into()), ..Self::new(kind, value) }
    }

    pub fn extglob(self) -> Self {
        Self { extglob: true, ..self }
    }

    /// The output, or the value where there is no output.
    pub fn text(&self) -> &str {
        self.output.as_deref().unwrap_or(&self.value)
    }

    /// The output, or the value where there is no output or an empty one.
    pub fn text_or_value(&self) -> &str {
        match self.output.as_deref() {
            None | Some("") => &self.value,
            Some(output) => output,
        }
    }

    /// The output, the empty string where there is none.
    pub fn output(&self) -> &str {
        self.output.as_deref().unwrap_or_default()
    }

    pub fn append_output(&mut self, text: &str) {
        self.output.get_or_insert_default().to_mut().push_str(text);
    }
}
