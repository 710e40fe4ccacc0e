//! Revisions: what git is asked to compare with.

use std::fmt;

use super::Rejection;

/// The longest revision, in bytes (it is ASCII).
pub const MAX_REVISION_CHARS: usize = 256;

/// A name of one commit that is safe to hand to `git rev-parse --verify`. It can only be made by [`Revision::parse`].
///
/// Allowed are hex ids, branches, tags, `refs/…`, `@`, and the steps `~`, `~2`, `^`, `^2` after a name. The set of
/// characters is ASCII letters, digits and `. _ / - + = , @ # ~ ^`; the first one a letter, a digit, `_`, `@` or `#`.
/// So these are refused, though git knows them:
/// - options (`--output=x`), and `^main`, which passes `--verify` and means "all but";
/// - ranges `a..b`, and the sets `x^@`, `x^!`, `x^-`;
/// - `:` (paths, the index, `:/text`) and braces (`@{yesterday}`, `^{/text}`), which search histories without bound;
/// - branches named in other characters: give their commit id.
///
/// That the name exists, and is a commit, is git's to say.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision(String);

impl Revision {
    /// Judges `revision`.
    ///
    /// # Errors
    /// The first rule that is broken: length, start, characters, one commit.
    pub fn parse(revision: &str) -> Result<Self, Rejection> {
        let bytes = revision.as_bytes();
        let Some(&first) = bytes.first() else { return Err(Rejection::RevisionEmpty) };
        if bytes.len() > MAX_REVISION_CHARS {
            return Err(Rejection::RevisionTooLong);
        }
        if !(first.is_ascii_alphanumeric() || matches!(first, b'_' | b'@' | b'#')) {
            return Err(Rejection::RevisionStart);
        }
        if !bytes.iter().all(|&b| is_allowed(b)) {
            return Err(Rejection::RevisionCharacter);
        }
        if revision.contains("..") || revision.contains("^@") || revision.contains("^-") {
            return Err(Rejection::RevisionRange);
        }
        Ok(Self(revision.to_owned()))
    }

    /// The revision as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Revision {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

const fn is_allowed(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(b, b'.' | b'_' | b'/' | b'-' | b'+' | b'=' | b',' | b'@' | b'#' | b'~' | b'^')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn accepts_the_usual_names_of_a_commit() {
        let longest = "a".repeat(MAX_REVISION_CHARS);
        for r in [
            "HEAD",
            "HEAD~3",
            "HEAD^",
            "HEAD^2",
            "HEAD^^^",
            "HEAD~2^2~1",
            "@",
            "@~1",
            "@^",
            "main",
            "origin/main",
            "origin/feature-x",
            "refs/heads/x",
            "refs/remotes/origin/HEAD",
            "refs/pull/12/head",
            "v1.2.3",
            "v1.2.3-rc.1+build.5",
            "feature/ABC-123_do-it",
            "dependabot/npm_and_yarn/left-pad-1.3.0",
            "fix#12",
            "#12",
            "@user/topic",
            "_",
            "a=b",
            "a,b",
            "0",
            "deadbeef",
            "9dc77cda8fafcd62b9a4ee3c4a9e1af10d7b8835",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "v1.0-5-g9dc77cd",
            "FETCH_HEAD",
            "ORIG_HEAD",
            "stash",
            "a.b.c",
            "a-",
            "x^0",
            longest.as_str(),
        ] {
            assert_eq!(Revision::parse(r).as_ref().map(Revision::as_str), Ok(r));
        }
    }

    #[test]
    fn refuses_options_ranges_searches_and_paths() {
        use Rejection::{RevisionCharacter, RevisionEmpty, RevisionRange, RevisionStart, RevisionTooLong};
        let long = "a".repeat(MAX_REVISION_CHARS + 1);
        let wide = "é".repeat(MAX_REVISION_CHARS);
        let rows = [
            ("", RevisionEmpty),
            (long.as_str(), RevisionTooLong),
            (wide.as_str(), RevisionTooLong),
            ("-", RevisionStart),
            ("--", RevisionStart),
            ("--all", RevisionStart),
            ("--output=/tmp/x", RevisionStart),
            ("-n1", RevisionStart),
            ("--upload-pack=sh", RevisionStart),
            ("^HEAD", RevisionStart),
            ("^", RevisionStart),
            ("~", RevisionStart),
            ("~1", RevisionStart),
            ("..", RevisionStart),
            ("..main", RevisionStart),
            (".git", RevisionStart),
            ("/etc/passwd", RevisionStart),
            ("+main", RevisionStart),
            (",", RevisionStart),
            ("=", RevisionStart),
            (" HEAD", RevisionStart),
            ("\tHEAD", RevisionStart),
            ("\nHEAD", RevisionStart),
            (":/fix", RevisionStart),
            (":README", RevisionStart),
            (":0:a", RevisionStart),
            ("{u}", RevisionStart),
            ("\u{0}", RevisionStart),
            ("\u{FEFF}HEAD", RevisionStart),
            ("\u{202E}HEAD", RevisionStart),
            ("–all", RevisionStart),
            ("−1", RevisionStart),
            ("$(id)", RevisionStart),
            ("`id`", RevisionStart),
            ("\"HEAD\"", RevisionStart),
            ("'HEAD'", RevisionStart),
            ("*", RevisionStart),
            ("?", RevisionStart),
            ("[a]", RevisionStart),
            ("éa", RevisionStart),
            ("HEAD ", RevisionCharacter),
            ("HEAD\n", RevisionCharacter),
            ("HEAD\r\n--all", RevisionCharacter),
            ("HEAD\u{0}", RevisionCharacter),
            ("HEAD\u{7F}", RevisionCharacter),
            ("HEAD\u{A0}", RevisionCharacter),
            ("HEAD\u{200B}", RevisionCharacter),
            ("HEAD\u{2028}x", RevisionCharacter),
            ("HEAD\u{E0041}", RevisionCharacter),
            ("ma\u{456}n", RevisionCharacter),
            ("straße", RevisionCharacter),
            ("ＨEAD\u{FF0E}", RevisionStart),
            ("HEAD:README.md", RevisionCharacter),
            ("HEAD:", RevisionCharacter),
            ("main:../x", RevisionCharacter),
            ("@{1}", RevisionCharacter),
            ("@{yesterday}", RevisionCharacter),
            ("@{-1}", RevisionCharacter),
            ("@{u}", RevisionCharacter),
            ("main@{upstream}", RevisionCharacter),
            ("HEAD@{5 minutes ago}", RevisionCharacter),
            ("HEAD^{/regex}", RevisionCharacter),
            ("HEAD^{commit}", RevisionCharacter),
            ("HEAD^{}", RevisionCharacter),
            ("HEAD^!", RevisionCharacter),
            ("HEAD;id", RevisionCharacter),
            ("HEAD|id", RevisionCharacter),
            ("HEAD&id", RevisionCharacter),
            ("HEAD>x", RevisionCharacter),
            ("HEAD%20", RevisionCharacter),
            ("%PATH%", RevisionStart),
            ("a%PATH%", RevisionCharacter),
            ("a!x!", RevisionCharacter),
            ("a$b", RevisionCharacter),
            ("a(b)", RevisionCharacter),
            ("a*", RevisionCharacter),
            ("a?", RevisionCharacter),
            ("a[0]", RevisionCharacter),
            ("a\\b", RevisionCharacter),
            ("a\"b", RevisionCharacter),
            ("a'b", RevisionCharacter),
            ("a`b", RevisionCharacter),
            ("a<b", RevisionCharacter),
            ("HEAD..main", RevisionRange),
            ("HEAD...main", RevisionRange),
            ("HEAD..", RevisionRange),
            ("a/../b", RevisionRange),
            ("HEAD^@", RevisionRange),
            ("HEAD^-", RevisionRange),
            ("HEAD^-1", RevisionRange),
            ("HEAD^^@", RevisionRange),
        ];
        for (revision, why) in rows {
            assert_eq!(Revision::parse(revision), Err(why), "{revision:?}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_a_pattern(r in r"([A-Za-z0-9._/@#~^+=,:{}-]{0,12}|(HEAD|@|main|a/b)([~^][0-9]?){0,3}(\.\.|\^[@!-])?|\PC{0,6})") {
            let shape = Regex::new(r"^[A-Za-z0-9_@#][A-Za-z0-9._/@#~^+=,-]{0,255}$").unwrap();
            let set = Regex::new(r"\.\.|\^[@!-]").unwrap();
            prop_assert_eq!(Revision::parse(&r).is_ok(), shape.is_match(&r) && !set.is_match(&r));
        }

        #[test]
        fn never_panics(r in any::<String>()) {
            let _ = Revision::parse(&r);
        }
    }
}
