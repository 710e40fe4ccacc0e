//! The text of a key that is a collection, written as a flow collection.

use super::node::Style;
use super::resolve::{Body, Typed, TypedPair};
use super::schema;
use super::value::Value;
use crate::text::len_code_units;

/// A collection that would be longer is written over several lines.
const LINE_WIDTH: usize = 80;
const STEP: &str = "  ";

/// About how much is written: such a key is an error in any case, and copying it level by level must stay cheap.
const MAX_LEN: usize = 4096;

/// Writes `node`.
pub(super) fn of(node: &Typed) -> String {
    Writer { left: MAX_LEN }.node(node, "")
}

struct Writer {
    left: usize,
}

impl Writer {
    fn node(&mut self, node: &Typed, indent: &str) -> String {
        let mut out = String::new();
        if let Some(name) = &node.anchor_name {
            out.push('&');
            out.push_str(name);
            out.push(' ');
        }
        if let Some(tag) = &node.tag {
            out.push_str(tag);
            out.push(' ');
        }
        let body = match &node.body {
            Body::Scalar { value: Value::String(text), style, .. } => write_text(text, *style),
            Body::Scalar { source, .. } => source.clone().unwrap_or_default(),
            Body::Merge => "<<".to_owned(),
            Body::Alias { name, .. } => format!("*{name}"),
            Body::Seq(items) => self.collection(['[', ']'], items, Self::node, indent),
            Body::Map(pairs) | Body::Set(pairs) => self.collection(['{', '}'], pairs, Self::pair, indent),
            Body::OrderedMap(pairs) | Body::Pairs(pairs) => {
                self.collection(['[', ']'], pairs, Self::pair, indent)
            }
        };
        out.push_str(&body);
        self.left = self.left.saturating_sub(out.len());
        out
    }

    fn pair(&mut self, pair: &TypedPair, indent: &str) -> String {
        let key = self.node(&pair.key, indent);
        match &pair.value {
            None => key,
            Some(value) if is_complex(&pair.key) => {
                format!("? {key}\n{indent}: {}", self.node(value, indent))
            }
            Some(value) => format!("{key}: {}", self.node(value, indent)).trim_end().to_owned(),
        }
    }

    fn collection<T>(
        &mut self,
        [open, close]: [char; 2],
        items: &[T],
        write: fn(&mut Self, &T, &str) -> String,
        indent: &str,
    ) -> String {
        if items.is_empty() {
            return format!("{open}{close}");
        }
        let inner = format!("{indent}{STEP}");
        let mut lines = Vec::new();
        for (i, item) in items.iter().enumerate() {
            if self.left == 0 {
                break;
            }
            self.left = self.left.saturating_sub(inner.len());
            let line = write(self, item, &inner);
            lines.push(if i + 1 < items.len() { line + "," } else { line });
        }
        let width: usize = lines.iter().map(|line| len_code_units(line) + 2).sum::<usize>() + 2;
        if width <= LINE_WIDTH && !lines.iter().any(|line| line.contains('\n')) {
            return format!("{open} {} {close}", lines.join(" "));
        }
        let mut out = String::from(open);
        for line in lines {
            out.push('\n');
            out.push_str(&inner);
            out.push_str(&line);
        }
        out.push('\n');
        out.push_str(indent);
        out.push(close);
        out
    }
}

fn is_complex(key: &Typed) -> bool {
    !matches!(key.body, Body::Scalar { .. } | Body::Merge)
}

/// Is plain text read back as the same text in a flow collection?
fn can_be_plain(text: &str) -> bool {
    let is_text = matches!(schema::plain(text, false), Value::String(_));
    is_text && !text.contains([',', '[', ']', '{', '}', '\n', '\r'])
}

fn write_text(text: &str, style: Style) -> String {
    match style {
        Style::Plain if can_be_plain(text) => text.to_owned(),
        Style::SingleQuoted => format!("'{}'", text.replace('\'', "''")),
        Style::Block if text.contains('"') && !text.contains('\'') => format!("'{text}'"),
        _ => serde_json::Value::from(text).to_string(),
    }
}
