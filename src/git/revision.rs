//! What of git's answer about a revision is believed.

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
