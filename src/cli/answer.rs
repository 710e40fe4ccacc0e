//! What the end of the `adr` command means.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::words;
use crate::error::{Error, Result};
use crate::process::{Finished, Outcome};

/// The words of a usage error that came without any.
const NO_WORDS: &str = "The adr command reported a usage error.";

/// The exit code and the report of a process that has ended.
///
/// # Errors
/// [`Error::Usage`] for exit 2, in the command's words; [`Error::NoReport`] for every other end of its own without a
/// report of the shape `R`; and one code each for a signal, the deadline, the caller's wish and too much output.
pub(crate) fn read<R: DeserializeOwned>(finished: &Finished) -> Result<(u8, R)> {
    match finished.outcome {
        Outcome::Exited => {}
        Outcome::Signaled => return Err(Error::KilledBySignal),
        Outcome::TimedOut => return Err(Error::TimedOut),
        Outcome::Aborted => return Err(Error::Aborted),
        Outcome::OutputTooLarge => return Err(Error::OutputTooLarge),
    }
    let none = Error::NoReport { exit_code: finished.exit_code };
    match finished.exit_code {
        Some(code @ (0 | 1)) => {
            let report = report(&finished.stdout).ok_or(none)?;
            Ok((u8::from(code == 1), report))
        }
        Some(2) => {
            let words = words::clean(&finished.stderr);
            Err(Error::Usage { message: if words.is_empty() { NO_WORDS.to_owned() } else { words } })
        }
        _ => Err(none),
    }
}

fn report<R: DeserializeOwned>(stdout: &[u8]) -> Option<R> {
    let text = std::str::from_utf8(stdout).ok()?;
    serde_json::from_str(&whole_characters(text)).ok()
}

/// JSON with U+FFFD in place of every escape of half a character. JavaScript prints such halves, and no Rust string
/// holds them.
fn whole_characters(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = json[at..].find('\\') {
        let start = at + found;
        at = match escaped_unit(json, start) {
            Some(0xD800..=0xDBFF) if matches!(escaped_unit(json, start + 6), Some(0xDC00..=0xDFFF)) => {
                start + 12
            }
            Some(0xD800..=0xDFFF) => {
                out.push_str(&json[copied..start]);
                out.push('\u{FFFD}');
                copied = start + 6;
                copied
            }
            Some(_) => start + 6,
            // The character behind the backslash may be another backslash.
            None => start + 1 + json[start + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    if copied == 0 {
        return json.into();
    }
    out.push_str(&json[copied..]);
    out.into()
}

/// The UTF-16 unit of the escape `\uXXXX` at `start`.
fn escaped_unit(json: &str, start: usize) -> Option<u16> {
    let digits = json.get(start..start + 6)?.strip_prefix("\\u")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::report::LintReport;

    fn finished(exit_code: Option<i32>, stdout: &str, stderr: &str) -> Finished {
        Finished {
            outcome: Outcome::Exited,
            exit_code,
            signal: None,
            stdout: stdout.into(),
            stderr: stderr.into(),
            output_incomplete: false,
            duration: Duration::ZERO,
        }
    }

    fn lint(exit_code: Option<i32>, stdout: &str, stderr: &str) -> Result<(u8, LintReport)> {
        read(&finished(exit_code, stdout, stderr))
    }

    #[test]
    fn zero_and_one_with_a_report_are_answers() {
        let report = LintReport { checked: 3, findings: Vec::new() };
        let json = r#"{ "checked": 3, "findings": [], "later": {"x": 1} }"#;
        assert_eq!(lint(Some(0), json, "a warning"), Ok((0, report.clone())));
        assert_eq!(lint(Some(1), &format!("\n{json}\n"), ""), Ok((1, report)));
    }

    #[test]
    fn without_a_report_only_the_code_is_told() {
        let none = |exit_code| Err(Error::NoReport { exit_code });
        for garbage in [
            "",
            "{}",
            "null",
            "{\"checked\": 3}",
            "[1]",
            "ok {\"checked\":1,\"findings\":[]}",
            "{\"checked\":1,\"findings\":[]} x",
            "{\"checked\":-1,\"findings\":[]}",
            "\u{feff}{}",
        ] {
            assert_eq!(lint(Some(0), garbage, "at /opt/secret"), none(Some(0)), "{garbage}");
            assert_eq!(lint(Some(1), garbage, ""), none(Some(1)), "{garbage}");
        }
        let json = "{\"checked\":1,\"findings\":[]}";
        for code in [Some(3), Some(-1), Some(127), Some(255), Some(-1_073_741_819), None] {
            assert_eq!(lint(code, json, "boom"), none(code), "{code:?}");
        }
        assert_eq!(
            read::<LintReport>(&Finished { stdout: b"{\"\xff\":1}".into(), ..finished(Some(0), "", "") }),
            none(Some(0))
        );
    }

    #[test]
    fn two_is_told_in_the_commands_words() {
        let usage = |message: &str| Err(Error::Usage { message: message.into() });
        assert_eq!(lint(Some(2), "{\"checked\":1,\"findings\":[]}", "Corpus\n   at x\n"), usage("Corpus"));
        assert_eq!(lint(Some(2), "words on stdout", "  at x\n"), usage(NO_WORDS));
    }

    #[test]
    fn every_end_that_is_ours_or_a_signals_has_its_code() {
        for (outcome, error) in [
            (Outcome::Signaled, Error::KilledBySignal),
            (Outcome::TimedOut, Error::TimedOut),
            (Outcome::Aborted, Error::Aborted),
            (Outcome::OutputTooLarge, Error::OutputTooLarge),
        ] {
            let json = "{\"checked\":1,\"findings\":[]}";
            let ended = Finished { outcome, ..finished(Some(0), json, "") };
            assert_eq!(read::<LintReport>(&ended), Err(error));
        }
    }

    #[test]
    fn half_characters_become_the_replacement_character() {
        for (json, want) in [
            (r#""a\ud800b""#, "a\u{FFFD}b"),
            (r#""\uDC00\uD83d\ude00\ud83d""#, "\u{FFFD}\u{1F600}\u{FFFD}"),
            (r#""\ud800\ud800\udc00""#, "\u{FFFD}\u{10000}"),
            (r#""\\ud800 \\\ud800""#, "\\ud800 \\\u{FFFD}"),
            (r#""\ud800é\n\u00e9""#, "\u{FFFD}é\né"),
        ] {
            let text: String = serde_json::from_str(&whole_characters(json)).unwrap();
            assert_eq!(text, want, "{json}");
        }
        assert!(matches!(whole_characters(r#""\u00e9 \ud83d\ude00""#), Cow::Borrowed(_)));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived(text in r#"(\\u[dD][89a-f]..|\\|u|d|"|é|.){0,30}"#) {
            let whole = whole_characters(&text);
            proptest::prop_assert_eq!(whole_characters(&whole), whole.clone());
        }

        #[test]
        fn units_survive_a_round_trip(units in proptest::collection::vec(0u16.., 0..20)) {
            let escapes: Vec<String> = units.iter().map(|u| format!("\\u{u:04x}")).collect();
            let json = format!("\"{}\"", escapes.concat());
            let text: String = serde_json::from_str(&whole_characters(&json)).unwrap();
            proptest::prop_assert_eq!(text, String::from_utf16_lossy(&units));
        }
    }
}
