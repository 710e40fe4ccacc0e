//! `run`: one supervised process.

use napi::bindgen_prelude::{BufferSlice, Object, ToNapiValue};
use napi::{Env, sys};
use napi_derive::napi;

use super::cancel::CancelHandle;
use super::environment::Environment;
use super::failure::{Thrown, guarded};
use super::options::Options;
use super::promise::started;
use crate::process::{self, Command, Finished, Outcome, signal_name};

/// How a process ended and what it wrote.
#[napi(object, object_from_js = false, use_nullable = true)]
pub struct RunResult {
    /// `exited`, `signaled`, `timed-out`, `aborted` or `output-too-large`.
    pub outcome: &'static str,
    /// The exit code, where there is one.
    pub exit_code: Option<i32>,
    /// The name of the signal that ended it, where one did and the system names it.
    pub signal: Option<&'static str>,
    /// What it wrote to stdout, up to the limit.
    #[napi(ts_type = "Buffer")]
    pub stdout: Bytes,
    /// What it wrote to stderr, up to the limit.
    #[napi(ts_type = "Buffer")]
    pub stderr: Bytes,
    /// Whether output is missing.
    pub output_incomplete: bool,
    /// From start to reap, in milliseconds.
    pub duration_ms: f64,
}

/// Bytes that become a `Buffer` of JavaScript's own memory: hosts with a memory cage allow no other.
#[derive(Debug, Default)]
pub struct Bytes(Vec<u8>);

impl ToNapiValue for Bytes {
    unsafe fn to_napi_value(env: sys::napi_env, bytes: Self) -> napi::Result<sys::napi_value> {
        let slice = BufferSlice::copy_from(&Env::from_raw(env), bytes.0)?;
        // SAFETY: `env` is the environment that this conversion was called with, and the slice was made in it.
        unsafe { BufferSlice::to_napi_value(env, slice) }
    }
}

/// Runs a process to its end.
///
/// # Errors
/// When an argument is invalid, or the process cannot start.
#[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<RunResult>")]
pub fn run<'env>(
    env: &'env Env,
    options: Object<'env>,
    cancel: &CancelHandle,
) -> Result<Object<'env>, Thrown> {
    guarded(|| {
        let options = Options::new(options);
        let args = options.texts("args")?.unwrap_or_default();
        let command = Command {
            program: options.file()?.into(),
            args: args.into_iter().map(Into::into).collect(),
            cwd: options.cwd()?.into(),
            env: options.environ()?,
            deadline: options.deadline()?,
            max_output_bytes: options.max_output_bytes()?,
            owner: Environment::of(*env)?.owner,
        };
        let start = |done| process::start(command, cancel.token.clone(), done);
        started(env, start, RunResult::from).inspect_err(|_| cancel.token.cancel())
    })
}

impl From<Finished> for RunResult {
    fn from(it: Finished) -> Self {
        Self {
            outcome: name(it.outcome),
            exit_code: it.exit_code,
            signal: it.signal.and_then(signal_name),
            stdout: Bytes(it.stdout),
            stderr: Bytes(it.stderr),
            output_incomplete: it.output_incomplete,
            duration_ms: it.duration.as_secs_f64() * 1000.0,
        }
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Exited => "exited",
        Outcome::Signaled => "signaled",
        Outcome::TimedOut => "timed-out",
        Outcome::Aborted => "aborted",
        Outcome::OutputTooLarge => "output-too-large",
    }
}
