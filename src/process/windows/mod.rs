//! Processes on Windows: a job object that holds the whole tree, and a thread for each pipe.
//!
//! The process is created suspended, put into its job and resumed, so nothing that it starts is outside the job. The
//! job ends with its last handle, which is ours: not even a killed host leaves the tree behind. If any of these steps
//! fails the process is terminated and the call fails with [`Error::SpawnFailed`]; it never runs unsupervised.
//!
//! *Nested jobs.* A host that lives in a job itself (CI, a terminal, Node's own children) is the normal case; since
//! Windows 8 jobs nest and ours becomes a child of the outer one. No breakaway is asked for: whoever ends the outer job
//! means us too. Where nesting is denied, the call fails as above.
//!
//! There is no polite signal for a process without a window or a console: ending is terminating the job.
//!
//! A batch file is run by `cmd.exe` from the system directory, and only with arguments that it cannot take for
//! anything else; see [`command_line::batch_command_line`].
#![expect(unsafe_code, reason = "the Windows interface is foreign functions")]

mod create;
mod error;
mod image;
mod job;
mod reader;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle as _, HandleOrNull, OwnedHandle};
use std::ptr::null;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    CreateEventW, GetExitCodeProcess, INFINITE, ResumeThread, SetEvent, TerminateProcess,
    WaitForMultipleObjects, WaitForSingleObject,
};

use self::create::create_suspended;
use self::error::spawn_error;
pub(super) use self::error::start_error;
use self::image::Image;
use self::job::Job;
use self::reader::Reader;
use super::capture::Output;
use super::lookup::resolve;
use super::machine::Signal;
use super::{Command, Status};
use crate::error::Error;

/// There is no polite signal.
pub(super) const HAS_TERMINATE: bool = false;

/// The exit code of what we terminate: a number that no program uses, so that it can be told from the program's own.
const TERMINATED: u32 = 0xE0AD_5217;

/// Between two looks where waiting fails.
const LOOK_PAUSE: Duration = Duration::from_millis(5);

/// Wakes the supervisor from another thread.
#[derive(Debug, Clone)]
pub(super) struct Waker(Arc<OwnedHandle>);

impl Waker {
    pub(super) fn wake(&self) {
        // SAFETY: the handle is an event that we own.
        unsafe { SetEvent(self.0.as_raw_handle()) };
    }
}

/// The supervisor's side of a [`Waker`].
#[derive(Debug)]
pub(super) struct Wakeups(Arc<OwnedHandle>);

/// A connected pair.
pub(super) fn wake_pair() -> io::Result<(Waker, Wakeups)> {
    // SAFETY: no security attributes and no name; the event resets itself.
    let event = Arc::new(owned(unsafe { CreateEventW(null(), 0, 0, null()) })?);
    Ok((Waker(Arc::clone(&event)), Wakeups(event)))
}

/// Takes a handle that was just made for us, where null means an error.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    // SAFETY: the caller has just been given it, and nobody else has it.
    let handle = unsafe { HandleOrNull::from_raw_handle(handle) };
    OwnedHandle::try_from(handle).map_err(|_| io::Error::last_os_error())
}

fn succeeded(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[expect(clippy::cast_possible_truncation, reason = "structures of the system are small")]
const fn size_in_u32<T>() -> u32 {
    size_of::<T>() as u32
}

/// The root of a tree, with the job that holds it. Dropping it ends the tree.
#[derive(Debug)]
pub(super) struct Leader {
    job: Job,
    process: Arc<OwnedHandle>,
}

impl Leader {
    /// Ends the whole tree, whichever the signal.
    pub(super) fn signal(&self, _signal: Signal) {
        self.job.terminate();
    }

    /// Ends what is left of the tree and tells how its root ended, which it has.
    pub(super) fn reap(self) -> Status {
        self.signal(Signal::Kill);
        let mut code = 0;
        // SAFETY: the handle is a process that we own, and `code` outlives the call.
        let known = unsafe { GetExitCodeProcess(self.process.as_raw_handle(), &raw mut code) } != 0;
        let code = (known && code != TERMINATED && has_exited(&self.process)).then_some(code.cast_signed());
        Status { code, signal: None }
    }
}

fn has_exited(process: &OwnedHandle) -> bool {
    // SAFETY: the handle is a process that we own; no time is spent waiting.
    unsafe { WaitForSingleObject(process.as_raw_handle(), 0) == WAIT_OBJECT_0 }
}

/// The supervisor's view of a process: its pipes and its exit.
#[derive(Debug)]
pub(super) struct Running {
    readers: [Reader; 2],
    wakeups: Wakeups,
    process: Arc<OwnedHandle>,
}

impl Running {
    pub(super) fn exited(&self) -> bool {
        has_exited(&self.process)
    }

    pub(super) fn output_open(&self) -> bool {
        self.readers.iter().any(Reader::is_open)
    }

    pub(super) fn over_limit(&self) -> bool {
        self.readers.iter().any(Reader::over_limit)
    }

    /// Waits for the end of the output, the exit or a wake, at most `timeout`.
    pub(super) fn wait(&mut self, timeout: Duration) {
        // INFINITE is the greatest number; a millisecond more keeps the wait from ending just before its time.
        let millis = u32::try_from(timeout.as_millis())
            .map_or(INFINITE - 1, |ms| ms.saturating_add(1).min(INFINITE - 1));
        let handles = [self.wakeups.0.as_raw_handle(), self.process.as_raw_handle()];
        // An exit that has been seen would end every later wait at once.
        let count = if self.exited() { 1 } else { 2 };
        // SAFETY: the array holds at least `count` handles, which we own.
        if unsafe { WaitForMultipleObjects(count, handles.as_ptr(), 0, millis) } == WAIT_FAILED {
            // It cannot fail; if it does, go on by looking from time to time.
            thread::sleep(timeout.min(LOOK_PAUSE));
        }
    }

    /// Ends the capture and closes our ends.
    pub(super) fn close_output(&mut self) -> Output {
        let mut incomplete = false;
        let [stdout, stderr] = self.readers.each_ref().map(|reader| {
            incomplete |= reader.close() || reader.over_limit();
            reader.take_kept()
        });
        Output { stdout, stderr, incomplete }
    }

    /// Waits for the exit, however long it takes.
    pub(super) fn join(self) {
        // SAFETY: the handle is a process that we own.
        unsafe { WaitForSingleObject(self.process.as_raw_handle(), INFINITE) };
    }
}

/// Spawns `command` as the root of a tree in a job of its own.
pub(super) fn spawn(command: &Command, waker: &Waker, wakeups: Wakeups) -> Result<(Leader, Running), Error> {
    let program = resolve(command)?;
    let image = Image::new(command, &program)?;
    let started = Job::new().and_then(|job| start(job, &image, command.max_output_bytes, waker));
    let (leader, readers) = started.map_err(|e| spawn_error(&e, &program, &command.cwd))?;
    let process = Arc::clone(&leader.process);
    Ok((leader, Running { readers, wakeups, process }))
}

/// Creates the process suspended, puts it into `job` and lets it go.
fn start(job: Job, image: &Image, limit: usize, waker: &Waker) -> io::Result<(Leader, [Reader; 2])> {
    let stdin = File::open("NUL")?;
    let (stdout, stdout_writer) = io::pipe()?;
    let (stderr, stderr_writer) = io::pipe()?;
    // The readers exist before the process, so that it never runs with a pipe that nobody drains. If a later step
    // fails, the writers are closed and the readers end.
    let readers =
        [Reader::start(stdout, limit, waker.clone())?, Reader::start(stderr, limit, waker.clone())?];
    let (process, main_thread) = create_suspended(image, &stdin, &stdout_writer, &stderr_writer)?;
    if let Err(error) = job.assign(&process).and_then(|()| resume(&main_thread)) {
        // SAFETY: the handle is a process that we own. It has not run one instruction.
        unsafe { TerminateProcess(process.as_raw_handle(), TERMINATED) };
        // Whatever the reason, it is none of the program's: do not let its number be taken for one.
        return Err(io::Error::other(error));
    }
    Ok((Leader { job, process: Arc::new(process) }, readers))
}

fn resume(main_thread: &OwnedHandle) -> io::Result<()> {
    // SAFETY: the handle is ours, of a thread. The result is the former count of suspensions, or -1 for an error.
    match unsafe { ResumeThread(main_thread.as_raw_handle()) } {
        u32::MAX => Err(io::Error::last_os_error()),
        // It has run outside of the job, and what it has started may still do.
        0 => Err(io::Error::other("the process was not suspended")),
        _ => Ok(()),
    }
}
