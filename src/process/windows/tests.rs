//! What only shows with the handles in hand.
//!
//! The tests that are ignored need a program of plain C, which `npm run check:platforms -- windows` compiles and names
//! in `ADRKIT_WINDOWS_HELPER`.

use std::path::PathBuf;
use std::process::Command as StdCommand;
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::DuplicateHandle;
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::*;
use crate::process::{Cancel, Owner, run};

/// The right to ask a job about itself, and no other (`JOB_OBJECT_QUERY`).
const MAY_QUERY: u32 = 0x4;

/// Reached only by a failure.
const PATIENCE_MS: u32 = 20_000;

fn command(program: PathBuf, args: &[&str]) -> Command {
    Command {
        program,
        args: args.iter().map(Into::into).collect(),
        cwd: std::env::temp_dir(),
        env: std::env::vars_os().collect(),
        deadline: Duration::from_secs(60),
        max_output_bytes: 1 << 20,
        owner: Owner::default(),
    }
}

fn helper() -> PathBuf {
    std::env::var_os("ADRKIT_WINDOWS_HELPER").expect("the helper's path").into()
}

/// A job that the system lets nobody be put into, as where a host's own job allows none within it.
fn closed_job() -> Job {
    let job = Job::new().unwrap();
    let mut limited = null_mut();
    // SAFETY: both handles are of this process, and `limited` outlives the call.
    let done = unsafe {
        let this = GetCurrentProcess();
        DuplicateHandle(this, job.as_raw(), this, &raw mut limited, MAY_QUERY, 0, 0)
    };
    succeeded(done).unwrap();
    Job::from(owned(limited).unwrap())
}

#[test]
fn a_process_that_its_job_does_not_take_is_gone_before_it_ran() {
    let dir = tempfile::tempdir().unwrap();
    let shell = PathBuf::from(std::env::var_os("SystemRoot").unwrap()).join(r"System32\cmd.exe");
    let mut command = command(shell.clone(), &["/d", "/c", "echo ran> ran"]);
    command.cwd = dir.path().into();
    let image = Image::new(&command, &shell).unwrap();
    let (waker, wakeups) = wake_pair().unwrap();
    let error = start(closed_job(), &image, 0, &waker).unwrap_err();
    assert_eq!(spawn_error(&error, &shell, dir.path()), Error::SpawnFailed);
    // The readers wake whoever waits when nobody holds the other end any more, so neither does the process.
    // SAFETY: the handle is an event that we own.
    let woken = unsafe { WaitForSingleObject(wakeups.0.as_raw_handle(), PATIENCE_MS) };
    assert_eq!(woken, WAIT_OBJECT_0);
    assert!(!dir.path().join("ran").exists());
    // The same in a job that takes it.
    let (leader, _readers) = start(Job::new().unwrap(), &image, 0, &waker).unwrap();
    // SAFETY: the handle is a process that we own.
    unsafe { WaitForSingleObject(leader.process.as_raw_handle(), PATIENCE_MS) };
    assert_eq!(leader.reap(), Status { code: Some(0), signal: None });
    assert!(dir.path().join("ran").exists());
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn a_process_inherits_its_own_pipes_and_no_handle_else() {
    let named = tempfile::NamedTempFile::new().unwrap();
    let value = (create::inheritable(named.as_file()).unwrap().as_raw_handle() as usize).to_string();
    // Handles are small numbers: the same one may be another file's over there.
    let args = ["handle", &value, named.path().to_str().unwrap()];
    let control = StdCommand::new(helper()).args(args).status().unwrap();
    assert_eq!(control.code(), Some(0), "a process that is started without a list has it");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let out = runtime.block_on(run(command(helper(), &args), Cancel::new())).unwrap();
    assert_eq!(out.exit_code, Some(1));
}
