//! The text of a key that is a collection, written as a flow collection.

use super::node::Style;
use super::resolve::{Body, Typed, TypedPair};
use super::schema;
use super::value::Value;
use crate::text::len_code_units;

/// A collection that would be longer is written over several lines.
const LINE_WIDTH: usize = 80;
const STEP: &str = "  ";

/// Writes `node`.
pub(super) fn of(node: &Typed) -> String {
    write(node, "")
}

fn write(node: &Typed, indent: &str) -> String {
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
        Body::Seq(items) => {
            let inner = format!("{indent}{STEP}");
            collection('[', items.iter().map(|n| write(n, &inner)).collect(), ']', indent)
        }
        Body::Map(pairs) | Body::Set(pairs) => {
            let inner = format!("{indent}{STEP}");
            collection('{', pairs.iter().map(|p| write_pair(p, &inner)).collect(), '}', indent)
        }
        Body::OrderedMap(pairs) | Body::Pairs(pairs) => {
            let inner = format!("{indent}{STEP}");
            collection('[', pairs.iter().map(|p| write_pair(p, &inner)).collect(), ']', indent)
        }
    };
    out.push_str(&body);
    out
}

fn write_pair(pair: &TypedPair, indent: &str) -> String {
    let key = write(&pair.key, indent);
    match &pair.value {
        None => key,
        Some(value) if is_complex(&pair.key) => format!("? {key}\n{indent}: {}", write(value, indent)),
        Some(value) => format!("{key}: {}", write(value, indent)).trim_end().to_owned(),
    }
}

fn is_complex(key: &Typed) -> bool {
    !matches!(key.body, Body::Scalar { .. } | Body::Merge)
}

fn collection(open: char, items: Vec<String>, close: char, indent: &str) -> String {
    if items.is_empty() {
        return format!("{open}{close}");
    }
    let last = items.len() - 1;
    let lines: Vec<String> =
        items.into_iter().enumerate().map(|(i, s)| if i < last { s + "," } else { s }).collect();
    let width: usize = lines.iter().map(|line| len_code_units(line) + 2).sum::<usize>() + 2;
    if width > LINE_WIDTH || lines.iter().any(|line| line.contains('\n')) {
        let mut out = String::from(open);
        for line in lines {
            out.push('\n');
            out.push_str(indent);
            out.push_str(STEP);
            out.push_str(&line);
        }
        out.push('\n');
        out.push_str(indent);
        out.push(close);
        return out;
    }
    format!("{open} {} {close}", lines.join(" "))
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
