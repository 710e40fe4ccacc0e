//! Reading what JavaScript passes. Every refusal names the option and its rule, never the value.

use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use napi::ValueType;
use napi::bindgen_prelude::{FromNapiValue, Object, Unknown};

use super::failure::{Thrown, invalid, thrown};
use crate::engine::{DEFAULT_DEADLINE, EngineChoice};

/// The longest deadline that can be asked for: what JavaScript's timers take, about 24.8 days.
const MAX_TIMEOUT_MS: f64 = 2_147_483_647.0;
/// The most of each of stdout and stderr that can be asked for, and what is kept when nobody asks: 64 MiB.
const MAX_OUTPUT_BYTES: u32 = 64 * 1024 * 1024;
/// An environment for a process.
pub(super) type Environ = Vec<(OsString, OsString)>;

/// The options object of a call.
pub(super) struct Options<'a>(Object<'a>);

impl<'a> Options<'a> {
    pub(super) fn new(object: Object<'a>) -> Self {
        Self(object)
    }

    /// A string, where there is one.
    pub(super) fn text(&self, name: &'static str) -> Result<Option<String>, Thrown> {
        self.read(name, "a string")
    }

    /// A string that must be there.
    pub(super) fn required_text(&self, name: &'static str) -> Result<String, Thrown> {
        self.text(name)?.ok_or_else(|| invalid(name, "a string"))
    }

    /// A boolean that must be there.
    pub(super) fn flag(&self, name: &'static str) -> Result<bool, Thrown> {
        self.read(name, FLAG)?.ok_or_else(|| invalid(name, FLAG))
    }

    /// The executable of `run`.
    pub(super) fn file(&self) -> Result<String, Thrown> {
        let file: Option<String> = self.read("file", FILE)?;
        file.filter(|f| !f.is_empty()).ok_or_else(|| invalid("file", FILE))
    }

    /// A list of strings, where there is one.
    pub(super) fn texts(&self, name: &'static str) -> Result<Option<Vec<String>>, Thrown> {
        self.read(name, "an array of strings")
    }

    /// The directory of the call. Relative ones are refused: a host's own directory is often not the session's.
    pub(super) fn cwd(&self) -> Result<Utf8PathBuf, Thrown> {
        absolute("cwd", self.read("cwd", ABSOLUTE)?)
    }

    /// The deadline.
    pub(super) fn deadline(&self) -> Result<Duration, Thrown> {
        deadline(self.read("timeoutMs", TIMEOUT)?)
    }

    /// The cap of an output stream.
    pub(super) fn max_output_bytes(&self) -> Result<usize, Thrown> {
        max_output_bytes(self.read("maxOutputBytes", OUTPUT)?)
    }

    /// The environment: the one that was given, else the process's own.
    pub(super) fn environ(&self) -> Result<Environ, Thrown> {
        let Some(given) = self.read::<Unknown>("env", ENVIRON)? else {
            return Ok(std::env::vars_os().collect());
        };
        // A string has properties too, and would pass for an environment.
        if given.get_type().is_ok_and(|it| it == ValueType::Object) {
            environ(self.read("env", ENVIRON)?.unwrap_or_default())
        } else {
            Err(invalid("env", ENVIRON))
        }
    }

    /// The engine: the one that was asked for, else the environment's choice, else `auto`.
    pub(super) fn engine(&self, environ: &Environ) -> Result<EngineChoice, Thrown> {
        engine(self.text("engine")?, environ)
    }

    fn read<T: FromNapiValue>(&self, name: &'static str, rule: &str) -> Result<Option<T>, Thrown> {
        self.0.get(name).map_err(|_| invalid(name, rule))
    }
}

const FLAG: &str = "true or false";
const FILE: &str = "a non-empty string";
const ABSOLUTE: &str = "an absolute path";
const TIMEOUT: &str = "a number of milliseconds above 0 and at most 2147483647";
const OUTPUT: &str = "a whole number of bytes from 1 to 67108864";
const ENVIRON: &str = "an object of strings whose names are not empty and hold no '='";

/// The directory that the argument `name` is.
pub(super) fn absolute(name: &'static str, dir: Option<String>) -> Result<Utf8PathBuf, Thrown> {
    dir.map(Utf8PathBuf::from)
        .filter(|p| Utf8Path::is_absolute(p) && !p.as_str().contains('\0'))
        .ok_or_else(|| invalid(name, ABSOLUTE))
}

fn deadline(ms: Option<f64>) -> Result<Duration, Thrown> {
    match ms {
        None => Ok(DEFAULT_DEADLINE),
        Some(ms) if ms > 0.0 && ms <= MAX_TIMEOUT_MS => Ok(Duration::from_secs_f64(ms / 1000.0)),
        Some(_) => Err(invalid("timeoutMs", TIMEOUT)),
    }
}

fn max_output_bytes(bytes: Option<f64>) -> Result<usize, Thrown> {
    let bytes = bytes.unwrap_or(f64::from(MAX_OUTPUT_BYTES));
    if bytes.fract() != 0.0 || !(1.0..=f64::from(MAX_OUTPUT_BYTES)).contains(&bytes) {
        return Err(invalid("maxOutputBytes", OUTPUT));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number of at most 2^26"
    )]
    Ok(bytes as usize)
}

/// Absent values are left out, as in Node's own `env` option.
fn environ(given: HashMap<String, Option<String>>) -> Result<Environ, Thrown> {
    let bad = |(name, value): (&String, &Option<String>)| {
        name.is_empty()
            || name.contains(['=', '\0'])
            || value.as_ref().is_some_and(|value| value.contains('\0'))
    };
    if given.iter().any(bad) {
        return Err(invalid("env", ENVIRON));
    }
    Ok(given.into_iter().filter_map(|(name, value)| Some((name.into(), value?.into()))).collect())
}

fn engine(asked: Option<String>, environ: &Environ) -> Result<EngineChoice, Thrown> {
    let choice = asked.map_or_else(|| EngineChoice::from_env(environ), |name| name.parse());
    choice.map_err(|e| thrown(&e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_directory_must_be_absolute() {
        let absolute_path = if cfg!(windows) { "C:\\w" } else { "/w" };
        assert_eq!(absolute("cwd", Some(absolute_path.into())).unwrap(), absolute_path);
        for bad in [None, Some(""), Some("."), Some("w"), Some("../w"), Some("/w\0")] {
            let error = absolute("cwd", bad.map(str::to_owned)).unwrap_err();
            assert_eq!(error.reason, "The argument cwd must be an absolute path.");
        }
    }

    #[test]
    fn a_deadline_is_finite_positive_and_bounded() {
        assert_eq!(deadline(None).unwrap(), DEFAULT_DEADLINE);
        assert_eq!(deadline(Some(0.5)).unwrap(), Duration::from_micros(500));
        assert_eq!(deadline(Some(MAX_TIMEOUT_MS)).unwrap(), Duration::from_millis(2_147_483_647));
        for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, MAX_TIMEOUT_MS + 1.0] {
            assert!(deadline(Some(bad)).is_err(), "{bad}");
        }
        assert!(TIMEOUT.contains(&MAX_TIMEOUT_MS.to_string()));
    }

    #[test]
    fn an_output_cap_is_a_whole_number_in_range() {
        let max = f64::from(MAX_OUTPUT_BYTES);
        assert_eq!(max_output_bytes(None).unwrap(), MAX_OUTPUT_BYTES as usize);
        assert_eq!(max_output_bytes(Some(1.0)).unwrap(), 1);
        assert_eq!(max_output_bytes(Some(max)).unwrap(), MAX_OUTPUT_BYTES as usize);
        for bad in [0.0, 0.5, 1.5, -1.0, f64::NAN, f64::INFINITY, max + 1.0] {
            assert!(max_output_bytes(Some(bad)).is_err(), "{bad}");
        }
        assert!(OUTPUT.contains(&MAX_OUTPUT_BYTES.to_string()));
    }

    #[test]
    fn an_environment_leaves_absent_values_out_and_refuses_odd_names() {
        let given = |name: &str, value: Option<&str>| {
            environ(HashMap::from([(name.to_owned(), value.map(str::to_owned))]))
        };
        assert_eq!(given("A", Some("b=c")).unwrap(), [("A".into(), "b=c".into())]);
        assert_eq!(given("A", None).unwrap(), []);
        for (name, value) in [("", "x"), ("A=B", "x"), ("A\0", "x"), ("A", "\0")] {
            assert_eq!(given(name, Some(value)).unwrap_err().status, "invalid-argument", "{name:?}");
        }
    }

    #[test]
    fn the_call_chooses_the_engine_before_the_environment_does() {
        let environ = |value: &str| vec![(crate::engine::ADRKIT_ENGINE.into(), value.into())];
        let choice = |asked: Option<&str>, environ: &Environ| engine(asked.map(str::to_owned), environ);
        assert_eq!(choice(None, &vec![]).unwrap(), EngineChoice::Auto);
        assert_eq!(choice(None, &environ("")).unwrap(), EngineChoice::Auto);
        assert_eq!(choice(None, &environ("cli")).unwrap(), EngineChoice::Cli);
        assert_eq!(choice(Some("embedded"), &environ("cli")).unwrap(), EngineChoice::Embedded);
        assert_eq!(choice(Some(""), &vec![]).unwrap_err().status, "unknown-engine");
        assert_eq!(choice(None, &environ("CLI")).unwrap_err().status, "unknown-engine");
    }
}
