//! Filters (`filter.<driver>.clean` and friends) are programs of the repository's choice that git runs to compare a
//! file with the index. They are found in the configuration and overridden with nothing.

use std::ffi::OsString;

use crate::error::{Error, Result};
use crate::git::invoke::{Git, MAX_ANSWER_BYTES};
use crate::git::listing;

/// Bytes of overrides on one command line. Somebody with more filters than fit is refused.
const MAX_OVERRIDE_BYTES: usize = 16 * 1024;

/// The keys of a filter that name a program, and the one that makes doing without it fatal.
const PATTERN: &str = r"^filter\..*\.(clean|smudge|process|required)$";

/// The options that neutralise every configured filter.
pub(super) async fn list(git: &Git<'_>) -> Result<Vec<OsString>> {
    let args = ["--null", "--name-only", "--get-regexp", PATTERN];
    let out = git.ask_code("config", &args, MAX_ANSWER_BYTES).await?;
    match out.exit_code {
        0 => overrides(&out.stdout).ok_or(Error::GitFailed),
        // No such key.
        1 if out.stdout.is_empty() && out.stderr.is_empty() => Ok(Vec::new()),
        code => Err(super::failure::classify(code, &out.stderr)),
    }
}

/// `-c` options for the NUL-terminated keys in `listing`. None where one cannot be overridden: `git -c` takes the
/// first `=` for the end of the key, so a driver's name cannot hold one; and not every system passes on what is not
/// UTF-8.
fn overrides(listing: &[u8]) -> Option<Vec<OsString>> {
    let mut keys: Vec<&str> =
        listing::split(listing)?.map(|key| std::str::from_utf8(key).ok()).collect::<Option<_>>()?;
    keys.sort_unstable();
    keys.dedup();
    let mut options = Vec::with_capacity(2 * keys.len());
    let mut bytes = 0;
    for key in keys {
        if key.contains('=') {
            return None;
        }
        let value = if key.ends_with(".required") { "false" } else { "" };
        let option = format!("{key}={value}");
        bytes += option.len() + " -c ".len();
        options.extend(["-c".into(), option.into()]);
    }
    (bytes <= MAX_OVERRIDE_BYTES).then_some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_overridden_once_and_required_is_lifted() {
        let listing =
            b"filter.lfs.clean\0filter.lfs.required\0filter..process\0filter.A b.smudge\0filter.lfs.clean\0";
        let want = [
            "-c",
            "filter..process=",
            "-c",
            "filter.A b.smudge=",
            "-c",
            "filter.lfs.clean=",
            "-c",
            "filter.lfs.required=false",
        ];
        assert_eq!(overrides(listing).unwrap(), want);
        assert_eq!(overrides(b""), Some(vec![]));
    }

    #[test]
    fn what_cannot_be_overridden_is_refused() {
        assert_eq!(overrides(b"filter.a=b.clean\0"), None);
        assert_eq!(overrides(b"filter.\xff.clean\0"), None);
        assert_eq!(overrides(b"filter.cut.cle"), None);
        let many: Vec<u8> =
            (0..1000).flat_map(|i| format!("filter.driver-{i}.clean\0").into_bytes()).collect();
        assert_eq!(overrides(&many), None);
    }
}
