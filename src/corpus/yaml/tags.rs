//! `%YAML` and `%TAG` directives, and the full names of tags.

/// The namespace of YAML's own tags.
const YAML_TAG: &str = "tag:yaml.org,2002:";

/// What a document's directives say.
#[derive(Debug, Clone, Default)]
pub(super) struct Directives {
    /// The document is YAML 1.1.
    pub is_1_1: bool,
    /// Handle and prefix, the later ones first.
    handles: Vec<(String, String)>,
}

/// A tag, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// `!`: text, whatever it looks like.
    NonSpecific,
    Str,
    Int,
    Float,
    Bool,
    Null,
    Seq,
    Map,
    Binary,
    Timestamp,
    Set,
    OrderedMap,
    Pairs,
    Merge,
    /// One that means nothing here.
    Unknown,
}

impl Directives {
    /// Takes a directive line.
    pub fn add(&mut self, line: &str) -> Result<(), &'static str> {
        let mut parts = line.trim().split([' ', '\t']).filter(|p| !p.is_empty());
        match parts.next() {
            Some("%TAG") => match (parts.next(), parts.next(), parts.next()) {
                (Some(handle), Some(prefix), None) => {
                    self.handles.insert(0, (handle.to_owned(), prefix.to_owned()));
                    Ok(())
                }
                _ => Err("a %TAG directive has two parts"),
            },
            Some("%YAML") => match (parts.next(), parts.next()) {
                (Some("1.1"), None) => {
                    self.is_1_1 = true;
                    Ok(())
                }
                (Some("1.2"), None) => {
                    self.is_1_1 = false;
                    Ok(())
                }
                (Some(version), None) if is_version(version) => Ok(()),
                _ => Err("a %YAML directive names a version"),
            },
            // Other directives are reserved, and ignored.
            _ => Ok(()),
        }
    }

    /// What a tag as written stands for; nothing for `!<>`.
    pub fn resolve(&self, tag: &str) -> Result<Option<Tag>, &'static str> {
        if tag == "!<>" {
            return Ok(None);
        }
        self.named(tag).map(Some)
    }

    fn named(&self, tag: &str) -> Result<Tag, &'static str> {
        if tag == "!" {
            return Ok(Tag::NonSpecific);
        }
        if let Some(verbatim) = tag.strip_prefix("!<") {
            let name = verbatim.strip_suffix('>').ok_or("a verbatim tag must end with >")?;
            return if matches!(name, "!" | "!!") {
                Err("a verbatim tag must be a full name")
            } else {
                Ok(named(name))
            };
        }
        let split = tag.rfind('!').map_or(0, |i| i + 1);
        let (handle, suffix) = tag.split_at(split);
        if suffix.is_empty() {
            return Err("a tag needs a name after its handle");
        }
        let declared = self.handles.iter().find(|(h, _)| h == handle).map(|(_, prefix)| prefix.as_str());
        match declared.or((handle == "!!").then_some(YAML_TAG)) {
            Some(prefix) => {
                let suffix = percent_decode(suffix).ok_or("a tag has a wrong escape sequence")?;
                Ok(named(&format!("{prefix}{suffix}")))
            }
            None if handle == "!" => Ok(Tag::Unknown),
            None => Err("the handle of a tag is not declared"),
        }
    }
}

fn is_version(text: &str) -> bool {
    let is_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    text.split_once('.').is_some_and(|(major, minor)| is_digits(major) && is_digits(minor))
}

fn named(name: &str) -> Tag {
    if name == "!" {
        return Tag::NonSpecific;
    }
    match name.strip_prefix(YAML_TAG) {
        Some("str") => Tag::Str,
        Some("int") => Tag::Int,
        Some("float") => Tag::Float,
        Some("bool") => Tag::Bool,
        Some("null") => Tag::Null,
        Some("seq") => Tag::Seq,
        Some("map") => Tag::Map,
        Some("binary") => Tag::Binary,
        Some("timestamp") => Tag::Timestamp,
        Some("set") => Tag::Set,
        Some("omap") => Tag::OrderedMap,
        Some("pairs") => Tag::Pairs,
        Some("merge") => Tag::Merge,
        _ => Tag::Unknown,
    }
}

/// Decodes `%XX`; nothing where the bytes are not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let hex = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(hex, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}
