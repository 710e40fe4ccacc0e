//! What of a run is compared, and how.

use crate::json::{Json, Text};
use crate::sandbox::Output;

/// Differences of one case that are shown; the rest is more of the same.
const SHOWN: usize = 12;

/// How `output` differs from what was recorded. Nothing where it matches.
pub fn differences(expected: &Json, output: &Output) -> Vec<String> {
    let mut out = Vec::new();
    let code = expected.get("exitCode").and_then(Json::integer);
    if code != output.code {
        let said = excerpt(&output.stderr);
        out.push(format!("exit {code:?} expected, {:?} found: {said}", output.code));
    }
    match (expected.get("stdoutJson"), expected.get("stdout")) {
        (Some(report), _) => report_differences(report, &output.stdout, &mut out),
        (None, stdout) => presence("stdout", stdout, &output.stdout, &mut out),
    }
    presence("stderr", expected.get("stderr"), &output.stderr, &mut out);
    out
}

/// The recording keeps no human texts, only whether there was one.
fn presence(name: &str, expected: Option<&Json>, found: &[u8], out: &mut Vec<String>) {
    if expected.is_some_and(|e| *e != Json::Bool(!found.is_empty())) {
        out.push(format!("{name}: some text is {expected:?}, found {}", excerpt(found)));
    }
}

fn report_differences(expected: &Json, stdout: &[u8], out: &mut Vec<String>) {
    let parsed = std::str::from_utf8(stdout).map_err(|e| e.to_string()).and_then(Json::parse);
    let mut found = match parsed {
        Ok(json) => json,
        Err(why) => return out.push(format!("stdout is not JSON ({why}): {}", excerpt(stdout))),
    };
    drop_messages(&mut found, out);
    // Left out of the recording where it covers human texts.
    if let Json::Object(entries) = &mut found
        && expected.get("corpusFingerprint").is_none()
    {
        entries.retain(|(k, _)| k != "corpusFingerprint");
    }
    compare(expected, &found, "$", out);
}

fn drop_messages(value: &mut Json, out: &mut Vec<String>) {
    match value {
        Json::Object(entries) => {
            for (_, message) in entries.iter().filter(|(k, _)| k == "message") {
                if message.text().is_none_or(|t| *t == Text::default()) {
                    out.push(format!("a \"message\" that is no non-empty string: {message:?}"));
                }
            }
            entries.retain(|(k, _)| k != "message");
            for (_, v) in entries {
                drop_messages(v, out);
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|v| drop_messages(v, out)),
        _ => {}
    }
}

fn compare(expected: &Json, found: &Json, at: &str, out: &mut Vec<String>) {
    if out.len() >= SHOWN {
        return;
    }
    match (expected, found) {
        (Json::Object(e), Json::Object(f)) => {
            let keys = |o: &[(Text, Json)]| o.iter().map(|(k, _)| k.to_string()).collect::<Vec<_>>();
            if keys(e) != keys(f) {
                out.push(format!("{at}: keys {:?} expected, {:?} found", keys(e), keys(f)));
            }
            for (key, value) in e {
                if let Some((_, other)) = f.iter().find(|(k, _)| k == key) {
                    compare(value, other, &format!("{at}.{key}"), out);
                }
            }
        }
        (Json::Array(e), Json::Array(f)) if e.len() == f.len() => {
            for (i, (value, other)) in e.iter().zip(f).enumerate() {
                compare(value, other, &format!("{at}[{i}]"), out);
            }
        }
        _ if expected != found => {
            out.push(format!("{at}: {} expected, {} found", brief(expected), brief(found)));
        }
        _ => {}
    }
}

fn brief(value: &Json) -> String {
    let items =
        if let Json::Array(items) = value { format!("{} items ", items.len()) } else { String::new() };
    items + &format!("{value:?}").chars().take(300).collect::<String>()
}

fn excerpt(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(expected: &str, code: i32, stdout: &str, stderr: &str) -> usize {
        let output = Output { code: Some(code), stdout: stdout.into(), stderr: stderr.into() };
        differences(&Json::parse(expected).unwrap(), &output).len()
    }

    #[test]
    fn tells_each_kind_of_difference() {
        let report = r#"{"exitCode":0,"stdoutJson":{"a":1,"b":[{"rule":"x"},"s"]},"stderr":false}"#;
        let text = r#"{"exitCode":2,"stdout":false,"stderr":true}"#;
        for (expected, code, stdout, stderr, differences) in [
            (report, 0, r#"{"a":1,"b":[{"rule":"x","message":"m"},"s"]}"#, "", 0),
            (report, 0, r#"{"a":1,"corpusFingerprint":"1","b":[{"rule":"x"},"s"]}"#, "", 0),
            (report, 1, r#"{"a":1,"b":[{"rule":"x"},"s"]}"#, "", 1),
            (report, 0, r#"{"a":1,"b":[{"rule":"x"},"s"]}"#, "w", 1),
            (report, 0, r#"{"b":[{"rule":"x"},"s"],"a":1}"#, "", 1),
            (report, 0, r#"{"a":1,"b":[{"rule":"x"}]}"#, "", 1),
            (report, 0, r#"{"a":1,"b":[{"rule":"x"},"s","t"]}"#, "", 1),
            (report, 0, r#"{"a":true,"b":[{"rule":"y"},"t"]}"#, "", 3),
            (report, 0, r#"{"a":1,"a":1,"b":[{"rule":"x"},"s"]}"#, "", 1),
            (report, 0, r#"{"a":1,"b":[{"rule":"x","message":""},"s"]}"#, "", 1),
            (report, 0, r#"{"a":1,"b":[{"rule":"x","message":null},"s"]}"#, "", 1),
            (report, 0, "", "", 1),
            (report, 0, r#"{"a":1,"b":[{"corpusFingerprint":"1","rule":"x"},"s"]}"#, "", 1),
            (r#"{"exitCode":0,"stdoutJson":{"corpusFingerprint":"1"}}"#, 0, "{}", "", 1),
            (text, 2, "", "usage", 0),
            (text, 2, "x", "", 2),
        ] {
            assert_eq!(count(expected, code, stdout, stderr), differences, "{stdout} {stderr}");
        }
    }
}
