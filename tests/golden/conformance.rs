//! `docs/conformance.md`: how the engine compares with the recordings, for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What the recordings were made from.
const RECORDED_FROM: &str = "`@adrkit/cli` 0.8.0 on Node 22";

/// What a case is about, by the first part of its name.
const KINDS: [(&str, &str); 27] = [
    ("bad", "patterns that cannot be used"),
    ("big", "large corpora and changes"),
    ("broken", "records with errors, changed and unchanged"),
    ("changed", "which changed files are records"),
    ("cli", "the command line, help, versions, text for people"),
    ("dir", "spellings of the corpus directory"),
    ("disc", "which files are records"),
    ("dup", "records that share an id"),
    ("explain", "one file"),
    ("fired", "the matchers that fired, and their order"),
    ("fm", "front matter and its schema"),
    ("glob", "path patterns"),
    ("inert", "matchers that cannot fire"),
    ("inv", "rules among records"),
    ("lintpos", "lint with paths"),
    ("mark", "markers"),
    ("match", "which paths match"),
    ("negate", "negated matchers"),
    ("odd", "odd names and texts"),
    ("package", "package matchers"),
    ("queue", "the queue"),
    ("record", "order of records"),
    ("repo", "matchers about other repositories"),
    ("status", "statuses and buckets"),
    ("supersede", "chains of supersession"),
    ("supersededBy", "what a superseded record names"),
    ("window", "the first 8 KiB of a file"),
];

/// The vectors that are read otherwise, and why; their tests hold these numbers.
const VECTORS: [(&str, usize, &str); 10] = [
    ("asof.json", 0, ""),
    ("contract-mutated.json", 0, ""),
    ("globs.json", 0, ""),
    ("globs-fuzz.json", 0, ""),
    ("globs-wild.json", 0, ""),
    ("locale-order.json", 0, ""),
    ("markers.json", 0, ""),
    ("package-patterns.json", 0, ""),
    ("yaml.json", 2, "half a surrogate pair becomes U+FFFD (record 0009)"),
    ("yaml-mutated.json", 0, ""),
];

/// The page. `cases` are names, each with whether it matches; `vectors` tells how many a file has.
pub fn page(cases: &[(&str, bool)], vectors: impl Fn(&str) -> usize) -> String {
    let mut kinds: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (name, matches) in cases {
        let (all, differing) = kinds.entry(name.split('-').next().unwrap_or(name)).or_default();
        *all += 1;
        if !matches {
            differing.insert(name);
        }
    }
    let differing: usize = kinds.values().map(|(_, d)| d.len()).sum();
    let mut out = format!(
        "# Conformance\n\nThe embedded engine against recordings of {RECORDED_FROM}. Human messages are left out of the\n\
         comparison; exit codes, keys, their order, values and the order of lists are in it.\n\
         `ADRKIT_GOLDEN_BLESS=1 cargo test --test golden` writes this page, and a test holds it current.\n\n\
         ## Whole commands\n\n{} of {} cases match.\n\n| kind | about | cases | match | differ |\n| --- | --- | ---: | ---: | --- |\n",
        cases.len() - differing,
        cases.len()
    );
    for (kind, (all, differing)) in &kinds {
        let about = KINDS.iter().find(|(name, _)| name == kind).map_or("", |(_, about)| about);
        let names: Vec<&str> = differing.iter().copied().collect();
        let _ = writeln!(
            out,
            "| {kind} | {about} | {all} | {} | {} |",
            all - differing.len(),
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        );
    }
    out.push_str("\n## Functions\n\n| vectors | number | differ | why |\n| --- | ---: | ---: | --- |\n");
    for (file, differ, why) in VECTORS {
        let _ = writeln!(out, "| {file} | {} | {differ} | {why} |", vectors(file));
    }
    out
}
