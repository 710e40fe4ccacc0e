//! What `CreateProcessW` is told about a program, as the strings that it takes.
#![expect(unsafe_code, reason = "the Windows interface is foreign functions")]

use std::ffi::OsStr;
use std::os::windows::ffi::OsStrExt as _;
use std::path::Path;

use windows_sys::Win32::System::SystemInformation::GetSystemDirectoryW;

use super::super::Command;
use super::super::command_line::{self, Refused};
use crate::error::Error;

/// The strings of `CreateProcessW`, each with its final NUL.
pub(super) struct Image {
    pub(super) application: Vec<u16>,
    pub(super) line: Vec<u16>,
    pub(super) environment: Vec<u16>,
    pub(super) directory: Vec<u16>,
}

impl Image {
    pub(super) fn new(command: &Command, program: &Path) -> Result<Self, Error> {
        let program = wide(program.as_os_str());
        let directory = wide(command.cwd.as_os_str());
        let args: Vec<_> = command.args.iter().map(|arg| wide(arg)).collect();
        let env: Vec<_> = command.env.iter().map(|(name, value)| (wide(name), wide(value))).collect();
        let refused = |refused| match refused {
            Refused::Invalid => Error::SpawnFailed,
            Refused::TooLong => Error::CommandTooLong,
            Refused::Unsafe => Error::CommandNotExecutable,
        };
        if program.contains(&0) || directory.contains(&0) {
            return Err(Error::SpawnFailed);
        }
        let (application, line) = if command_line::is_batch(&program) {
            let mut cmd = system_directory().ok_or(Error::SpawnFailed)?;
            cmd.extend("\\cmd.exe".encode_utf16());
            let line = command_line::batch_command_line(&cmd, &program, &args).map_err(refused)?;
            (cmd, line)
        } else {
            let line = command_line::command_line(&program, &args).map_err(refused)?;
            (program, line)
        };
        let environment = command_line::environment_block(&env).map_err(refused)?;
        let with_nul = |mut text: Vec<u16>| {
            text.push(0);
            text
        };
        Ok(Self {
            application: with_nul(application),
            line: with_nul(line),
            environment,
            directory: with_nul(directory),
        })
    }
}

fn wide(text: &OsStr) -> Vec<u16> {
    text.encode_wide().collect()
}

fn system_directory() -> Option<Vec<u16>> {
    let mut buffer = vec![0; 512];
    // SAFETY: the buffer has the length that is told.
    let length = unsafe { GetSystemDirectoryW(buffer.as_mut_ptr(), 512) };
    // Zero is an error and more than the buffer a longer path, which this directory never has.
    let length = usize::try_from(length).ok().filter(|length| (1..buffer.len()).contains(length))?;
    buffer.truncate(length);
    Some(buffer)
}
