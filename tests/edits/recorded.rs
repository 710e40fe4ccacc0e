//! Patches that Copilot CLI 1.0.102 was given, with what it did and what it said: `golden/apply-patch.json`. There
//! `/ws` is the working directory. These are facts: never edit one.

use std::collections::{BTreeMap, BTreeSet};

use adrkit_native::hooks::edits::{Edit, MAX_TARGETS, targets};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{WS, host, input, with_telemetry};

/// What is touched through a link has other names on disk, and a name with a colon is not one on Windows.
const OTHERWISE: &[&str] =
    if cfg!(windows) { &["through-link", "leaf-link", "line-sep"] } else { &["through-link", "leaf-link"] };

/// Patches that parse, and yet could not be applied.
const UNAPPLIED: [&str; 7] = [
    "indented-second-after-update",
    "one-space-second-after-update",
    "upd-indented-blank-then-indented-add",
    "empty-patch",
    "slash-end",
    "nul",
    "move-same",
];

#[derive(Deserialize)]
struct Row {
    name: String,
    patch: String,
    accepted: bool,
    touched: BTreeSet<String>,
    telemetry: Option<BTreeMap<String, String>>,
}

impl Row {
    fn all() -> Vec<Self> {
        serde_json::from_str(include_str!("../golden/apply-patch.json")).expect("the rows are JSON")
    }

    fn accepted() -> impl Iterator<Item = Self> {
        Self::all().into_iter().filter(|row| row.accepted)
    }

    fn patch(&self) -> String {
        self.patch.replace("/ws/", &format!("{WS}/"))
    }

    fn telemetry(&self) -> Value {
        let lists = self.telemetry.iter().flatten();
        lists.map(|(name, list)| (name.clone(), json!(list.replace("/ws/", &format!("{WS}/"))))).collect()
    }
}

/// The names below the working directory that `input` comes to, and whether there are more.
fn names(input: &Value) -> (BTreeSet<String>, bool) {
    let Edit::Targets { paths, truncated } = targets(input) else { panic!("{input}") };
    let named: BTreeSet<String> = paths.iter().map(|path| name(path)).collect();
    assert_eq!(named.len(), paths.len(), "each file once: {paths:?}");
    (named, truncated)
}

fn name(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.strip_prefix(&format!("{WS}/")).unwrap_or(path).split('/') {
        match name {
            "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}

#[test]
fn the_arguments_name_what_was_touched() {
    let mut compared = 0;
    for row in Row::accepted().filter(|row| !OTHERWISE.contains(&row.name.as_str())) {
        let (named, truncated) = names(&input("apply_patch", row.patch()));
        assert_eq!(truncated, row.touched.len() > MAX_TARGETS, "{}", row.name);
        if truncated {
            assert!(named.len() == MAX_TARGETS && named.is_subset(&row.touched), "{}", row.name);
        } else {
            assert_eq!(named, row.touched, "{}", row.name);
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn the_host_says_the_same_and_adds_nothing() {
    for row in Row::accepted() {
        let told = names(&input("apply_patch", row.patch()));
        let unread = with_telemetry(input("apply_patch", Value::Null), row.telemetry());
        let both = with_telemetry(input("apply_patch", row.patch()), row.telemetry());
        assert_eq!(names(&both), told, "{}", row.name);
        let said = names(&unread);
        // The first of many need not be the same.
        if told.1 { assert!(said.1, "{}", row.name) } else { assert_eq!(said, told, "{}", row.name) }
    }
}

#[test]
fn the_model_of_the_host_refuses_what_it_refused() {
    for row in Row::all() {
        let parses = row.accepted || UNAPPLIED.contains(&row.name.as_str());
        assert_eq!(host::parse(&row.patch).is_some(), parses, "{}", row.name);
    }
}
