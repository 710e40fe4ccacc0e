//! `git status --porcelain=v2 -z --branch`.

use crate::git::listing;

/// What the status says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Status<'a> {
    /// There is no commit yet.
    pub(super) unborn: bool,
    /// Every path that it names, relative to the work tree's root; both sides of a rename.
    pub(super) paths: Vec<&'a [u8]>,
}

/// None where the output is of another shape.
pub(super) fn parse(output: &[u8]) -> Option<Status<'_>> {
    let mut status = Status { unborn: false, paths: Vec::new() };
    let mut records = listing::split(output)?;
    while let Some(record) = records.next() {
        // The path is the last of so many fields; it may hold blanks itself.
        let fields = match record {
            [b'#', ..] => {
                status.unborn |= record == b"# branch.oid (initial)";
                continue;
            }
            [b'!', ..] => continue,
            [b'?', ..] => 2,
            [b'1', ..] => 9,
            [b'2', ..] => 10,
            [b'u', ..] => 11,
            _ => return None,
        };
        status.paths.push(record.splitn(fields, |&b| b == b' ').nth(fields - 1)?);
        if record.starts_with(b"2") {
            status.paths.push(records.next()?);
        }
    }
    Some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_record_gives_its_paths() {
        let output = b"# branch.oid 0a\0# branch.head main\x001 .M N... 100644 100644 100644 aa bb a b\0\
            u UU N... 100644 100644 100644 100644 aa bb cc c\n\" d\0\
            2 R. N... 100644 100644 100644 aa bb R100 new name\0# old\0? -x\0! ignored\0# stash 2\0";
        let want: Vec<&[u8]> = vec![b"a b", b"c\n\" d", b"new name", b"# old", b"-x"];
        assert_eq!(parse(output), Some(Status { unborn: false, paths: want }));
    }

    #[test]
    fn an_unborn_head_is_told() {
        assert_eq!(parse(b"# branch.oid (initial)\0"), Some(Status { unborn: true, paths: vec![] }));
        assert_eq!(parse(b""), Some(Status { unborn: false, paths: vec![] }));
    }

    #[test]
    fn another_shape_is_refused() {
        let outputs: [&[u8]; 5] =
            [b"? a", b" M a\0", b"1 .M N... 100644 a\0", b"2 R. N... 1 1 1 aa bb R100 new\0", b"\0"];
        for output in outputs {
            assert_eq!(parse(output), None, "{output:?}");
        }
    }
}
