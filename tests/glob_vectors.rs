//! The recorded outcomes of the real command's path matching.

use adrkit_native::corpus::glob::{BadPattern, Candidate, Glob};
use serde::Deserialize;

/// How many mismatches are listed.
const SHOWN: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    pattern: String,
    bad_pattern: Option<String>,
    #[serde(rename = "match")]
    matching: Vec<String>,
    no_match: Vec<String>,
}

/// A pattern or path, short enough to print.
fn shown(text: &str) -> String {
    format!("{:?}", text.chars().take(80).collect::<String>())
}

fn mismatches(vector: &Vector) -> Vec<String> {
    let pattern = shown(&vector.pattern);
    let paths = vector.matching.iter().map(|path| (path, true));
    let mut found = Vec::new();
    let mut bad = None;
    match Glob::new(&vector.pattern) {
        Err(error) => bad = Some(error),
        Ok(glob) => {
            for (path, expected) in paths.chain(vector.no_match.iter().map(|path| (path, false))) {
                match glob.check(&Candidate::new(path)) {
                    // Some patterns fail only when they meet a path.
                    Err(error) => bad = Some(error),
                    Ok(got) if got != expected => {
                        let says = if got { "matches" } else { "does not match" };
                        found.push(format!("{pattern} {says} {}", shown(path)));
                    }
                    Ok(_) => {}
                }
            }
        }
    }
    let bad = bad.map(|bad| match bad {
        BadPattern::LeadingSlash => "leading-slash",
        BadPattern::Invalid => "invalid-glob",
    });
    if bad != vector.bad_pattern.as_deref() {
        found.push(format!("{pattern} is {bad:?}, not {:?}", vector.bad_pattern));
    }
    found
}

fn check(text: &str) {
    let vectors: Vec<Vector> = serde_json::from_str(text).expect("the vectors are well-formed");
    let found: Vec<String> = vectors.iter().flat_map(mismatches).collect();
    let list: Vec<&str> = found.iter().take(SHOWN).map(String::as_str).collect();
    assert!(found.is_empty(), "{} mismatches, the first:\n{}", found.len(), list.join("\n"));
}

#[test]
fn hand_picked() {
    check(include_str!("golden/vectors/globs.json"));
}

#[test]
fn generated() {
    check(include_str!("golden/vectors/globs-fuzz.json"));
}

#[test]
fn generated_from_metacharacters() {
    check(include_str!("golden/vectors/globs-wild.json"));
}
