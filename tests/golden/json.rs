//! A small JSON reader and writer that keep what a comparison needs: the order of keys, and strings as code units.
//!
//! `serde_json` keeps neither here: its `preserve_order` feature would be switched on for the library too, and its
//! strings cannot hold a lone surrogate, which the command prints as `\ud800`.

use std::fmt::{self, Write as _};

/// A JSON value. Numbers are kept as they are written.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(Text),
    Array(Vec<Json>),
    Object(Vec<(Text, Json)>),
}

/// A string of UTF-16 code units, not necessarily well-formed.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Text(Vec<u16>);

impl Text {
    /// UTF-8 where each lone surrogate is written as its own three bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len());
        for unit in char::decode_utf16(self.0.iter().copied()) {
            match unit {
                Ok(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(lone) => {
                    let [high, low] = lone.unpaired_surrogate().to_be_bytes();
                    let [high, low] = [u16::from(high), u16::from(low)];
                    let third = |v: u16| u8::try_from(v).expect("six bits");
                    bytes.extend([
                        0xED,
                        third(0x80 | (high & 0x0F) << 2 | low >> 6),
                        third(0x80 | low & 0x3F),
                    ]);
                }
            }
        }
        bytes
    }
}

impl Text {
    /// As JSON. Code units beyond ASCII are escaped, so that lone surrogates can be told.
    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &unit in &self.0 {
            match u8::try_from(unit).map(char::from) {
                Ok(c @ ('"' | '\\')) => write!(f, "\\{c}")?,
                Ok(c @ ' '..='~') => f.write_char(c)?,
                _ => write!(f, "\\u{unit:04x}")?,
            }
        }
        f.write_char('"')
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf16_lossy(&self.0))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf16_lossy(&self.0))
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0.iter().copied().eq(other.encode_utf16())
    }
}

impl Json {
    /// Reads one value that is the whole of `text`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.blanks();
        if reader.at == text.len() { Ok(value) } else { Err(reader.error("the end")) }
    }

    /// The value of the (first) `key`, where this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.entries().iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The entries of an object; none of anything else.
    pub fn entries(&self) -> &[(Text, Json)] {
        if let Json::Object(entries) = self { entries } else { &[] }
    }

    /// The items of an array; none of anything else.
    pub fn items(&self) -> &[Json] {
        if let Json::Array(items) = self { items } else { &[] }
    }

    /// The string.
    pub fn text(&self) -> Option<&Text> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// The number, where it is a whole one.
    pub fn integer(&self) -> Option<i32> {
        if let Json::Number(n) = self { n.parse().ok() } else { None }
    }
}

impl fmt::Display for Json {
    /// JSON that [`Json::parse`] reads as the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(number) => f.write_str(number),
            Json::Text(text) => text.print(f),
            Json::Array(items) => print_list(f, ['[', ']'], items, |item, f| write!(f, "{item}")),
            Json::Object(entries) => print_list(f, ['{', '}'], entries, |(key, value), f| {
                key.print(f)?;
                write!(f, ":{value}")
            }),
        }
    }
}

fn print_list<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [char; 2],
    list: &[T],
    one: impl Fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (at, item) in list.iter().enumerate() {
        if at > 0 {
            f.write_char(',')?;
        }
        one(item, f)?;
    }
    f.write_char(close)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn error(&self, wanted: &str) -> String {
        let found: String = self.rest().chars().take(40).collect();
        format!("{wanted} expected at byte {}, found {found:?}", self.at)
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(self.error(token)) }
    }

    fn value(&mut self) -> Result<Json, String> {
        self.blanks();
        for (word, value) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))]
        {
            if self.take(word) {
                return Ok(value);
            }
        }
        match self.rest().bytes().next() {
            Some(b'{') => self
                .list("{", "}", |r| {
                    let key = r.string()?;
                    r.blanks();
                    r.expect(":")?;
                    Ok((key, r.value()?))
                })
                .map(Json::Object),
            Some(b'[') => self.list("[", "]", Self::value).map(Json::Array),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.error("a value")),
        }
    }

    fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut one: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.expect(open)?;
        let mut list = Vec::new();
        self.blanks();
        if self.take(close) {
            return Ok(list);
        }
        loop {
            self.blanks();
            list.push(one(self)?);
            self.blanks();
            if self.take(close) {
                return Ok(list);
            }
            self.expect(",")?;
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let length = self.rest().find(|c: char| !matches!(c, '+' | '-' | '.' | 'e' | 'E' | '0'..='9'));
        let number = &self.rest()[..length.unwrap_or(self.rest().len())];
        if number.parse::<f64>().is_err() {
            return Err(self.error("a number"));
        }
        let number = number.to_owned();
        self.at += number.len();
        Ok(Json::Number(number))
    }

    fn string(&mut self) -> Result<Text, String> {
        self.expect("\"")?;
        let mut units = Vec::new();
        loop {
            let Some(c) = self.rest().chars().next() else { return Err(self.error("the end of a string")) };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(Text(units));
                }
                '\\' => units.push(self.escape()?),
                '\0'..='\x1F' => return Err(self.error("an escaped control character")),
                _ => {
                    self.at += c.len_utf8();
                    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<u16, String> {
        self.expect("\\")?;
        if self.take("u") {
            let digits = self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
            let unit = digits
                .and_then(|d| u16::from_str_radix(d, 16).ok())
                .ok_or_else(|| self.error("four hex digits"))?;
            self.at += 4;
            return Ok(unit);
        }
        let escapes = [
            ("\"", '"'),
            ("\\", '\\'),
            ("/", '/'),
            ("b", '\u{8}'),
            ("f", '\u{C}'),
            ("n", '\n'),
            ("r", '\r'),
            ("t", '\t'),
        ];
        match escapes.iter().find(|(letter, _)| self.take(letter)) {
            Some((_, c)) => u16::try_from(*c).map_err(|e| e.to_string()),
            None => Err(self.error("an escape")),
        }
    }
}

#[test]
fn reads_what_the_command_prints() {
    let text = "{\n  \"b\": [1, -0.5e+3, true, false, null],\n  \"a\": \"\\u00e9\\ud83d\\ude42\\n\\ud800x\u{7f}é🙂\",\n  \"a\": {}, \"c\": [] }\n";
    let json = Json::parse(text).unwrap();
    let keys: Vec<_> = json.entries().iter().map(|(k, _)| k.to_string()).collect();
    assert_eq!(keys, ["b", "a", "a", "c"]);
    assert_eq!(json.get("b").unwrap().items()[1], Json::Number("-0.5e+3".into()));
    let a = json.get("a").and_then(Json::text).unwrap();
    assert_eq!(
        a.to_bytes(),
        [b"\xC3\xA9\xF0\x9F\x99\x82\n\xED\xA0\x80x\x7F".as_slice(), "é🙂".as_bytes()].concat()
    );
    let printed = json.to_string();
    assert!(printed.is_ascii() && !printed.contains(' '), "{printed}");
    assert_eq!(Json::parse(&printed), Ok(json));
    for bad in [
        "",
        "{",
        "[1,]",
        "[,1]",
        "{\"a\" 1}",
        "{a:1}",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12\"",
        "1 2",
        "nul",
        "-",
        "\"",
        "[1 2]",
        "\u{FEFF}1",
    ] {
        assert!(Json::parse(bad).is_err(), "{bad:?}");
    }
}
