//! The environment of every git process, made from the caller's.

use std::ffi::{OsStr, OsString};

/// The `GIT_*` variables that reach git. They are the person's: which files hold their own configuration, and how far
/// a repository is looked for. Every other one is left out, known or not: it may point git at another repository (we
/// may run inside a hook), name a program, or write a trace.
const KEPT: [&str; 5] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

const SET: [(&str, &str); 7] = [
    // Failures are recognised by their words.
    ("LC_ALL", "C"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    // A missing object is a failure, not a fetch: the repository chooses the transport. The second is for gits
    // before 2.44, which do not know the first.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GCM_INTERACTIVE", "never"),
    ("GIT_PAGER", "cat"),
];

/// The environment of a git process.
pub(super) fn for_git(caller: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let mut env: Vec<_> = caller.iter().filter(|(name, _)| is_kept(name)).cloned().collect();
    env.extend(SET.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    env
}

fn is_kept(name: &OsStr) -> bool {
    // Windows takes no notice of case here.
    let name = name.to_string_lossy().to_ascii_uppercase();
    if name.starts_with("GIT_") { KEPT.contains(&&*name) } else { !SET.iter().any(|(set, _)| *set == name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(names: &[&str]) -> Vec<(OsString, OsString)> {
        names.iter().map(|name| (name.into(), "caller's".into())).collect()
    }

    #[test]
    fn no_variable_that_steers_git_is_passed_on() {
        // `git rev-parse --local-env-vars` of git 2.47, and others that name a program, a file or a repository.
        let steering = [
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_CONFIG",
            "GIT_CONFIG_PARAMETERS",
            "GIT_CONFIG_COUNT",
            "GIT_OBJECT_DIRECTORY",
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_IMPLICIT_WORK_TREE",
            "GIT_GRAFT_FILE",
            "GIT_INDEX_FILE",
            "GIT_NO_REPLACE_OBJECTS",
            "GIT_REPLACE_REF_BASE",
            "GIT_PREFIX",
            "GIT_SHALLOW_FILE",
            "GIT_COMMON_DIR",
            "GIT_CONFIG_KEY_0",
            "GIT_CONFIG_VALUE_0",
            "GIT_EXTERNAL_DIFF",
            "GIT_SSH",
            "GIT_SSH_COMMAND",
            "GIT_ASKPASS",
            "GIT_EXEC_PATH",
            "GIT_TEMPLATE_DIR",
            "GIT_TRACE",
            "GIT_TRACE2_EVENT",
            "GIT_LITERAL_PATHSPECS",
            "GIT_ATTR_SOURCE",
            "GIT_NAMESPACE",
            "git_dir",
            "Git_Index_File",
        ];
        let out = for_git(&env(&steering));
        assert!(out.iter().all(|(name, _)| SET.iter().any(|(set, _)| *set == *name)), "{out:?}");
        assert_eq!(out.len(), SET.len());
    }

    #[test]
    fn the_persons_own_settings_are_passed_on_and_ours_win() {
        let out = for_git(&env(&[
            "PATH",
            "HOME",
            "GIT_CONFIG_GLOBAL",
            "LANG",
            "LC_ALL",
            "git_pager",
            "GITHUB_TOKEN",
        ]));
        let callers: Vec<_> = out.iter().filter(|(_, v)| v == "caller's").map(|(n, _)| n.clone()).collect();
        assert_eq!(callers, ["PATH", "HOME", "GIT_CONFIG_GLOBAL", "LANG", "GITHUB_TOKEN"]);
        assert!(out.contains(&("LC_ALL".into(), "C".into())));
    }
}
