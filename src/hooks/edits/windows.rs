//! The rules of Windows paths.

use super::lexical::Start;

/// How `path` begins. None for a drive's current directory (`C:x`, whose meaning only the tool's process knows), for
/// devices (`\\.\x`), and for a `\\?\` path that is not plainly a file on a drive or a share.
pub(super) fn start(path: &str) -> Option<Start<'_>> {
    if let Some(rest) = path.strip_prefix(r"\\?\") {
        return verbatim(rest);
    }
    match path.as_bytes() {
        [a, b, ..] if is_separator(*a) && is_separator(*b) => share(&path[2..]),
        [a, ..] if is_separator(*a) => Some(Start::Root(&path[1..])),
        [_, b':', ..] => drive(path),
        _ => Some(Start::Here(path)),
    }
}

/// What stands behind `\\?\`. There `/`, `.` and `..` are names like others, which no tool writes.
fn verbatim(path: &str) -> Option<Start<'_>> {
    if path.split('\\').any(|name| matches!(name, "." | "..") || name.contains('/')) {
        return None;
    }
    match path.split_at_checked(4) {
        Some((unc, rest)) if unc.eq_ignore_ascii_case(r"UNC\") => share(rest),
        _ => drive(path),
    }
}

fn drive(path: &str) -> Option<Start<'_>> {
    match path.as_bytes() {
        [letter, b':', separator, ..] if letter.is_ascii_alphabetic() && is_separator(*separator) => {
            let letter = char::from(letter.to_ascii_uppercase());
            Some(Start::Volume(format!("{letter}:"), &path[3..]))
        }
        _ => None,
    }
}

fn share(path: &str) -> Option<Start<'_>> {
    let mut parts = path.splitn(3, ['/', '\\']);
    let (server, share) = (parts.next()?, parts.next()?);
    // `\\.\` and `\\?\` lead to devices.
    let plain = |name: &str| !matches!(name, "" | "?") && is_name(name);
    (plain(server) && plain(share))
        .then(|| Start::Volume(format!(r"\\{server}\{share}"), parts.next().unwrap_or_default()))
}

/// Whether `name` names what it says: a `:` begins a stream of another file, and the system drops dots and spaces from
/// the end.
pub(super) fn is_name(name: &str) -> bool {
    !name.contains([':', '\0']) && !name.ends_with(['.', ' '])
}

fn is_separator(b: u8) -> bool {
    matches!(b, b'/' | b'\\')
}
