//! From a failure of the crate to what JavaScript catches.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::Error;

/// The code of an option or argument of the wrong type, or out of its range.
const INVALID_ARGUMENT: &str = "invalid-argument";

/// A JavaScript error with a stable `code` and a fixed message.
pub(super) type Thrown = napi::Error<&'static str>;

/// The JavaScript error of `error`.
pub(super) fn thrown(error: &Error) -> Thrown {
    Thrown::new(error.code(), error.to_string())
}

/// Node-API itself refused. Its text may hold values of the caller, so only the code goes on.
pub(super) fn refused(_: napi::Error) -> Thrown {
    thrown(&Error::Internal)
}

/// The argument or option `name` breaks `rule` (`an absolute path`). The value is not repeated.
pub(super) fn invalid(name: &'static str, rule: &str) -> Thrown {
    Thrown::new(INVALID_ARGUMENT, format!("The argument {name} must be {rule}."))
}

/// Runs the synchronous part of a call. A panic must not unwind into Node's C frames.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Thrown>) -> Result<T, Thrown> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(thrown(&Error::Internal)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_internal() {
        let error = guarded::<()>(|| panic!("secret")).unwrap_err();
        assert_eq!((error.status, error.reason.as_str()), ("internal", "An internal error occurred."));
    }

    #[test]
    fn a_refusal_of_node_api_keeps_its_text_to_itself() {
        let error = refused(napi::Error::from_reason("secret"));
        assert_eq!((error.status, error.reason.as_str()), ("internal", "An internal error occurred."));
    }

    #[test]
    fn an_invalid_argument_is_named() {
        let error = invalid("cwd", "an absolute path");
        assert_eq!(error.status, INVALID_ARGUMENT);
        assert_eq!(error.reason, "The argument cwd must be an absolute path.");
    }
}
