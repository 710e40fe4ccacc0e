//! The off switch.

use std::ffi::OsString;

use crate::process::lookup::env_value;

/// The variable that turns the hooks off.
pub const ADRKIT_HOOKS: &str = "ADRKIT_HOOKS";

const OFF: [&str; 4] = ["0", "false", "off", "no"];

/// Whether the hooks are to be registered: unless [`ADRKIT_HOOKS`] is `0`, `false`, `off` or `no`, in any case and with
/// any white space around it.
#[must_use]
pub fn hooks_enabled(env: &[(OsString, OsString)]) -> bool {
    let value = env_value(env, ADRKIT_HOOKS).and_then(|value| value.to_str()).unwrap_or_default();
    !OFF.iter().any(|off| value.trim().eq_ignore_ascii_case(off))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_words_turn_them_off() {
        let enabled = |value: &str| hooks_enabled(&[(ADRKIT_HOOKS.into(), value.into())]);
        for value in ["0", "false", "off", "no", "FALSE", "Off", "nO", " 0 ", "\toff\n"] {
            assert!(!enabled(value), "{value:?}");
        }
        for value in ["", "1", "true", "on", "yes", "00", "0 0", "none", "disabled"] {
            assert!(enabled(value), "{value:?}");
        }
        assert!(hooks_enabled(&[]));
    }
}
