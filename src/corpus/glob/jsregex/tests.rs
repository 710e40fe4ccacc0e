use super::{SyntaxError, parse};
use crate::corpus::glob::compile::compile;
use crate::corpus::glob::{recall, search};

/// What `new RegExp` takes.
#[test]
fn accepted() {
    for source in [
        "(?=a)*",
        "(?!a){2}",
        "[\\k]",
        "\\k",
        "{",
        "a{,3}",
        "a{99999999999}",
        "\\c",
        "[\\c1]",
        "\\8",
        "(a)\\2",
        "[\\d-z]",
        "[z-\\d]",
        "(?<$>a)",
        "(?<\\u0061>a)",
        "()*",
        "|",
        "a*?",
        "a{2}?",
        "[]",
        "[^]",
        "a]",
        "a}",
        "\\u{2}",
        "\\x4",
        "[a-]",
        "[a-b-c]",
        "(?<=(?=a)*)",
        "(?=(?<=a))*",
        "\\1(a)",
        "x{1",
        "x{1,a",
        "{a}",
        "(?<a>\\k<a>)",
        "\\k<a>(?<a>x)",
        "(?<=a)b*",
    ] {
        assert!(parse(source).is_ok(), "{source}");
    }
}

/// What `new RegExp` throws at.
#[test]
fn refused() {
    for source in [
        "(?<=a)*",
        "(?<!a)?",
        "(?<=a){2}",
        "(?<a>x)[\\k]",
        "(?<a>x)\\k",
        "(?<a>x)(?<a>y)",
        "(?<a>x)|(?<a>y)",
        "a{2}{3}",
        "{2}",
        "a{3,2}",
        "(?i:a)",
        "[b-a]",
        "(?<1>a)",
        "(?<a",
        "(?<a)",
        "(?",
        "(?a)",
        "(*)",
        "^*",
        "$+",
        "\\b*",
        "\\b{2}",
        "|*",
        "a**",
        "a*??",
        "a{2}+",
        "[a",
        "\\",
        "\\k<b>(?<a>x)",
        "(?:",
        "a)",
        "(",
        "a|{2}",
        "[\\",
        "[a-",
        "[\\d-",
    ] {
        assert_eq!(parse(source).map(|_| ()), Err(SyntaxError), "{source}");
    }
}

/// Which texts an expression finds a match in.
#[test]
fn matches() {
    let table: &[(&str, &[&str], &[&str])] = &[
        ("^a.b$", &["axb", "a\u{85}b"], &["a\nb", "a\u{2028}b", "ab", "a\u{1F600}b"]),
        ("^(?:)|(a)$", &["", "x", "xa"], &[]),
        ("^[^]{2}$", &["\u{1F600}", "ab"], &["a", "\n"]),
        ("[]", &[], &["", "a"]),
        ("^\\101\\x41\\u0041\\cA\\0\\8\\400$", &["AAA\u{1}\u{0}8\u{20}0"], &["AAA"]),
        ("^\\c$", &["\\c"], &["c"]),
        ("^[\\c1\\b]$", &["\u{11}", "\u{8}"], &["\\", "c", "1", "b"]),
        ("^\\u{2}$", &["uu"], &["u", "\u{2}"]),
        ("^[a-\\d-]$", &["a", "-", "5"], &["b", "\\"]),
        ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
        ("^a{,3}$", &["a{,3}"], &["a", "aaa"]),
        ("^(?:a|ab)(?:c|bcd)$", &["ac", "abc", "abcd", "abbcd"], &["a", "abd"]),
        ("^(?=ab)a.$", &["ab"], &["ac"]),
        ("^(?!a(?!b))..$", &["ab", "cd"], &["ac"]),
        ("^a(?<=^a)b(?<!cb)$", &["ab"], &["cb"]),
        ("^(?!a(?!bc))...$", &["abc", "xyz"], &["abd"]),
        ("^(?=a(?=bc(?!de))).*(?<=(?<!xd)e.)$", &["abcef", "abceg"], &["abcdef", "abcxdef", "abde"]),
        ("^.*(?<=a|bc)d$", &["ad", "xbcd"], &["cd"]),
        ("\\bfoo\\B", &["foox", "a foo_"], &["foo", "xfoo1", "foo-"]),
        ("^(?:(?=a)*b|(?:)+c)$", &["b", "c"], &["a", "ab"]),
        ("^(a|b)\\1$", &["aa", "bb"], &["ab", "a"]),
        ("^\\1(a)$", &["a"], &["aa"]),
        ("^(?:(a)|b)*\\1$", &["ab", "aa", "b"], &["aba1"]),
        ("^(?:(a)|(b))*\\1x$", &["abx"], &["ababy", "aab"]),
        ("^(?=(a+))a*b\\1$", &["aabaa", "ab\u{61}"], &["aabab"]),
        ("^(?!(a)b)\\1..$", &["ac", "bc"], &["ab"]),
        ("^(?<n>.)\\k<n>$", &["aa"], &["ab"]),
        ("^(?:(?=(a))ab|a)\\1c$", &["ac", "abac"], &["aac", "abc"]),
        ("(?<=\\1(a))x$", &["aax"], &["ax1"]),
        ("^(?:a*)*\\1(b)$", &["aab", "b"], &["a"]),
    ];
    for &(source, yes, no) in table {
        let Ok(Ok(program)) = parse(source).map(|ast| compile(&ast)) else {
            panic!("{source} does not compile")
        };
        let run = |text: &str| {
            let units: Vec<u16> = text.encode_utf16().collect();
            if program.slots > 0 {
                recall::is_match(&program, &units, &mut 0)
            } else {
                search::is_match(&program, &units, &mut 0)
            }
        };
        for text in yes {
            assert!(run(text), "{source} matches {text:?}");
        }
        for text in no {
            assert!(!run(text), "{source} does not match {text:?}");
        }
    }
}
