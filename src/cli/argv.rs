//! The command lines of the `adr` command: four fixed shapes, and nothing else.

use std::borrow::Cow;
use std::ffi::OsString;

use crate::text::cmp_code_units;

/// What the command takes for a question about itself, wherever it stands.
const HELP: [&str; 2] = ["-h", "--help"];

/// `adr check --json --dir DIR -- PATHS`
pub(crate) fn check(dir: &str, paths: &[String]) -> Vec<OsString> {
    let paths = paths.iter().map(|path| operand(path).into_owned());
    line([vec!["check".into(), "--json".into()], option("--dir", dir), vec!["--".into()]].concat(), paths)
}

/// `adr explain --json --dir DIR -- PATH`
pub(crate) fn explain(dir: &str, path: &str) -> Vec<OsString> {
    let paths = std::iter::once(operand(path).into_owned());
    line([vec!["explain".into(), "--json".into()], option("--dir", dir), vec!["--".into()]].concat(), paths)
}

/// `adr lint --json --dir DIR`
pub(crate) fn lint(dir: &str) -> Vec<OsString> {
    line(vec!["lint".into(), "--json".into()], option("--dir", dir))
}

/// `adr queue --format json --dir DIR --as-of DATE`
pub(crate) fn queue(dir: &str, as_of: &str) -> Vec<OsString> {
    let options = [option("--dir", dir), option("--as-of", as_of)].concat();
    line(vec!["queue".into(), "--format".into(), "json".into()], options)
}

/// `adr --help`: what tells adrkit's command from another of that name.
pub(crate) fn help() -> Vec<OsString> {
    vec!["--help".into()]
}

/// `path` as it is passed. A file named like a [`HELP`] option is given with `./` in front, which means the same file:
/// the options are taken for options even behind `--`.
fn operand(path: &str) -> Cow<'_, str> {
    if HELP.contains(&path) { format!("./{path}").into() } else { path.into() }
}

/// Undoes what [`check`] does to paths: names each of `shown` as it was asked about.
pub(crate) fn restore(shown: &mut Vec<String>, asked: &[String]) {
    let is_asked = |path: &str| asked.iter().any(|p| p == path);
    let renamed: Vec<&str> = HELP.into_iter().filter(|path| is_asked(path)).collect();
    if renamed.is_empty() {
        return;
    }
    for path in renamed {
        let passed = operand(path);
        shown.retain(|s| *s != *passed || is_asked(&passed));
        shown.push(path.to_owned());
    }
    shown.sort_by(|a, b| cmp_code_units(a, b));
    shown.dedup();
}

/// An option with its value. A value that begins with `-` has to stand in the same argument.
fn option(name: &str, value: &str) -> Vec<String> {
    if value.starts_with('-') || value.is_empty() {
        vec![format!("{name}={value}")]
    } else {
        vec![name.to_owned(), value.to_owned()]
    }
}

fn line(head: Vec<String>, tail: impl IntoIterator<Item = String>) -> Vec<OsString> {
    head.into_iter().chain(tail).map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &[OsString]) -> String {
        line.iter().map(|a| a.to_str().unwrap()).collect::<Vec<_>>().join("|")
    }

    fn paths(items: &[&str]) -> Vec<String> {
        items.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_four_lines() {
        assert_eq!(shown(&check("docs/adr", &paths(&["a", "b c"]))), "check|--json|--dir|docs/adr|--|a|b c");
        assert_eq!(shown(&check("docs/adr", &[])), "check|--json|--dir|docs/adr|--");
        assert_eq!(shown(&explain("docs/adr", "a")), "explain|--json|--dir|docs/adr|--|a");
        assert_eq!(shown(&lint("docs/adr")), "lint|--json|--dir|docs/adr");
        assert_eq!(
            shown(&queue("docs/adr", "2026-01-02")),
            "queue|--format|json|--dir|docs/adr|--as-of|2026-01-02"
        );
    }

    #[test]
    fn a_value_never_reads_as_an_option() {
        for (dir, want) in [
            ("-x", "--dir=-x"),
            ("--json", "--dir=--json"),
            ("-h", "--dir=-h"),
            ("-", "--dir=-"),
            ("", "--dir="),
        ] {
            assert_eq!(shown(&lint(dir)), format!("lint|--json|{want}"));
        }
        assert_eq!(shown(&queue("d", "--help")), "queue|--format|json|--dir|d|--as-of=--help");
    }

    #[test]
    fn a_file_named_like_the_help_option_is_a_file() {
        let asked = paths(&["-h", "--help", "-x", "./-h", "h"]);
        assert_eq!(shown(&check("d", &asked)), "check|--json|--dir|d|--|./-h|./--help|-x|./-h|h");
        assert_eq!(shown(&explain("d", "-h")), "explain|--json|--dir|d|--|./-h");
        let mut changed = paths(&["-x", "./--help", "./-h", "h"]);
        restore(&mut changed, &asked);
        assert_eq!(changed, ["--help", "-h", "-x", "./-h", "h"]);
        let mut changed = paths(&["./-h", "a"]);
        restore(&mut changed, &paths(&["./-h", "a"]));
        assert_eq!(changed, ["./-h", "a"]);
    }
}
