use proptest::prelude::*;
use regex::Regex;

use super::*;
use Rejection::{
    PathAbsolute, PathColon, PathControlCharacter, PathDeviceName, PathEmpty, PathHiddenCharacter,
    PathLeadingDash, PathNotUnicode, PathParentSegment, PathTooLong, PathTrailingDotOrSpace,
};

/// What is given, and what is kept of it.
const ACCEPTED: &[(&str, &str)] = &[
    ("a", "a"),
    ("src/a.ts", "src/a.ts"),
    ("docs/adr/0001-use-rust.md", "docs/adr/0001-use-rust.md"),
    (".", "."),
    ("./", "."),
    ("././/.", "."),
    ("./a", "a"),
    ("./././a", "a"),
    ("a/./b", "a/b"),
    ("a//b///c", "a/b/c"),
    (".//a", "a"),
    ("a/", "a/"),
    ("a//", "a/"),
    ("a/.", "a/"),
    ("a/./", "a/"),
    (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
    (".git/config", ".git/config"),
    (".env", ".env"),
    (".a/.b", ".a/.b"),
    ("..a", "..a"),
    ("a..b/c", "a..b/c"),
    ("...a", "...a"),
    ("[...slug].tsx", "[...slug].tsx"),
    ("src/(group)/@modal/page.tsx", "src/(group)/@modal/page.tsx"),
    ("a-b/-c", "a-b/-c"),
    ("a/--b", "a/--b"),
    ("src\\a.ts", "src\\a.ts"),
    (".\\src\\a.ts", ".\\src\\a.ts"),
    ("./a\\b", "a\\b"),
    ("a b/c d.md", "a b/c d.md"),
    (" a", " a"),
    ("a/ b", "a/ b"),
    ("Screenshot 9.41.00\u{202F}AM.png", "Screenshot 9.41.00\u{202F}AM.png"),
    ("a\u{A0}b\u{3000}", "a\u{A0}b\u{3000}"),
    ("~/a", "~/a"),
    ("~", "~"),
    ("$HOME/a", "$HOME/a"),
    ("%TEMP%", "%TEMP%"),
    ("a;b|c&d", "a;b|c&d"),
    ("a\"b'c`d", "a\"b'c`d"),
    ("a*?<>.md", "a*?<>.md"),
    ("!x", "!x"),
    ("#x", "#x"),
    ("@scope/pkg", "@scope/pkg"),
    ("üñï/日本語/עברית/العربية.md", "üñï/日本語/עברית/العربية.md"),
    ("e\u{301}.md", "e\u{301}.md"),
    ("🙂/🏳.md", "🙂/🏳.md"),
    ("❤\u{FE0F}.md", "❤\u{FE0F}.md"),
    ("\u{E000}\u{FFFD}", "\u{E000}\u{FFFD}"),
    ("\u{600}1", "\u{600}1"),
    ("console.ts", "console.ts"),
    ("con-fig/aux_/nul1", "con-fig/aux_/nul1"),
    ("com/example/App.java", "com/example/App.java"),
    ("com10/lpt10", "com10/lpt10"),
    ("coms/com/lpt/lpta", "coms/com/lpt/lpta"),
    ("com⁴", "com⁴"),
    ("com１", "com１"),
    ("com1x/xcom1", "com1x/xcom1"),
    ("a.con/b.nul", "a.con/b.nul"),
    (".con", ".con"),
    (" con", " con"),
    ("conin/conout$x", "conin/conout$x"),
    ("clock$", "clock$"),
    ("auxiliary/prn2/null", "auxiliary/prn2/null"),
    ("CON\u{A0}", "CON\u{A0}"),
];

#[rustfmt::skip]
const REFUSED: &[(Rejection, &[&str])] = &[
    (PathEmpty, &[""]),
    (
        PathControlCharacter,
        &[
            "\0", "a\0b", "a.md\0.png", "\u{1}", "a\u{7}", "a\u{8}b", "a\tb", "\t", "a\nb", "a\n", "\na",
            "a\rb", "a\r\nb", "a\u{B}b", "a\u{C}b", "a\u{1B}[31mb", "a\u{1F}b", "a\u{7F}b", "a\u{80}b",
            "a\u{85}b", "a\u{9B}31m", "a\u{9F}b", "a\u{2028}b", "a\u{2029}b", "\u{2028}", "/\n", "-\n",
            "../\n",
        ],
    ),
    (
        PathHiddenCharacter,
        &[
            // The twelve bidirectional controls.
            "a\u{61C}b", "a\u{200E}b", "a\u{200F}b", "a\u{202A}b", "a\u{202B}b", "a\u{202C}b", "a\u{202D}b",
            "a\u{202E}cod.ts", "a\u{2066}b", "a\u{2067}b", "a\u{2068}b", "a\u{2069}b",
            // Zero width, invisible operators, byte order mark.
            "a\u{200B}b", "a\u{200C}b", "a\u{200D}b", "a\u{2060}b", "a\u{2061}b", "a\u{2062}b",
            "a\u{2063}b", "a\u{2064}b", "\u{FEFF}a", "a\u{FEFF}",
            // Tags.
            "a\u{E0000}", "a\u{E0001}", "a\u{E0020}", "a\u{E0041}\u{E0042}", "a\u{E007F}",
            // Other default-ignorable characters.
            "a\u{AD}b", "a\u{34F}b", "a\u{115F}b", "a\u{1160}b", "a\u{17B4}b", "a\u{180B}b", "a\u{180E}b",
            "a\u{2065}b", "a\u{206A}b", "a\u{206F}b", "\u{3164}", "\u{FFA0}", "a\u{FFF0}", "a\u{1BCA0}",
            "a\u{1D173}", "a\u{E0100}", "a\u{E01EF}", "a\u{E0FFF}", "a\u{FFF9}b", "a\u{FFFA}b",
            "a\u{FFFB}b",
            // Selectors that select nothing, or form a run.
            "\u{FE0F}", "a/\u{FE0F}b", "a\u{FE0F}\u{FE0F}", "a\u{FE01}\u{FE02}\u{FE03}", "/\u{200B}",
            "-\u{200B}", "..\u{200B}/a",
        ],
    ),
    (
        PathLeadingDash,
        &["-", "--", "-a", "--json", "--dir=x", "-/a", "-rf/..a", "./-a", "././/--json", "--help"],
    ),
    (
        PathAbsolute,
        &[
            "/", "/etc/passwd", "//", "//server/share", "//?/C:/x", "//./pipe/x", "/./a", "/../a", "/-",
            "\\", "\\a", "\\\\", "\\\\server\\share\\a", "\\\\?\\C:\\x", "\\\\.\\PhysicalDrive0",
            "\\??\\C:\\x", "\\/a", "/\\a", "./\\a", ".//\\\\server\\share", "C:", "c:", "C:\\", "C:/",
            "C:\\a", "C:/a", "z:/a", "C:a.ts", "c:a", "C:.", "C:..\\a", "C:con", "c::$DATA", "a:b",
            "./C:/a", "./C:a",
        ],
    ),
    (
        PathParentSegment,
        &[
            "..", "../", "../a", "a/..", "a/../b", "a/b/../../c", "./..", "./../a", "a/../../b", "..\\a",
            "a\\..\\b", "a\\..", "a/..\\b", "a\\../b", "../../../../etc/passwd", "..//a", "a//..",
            ".\\..\\a", "../con", "con /../..",
        ],
    ),
    (
        PathColon,
        &[
            "1:", "é:a", "::", ":", ":a", "file.md:stream", "file.md::$DATA", "a/b:c", "a/C:/b",
            "http://x/y", "file:///etc/passwd", "git@host:x", "a\\b:c", "con:", "nul:x", "aux.txt:s",
            "a.md:Zone.Identifier", "日本:x",
        ],
    ),
    (
        PathDeviceName,
        &[
            "con", "CON", "Con", "prn", "PRN", "aux", "AUX", "nul", "NUL", "com0", "com1", "COM1", "com9",
            "lpt0", "lpt1", "LPT9", "com¹", "COM²", "com³", "lpt¹", "LPT²", "lpt³", "conin$", "CONIN$",
            "conout$", "ConOut$", "nul.txt", "con.md", "aux.c", "nul.tar.gz", "com1.log", "com¹.txt",
            "conin$.x", "nul ", "nul  .md", "con .txt", "nul.", "nul..", "nul. .", "con...txt",
            "src/aux.rs", "a/nul/b", "nul/a", "a\\con", "con\\a", "a/prn", "./nul", "a/./aux", "a//lpt1.x",
            "aux /a", "com1 /x", "src/lpt².d/x",
        ],
    ),
    (
        PathTrailingDotOrSpace,
        &[
            "a.", "a..", "a ", "a. ", "a .", " ", "  ", "...", "....", ". ", ".. ", ". .", "..  ", ". ./a",
            ".. /a", "a./b", "a /b", "a../b", "a\\b.\\c", "a\\b ", ".../a", "a/...", "a/ ", "a/. /b",
            "a.md.", "a.md ", "a.ts./", "src /a.ts", "x/.. /y", "x\\. \\a",
        ],
    ),
];

#[test]
fn accepts_and_normalizes() {
    for (given, kept) in ACCEPTED {
        assert_eq!(RepoPath::parse(given).as_ref().map(RepoPath::as_str), Ok(*kept), "{given:?}");
    }
}

#[test]
fn refuses_by_code() {
    let mut rows = 0;
    for (why, inputs) in REFUSED {
        for input in *inputs {
            rows += 1;
            assert_eq!(RepoPath::parse(input), Err(*why), "{input:?}");
        }
    }
    assert!(rows >= 150, "{rows} rows");
}

#[test]
fn counts_utf_16_units() {
    let fits = [
        "a".repeat(MAX_PATH_CHARS),
        "é".repeat(MAX_PATH_CHARS),
        "日".repeat(MAX_PATH_CHARS),
        "🙂".repeat(MAX_PATH_CHARS / 2),
    ];
    for path in &fits {
        assert!(RepoPath::parse(path).is_ok());
        for more in [format!("{path}a"), format!("./{path}")] {
            assert_eq!(RepoPath::parse(&more), Err(PathTooLong));
            assert_eq!(RepoPath::from_utf16(&more.encode_utf16().collect::<Vec<_>>()), Err(PathTooLong));
        }
    }
}

#[test]
fn refuses_lone_surrogates() {
    for units in [&[0xD800][..], &[0x61, 0xDC00], &[0xDC00, 0xD800], &[0xD83D, 0x2F]] {
        assert_eq!(RepoPath::from_utf16(units), Err(PathNotUnicode));
    }
    assert_eq!(RepoPath::from_utf16(&[0x2E, 0x2F, 0xD83D, 0xDE42]).as_ref().map(RepoPath::as_str), Ok("🙂"));
}

#[test]
fn lists_have_1_to_200_paths() {
    assert_eq!(paths::<&str>(&[]), Err(Rejection::PathsEmpty));
    assert_eq!(paths(&["a"; MAX_PATHS]).map(|l| l.len()), Ok(MAX_PATHS));
    assert_eq!(paths(&["a"; MAX_PATHS + 1]), Err(Rejection::PathsTooMany));
    assert_eq!(paths(&["a", "../b", ""]), Err(PathParentSegment));
}

#[test]
fn a_corpus_directory_is_a_path_without_trailing_slash() {
    for (given, kept) in [
        ("docs/adr", "docs/adr"),
        ("./docs//adr///", "docs/adr"),
        (".", "."),
        ("./", "."),
        ("docs/adr/.", "docs/adr"),
    ] {
        assert_eq!(corpus_dir(given).as_ref().map(RepoPath::as_str), Ok(kept), "{given}");
    }
    for (given, why) in [
        ("", PathEmpty),
        ("/srv/adr", PathAbsolute),
        ("../adr", PathParentSegment),
        ("-", PathLeadingDash),
        ("docs/adr ", PathTrailingDotOrSpace),
    ] {
        assert_eq!(corpus_dir(given), Err(why), "{given}");
    }
}

/// The rules said again, with regular expressions.
fn keeps_the_rules(path: &str) -> bool {
    thread_local! {
        static BROKEN: Regex = Regex::new(concat!(
            r"(?i)^$|^[/\\]|^(\./+)+\\|^(\.?/+)*-|:",
            r"|[\p{Cc}\p{Zl}\p{Zp}]",
            r"|[\u{AD}\u{34F}\u{61C}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}]",
            r"|[\u{3164}\u{FEFF}\u{FFA0}\u{FFF0}-\u{FFFB}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]",
            r"|(^|[/\\\u{FE00}-\u{FE0F}])[\u{FE00}-\u{FE0F}]",
            r"|(^|[/\\])\.\.($|[/\\])|[^/\\.][. ]*[. ]($|[/\\])|(^|[/\\])([. ]*\x20|\.{3,})[. ]*($|[/\\])",
            r"|(^|[/\\])(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])\x20*($|[/\\.])",
        ))
        .unwrap();
    }
    path.encode_utf16().count() <= 1024 && !BROKEN.with(|r| r.is_match(path))
}

fn path_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/",
        "/",
        "/",
        "\\",
        ".",
        ".",
        "..",
        " ",
        "-",
        ":",
        "a",
        "src",
        "con",
        "NUL",
        "com",
        "lpt",
        "1",
        "²",
        "$",
        "conin",
        ".md",
        "C:",
        "~",
        "é",
        "日",
        "🙂",
        "\n",
        "\0",
        "\u{7F}",
        "\u{85}",
        "\u{2028}",
        "\u{200B}",
        "\u{202E}",
        "\u{FE0F}",
        "\u{FEFF}",
        "\u{E0041}",
        "\u{AD}",
        "\u{FFF9}",
        "\u{A0}",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn agrees_with_the_rules_said_again(path in path_like()) {
        prop_assert_eq!(RepoPath::parse(&path).is_ok(), keeps_the_rules(&path), "{:?}", path);
    }

    #[test]
    fn what_is_kept_keeps_the_rules_and_stays(path in path_like()) {
        if let Ok(kept) = RepoPath::parse(&path) {
            prop_assert!(keeps_the_rules(kept.as_str()));
            prop_assert!(kept.as_str() == "." || kept.as_str().trim_end_matches('/').split('/').all(|s| !s.is_empty() && s != "."));
            prop_assert_eq!(RepoPath::parse(kept.as_str()), Ok(kept));
        }
    }

    #[test]
    fn agrees_on_arbitrary_text(path in any::<String>()) {
        prop_assert_eq!(RepoPath::parse(&path).is_ok(), keeps_the_rules(&path));
        prop_assert_eq!(RepoPath::from_utf16(&path.encode_utf16().collect::<Vec<_>>()), RepoPath::parse(&path));
    }

    #[test]
    fn code_units_never_panic(units in prop::collection::vec(any::<u16>(), 0..40)) {
        let _ = RepoPath::from_utf16(&units);
    }

    // The words of a message are chosen before the input is seen, so it can only hold what was there before.
    #[test]
    fn a_message_never_holds_the_input(path in r"(/|\.\./|-)[a-z/<>-]{1,12}Z[0-9]{3}") {
        let why = RepoPath::parse(&path).unwrap_err();
        prop_assert!(!why.message().contains(&path) && !why.code().contains(&path));
        prop_assert!(Rejection::ALL.contains(&why));
    }
}
