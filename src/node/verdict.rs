//! Verdicts on what a model chose. They are synchronous and touch nothing.

use napi::Unknown;
use napi::bindgen_prelude::{Either, Utf16String};
use napi_derive::napi;

use super::failure::{Thrown, guarded};
use crate::validate::{self, Rejection, RepoPath, Revision};

/// Any JavaScript value; only a string can be accepted.
type Value<'a> = Either<Utf16String, Unknown<'a>>;

/// Whether a value keeps the rules.
#[napi(object, object_from_js = false)]
pub struct Verdict {
    /// Whether it does.
    pub ok: bool,
    /// The code of the rule that was broken.
    pub code: Option<&'static str>,
    /// The sentence that states the rule.
    pub message: Option<&'static str>,
}

impl<T> From<Result<T, Rejection>> for Verdict {
    fn from(result: Result<T, Rejection>) -> Self {
        let rejection = result.err();
        Self {
            ok: rejection.is_none(),
            code: rejection.map(Rejection::code),
            message: rejection.map(Rejection::message),
        }
    }
}

/// Judges a path.
///
/// # Errors
/// Never, short of a defect.
#[napi(ts_args_type = "path: unknown")]
pub fn validate_path(path: Value) -> Result<Verdict, Thrown> {
    guarded(|| {
        Ok(match path {
            Either::A(path) => RepoPath::from_utf16(&path).into(),
            Either::B(_) => RepoPath::parse("").into(),
        })
    })
}

/// Judges a revision.
///
/// # Errors
/// Never, short of a defect.
#[napi(ts_args_type = "revision: unknown")]
pub fn validate_revision(revision: Value) -> Result<Verdict, Thrown> {
    guarded(|| Ok(Revision::parse(&lossy(revision)).into()))
}

/// Whether a value is a record's own id.
///
/// # Errors
/// Never, short of a defect.
#[napi(ts_args_type = "id: unknown")]
pub fn is_record_id(id: Value) -> Result<bool, Thrown> {
    guarded(|| Ok(validate::is_record_id(&lossy(id))))
}

/// The string; empty for another type. Half a surrogate pair becomes U+FFFD, which no rule accepts.
fn lossy(value: Value) -> String {
    match value {
        Either::A(text) => String::from_utf16_lossy(&text),
        Either::B(_) => String::new(),
    }
}
