//! Which engine is to answer, and which one did.

use std::ffi::{OsStr, OsString};
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::process::lookup::env_value;

/// The variable that chooses the engine where a call does not.
pub const ADRKIT_ENGINE: &str = "ADRKIT_ENGINE";

/// Which engine is to answer ([`ADRKIT_ENGINE`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// The `adr` command where there is one, else the embedded engine.
    #[default]
    Auto,
    /// The `adr` command only.
    Cli,
    /// The embedded engine only.
    Embedded,
}

impl EngineChoice {
    /// What [`ADRKIT_ENGINE`] says in `env`: `auto` where it is not set or empty.
    ///
    /// # Errors
    /// [`Error::UnknownEngine`] for anything else than the three names, in lower case: a person who asks for an engine
    /// is not given another because of a slip.
    pub fn from_env(env: &[(OsString, OsString)]) -> Result<Self> {
        match env_value(env, ADRKIT_ENGINE).map(OsStr::to_str) {
            None | Some(Some("")) => Ok(Self::Auto),
            Some(Some(name)) => name.parse(),
            Some(None) => Err(Error::UnknownEngine),
        }
    }
}

impl FromStr for EngineChoice {
    type Err = Error;

    fn from_str(s: &str) -> Result<Self> {
        match s {
            "auto" => Ok(Self::Auto),
            "cli" => Ok(Self::Cli),
            "embedded" => Ok(Self::Embedded),
            _ => Err(Error::UnknownEngine),
        }
    }
}

/// Which engine answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineName {
    /// The `adr` command.
    Cli,
    /// The engine of this crate.
    Embedded,
}

impl EngineName {
    /// `cli` or `embedded`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Embedded => "embedded",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_chooses_by_exact_name() {
        let choice = |value: &str| EngineChoice::from_env(&[(ADRKIT_ENGINE.into(), value.into())]);
        assert_eq!(EngineChoice::from_env(&[]), Ok(EngineChoice::Auto));
        for (value, want) in [
            ("", EngineChoice::Auto),
            ("auto", EngineChoice::Auto),
            ("cli", EngineChoice::Cli),
            ("embedded", EngineChoice::Embedded),
        ] {
            assert_eq!(choice(value), Ok(want), "{value}");
        }
        for value in ["Auto", "CLI", " cli", "none", "cli,embedded"] {
            assert_eq!(choice(value), Err(Error::UnknownEngine), "{value}");
        }
    }
}
