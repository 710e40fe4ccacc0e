use proptest::prelude::*;

use super::program::Program;
use super::{
    Candidate, Engine, Glob, candidate::has_hidden_segment, compile, jsregex, recall, search, sweep,
    translate,
};

/// How often each instruction may run at each position: once for each way into it, of which there are two at a join.
const WAYS: u64 = 2;

/// The program of a pattern, whatever V8 makes of it.
fn program(pattern: &str) -> Option<Program> {
    let source = translate::translate(pattern).ok()?;
    compile::compile(&jsregex::parse(&source).ok()?).ok()
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

#[test]
fn rules_about_paths() {
    for (pattern, path, expected) in [
        ("src/[id].ts", "src/[id].ts", true),
        ("*", "", false),
        ("{.github,src}/**", ".github/a", false),
        ("{.github,src}/**", "src/a", true),
        (".github/**", ".github/a", true),
        (".github/**", ".github/.x", false),
        ("**/.env", "a/.env", true),
        ("**/.env", ".x/.env", false),
        ("./src/*", "./src/a", true),
        ("./src/*", "src\\a", true),
        ("src/*", "././src/a", false),
        ("./a[", "./a[", true),
        ("??", "\u{1F600}", true),
        ("?", "\u{1F600}", false),
        ("**", "a\nb", false),
        ("*", "a\nb", true),
        ("{a", "{a", true),
        ("{a", "a", false),
        ("))|(", "anything", true),
        ("(a|b)\\1", "aa", true),
        ("(a|b)\\1", "ab", false),
    ] {
        assert_eq!(Glob::new(pattern).map(|glob| glob.is_match(path)), Ok(expected), "{pattern:?} {path:?}");
    }
}

#[test]
fn work_is_linear_in_pattern_times_path() {
    let a = "a".repeat(1024);
    let slashes = "a/".repeat(512);
    let abc = "abc".repeat(341);
    let nested = format!("{}a{}", "@(a|".repeat(300), ")".repeat(300));
    let alternatives = format!("{{{}b}}", "a*,".repeat(2000));
    for (pattern, path) in [
        ("*a*a*a*a*a*b".to_owned(), &a),
        (format!("{}b", "*a".repeat(500)), &a),
        ("*a".repeat(32_767), &a),
        ("?".repeat(65_535), &a),
        ("x*".repeat(32_767), &abc),
        (format!("{}x", "**/".repeat(20_000)), &slashes),
        (format!("{}x", "**/a/".repeat(500)), &slashes),
        (format!("{}x", "a/**/".repeat(1000)), &slashes),
        ("+(a|b|c)*(b|c|d)+(c|abc)+(ab|c|a)d".to_owned(), &abc),
        ("@(a|ab)@(b|bc)@(c|ca)*".repeat(200), &abc),
        (format!("{nested}*x"), &a),
        (format!("{}x", "(a*)*".repeat(50)), &a),
        (format!("{}x{}", "(".repeat(200), "*)*".repeat(200)), &a),
        (format!("{}b{}x", "!(a".repeat(100), ")".repeat(100)), &a),
        (format!("{}x", "!(ab|*c)".repeat(100)), &abc),
        (format!("{}x{}*", "(?!a".repeat(200), ")".repeat(200)), &a),
        (format!("{}*x", "(?<=a*)".repeat(20)), &a),
        ("[\\](?:a{1,50}){1,50}b".to_owned(), &a),
        (alternatives, &a),
    ] {
        let shown = &pattern[..pattern.len().min(40)];
        let Some(program) = program(&pattern) else { panic!("{shown} does not compile") };
        let mut steps = 0;
        let text = units(path);
        search::is_match(&program, &text, &mut steps);
        let bound = WAYS * (program.code.len() * (text.len() + 1)) as u64;
        assert!(steps <= bound, "{shown}: {steps} steps, {bound} allowed");
        assert!(
            program.code.len() <= 16 * pattern.len() + 5000,
            "{shown}: {} instructions",
            program.code.len()
        );
    }
}

#[test]
fn the_largest_patterns_are_refused_or_done() {
    let candidate = Candidate::new(&"ab/".repeat(341));
    for unit in [
        "(",
        "[",
        "{",
        "!(",
        "+(",
        "@(",
        "*/",
        "**/",
        "a/**/",
        "{a,",
        "[a]",
        "[[:alpha:]]",
        "\"",
        "\\1",
        "\\",
        "(?<",
        "|",
        "$",
        "))|((",
    ] {
        let pattern = unit.repeat(65_535 / unit.len());
        let mut steps = 0;
        if let Ok(glob) = Glob::new(&pattern) {
            let _ = glob.run(&candidate, &mut steps);
        }
        assert!(steps <= 16 * (pattern.len() * candidate.units().len()) as u64, "{unit}: {steps} steps");
    }
}

#[test]
fn backreferences_have_a_budget() {
    let Some(program) = program("(a*)*(a*)*(a*)*\\1\\2b") else { panic!("it compiles") };
    let mut steps = 0;
    assert!(!recall::is_match(&program, &units(&"a".repeat(1024)), &mut steps));
    assert!(steps <= recall::MAX_STEPS + 1);
}

/// Counted repetition could grow without end: past the limit nothing matches but the pattern's own text.
#[test]
fn enormous_counts_never_match() {
    for pattern in ["[\\](?:(?:a{999}){999}){999}", "[\\]a{99999999}", "[\\](?:|){99999999}"] {
        let Ok(Glob { engine: Engine::Program(compiled), .. }) = Glob::new(pattern) else {
            panic!("{pattern}")
        };
        assert!(compiled.program(pattern).is_none(), "{pattern}");
    }
}

/// What is kept of each pattern of a corpus is little, and its program is made for a path that may match.
#[test]
fn a_program_is_made_for_the_first_path_with_the_affixes() {
    assert!(size_of::<super::program::Inst>() <= 12);
    let glob = Glob::new("src/net/**/*.ts").unwrap();
    let is_made = || matches!(&glob.engine, Engine::Program(compiled) if compiled.program.get().is_some());
    for path in ["lib/net/a.ts", "src/net/a.rs", ".src/net/a.ts"] {
        assert!(!glob.is_match(path) && !is_made(), "{path}");
    }
    assert!(glob.is_match("src/net/a.ts") && is_made());
}

/// Text made of what means something, and a little that does not.
fn odd_text() -> impl Strategy<Value = String> {
    let pieces = [
        "*",
        "**",
        "?",
        ".",
        "..",
        "/",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "|",
        ",",
        "!",
        "@",
        "+",
        "\\",
        "\"",
        "^",
        "$",
        ":",
        "-",
        "<",
        ">",
        "=",
        "(?:",
        "(?!",
        "(?=",
        "(?<",
        "(?<=",
        "(?<n>",
        "\\1",
        "\\d",
        "\\k",
        "[:alpha:]",
        "[[:blank:]]",
        "{a,b}",
        "{1..3}",
        "./",
        "/**",
        "a",
        "b",
        "é",
        "\u{1F600}",
        "\n",
        "\0",
        " ",
    ];
    let piece = prop_oneof![9 => prop::sample::select(pieces.as_slice().to_vec()).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn path() -> impl Strategy<Value = String> {
    let pieces = ["a", "b", "ab", "/", ".", "é", "\u{1F600}", "1", "\n", "[", "-", "*"];
    prop::collection::vec(prop::sample::select(pieces.as_slice().to_vec()), 0..8)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(pattern in odd_text(), path in odd_text(), plain in ".*") {
        for pattern in [&pattern, &plain] {
            if let Ok(glob) = Glob::new(pattern) {
                let _ = glob.is_match(&path);
                let _ = glob.is_match(&plain);
            }
        }
    }

    #[test]
    fn a_pattern_matches_its_own_text(pattern in odd_text()) {
        if let Ok(glob) = Glob::new(&pattern) && Candidate::new(&pattern).as_str() == pattern {
            prop_assert!(glob.is_match(&pattern));
        }
    }

    #[test]
    fn hidden_paths_need_hidden_patterns(pattern in odd_text(), path in path()) {
        if let Ok(glob) = Glob::new(&pattern) && has_hidden_segment(&path) && !has_hidden_segment(&pattern) {
            prop_assert!(!glob.is_match(&path) || !has_hidden_segment(Candidate::new(&path).as_str()));
        }
    }

    /// The matchers agree, also with what turns paths away early.
    #[test]
    fn matchers_agree(pattern in odd_text(), path in path()) {
        let ast = translate::translate(&pattern).ok().and_then(|source| jsregex::parse(&source).ok());
        if let Some(mut ast) = ast && !ast.has_backreference && let Ok(program) = compile::compile(&ast) {
            let text = units(&path);
            let searched = search::is_match(&program, &text, &mut 0);
            let truths = sweep::truths(&program, &text, &mut 0);
            prop_assert_eq!(searched, sweep::is_match(&program, &text, &truths, &mut 0));
            prop_assert!(!searched || super::Affixes::new(&ast).admit(&text));
            ast.has_backreference = true;
            if let Ok(program) = compile::compile(&ast) {
                prop_assert_eq!(searched, recall::is_match(&program, &text, &mut 0));
            }
        }
    }
}
