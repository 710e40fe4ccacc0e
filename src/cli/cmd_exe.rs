//! The last resort on Windows: a batch file that is no shim of npm's, and so has to be run by `cmd.exe`.
//!
//! `cmd.exe` reads the whole line again, and the batch file's own `%*` is read once more. No escape survives both
//! readings for certain, so nothing is escaped: an argument with a character that either could take for its own is
//! refused.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::error::{Error, Result};

/// Characters that `cmd.exe` could expand, or take for the end of an argument or a command.
const EXPANDABLE: [char; 13] = ['"', '%', '!', '^', '&', '|', '<', '>', '(', ')', '\r', '\n', '\0'];

/// Could `cmd.exe` make something else of `argument`? One that is not Unicode is answered with yes.
pub(crate) fn could_expand(argument: &OsStr) -> bool {
    argument.to_str().is_none_or(|text| text.contains(EXPANDABLE))
}

/// The arguments for `cmd.exe` that run `batch_file` with `arguments`.
///
/// `call` stands first because `/c` strips quotes from a line that begins with one.
///
/// # Errors
/// [`Error::ArgumentExpandable`] when one of them, or the file's own name, could be expanded.
pub(crate) fn arguments(batch_file: &Path, arguments: Vec<OsString>) -> Result<Vec<OsString>> {
    if could_expand(batch_file.as_os_str()) || arguments.iter().any(|a| could_expand(a)) {
        return Err(Error::ArgumentExpandable);
    }
    let mut line: Vec<OsString> = ["/d", "/v:off", "/c", "call"].map(OsString::from).into();
    line.push(batch_file.into());
    line.extend(arguments);
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(items: &[&str]) -> Vec<OsString> {
        items.iter().map(OsString::from).collect()
    }

    #[test]
    fn plain_arguments_are_passed_as_they_are() {
        let plain =
            strings(&["check", "--json", "--", "src/a b.ts", "ünï/[id].ts", "a=b;c,d", "", "@x{y}'z`"]);
        let line = arguments(Path::new(r"C:\Users\a b\adr.cmd"), plain.clone()).unwrap();
        assert_eq!(line[..4], strings(&["/d", "/v:off", "/c", "call"]));
        assert_eq!(line[4], OsStr::new(r"C:\Users\a b\adr.cmd"));
        assert_eq!(line[5..], plain);
    }

    #[test]
    fn what_cmd_exe_could_expand_is_refused() {
        for c in EXPANDABLE {
            let argument = format!("a{c}b.md");
            assert_eq!(
                arguments(Path::new("adr.cmd"), strings(&["check", &argument])),
                Err(Error::ArgumentExpandable)
            );
            assert_eq!(arguments(Path::new(&argument), Vec::new()), Err(Error::ArgumentExpandable));
        }
        assert!(could_expand(OsStr::new("a\"&calc&\".md")));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_unicode_is_refused() {
        use std::os::unix::ffi::OsStrExt as _;
        assert!(could_expand(OsStr::from_bytes(b"a\xff")));
    }
}
