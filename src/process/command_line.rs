//! The one string that a Windows process gets instead of arguments, and the block that is its environment. Pure.
//!
//! Everything is UTF-16 here, without a final NUL, as [`std::os::windows::ffi::OsStrExt::encode_wide`] gives it.

use std::collections::BTreeMap;

/// The longest command line that `CreateProcessW` takes, in UTF-16 units with the final NUL.
pub(super) const MAX_UNITS: usize = 32_767;

/// The longest command line that `cmd.exe` takes.
pub(super) const MAX_BATCH_UNITS: usize = 8_191;

/// Why there is no command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// A NUL, or a name that cannot stand in an environment.
    Invalid,
    /// Beyond [`MAX_UNITS`] or [`MAX_BATCH_UNITS`].
    TooLong,
    /// A batch file would be run by `cmd.exe`, which may take a part of this for a command of its own.
    Unsafe,
}

/// The command line of a program that splits it as Microsoft's C runtime does.
pub(super) fn command_line(program: &[u16], args: &[Vec<u16>]) -> Result<Vec<u16>, Refused> {
    let mut line = Vec::new();
    // A path holds no quote, and the first word is split without escapes: always quoted, never escaped.
    line.push(QUOTE);
    line.extend_from_slice(program);
    line.push(QUOTE);
    for arg in args {
        line.push(SPACE);
        push_quoted(&mut line, arg);
    }
    checked(line, MAX_UNITS)
}

/// The command line with which `cmd.exe` runs the batch file `script`.
///
/// A batch file hands its arguments on in a way that reads them again (`%*`), so no escape is sure to hold: whatever
/// `cmd.exe` could expand, split or redirect is refused.
pub(super) fn batch_command_line(
    cmd: &[u16],
    script: &[u16],
    args: &[Vec<u16>],
) -> Result<Vec<u16>, Refused> {
    let has = |text: &[u16], set: &str| text.iter().any(|unit| set.encode_utf16().any(|bad| bad == *unit));
    if has(script, "\"%\r\n\0") || args.iter().any(|arg| has(arg, "\"%!^&|<>()\r\n\0")) {
        return Err(Refused::Unsafe);
    }
    let mut line = vec![QUOTE];
    line.extend_from_slice(cmd);
    // Extensions as usual, no `!` expansion, no AutoRun; /s takes off the outer quotes and leaves the rest alone.
    line.extend("\" /e:ON /v:OFF /d /s /c \"\"".encode_utf16());
    line.extend_from_slice(script);
    line.push(QUOTE);
    for arg in args {
        line.push(SPACE);
        line.push(QUOTE);
        push_escaped(&mut line, arg);
        line.push(QUOTE);
    }
    line.push(QUOTE);
    checked(line, MAX_BATCH_UNITS)
}

/// Whether `CreateProcessW` would hand `program` to `cmd.exe`. The system ignores final dots and spaces of a name.
pub(super) fn is_batch(program: &[u16]) -> bool {
    let name = String::from_utf16_lossy(program).to_ascii_lowercase();
    let name = name.trim_end_matches(['.', ' ']);
    [".bat", ".cmd"].iter().any(|ext| name.ends_with(ext))
}

/// The environment block: `NAME=value`, NUL, ..., NUL, in the order of the names without letter case, as the system
/// wants it. Of two names that differ in letter case only, the later counts.
pub(super) fn environment_block(env: &[(Vec<u16>, Vec<u16>)]) -> Result<Vec<u16>, Refused> {
    let mut sorted = BTreeMap::new();
    for (name, value) in env {
        // A first `=` is a name of the shell's own (`=C:`).
        let bad = name.is_empty() || name.iter().skip(1).any(|unit| *unit == EQUALS);
        if bad || name.contains(&0) || value.contains(&0) {
            return Err(Refused::Invalid);
        }
        sorted.insert(upper_case(name), (name, value));
    }
    let mut block = Vec::new();
    for (name, value) in sorted.into_values() {
        block.extend_from_slice(name);
        block.push(EQUALS);
        block.extend_from_slice(value);
        block.push(0);
    }
    if block.is_empty() {
        block.push(0);
    }
    block.push(0);
    Ok(block)
}

const QUOTE: u16 = b'"' as u16;
const BACKSLASH: u16 = b'\\' as u16;
const SPACE: u16 = b' ' as u16;
const TAB: u16 = b'\t' as u16;
const EQUALS: u16 = b'=' as u16;

/// One unit to one unit, as the system compares names.
fn upper_case(name: &[u16]) -> Vec<u16> {
    let upper = |unit: u16| {
        let mut chars = char::from_u32(u32::from(unit))?.to_uppercase();
        let only = chars.next().filter(|_| chars.next().is_none())?;
        u16::try_from(u32::from(only)).ok()
    };
    name.iter().map(|unit| upper(*unit).unwrap_or(*unit)).collect()
}

fn push_quoted(line: &mut Vec<u16>, arg: &[u16]) {
    let quoted = arg.is_empty() || arg.iter().any(|unit| [SPACE, TAB].contains(unit));
    line.extend(quoted.then_some(QUOTE));
    if quoted {
        push_escaped(line, arg);
    } else {
        push_with_quotes_escaped(line, arg);
    }
    line.extend(quoted.then_some(QUOTE));
}

/// What stands between quotes: backslashes before the closing one are doubled too.
fn push_escaped(line: &mut Vec<u16>, arg: &[u16]) {
    push_with_quotes_escaped(line, arg);
    let trailing = arg.iter().rev().take_while(|unit| **unit == BACKSLASH).count();
    line.extend(std::iter::repeat_n(BACKSLASH, trailing));
}

/// Backslashes are themselves unless a quote follows: then they are doubled, and the quote gets one of its own.
fn push_with_quotes_escaped(line: &mut Vec<u16>, arg: &[u16]) {
    let mut backslashes = 0;
    for unit in arg {
        if *unit == QUOTE {
            line.extend(std::iter::repeat_n(BACKSLASH, backslashes + 1));
        }
        backslashes = if *unit == BACKSLASH { backslashes + 1 } else { 0 };
        line.push(*unit);
    }
}

fn checked(line: Vec<u16>, max_units: usize) -> Result<Vec<u16>, Refused> {
    if line.contains(&0) {
        return Err(Refused::Invalid);
    }
    if line.len() >= max_units {
        return Err(Refused::TooLong);
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn words(args: &[&str]) -> Vec<Vec<u16>> {
        args.iter().map(|arg| wide(arg)).collect()
    }

    fn line(args: &[&str]) -> Result<String, Refused> {
        command_line(&wide("C:\\a b\\x.exe"), &words(args)).map(|line| String::from_utf16(&line).unwrap())
    }

    fn batch(script: &str, args: &[&str]) -> Result<String, Refused> {
        batch_command_line(&wide("C:\\cmd.exe"), &wide(script), &words(args))
            .map(|line| String::from_utf16(&line).unwrap())
    }

    #[test]
    fn arguments_are_quoted_where_they_must() {
        for (arg, expected) in [
            ("plain", "plain"),
            ("", r#""""#),
            ("a b", r#""a b""#),
            ("a\tb", "\"a\tb\""),
            (r"a\b\", r"a\b\"),
            (r"a b\", r#""a b\\""#),
            (r#"a"b"#, r#"a\"b"#),
            (r#"a\"b"#, r#"a\\\"b"#),
            (r#"a \\" b\\"#, r#""a \\\\\" b\\\\""#),
        ] {
            assert_eq!(line(&[arg]).unwrap(), format!(r#""C:\a b\x.exe" {expected}"#));
        }
    }

    /// Splits as Microsoft's C runtime documents it, but for the first word.
    fn split(line: &[u16]) -> Vec<Vec<u16>> {
        let (mut words, mut word, mut quoted, mut i) = (Vec::new(), None::<Vec<u16>>, false, 0);
        while let Some(unit) = line.get(i) {
            let backslashes = line[i..].iter().take_while(|unit| **unit == BACKSLASH).count();
            if backslashes > 0 && line.get(i + backslashes) == Some(&QUOTE) {
                word.get_or_insert_default().extend(std::iter::repeat_n(BACKSLASH, backslashes / 2));
                i += backslashes;
                if backslashes % 2 == 1 {
                    word.get_or_insert_default().push(QUOTE);
                    i += 1;
                }
                continue;
            }
            i += 1;
            match *unit {
                QUOTE => {
                    word.get_or_insert_default();
                    quoted = !quoted;
                }
                SPACE | TAB if !quoted => words.extend(word.take()),
                other => word.get_or_insert_default().push(other),
            }
        }
        words.extend(word);
        words
    }

    proptest::proptest! {
        #[test]
        fn every_argument_survives_the_split(args in proptest::collection::vec("[a \\t\"\\\\]{0,8}", 0..5)) {
            let args: Vec<Vec<u16>> = args.iter().map(|arg| wide(arg)).collect();
            let line = command_line(&wide("x"), &args).unwrap();
            proptest::prop_assert_eq!(&split(&line)[1..], &args[..]);
        }
    }

    #[test]
    fn the_length_counts_the_final_nul() {
        let room = MAX_UNITS - 1 - r#""C:\a b\x.exe" "#.len();
        assert_eq!(line(&["x".repeat(room).as_str()]).unwrap().len(), MAX_UNITS - 1);
        assert_eq!(line(&["x".repeat(room + 1).as_str()]), Err(Refused::TooLong));
        assert_eq!(line(&["\u{1F600}".repeat(room / 2 + 1).as_str()]), Err(Refused::TooLong));
        assert_eq!(batch("a.cmd", &["x".repeat(MAX_BATCH_UNITS).as_str()]), Err(Refused::TooLong));
    }

    #[test]
    fn a_nul_is_invalid() {
        assert_eq!(line(&["a\0b"]), Err(Refused::Invalid));
        for (name, value) in [("A\0", ""), ("A", "\0"), ("", "x"), ("A=B", "x")] {
            assert_eq!(environment_block(&[(wide(name), wide(value))]), Err(Refused::Invalid));
        }
    }

    #[test]
    fn batch_files_get_quoted_words_or_nothing() {
        assert_eq!(
            batch(r"C:\Program Files (x86)\adr.cmd", &["check", "a b", r"c\"]).unwrap(),
            r#""C:\cmd.exe" /e:ON /v:OFF /d /s /c ""C:\Program Files (x86)\adr.cmd" "check" "a b" "c\\"""#
        );
        for bad in ["\"", "%PATH%", "!x!", "^", "&", "|", "<", ">", "(", ")", "\r", "\n", "\0"] {
            assert_eq!(batch("a.cmd", &["fine", bad]), Err(Refused::Unsafe), "{bad:?}");
        }
        for bad in ["%a%.cmd", "a\".cmd", "a\n.cmd"] {
            assert_eq!(batch(bad, &[]), Err(Refused::Unsafe), "{bad:?}");
        }
    }

    #[test]
    fn batch_files_are_known_by_any_spelling() {
        for name in ["a.cmd", "C:\\A.BAT", "a.CmD", "a.bat. ."] {
            assert!(is_batch(&wide(name)), "{name:?}");
        }
        for name in ["a.exe", "cmd", "a.cmd.exe", "bat"] {
            assert!(!is_batch(&wide(name)), "{name:?}");
        }
    }

    #[test]
    fn the_block_is_sorted_and_unique_without_letter_case() {
        let env = [("path", "1"), ("B", "2"), ("Path", "3"), ("ä", "4"), ("=C:", "C:\\")];
        let env = env.map(|(name, value)| (wide(name), wide(value)));
        let block = environment_block(&env).unwrap();
        assert_eq!(String::from_utf16(&block).unwrap(), "=C:=C:\\\0B=2\0Path=3\0ä=4\0\0");
        assert_eq!(environment_block(&[]).unwrap(), [0, 0]);
    }
}
