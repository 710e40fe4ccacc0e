//! Takes the subcommands of `adr` that write out of a text.
//!
//! A record's own text can tell a model to run one, and a result must not pass that on. A program (`adr`, `adrkit`,
//! `@adrkit/cli`, also with a version or an extension, and with any path or `npx` before it), blanks, and one of
//! [`WRITING_SUBCOMMANDS`] lose the subcommand: `adr …` remains. Where characters that show as nothing stand, they
//! count both as a blank between words and as nothing inside one. Letters are compared without case.
//!
//! Look-alikes from other scripts, other words between the two, and instructions in words are not found: a title
//! stays text that somebody wrote, and its reader has to treat it so.

use std::borrow::Cow;

use super::tree::Tree;
use crate::validate::text::{is_control, is_default_ignorable, is_format, is_line_separator};

/// The subcommands that create, ratify, settle or migrate records. Those that this crate knows, those of other
/// versions, and those of other tools whose command is named `adr` too.
pub const WRITING_SUBCOMMANDS: [&str; 13] = [
    "new",
    "create",
    "add",
    "init",
    "propose",
    "import",
    "migrate",
    "ratify",
    "accept",
    "approve",
    "reject",
    "supersede",
    "deprecate",
];

/// What stands in the place of a subcommand. No subcommand is shorter, so that no text grows; and it is no letter, so
/// that no new match can come about.
pub const MASK: &str = "…";

const EXTENSIONS: [&str; 7] = [".cmd", ".exe", ".bat", ".ps1", ".js", ".mjs", ".cjs"];

/// `text` without the subcommands that write. Linear, idempotent, and never longer in bytes.
#[must_use]
pub fn text(text: &str) -> Cow<'_, str> {
    let mut clean = String::new();
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['a', 'A']) {
        let program = at + found;
        if let Some((start, end)) = writing_subcommand(text, program) {
            clean.push_str(&text[kept..start]);
            clean.push_str(MASK);
            (kept, at) = (end, end);
        } else {
            at = program + 1;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[kept..]);
    Cow::Owned(clean)
}

/// Scrubs every text in `tree`, keys too.
pub(super) fn tree(tree: &mut Tree) {
    match tree {
        Tree::Text(s) => {
            if let Cow::Owned(clean) = text(s) {
                *s = clean;
            }
        }
        Tree::List(items) => items.iter_mut().for_each(self::tree),
        Tree::Object(entries) => {
            for (key, value) in entries {
                if let Cow::Owned(clean) = text(key) {
                    *key = clean.into();
                }
                self::tree(value);
            }
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) => {}
    }
}

/// Where a subcommand that writes stands after a program that begins at `at`.
fn writing_subcommand(text: &str, at: usize) -> Option<(usize, usize)> {
    let start = skip_separator(text, skip_program(text, at)?)?;
    let ends = WRITING_SUBCOMMANDS.iter().filter_map(|word| skip_word(text, start, word));
    let whole = |&end: &usize| !text[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    ends.into_iter().find(whole).map(|end| (start, end))
}

fn skip_program(text: &str, at: usize) -> Option<usize> {
    let mut at = skip_word(text, at, "adr")?;
    at = skip_word(text, at, "kit").unwrap_or(at);
    at = skip_word(text, at, "/cli").unwrap_or(at);
    at = EXTENSIONS.iter().find_map(|ext| skip_word(text, at, ext)).unwrap_or(at);
    let Some(version) = skip_word(text, at, "@") else { return Some(at) };
    let in_version =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '^' | '~' | '*' | '+' | '-' | '_');
    Some(text[version..].find(|c| !in_version(c)).map_or(text.len(), |len| version + len))
}

/// The end of `word` (in lower case) at `at`, with or without invisible characters before each of its letters.
fn skip_word(text: &str, mut at: usize, word: &str) -> Option<usize> {
    for letter in word.chars() {
        let rest = text[at..].trim_start_matches(is_invisible);
        let c = rest.chars().next().filter(|&c| fold(c) == letter)?;
        at = text.len() - rest.len() + c.len_utf8();
    }
    Some(at)
}

/// Past blanks, of which there must be one, and what a shell or Markdown allows beside them: quotes, and a backslash
/// that continues a line.
fn skip_separator(text: &str, at: usize) -> Option<usize> {
    let mut blank = false;
    let mut chars = text[at..].char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let continues = c == '\\' && chars.peek().is_some_and(|&(_, next)| matches!(next, '\n' | '\r'));
        if is_blank(c) {
            blank = true;
        } else if !(continues || matches!(c, '"' | '\'' | '`')) {
            return blank.then_some(at + offset);
        }
    }
    None
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_control(c) || is_line_separator(c) || is_invisible(c)
}

fn is_invisible(c: char) -> bool {
    is_format(c) || is_default_ignorable(c)
}

/// Lower case of what folds to an ASCII letter: besides the capitals, the long s and the Kelvin sign.
fn fold(c: char) -> char {
    match c {
        '\u{17F}' => 's',
        '\u{212A}' => 'k',
        _ => c.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn takes_the_subcommand_out() {
        for (raw, clean) in [
            ("adr new", "adr …"),
            ("Run `adr new \"Use X\"` now", "Run `adr … \"Use X\"` now"),
            ("ADR NEW", "ADR …"),
            ("adr\tnew", "adr\t…"),
            ("adr\nmigrate\n", "adr\n…\n"),
            ("adr \r\n  ratify 0001", "adr \r\n  … 0001"),
            ("adr\u{A0}accept.", "adr\u{A0}…."),
            ("adr\u{2028}new", "adr\u{2028}…"),
            ("adr\u{200B}new", "adr\u{200B}…"),
            ("adr\u{FEFF} \u{2060}new", "adr\u{FEFF} \u{2060}…"),
            ("adr\u{E0020}new", "adr\u{E0020}…"),
            ("adr\u{34F}new", "adr\u{34F}…"),
            ("adr\u{0}new", "adr\u{0}…"),
            ("a\u{AD}dr n\u{200D}ew", "a\u{AD}dr …"),
            ("adr new\u{200B}er", "adr …\u{200B}er"),
            ("adr new\u{E9}", "adr …\u{E9}"),
            ("adr new-record", "adr …-record"),
            ("adr \\\n new", "adr \\\n …"),
            ("'adr' 'new'", "'adr' '…'"),
            ("`adr` `new`", "`adr` `…`"),
            ("adrkit new", "adrkit …"),
            ("ADR\u{212A}IT new", "ADR\u{212A}IT …"),
            ("adr \u{17F}upersede 1", "adr … 1"),
            ("npx adr new", "npx adr …"),
            ("npx --yes @adrkit/cli new", "npx --yes @adrkit/cli …"),
            ("npx @adrkit/cli@0.17.0 new", "npx @adrkit/cli@0.17.0 …"),
            ("bunx @adrkit/cli@latest  migrate", "bunx @adrkit/cli@latest  …"),
            ("./node_modules/.bin/adr new", "./node_modules/.bin/adr …"),
            ("C:\\bin\\adr.cmd new", "C:\\bin\\adr.cmd …"),
            ("adr.EXE new", "adr.EXE …"),
            ("adr new adr new adr new", "adr … adr … adr …"),
            ("adr new new", "adr … new"),
            ("aadr new", "aadr …"),
            ("adr adr new", "adr adr …"),
        ] {
            assert_eq!(text(raw), clean, "{raw:?}");
        }
        for word in WRITING_SUBCOMMANDS {
            assert_eq!(text(&format!("adr {word}")), "adr …");
            assert!(word.len() >= MASK.len(), "{word}");
        }
    }

    #[test]
    fn leaves_the_rest_alone() {
        for same in [
            "",
            "a",
            "adr",
            "adr ",
            "adr \u{200B}",
            "new adr",
            "adr check, adr explain, adr lint, adr queue",
            "This ADR accepted what ADR newcomers asked for",
            "adr newer",
            "adr new_thing",
            "adr-new",
            "adrnew",
            "docs\\adr\\new.md",
            "docs/adr/new.md",
            "a dr new",
            "adrift new",
            "adr: new",
            "ad\nr new",
            "adr … new",
        ] {
            assert!(matches!(text(same), Cow::Borrowed(s) if s == same), "{same:?}");
        }
    }

    #[test]
    fn reaches_keys_and_nested_texts() {
        let mut nested: Tree =
            serde_json::from_str(r#"{"adr new":[{"a":["adr\nnew",1]},null,true]}"#).unwrap();
        tree(&mut nested);
        assert_eq!(serde_json::to_string(&nested).unwrap(), r#"{"adr …":[{"a":["adr\n…",1]},null,true]}"#);
    }

    /// A matcher of its own make: a pattern over the text as it is, with invisible characters as blanks, and without
    /// them.
    fn names_a_writing_command(s: &str) -> bool {
        let pattern = Regex::new(&format!(
            r"(?i-u:adr(?:kit)?(?:/cli)?)[\s\p{{Cf}}]+(?i-u:{})(?-u:\b)",
            WRITING_SUBCOMMANDS.join("|")
        ))
        .unwrap();
        let without: String = s.chars().filter(|&c| !is_format(c)).collect();
        let blanked: String = s.chars().map(|c| if is_format(c) { ' ' } else { c }).collect();
        [s, &without, &blanked].iter().any(|s| pattern.is_match(s))
    }

    fn piece() -> impl Strategy<Value = String> {
        let word = prop::sample::select(
            [
                &WRITING_SUBCOMMANDS[..],
                &["adr", "ADR", "adrkit", "@adrkit/cli", "@1.0", ".cmd", "e", "a", "…", "NEW", "_"],
            ]
            .concat(),
        );
        let gap = prop::sample::select(vec![
            " ",
            "\n",
            "\t",
            "\u{200B}",
            "\u{AD}",
            "\u{FEFF}",
            "\u{E0020}",
            "\u{A0}",
            "\u{202E}",
            "\"",
            "\\\n",
            "",
        ]);
        prop_oneof![4 => word.prop_map(str::to_owned), 4 => gap.prop_map(str::to_owned), 1 => any::<String>()]
    }

    proptest! {
        #[test]
        fn no_output_names_a_writing_command(pieces in prop::collection::vec(piece(), 0..12)) {
            let raw = pieces.concat();
            let clean = text(&raw);
            prop_assert!(!names_a_writing_command(&clean), "{raw:?} -> {clean:?}");
            prop_assert!(clean.len() <= raw.len());
            prop_assert_eq!(text(&clean), clean.clone(), "idempotent");
            prop_assert!(names_a_writing_command(&raw) <= (clean != raw));
        }
    }

    #[test]
    fn the_matcher_of_the_test_matches() {
        for raw in ["adr new", "x adrkit\u{200B}ratify", "@adrkit/cli\nnew!", "a\u{AD}dr migrate"] {
            assert!(names_a_writing_command(raw), "{raw:?}");
        }
    }

    // Each of these would take minutes if a part of the text were looked at once per program in it.
    #[test]
    fn long_texts_are_looked_at_once() {
        const N: usize = 20_000;
        for unit in [
            "adr ",
            "adr@",
            "a\u{200B}",
            "adr\u{200B}",
            "adr@a",
            "adr\"",
            "adrkit",
            " ",
            "\u{200B}",
            "adr new ",
        ] {
            let raw = unit.repeat(N);
            assert_eq!(text(&raw).contains(MASK), unit == "adr new ", "{unit:?}");
            let raw = format!("adr{}x{}", unit.repeat(N), unit.repeat(N));
            assert!(text(&raw).len() <= raw.len());
        }
    }
}
