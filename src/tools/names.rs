//! Which names of changed files may be handed on.

use crate::validate::{Rejection, RepoPath};

/// Keeps the names that break no rule that matters for a file which is there already; how many were left out.
///
/// The rules of [`RepoPath`] hold for a model's choice. A name that git lists is a file of the repository, so a colon, a
/// device's name and a dot or a space at an end are only names here. What could be taken for an option or another
/// place, and what a reader cannot see, stays out of command lines and results all the same.
pub(super) fn keep_passable(files: Vec<String>) -> (Vec<String>, usize) {
    let before = files.len();
    let passable: Vec<String> = files.into_iter().filter(|name| is_passable(name)).collect();
    let left_out = before - passable.len();
    (passable, left_out)
}

fn is_passable(name: &str) -> bool {
    // Rules are told in a fixed order, and these three come last: whoever breaks one of them keeps all others.
    matches!(
        RepoPath::parse(name),
        Ok(_) | Err(Rejection::PathColon | Rejection::PathDeviceName | Rejection::PathTrailingDotOrSpace)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_of_real_files_stay() {
        let names =
            ["a.ts", "drivers/i2c/aux.c", "con", "ab:c", "notes ", "a.", "ü \"q\".md", "x/-y", "[id].vue"];
        let names: Vec<String> = names.map(str::to_owned).to_vec();
        assert_eq!(keep_passable(names.clone()), (names, 0));
    }

    #[test]
    fn options_other_places_and_hidden_names_do_not() {
        let names = [
            "-x",
            "--json",
            "/etc/passwd",
            "\\x",
            "C:x",
            "../x",
            "a/../b",
            "a:/../b",
            "a\nb",
            "a\u{7f}",
            "a\u{202E}b",
            "\u{E0041}",
            "",
        ];
        assert_eq!(keep_passable(names.map(str::to_owned).to_vec()), (vec![], names.len()));
    }
}
