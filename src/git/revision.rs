//! Which revisions reach git, and what of git's answer is believed.

/// The longest revision that is accepted, in bytes.
const MAX_REVISION_LEN: usize = 256;

/// Whether `revision` may be handed to `git rev-parse --verify`: names, ids, and the steps `~` and `^` from them.
/// Options, negations, ranges, reflog entries and searches of the history are not.
pub(super) fn is_acceptable(revision: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._/-+@~^".contains(&b);
    (1..=MAX_REVISION_LEN).contains(&revision.len())
        && revision.bytes().all(plain)
        && !revision.starts_with(['-', '^'])
        && !revision.contains("..")
}

/// The object id that `git rev-parse --verify` printed, if it is one and nothing else: older gits print `^` before
/// it, or echo an option.
pub(super) fn object_id(output: &[u8]) -> Option<&str> {
    let id = output.strip_suffix(b"\n").unwrap_or(output);
    let hex = |b: &u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    if matches!(id.len(), 40 | 64) && id.iter().all(hex) { std::str::from_utf8(id).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ids_and_steps_are_accepted() {
        for rev in
            ["main", "origin/main", "HEAD", "@", "HEAD~3", "v1.2.3-rc.1", "a^2~1", "feature/x+y_z", "0af3"]
        {
            assert!(is_acceptable(rev), "{rev}");
        }
        assert!(is_acceptable(&"a".repeat(256)));
    }

    #[test]
    fn options_negations_ranges_and_searches_are_not() {
        let refused = [
            "",
            "-x",
            "--output=/tmp/x",
            "--all",
            "^HEAD",
            "a..b",
            "a...b",
            "..",
            "@{1}",
            "@{yesterday}",
            "HEAD^{/x}",
            ":/text",
            "HEAD:file",
            "main --all",
            "a\nb",
            "a\0b",
            "*",
            "a[b",
            "größe",
            "a\\b",
            "$(x)",
            "a;b",
            "a=b",
        ];
        for rev in refused {
            assert!(!is_acceptable(rev), "{rev}");
        }
        assert!(!is_acceptable(&"a".repeat(257)));
    }

    #[test]
    fn only_a_whole_lower_case_id_is_believed() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let long = format!("{id}{}", &id[..24]);
        assert_eq!(object_id(format!("{id}\n").as_bytes()), Some(id));
        assert_eq!(object_id(long.as_bytes()), Some(&*long));
        let refused = [
            String::new(),
            "\n".into(),
            format!("^{id}\n"),
            format!("{id}\n{id}\n"),
            format!("{id}\n\n"),
            id[1..].into(),
            id.to_uppercase(),
            "--output=/tmp/x\n".into(),
            format!("-{}", &id[1..]),
        ];
        for out in refused {
            assert_eq!(object_id(out.as_bytes()), None, "{out}");
        }
    }
}
