//! Canonical JSON: compact, keys in code-unit order, numbers and text as JavaScript writes them.

use crate::corpus::js_number;
use crate::corpus::yaml::Value;
use crate::text::cmp_code_units;

/// The canonical JSON of a value.
pub(super) fn to_json(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write_text(text: &str, out: &mut String) {
    // `serde_json` escapes exactly what `JSON.stringify` does, in the same way.
    out.push_str(&serde_json::Value::from(text).to_string());
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => out.push_str(&js_number::to_json(*n)),
        Value::String(text) => write_text(text, out),
        Value::Seq(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by(|(a, _), (b, _)| cmp_code_units(a, b));
            out.push('{');
            for (i, (key, value)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        // No field of a valid record holds one.
        Value::Opaque(_) => out.push_str("{}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::yaml;

    #[test]
    fn json_is_canonical() {
        let json = |text| to_json(&yaml::load(text).unwrap());
        assert_eq!(json("b: [1, 1.50, .nan, -0, 1e21]\na: {}\n"), r#"{"a":{},"b":[1,1.5,null,0,1e+21]}"#);
        assert_eq!(json("\"\\x7f\\x01\\n\\\"\\\\/é\\u2028\""), "\"\u{7f}\\u0001\\n\\\"\\\\/é\u{2028}\"");
        // U+10000 is written with surrogates, which come before U+E000.
        assert_eq!(json("\u{e000}: 1\n\u{10000}: 2\n"), "{\"\u{10000}\":2,\"\u{e000}\":1}");
    }
}
