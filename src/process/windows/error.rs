//! What a failed start is called.

use std::io;
use std::path::Path;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_DIRECTORY, ERROR_ELEVATION_REQUIRED,
    ERROR_EXE_MACHINE_TYPE_MISMATCH, ERROR_FILE_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE, ERROR_INVALID_NAME,
    ERROR_PATH_NOT_FOUND, ERROR_TOO_MANY_OPEN_FILES,
};

use crate::error::Error;

/// Why something that a process needs could not be had.
pub(in crate::process) fn start_error(error: &io::Error) -> Error {
    if os_code(error) == Some(ERROR_TOO_MANY_OPEN_FILES) {
        return Error::TooManyOpenFiles;
    }
    tracing::debug!(%error, "a process or what it takes could not be had");
    Error::SpawnFailed
}

/// Why the program did not start. The system tells by one number what may concern the program or the working
/// directory, so the two paths are looked at again.
pub(super) fn spawn_error(error: &io::Error, program: &Path, cwd: &Path) -> Error {
    match os_code(error) {
        Some(ERROR_FILENAME_EXCED_RANGE) => Error::CommandTooLong,
        Some(
            ERROR_DIRECTORY | ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND | ERROR_INVALID_NAME
            | ERROR_ACCESS_DENIED,
        ) => {
            if !cwd.is_dir() {
                Error::WorkingDirectoryGone
            } else if program.exists() {
                Error::CommandNotExecutable
            } else {
                Error::CommandNotFound
            }
        }
        Some(ERROR_BAD_EXE_FORMAT | ERROR_EXE_MACHINE_TYPE_MISMATCH | ERROR_ELEVATION_REQUIRED) => {
            Error::CommandNotExecutable
        }
        _ => start_error(error),
    }
}

fn os_code(error: &io::Error) -> Option<u32> {
    error.raw_os_error().map(i32::cast_unsigned)
}
