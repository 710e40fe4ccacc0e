use proptest::prelude::*;

use super::*;

fn args(line: &str) -> Vec<String> {
    // A blank separates; `''` is the empty argument.
    line.split(' ')
        .filter(|a| !a.is_empty())
        .map(|a| if a == "''" { String::new() } else { a.to_owned() })
        .collect()
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn help(command: &str) -> Command {
    Command::Help { text: help::of(command).unwrap() }
}

fn lint(json: bool, dir: Option<&str>, paths: &[&str]) -> Command {
    Command::Lint { json, dir: dir.map(str::to_owned), paths: strings(paths) }
}

fn check(json: bool, dir: Option<&str>, paths: &[&str]) -> Command {
    Command::Check { json, dir: dir.map(str::to_owned), paths: strings(paths) }
}

fn explain(json: bool, dir: Option<&str>, path: &str) -> Command {
    Command::Explain { json, dir: dir.map(str::to_owned), path: path.to_owned() }
}

fn queue(dir: Option<&str>, format: Format, as_of: Option<&str>) -> Command {
    Command::Queue { dir: dir.map(str::to_owned), format, as_of: as_of.map(str::to_owned) }
}

#[test]
fn reads_what_adr_reads() {
    use Format::{Json, Markdown};
    let general = || Command::Help { text: help::GENERAL };
    for (line, command) in [
        ("help", general()),
        ("--help", general()),
        ("-h", general()),
        ("help --x", general()),
        ("help -", general()),
        ("help check", help("check")),
        ("help --x queue", help("queue")),
        ("--help lint", help("lint")),
        ("-h explain nope", help("explain")),
        ("help -- report", help("report")),
        ("help new", help("new")),
        ("--version", Command::Version),
        ("-V x", Command::Version),
        ("--version --help", Command::Version),
        ("check --help", help("check")),
        ("check -h", help("check")),
        ("check --json -- --help", help("check")),
        ("check --bogus -h", help("check")),
        ("lint --dir -h", help("lint")),
        ("explain a b c --help", help("explain")),
        ("report --base --help", help("report")),
        ("graph --help", help("graph")),
        ("lint", lint(false, None, &[])),
        ("lint --json", lint(true, None, &[])),
        ("lint --json --json", lint(true, None, &[])),
        ("lint ''", lint(false, None, &[""])),
        ("lint a --json b", lint(true, None, &["a", "b"])),
        ("lint --dir -", lint(false, Some("-"), &[])),
        ("lint --dir x --dir=y", lint(false, Some("y"), &[])),
        ("lint --dir=y --dir x", lint(false, Some("x"), &[])),
        ("lint --dir=", lint(false, Some(""), &[])),
        ("lint --dir ''", lint(false, Some(""), &[])),
        ("lint --dir=-x", lint(false, Some("-x"), &[])),
        ("lint --dir=--", lint(false, Some("--"), &[])),
        ("lint --dir=a=b", lint(false, Some("a=b"), &[])),
        ("lint --dir==", lint(false, Some("="), &[])),
        ("check", check(false, None, &[])),
        ("check -", check(false, None, &["-"])),
        (
            "check src/b.ts --json src/a.ts --dir docs/adr src/c.ts",
            check(true, Some("docs/adr"), &["src/b.ts", "src/a.ts", "src/c.ts"]),
        ),
        ("check -- --json -x --", check(false, None, &["--json", "-x", "--"])),
        ("check --json -- -- a", check(true, None, &["--", "a"])),
        ("check --dir d --", check(false, Some("d"), &[])),
        ("explain --json -", explain(true, None, "-")),
        ("explain -- --json", explain(false, None, "--json")),
        ("explain a --", explain(false, None, "a")),
        ("check --dir x -- a --dir", check(false, Some("x"), &["a", "--dir"])),
        ("explain a --dir d", explain(false, Some("d"), "a")),
        ("queue", queue(None, Markdown, None)),
        ("queue --format json --as-of 2026-01-01", queue(None, Json, Some("2026-01-01"))),
        ("queue --format=json --format=markdown", queue(None, Markdown, None)),
        ("queue --dir= --as-of=", queue(Some(""), Markdown, Some(""))),
        ("queue --dir ''", queue(Some(""), Markdown, None)),
        ("queue --dir=-x --as-of=a=b", queue(Some("-x"), Markdown, Some("a=b"))),
        ("queue --dir a --dir b", queue(Some("b"), Markdown, None)),
        ("queue -h", help("queue")),
        ("queue --help", help("queue")),
        ("queue --help=x", help("queue")),
        ("queue --format xml --help", help("queue")),
        ("queue --as-of x --dir nope", queue(Some("nope"), Markdown, Some("x"))),
    ] {
        assert_eq!(parse(&args(line)), command, "{line}");
    }
}

#[test]
fn reads_report() {
    let report = |path: Option<&str>, base: Option<&str>, dir: Option<&str>, json, all, color| {
        let own = |s: Option<&str>| s.map(str::to_owned);
        Command::Report { path: own(path), base: own(base), dir: own(dir), json, all, color }
    };
    for (line, command) in [
        ("report", report(None, None, None, false, false, Color::Auto)),
        ("report sub", report(Some("sub"), None, None, false, false, Color::Auto)),
        ("report -- -x", report(Some("-x"), None, None, false, false, Color::Auto)),
        (
            "report --base main~2 --json . --all",
            report(Some("."), Some("main~2"), None, true, true, Color::Auto),
        ),
        ("report --dir=adr --color=never", report(None, None, Some("adr"), false, false, Color::Never)),
        ("report --color never --color always", report(None, None, None, false, false, Color::Always)),
        ("report --color=always --color=auto", report(None, None, None, false, false, Color::Auto)),
    ] {
        assert_eq!(parse(&args(line)), command, "{line}");
    }
}

#[test]
fn refuses_with_the_general_usage() {
    for (line, word) in [
        ("", ""),
        ("''", "Unknown command ''"),
        ("frobnicate", "'frobnicate'"),
        ("Lint", "'Lint'"),
        ("-v", "'-v'"),
        ("--json lint", "'--json'"),
        ("-- lint", "'--'"),
        ("nope --help", "'nope'"),
        ("--version=1", "'--version=1'"),
        ("help nope", "'nope'"),
        ("help ''", "''"),
        ("new", "not part"),
        ("migrate --json", "not part"),
        ("evaluate x", "not part"),
        ("lint --bogus", "'--bogus'"),
        ("lint --no-json", "'--no-json'"),
        ("lint -j", "'-j'"),
        ("lint -json", "'-json'"),
        ("lint --Json", "'--Json'"),
        ("lint ---json", "'---json'"),
        ("lint --=x", "'--=x'"),
        ("lint --json=true", "takes no value"),
        ("lint --json=", "takes no value"),
        ("lint --dir", "needs a value"),
        ("lint --dir --json", "--dir=VALUE"),
        ("lint --dir -x", "--dir=VALUE"),
        ("lint --dir -- x", "--dir=VALUE"),
        ("lint --help=x", "'--help=x'"),
        ("check --base main", "'--base'"),
        ("check --bogus src/a.ts", "'--bogus'"),
        ("explain", "exactly one path"),
        ("explain --json", "exactly one path"),
        ("explain ''", "exactly one path"),
        ("explain a b", "exactly one path"),
        ("explain '' a", "exactly one path"),
        ("report a b", "at most one path"),
        ("report ''", "at most one path"),
        ("report --color", "needs a value"),
        ("report --color=red", "auto, always and never"),
        ("report --color=never --color=", "auto, always and never"),
        ("report --base -x", "--base=VALUE"),
        ("report --all=1", "takes no value"),
    ] {
        match parse(&args(line)) {
            Command::Usage { message, with_general_usage: true } => {
                assert!(message.contains(word) && message.lines().count() < 2, "{line}: {message}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn queue_refuses_without_the_general_usage() {
    for (line, word) in [
        ("queue --bogus", "'--bogus'"),
        ("queue -j", "'-j'"),
        ("queue x", "'x'"),
        ("queue ''", "''"),
        ("queue --", "'--'"),
        ("queue -- x", "'--'"),
        ("queue --=x", "'--=x'"),
        ("queue --json", "'--json'"),
        ("queue -h=x", "'-h=x'"),
        ("queue --help --bad", "'--bad'"),
        ("queue --help --dir", "--dir needs"),
        ("queue --dir", "--dir needs"),
        ("queue --dir -", "--dir needs"),
        ("queue --dir --json", "--dir needs"),
        ("queue --as-of -1", "--as-of needs"),
        ("queue --format", "--format needs"),
        ("queue --format xml", "markdown and json"),
        ("queue --format=", "markdown and json"),
        ("queue --format JSON", "markdown and json"),
    ] {
        match parse(&args(line)) {
            Command::Usage { message, with_general_usage: false } => {
                assert!(message.contains(word), "{line}: {message}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

// What the recording answered tells which command it must have understood.
#[test]
fn understands_the_recorded_command_lines() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/cases");
    let mut seen = 0;
    for file in std::fs::read_dir(cases).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let list: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        for case in list {
            let argv: Vec<String> = serde_json::from_value(case["input"]["argv"].clone()).unwrap();
            let (name, expected) = (&case["name"], &case["expected"]);
            let command = parse(&argv);
            if expected["stdoutJson"].is_object() {
                let key = |k| expected["stdoutJson"].get(k).is_some();
                let right = match &command {
                    Command::Lint { json, .. } => *json && key("checked"),
                    Command::Check { json, .. } => *json && key("markerScan"),
                    Command::Explain { json, path, .. } => {
                        *json && (expected["stdoutJson"]["path"] == **path || path.contains("{{ROOT}}"))
                    }
                    Command::Queue { format, .. } => *format == Format::Json && key("asOf"),
                    _ => false,
                };
                assert!(right, "{name}: {command:?}");
            }
            let usage = matches!(command, Command::Usage { .. });
            assert!(!usage || expected["exitCode"] == 2, "{name}: {command:?}");
            let help = matches!(command, Command::Help { .. } | Command::Version);
            assert!(!help || expected["exitCode"] == 0 && expected["stdout"] == true, "{name}: {command:?}");
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen} cases");
}

#[test]
fn messages_are_safe_for_a_terminal() {
    let Command::Usage { message, .. } = parse(&[format!("\u{1b}[31m\n\u{202e}{}", "x".repeat(500))]) else {
        panic!()
    };
    assert!(message.chars().count() < 250 && !message.contains(['\u{1b}', '\n', '\u{202e}']), "{message}");
}

proptest! {
    #[test]
    fn never_panics(argv in prop::collection::vec(any::<String>(), 0..5), command in "(lint|check|explain|queue|report|help)?") {
        parse(&argv);
        let mut argv = argv;
        argv.insert(0, command);
        parse(&argv);
    }

    // For every command but queue, and whatever is before `--`.
    #[test]
    fn what_follows_the_dashes_is_kept_as_it_is(paths in prop::collection::vec("[-a-z=]{0,6}", 0..5)) {
        prop_assume!(!paths.iter().any(|p| is_help(p)));
        let argv: Vec<String> = ["check", "--json", "--"].iter().map(ToString::to_string).chain(paths.clone()).collect();
        prop_assert_eq!(parse(&argv), Command::Check { json: true, dir: None, paths });
    }
}
