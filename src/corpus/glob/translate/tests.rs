use super::{Failure, MAX_UNITS, anchor, translate};
use crate::corpus::glob::BadPattern;

/// What picomatch 4.0.5 makes of each pattern.
#[test]
fn expressions() {
    for (pattern, output) in [
        ("*", r"(?!\.)(?=.)[^/]*?\/?"),
        ("**", r"(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)\/?"),
        ("***", r"(?!\.)(?=.)[^/]*?\/?"),
        ("./*", r"(?!\.)(?=.)[^/]*?\/?"),
        (".*", r"\.(?=.)[^/]*?\/?"),
        ("*.a.b", r"(?!\.)(?=.)[^/]*?\.a\.b\/?"),
        ("**/*.ts", r"(?:(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)\/)?(?!\.)(?=.)[^/]*?\.ts\/?"),
        ("**.ts", r"(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)\.ts\/?"),
        ("a?b*.c", r"^(?:a[^/]b[^/]*?\.c)$"),
        ("?a??", r"^(?:[^.\/]a[^/][^/])$"),
        (r"a\*b", r"^(?:a\*b)$"),
        (r"a\b", r"^(?:a\b)$"),
        (r"\?a", r"^(?:\?a)$"),
        ("a++", r"^(?:a\++)$"),
        (r"a\\b", r"^(?:a\\b)$"),
        ("src/**", r"src(?:\/(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)|$)"),
        ("src/**/*.ts", r"src(?:\/(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)\/|\/|$)(?!\.)(?=.)[^/]*?\.ts"),
        ("src/**/**/a", r"src(?:\/(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)\/|\/|$)a"),
        ("a/**b", r"a\/(?!\.)[^/]*?b"),
        ("a/***", r"a\/(?!\.)[^/]*?\/?"),
        ("src/*", r"src\/(?!\.)(?=.)[^/]*?\/?"),
        ("src/.*", r"src\/\.(?!\.{0,1}(?:\/|$))(?=.)[^/]*?\/?"),
        ("src/?", r"src\/[^.\/]"),
        ("**/a", r"(?:^|\/|(?:(?:(?!(?:^|\/)\.).)*?)\/)a"),
        ("**/", r"(?:^|\/|(?:(?:(?!(?:^|\/)\.).)*?)\/)"),
        ("{a,b}/c", r"(a|b)\/c"),
        ("{a}", r"\{a\}"),
        ("{{a},b}", r"(\{a\}|b)"),
        ("{1..3}", "[1-3]"),
        ("{c..a}", "[a-c]"),
        ("{az..b}", "az..b"),
        ("{a", "(a"),
        ("a}", "a}"),
        ("{a.b}", r"\{a\.b\}"),
        ("[ab]", r"(?:\[ab\]|[ab])\/?"),
        ("[a-c]", r"[a-c]\/?"),
        ("[^a]", r"[^a/]\/?"),
        ("[^/]", r"[^/]\/?"),
        ("[!a]", r"(?:\[!a\]|[!a])\/?"),
        ("[a", r"\[a"),
        ("[]a]", r"[\]a]\/?"),
        ("a]", r"a\]"),
        ("[[:alpha:]]x", "(?=.)[a-zA-Z]x"),
        ("a[[:blank:]]", r"a(?:\[ \t\]|[ \t])\/?"),
        ("[a[:x]", r"[a[:x]\/?"),
        ("@(a|b)", "(a|b)"),
        ("a/@(b)", r"a\/(b)"),
        ("?(a)", "(?=.)(?:a)?"),
        ("+(a|b)", "(?=.)(?:a|b)+"),
        ("+(a|aa)", r"\+\(a\|aa\)"),
        ("*(*(a)|b)", "(?=.)[ab]*"),
        ("x+(*(a))", "xa*"),
        ("!(a)", "(?=.)(?:(?!(?:a)$))[^/]*?"),
        ("a/!(b).c", r"a\/(?:(?!(?:b))[^/]*?)\.c"),
        ("!(a/b)", r"(?=.)(?:(?!(?:a\/b)$))(?:(?:(?!(?:^|\/)\.).)*?)"),
        ("!(*.d).ts", r"(?=.)(?:(?!(?:[^/]*?\.d)\.ts)[^/]*?)\.ts"),
        ("!(a)b", "(?=.)(?:(?!(?:a))[^/]*?)b"),
        ("(a)", "(a)"),
        ("(?:a)", "(?:a)"),
        ("(?a)", r"(\?a)"),
        ("/(?<n>a)", r"\/(?<n>a)"),
        ("/(?<n)", r"\/(\?<n)"),
        ("a(b", r"a\(b"),
        ("))|(", r"\))|("),
        (r#""a*"b/"#, r"a\*b\/"),
        (r#"/"a""#, r"\/a"),
        (r#"a"b"/"#, r#"a"b"\/"#),
        ("a/$^", r"a\/\$\^"),
        ("a/+", r"a\/\+"),
        ("a/(+", r"a\/\(\+"),
        ("[a]+/", r"(?:\[a\]|[a])+\/"),
        (r"\(a\)", r"\(a\)"),
        (r"a/\.b", r"a\/\.b"),
        (r"a\/b", r"a\/b"),
        ("../a", r"\.\.\/a"),
        ("a//b", r"a\/\/b"),
        ("!a", "!a"),
        ("a|b", r"^(?:a\|b)$"),
        ("/a|b", r"\/a|b"),
        ("a,b/", r"a,b\/"),
        ("{a,b}{c", "(a|b)(c"),
        ("*(", r"(?!\.)(?=.)[^/]*?\("),
        ("a/**", r"a(?:\/(?!\.)(?:(?:(?!(?:^|\/)\.).)*?)|$)"),
        ("a/*b**", r"a\/(?!\.)(?=.)[^/]*?b[^/]*?\/?"),
        ("(**)", r"((?:(?:(?!(?:^|\/)\.).)*?))"),
        ("{**,a}", r"((?:(?:(?!(?:^|\/)\.).)*?)|a)"),
        ("@(**/a|b)", r"((?:(?:(?!(?:^|\/)\.).)*?)\/a|b)"),
        ("😀/😀", r"😀\/😀"),
        (r"\😀", r"^(?:\😀)$"),
        ("é", r"^(?:\é)$"),
        ("[^[:alpha:]]x", "(?=.)[^a-zA-Z]x"),
        ("[^[:blank:]]", r"(?=.)[^ \t]\/?"),
        ("{a[[:digit:]b}", r"(a[0-9b}\/?"),
        // The other half of an escaped pair begins a run of plain text, in which a NUL stays.
        ("a/{\\\u{1F600}\0\n", "a\\/(\\\u{1F600}\0\n"),
    ] {
        assert_eq!(translate(pattern), Ok(anchor(output)), "{pattern}");
    }
}

#[test]
fn lengths_are_measured_in_code_units() {
    let bad = Err(Failure::Bad(BadPattern::Invalid));
    assert_eq!(translate(""), bad);
    for (unit, size) in [("a", 1), ("\u{e9}", 1), ("\u{1F600}", 2)] {
        assert!(translate(&unit.repeat(MAX_UNITS / size)).is_ok());
        assert_eq!(translate(&unit.repeat(MAX_UNITS / size + 1)), bad);
    }
}

#[test]
fn what_overflows_the_stack_of_v8_is_bad() {
    let bad = Err(Failure::Bad(BadPattern::Invalid));
    for (many, few) in [
        (format!("/{}", "(".repeat(8_000)), format!("/{}", "(".repeat(7_000))),
        (format!("*{}", ".a".repeat(10_000)), format!("*{}", ".a".repeat(5_000))),
    ] {
        assert_eq!(translate(&many), bad);
        assert!(translate(&few).is_ok());
    }
}

/// A range that began before an extended glob takes its tokens away; picomatch then throws.
#[test]
fn a_range_across_a_literal_extglob_is_bad() {
    assert_eq!(translate("{+(a|aa|..b})"), Err(Failure::Bad(BadPattern::Invalid)));
}

#[test]
fn nesting_costs_no_more_than_its_length() {
    for (open, close) in
        [("{", "}"), ("(", ")"), ("@(", ")"), ("!(a", ")"), ("{a,", "}"), ("{a..", "}"), ("[:", "]")]
    {
        let count = MAX_UNITS / (open.len() + close.len());
        let text = translate(&(open.repeat(count) + &close.repeat(count)));
        assert!(text.is_ok_and(|text| text.len() < 32 * MAX_UNITS), "{open}");
    }
    assert_eq!(translate(&("+(a".repeat(16_000) + &")".repeat(16_000))), Err(Failure::TooMuchWork));
}
