//! The recorded vectors of front matter, schema, dates, package patterns and locale order.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is not as it must be")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use adrkit_native::corpus::date::{AsOfError, as_of};
use adrkit_native::corpus::locale::locale_cmp;
use adrkit_native::corpus::package::package_pattern_is_valid;
use adrkit_native::corpus::yaml::{Opaque, Value};
use adrkit_native::corpus::{js_number, record, yaml};
use adrkit_native::report::Finding;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

const FILES: [&str; 6] = [
    "asof.json",
    "contract-mutated.json",
    "locale-order.json",
    "package-patterns.json",
    "yaml-mutated.json",
    "yaml.json",
];
/// How many mismatches a failing test tells.
const SHOWN: usize = 20;

fn vectors_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/vectors")
}

fn vectors(name: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(vectors_dir().join(name)).unwrap();
    serde_json::from_str(&replace_lone_surrogates(&text)).unwrap()
}

/// JSON escapes of lone surrogates as escapes of U+FFFD: a Rust string cannot hold the former.
fn replace_lone_surrogates(json: &str) -> String {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(json.len());
    let mut at = 0;
    while let Some(c) = json[at..].chars().next() {
        let len = match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\ufffd");
                at += 6;
                continue;
            }
            // An escaped backslash must not be taken for the start of an escape.
            _ if c == '\\' => 2,
            _ => c.len_utf8(),
        };
        out.push_str(&json[at..at + len]);
        at += len;
    }
    out
}

fn report(mismatches: &[String]) {
    let mut text = format!("{} mismatches\n", mismatches.len());
    for mismatch in mismatches.iter().take(SHOWN) {
        writeln!(text, "{mismatch}").unwrap();
    }
    assert!(mismatches.is_empty(), "{text}");
}

/// The value as the vectors write it.
fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Number(n) if n.is_finite() => json!(n + 0.0),
        Value::Number(n) => json!({ "$number": js_number::to_text(*n) }),
        Value::String(text) => json!(&**text),
        Value::Seq(items) => items.iter().map(to_json).collect(),
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|(k, v)| (k.to_string(), to_json(v))).collect())
        }
        Value::Opaque(Opaque::Date) => json!({ "$date": true }),
        Value::Opaque(Opaque::Bytes) => json!({ "$bytes": true }),
        Value::Opaque(Opaque::Set) => json!({ "$set": true }),
        Value::Opaque(Opaque::OrderedMap) => json!({ "$map": true }),
        Value::Opaque(Opaque::EnclosingSeq | Opaque::EnclosingMap) => json!({ "$circular": true }),
        Value::Opaque(Opaque::Symbol) => json!({}),
    }
}

/// The expected value with what is not kept taken out: the content of dates and bytes, and whether a number is whole.
fn simplify(value: &Json) -> Json {
    match value {
        Json::Number(n) => json!(n.as_f64().unwrap()),
        Json::Array(items) => items.iter().map(simplify).collect(),
        Json::Object(entries) => {
            let marker = entries.keys().next().filter(|k| entries.len() == 1 && k.starts_with('$'));
            match marker.map(String::as_str) {
                Some(key @ ("$date" | "$bytes")) => json!({ key: true }),
                _ => Json::Object(entries.iter().map(|(k, v)| (k.clone(), simplify(v))).collect()),
            }
        }
        other => other.clone(),
    }
}

/// The YAML between the fences, as simple as can be.
fn front_matter(source: &str) -> String {
    let lines = source.split_inclusive('\n').skip(1);
    lines.take_while(|line| line.trim_end_matches(['\r', '\n']) != "---").collect()
}

fn check_yaml(name: &str) -> BTreeSet<usize> {
    let mut mismatches = Vec::new();
    let mut with_replacement = BTreeSet::new();
    for (index, vector) in vectors(name).iter().enumerate() {
        let source = vector["source"].as_str().unwrap();
        let parsed = record::parse("docs/adr/0001-x.md", source);
        let rules: Vec<&str> = parsed.findings.iter().map(|f| f.rule.as_str()).collect();
        let unreadable = matches!(rules[..], ["frontmatter-fence" | "frontmatter-parse" | "file-read"]);
        let mut mismatch = |what: String| mismatches.push(format!("{index} {source:?}: {what}"));
        if vector["ok"] == json!(false) {
            if rules != [vector["rule"].as_str().unwrap()] {
                mismatch(format!("{rules:?} instead of {}", vector["rule"]));
            }
            continue;
        }
        if unreadable {
            mismatch(format!("{:?}", parsed.findings));
            continue;
        }
        let data = yaml::load(&front_matter(source)).map(|v| to_json(&v));
        let expected = simplify(&vector["data"]);
        if data.as_ref() != Ok(&expected) {
            mismatch(format!("{data:?} instead of {expected}"));
        }
        if parsed.contents.is_some_and(|c| vector["body"] != json!(c.body)) {
            mismatch(format!("the body is not {}", vector["body"]));
        }
        if expected.to_string().contains('\u{fffd}') {
            with_replacement.insert(index);
        }
    }
    report(&mismatches);
    with_replacement
}

/// Vectors whose text has a lone surrogate, which is U+FFFD here: the one deliberate difference.
const LONE_SURROGATES: [usize; 2] = [50, 300];

#[test]
fn yaml_is_read_as_recorded() {
    assert_eq!(check_yaml("yaml.json"), BTreeSet::from(LONE_SURROGATES));
}

#[test]
fn mutated_yaml_is_read_as_recorded() {
    assert_eq!(check_yaml("yaml-mutated.json"), BTreeSet::new());
}

fn facts(findings: &[Finding]) -> Vec<Json> {
    let mut out: Vec<Json> = findings.iter().map(|f| json!([f.rule, f.id, f.field])).collect();
    out.sort_by_key(Json::to_string);
    out
}

#[test]
fn the_contract_is_checked_as_recorded() {
    let mut mismatches = Vec::new();
    for (index, vector) in vectors("contract-mutated.json").iter().enumerate() {
        let source = vector["source"].as_str().unwrap();
        let expected = &vector["result"];
        let parsed = record::parse("docs/adr/0001-x.md", source);
        let is_same = if let Some(contents) = &parsed.contents {
            let hash = Sha256::digest(contents.canonical_front_matter());
            let hex: Vec<String> = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            expected["canonicalSha256"] == json!(hex.concat())
        } else {
            let mut list = expected["findings"].as_array().cloned().unwrap_or_default();
            list.sort_by_key(Json::to_string);
            expected["ok"] == json!(false) && list == facts(&parsed.findings)
        };
        if !is_same {
            mismatches
                .push(format!("{index} {source:?}: {:?} instead of {expected}", facts(&parsed.findings)));
        }
    }
    report(&mismatches);
}

#[test]
fn as_of_texts_are_read_as_recorded() {
    let mut mismatches = Vec::new();
    for vector in vectors("asof.json") {
        let text = vector["value"].as_str().unwrap();
        let (date, code) = match as_of(text) {
            Ok(date) => (json!(date), Json::Null),
            Err(AsOfError::NoTimeZone) => (Json::Null, json!("tzless")),
            Err(AsOfError::Invalid) => (Json::Null, json!("invalid")),
        };
        if date != vector["date"] || code != vector["code"] {
            mismatches.push(format!("{vector}: {date} {code}"));
        }
    }
    report(&mismatches);
}

#[test]
fn package_patterns_are_taken_as_recorded() {
    let mut mismatches = Vec::new();
    for vector in vectors("package-patterns.json") {
        let is_valid = package_pattern_is_valid(vector["pattern"].as_str().unwrap());
        if is_valid != (vector["rule"] == json!("affects-unresolvable")) {
            mismatches.push(vector.to_string());
        }
    }
    report(&mismatches);
}

#[test]
fn locale_order_is_as_recorded() {
    let expected = vectors("locale-order.json");
    let expected: Vec<&str> = expected.iter().map(|t| t.as_str().unwrap()).collect();
    let mut sorted = expected.clone();
    sorted.sort_unstable();
    sorted.sort_by(|a, b| locale_cmp(a, b));
    assert_eq!(sorted, expected);
}

#[test]
fn the_carried_vectors_are_the_recorded_ones() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/golden/vectors");
    if !recorded.is_dir() {
        return;
    }
    for name in FILES {
        let read = |dir: &Path| std::fs::read(dir.join(name)).unwrap();
        assert!(read(&recorded) == read(&vectors_dir()), "{name} differs");
    }
}

/// Text that looks like a record more often than chance would have it.
fn record_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "id: \"0001\"\n",
        "title: Some title\n",
        "status: draft\n",
        "date: 2026-01-01\n",
        "tags:\n",
        "  - a\n",
        "- ",
        "? ",
        ": ",
        ":",
        "\n",
        "\n  ",
        " ",
        "\t",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\"",
        "'",
        "#",
        " # c",
        "&a ",
        "*a ",
        "!!str ",
        "!t ",
        "|\n",
        ">+2\n",
        "---\n",
        "--- ",
        "...\n",
        "\r\n",
        "\r",
        "%YAML 1.1\n",
        "\\",
        "\\u",
        "é",
        "\u{feff}",
        "\u{1f600}",
        "<<: ",
        "!!set ",
        "!!omap ",
        "0x1f",
        ".nan",
        "affects: ",
        "pattern: ",
        "@x",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| format!("---\n{}\n---\nbody\n", pieces.concat()))
}

proptest! {
    #[test]
    fn any_text_is_read_the_same_way_twice(text in prop_oneof![any::<String>(), record_like()]) {
        let once = record::parse("a.md", &text);
        let twice = record::parse("a.md", &text);
        prop_assert_eq!(&once.findings, &twice.findings);
        prop_assert_eq!(once.record.is_some(), once.findings.is_empty());
        prop_assert_eq!(once.contents.is_some(), once.record.is_some());
        prop_assert_eq!(once.record, twice.record);
        prop_assert_eq!(once.contents, twice.contents);
    }

    #[test]
    fn any_text_is_a_package_pattern_or_not(text in any::<String>(), range in "[0-9xX*.v=<>~^| +a-]{0,20}") {
        let _ = package_pattern_is_valid(&text);
        let _ = package_pattern_is_valid(&format!("name@{range}"));
        let _ = as_of(&text);
    }

    #[test]
    fn locale_order_is_an_order(a in "[ -~é]{0,6}", b in "[ -~é]{0,6}", c in "[0-9A-Za-z]{0,4}", d in "[0-9A-Za-z]{0,4}") {
        prop_assert_eq!(locale_cmp(&a, &b), locale_cmp(&b, &a).reverse());
        // The shortcut for letters and digits agrees with the collation, which the hyphens ask for.
        let collated = locale_cmp(&format!("-{c}"), &format!("-{d}"));
        prop_assert_eq!(locale_cmp(&c, &d), collated);
    }
}
