//! From what a model wrote to typed arguments.
//!
//! The host shows the schema to the model but does not enforce it, so everything is judged here. A refusal names the
//! rule, and the argument by one of our own words; it never repeats what was given.

use serde_json::{Map, Value};

use crate::error::Error;
use crate::validate::{MAX_PATHS, Rejection, RepoPath, Revision, corpus_dir};

/// The longest text of the arguments of one call, in bytes: more than the longest arguments that are accepted have.
pub const MAX_ARGUMENTS_BYTES: usize = 1024 * 1024;

/// One of the three tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// `adr_check`
    Check,
    /// `adr_explain`
    Explain,
    /// `adr_lint`
    Lint,
}

impl Tool {
    /// All of them, in the order of their definitions.
    pub const ALL: [Self; 3] = [Self::Check, Self::Explain, Self::Lint];

    /// The name under which the host knows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "adr_check",
            Self::Explain => "adr_explain",
            Self::Lint => "adr_lint",
        }
    }

    /// The tool of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The arguments it takes.
    pub(super) const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["paths", "base", "dir"],
            Self::Explain => &["path", "dir"],
            Self::Lint => &["dir"],
        }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    Check(Files),
    Explain(RepoPath),
    Lint,
}

/// Which files a check is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Files {
    Given(Vec<RepoPath>),
    /// Those that changed against the base; against the default one where none is given.
    Changed {
        base: Option<Revision>,
    },
}

/// The arguments of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) question: Question,
    pub(super) dir: Option<RepoPath>,
}

/// Why arguments were refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) error: Error,
    /// Which one, where it is one.
    pub(super) argument: Option<&'static str>,
    /// Which entry of it, from 0.
    pub(super) index: Option<usize>,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self { error, argument: None, index: None }
    }
}

/// Reads arguments that come as JSON text.
pub(super) fn read(json: &str) -> Result<Value, Refused> {
    if json.len() > MAX_ARGUMENTS_BYTES {
        return Err(Error::ArgumentsUnreadable.into());
    }
    serde_json::from_str(json).map_err(|_| Error::ArgumentsUnreadable.into())
}

/// Reads the arguments of `tool`. Null stands for none at all, since a host may leave them out; the value of an
/// argument may not be null.
pub(super) fn parse(tool: Tool, arguments: &Value) -> Result<Arguments, Refused> {
    let none = Map::new();
    let given = match arguments {
        Value::Object(given) => given,
        Value::Null => &none,
        _ => return Err(Error::ArgumentsNotObject.into()),
    };
    if given.keys().any(|key| !tool.keys().contains(&key.as_str())) {
        return Err(Error::UnknownArgument.into());
    }
    let question = match tool {
        Tool::Check => Question::Check(files(given)?),
        Tool::Explain => Question::Explain(explained(given)?),
        Tool::Lint => Question::Lint,
    };
    let dir = given.get("dir").map(|dir| text(dir, Rejection::PathEmpty).and_then(corpus_dir)).transpose();
    Ok(Arguments { question, dir: dir.map_err(of("dir"))? })
}

fn files(given: &Map<String, Value>) -> Result<Files, Refused> {
    match (given.get("paths"), given.get("base")) {
        (Some(_), Some(_)) => Err(Error::from(Rejection::PathsWithBase).into()),
        (Some(list), None) => paths(list).map(Files::Given),
        (None, base) => {
            let parse = |base| text(base, Rejection::RevisionEmpty).and_then(Revision::parse);
            let base = base.map(parse).transpose().map_err(of("base"))?;
            Ok(Files::Changed { base })
        }
    }
}

fn paths(list: &Value) -> Result<Vec<RepoPath>, Refused> {
    let list = match list {
        Value::Array(list) if list.len() > MAX_PATHS => Err(Rejection::PathsTooMany),
        Value::Array(list) if !list.is_empty() => Ok(list),
        _ => Err(Rejection::PathsEmpty),
    };
    let judge = |(index, entry)| {
        let judged = text(entry, Rejection::PathEmpty).and_then(RepoPath::parse);
        judged.map_err(|why| Refused { index: Some(index), ..of("paths")(why) })
    };
    list.map_err(of("paths"))?.iter().enumerate().map(judge).collect()
}

fn explained(given: &Map<String, Value>) -> Result<RepoPath, Refused> {
    let path = given.get("path").ok_or(Rejection::PathEmpty);
    path.and_then(|path| text(path, Rejection::PathEmpty)).and_then(RepoPath::parse).map_err(of("path"))
}

fn text(value: &Value, otherwise: Rejection) -> Result<&str, Rejection> {
    value.as_str().ok_or(otherwise)
}

fn of(argument: &'static str) -> impl Fn(Rejection) -> Refused {
    move |why| Refused { error: why.into(), argument: Some(argument), index: None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::validate::MAX_PATH_CHARS;

    fn path(p: &str) -> RepoPath {
        RepoPath::parse(p).unwrap()
    }

    fn code(tool: Tool, arguments: &Value) -> (&'static str, Option<&'static str>, Option<usize>) {
        let refused = parse(tool, arguments).unwrap_err();
        (refused.error.code(), refused.argument, refused.index)
    }

    #[test]
    fn text_is_json_of_a_bounded_length() {
        assert_eq!(read(" {\"__proto__\": [1]}").unwrap(), json!({ "__proto__": [1] }));
        // The longest that every rule accepts.
        let paths = vec!["\u{4e00}".repeat(MAX_PATH_CHARS); MAX_PATHS];
        let arguments = json!({ "paths": paths, "dir": paths[0] });
        assert!(parse(Tool::Check, &read(&arguments.to_string()).unwrap()).is_ok());

        let blanks = " ".repeat(MAX_ARGUMENTS_BYTES - 2);
        assert_eq!(read(&format!("{blanks}{{}}")).unwrap(), json!({}));
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for bad in ["", "{", "undefined", "{} {}", "[1,]", r#""\ud800""#, &format!("{blanks} {{}}"), &deep] {
            assert_eq!(read(bad), Err(Error::ArgumentsUnreadable.into()), "{bad:.20}");
        }
    }

    #[test]
    fn reads_what_the_tools_take() {
        let check = |arguments| parse(Tool::Check, &arguments).unwrap();
        let changed = |base: Option<&str>| {
            Question::Check(Files::Changed { base: base.map(|b| Revision::parse(b).unwrap()) })
        };
        for none in [json!({}), json!(null)] {
            assert_eq!(check(none.clone()), Arguments { question: changed(None), dir: None });
            let lint = parse(Tool::Lint, &none).unwrap();
            assert_eq!(lint, Arguments { question: Question::Lint, dir: None });
        }
        assert_eq!(check(json!({ "base": "HEAD~1" })).question, changed(Some("HEAD~1")));
        let given = check(json!({ "paths": ["./src//a.ts", "b", "b"], "dir": "./adr/" }));
        let files = Files::Given(vec![path("src/a.ts"), path("b"), path("b")]);
        assert_eq!(given, Arguments { question: Question::Check(files), dir: Some(path("adr")) });
        assert!(parse(Tool::Check, &json!({ "paths": vec!["a"; MAX_PATHS] })).is_ok());
        let explain = parse(Tool::Explain, &json!({ "path": "a b" })).unwrap();
        assert_eq!(explain, Arguments { question: Question::Explain(path("a b")), dir: None });
    }

    #[test]
    fn names_the_argument_and_the_rule() {
        let many = vec!["a"; MAX_PATHS + 1];
        for (tool, arguments, expected) in [
            (Tool::Check, json!([]), ("arguments-not-object", None, None)),
            (Tool::Check, json!({ "paths": [], "cli": 1 }), ("unknown-argument", None, None)),
            (Tool::Check, json!({ "paths": ["a"], "base": "b" }), ("paths-with-base", None, None)),
            (Tool::Check, json!({ "paths": null, "base": null }), ("paths-with-base", None, None)),
            (Tool::Check, json!({ "paths": null }), ("paths-empty", Some("paths"), None)),
            (Tool::Check, json!({ "paths": "a" }), ("paths-empty", Some("paths"), None)),
            (Tool::Check, json!({ "paths": many }), ("paths-too-many", Some("paths"), None)),
            (Tool::Check, json!({ "paths": ["a", 1] }), ("path-empty", Some("paths"), Some(1))),
            (Tool::Check, json!({ "paths": ["a", "b", "/c"] }), ("path-absolute", Some("paths"), Some(2))),
            (Tool::Check, json!({ "base": null }), ("revision-empty", Some("base"), None)),
            (Tool::Check, json!({ "base": "a..b" }), ("revision-range", Some("base"), None)),
            (Tool::Check, json!({ "dir": ["a"] }), ("path-empty", Some("dir"), None)),
            (Tool::Lint, json!({ "dir": "../a" }), ("path-parent-segment", Some("dir"), None)),
            (Tool::Lint, json!({ "path": "a" }), ("unknown-argument", None, None)),
            (Tool::Explain, json!({}), ("path-empty", Some("path"), None)),
            (Tool::Explain, json!(null), ("path-empty", Some("path"), None)),
            (Tool::Explain, json!({ "path": "-x" }), ("path-leading-dash", Some("path"), None)),
            (Tool::Explain, json!({ "paths": ["a"] }), ("unknown-argument", None, None)),
        ] {
            assert_eq!(code(tool, &arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn the_message_about_unknown_arguments_lists_the_known_ones() {
        let message = Error::UnknownArgument.to_string();
        for tool in Tool::ALL {
            let known = format!("{} {}", tool.name(), tool.keys().join(", "));
            assert!(
                message.contains(&format!("{known};")) || message.ends_with(&format!("{known}.")),
                "{known}"
            );
        }
    }
}
