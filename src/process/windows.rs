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

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::mem::size_of;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::{
    AsHandle, AsRawHandle as _, BorrowedHandle, FromRawHandle as _, HandleOrNull, OwnedHandle,
};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_DIRECTORY, ERROR_ELEVATION_REQUIRED,
    ERROR_EXE_MACHINE_TYPE_MISMATCH, ERROR_FILE_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE, ERROR_INVALID_NAME,
    ERROR_PATH_NOT_FOUND, ERROR_TOO_MANY_OPEN_FILES, HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation,
    WAIT_FAILED, WAIT_OBJECT_0,
};
use windows_sys::Win32::System::IO::CancelSynchronousIo;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::SystemInformation::GetSystemDirectoryW;
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT, CreateEventW, CreateProcessW,
    DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess, INFINITE,
    InitializeProcThreadAttributeList, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROCESS_INFORMATION, ResumeThread,
    STARTF_USESTDHANDLES, STARTUPINFOEXW, SetEvent, TerminateProcess, UpdateProcThreadAttribute,
    WaitForMultipleObjects, WaitForSingleObject,
};

use super::capture::{Capture, Output};
use super::command_line::{self, Refused};
use super::lookup::resolve;
use super::machine::Signal;
use super::{Command, Status, THREAD_STACK_BYTES};
use crate::error::Error;

/// There is no polite signal.
pub(super) const HAS_TERMINATE: bool = false;

/// One read.
const READ_BYTES: usize = 64 * 1024;

/// The exit code of what we terminate: a number that no program uses, so that it can be told from the program's own.
const TERMINATED: u32 = 0xE0AD_5217;

/// Between two attempts to interrupt a read that has not begun yet.
const INTERRUPT_PAUSE: Duration = Duration::from_millis(1);

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

/// The root of a tree, with the job that holds it. Dropping it ends the tree.
#[derive(Debug)]
pub(super) struct Leader {
    job: OwnedHandle,
    process: Arc<OwnedHandle>,
}

impl Leader {
    /// Ends the whole tree, whichever the signal.
    pub(super) fn signal(&self, _signal: Signal) {
        // SAFETY: the handle is a job that we own. A job without processes is left as it is.
        unsafe { TerminateJobObject(self.job.as_raw_handle(), TERMINATED) };
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

#[derive(Debug)]
struct Stream {
    capture: Capture,
    open: bool,
}

/// The thread that drains one pipe, and what it has found.
#[derive(Debug)]
struct Reader {
    stream: Arc<Mutex<Stream>>,
    thread: JoinHandle<()>,
}

impl Reader {
    fn start(mut pipe: PipeReader, limit: usize, waker: Waker) -> io::Result<Self> {
        let stream = Arc::new(Mutex::new(Stream { capture: Capture::new(limit), open: true }));
        let shared = Arc::clone(&stream);
        let drain = move || {
            let mut buffer = vec![0; READ_BYTES];
            loop {
                let read = pipe.read(&mut buffer);
                let mut stream = lock(&shared);
                // An error is the end of the pipe, or the interruption by `close`.
                let bytes =
                    read.ok().and_then(|n| buffer.get(..n)).filter(|bytes| !bytes.is_empty() && stream.open);
                let Some(bytes) = bytes else {
                    stream.open = false;
                    break;
                };
                stream.capture.take(bytes);
                let news = stream.capture.over_limit();
                drop(stream);
                if news {
                    waker.wake();
                }
            }
            waker.wake();
        };
        let thread = thread::Builder::new()
            .name("adrkit-reader".into())
            .stack_size(THREAD_STACK_BYTES)
            .spawn(drain)?;
        Ok(Self { stream, thread })
    }

    /// Ends the capture. True if someone could still have written.
    fn close(&self) -> bool {
        let was_open = std::mem::replace(&mut lock(&self.stream).open, false);
        while !self.thread.is_finished() {
            // SAFETY: the handle is that of a thread that has not been joined. If it is between two reads nothing
            // happens; it may then begin one more, so this is repeated.
            unsafe { CancelSynchronousIo(self.thread.as_raw_handle()) };
            thread::sleep(INTERRUPT_PAUSE);
        }
        was_open
    }
}

fn lock(stream: &Mutex<Stream>) -> MutexGuard<'_, Stream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.readers.iter().any(|reader| lock(&reader.stream).open)
    }

    pub(super) fn over_limit(&self) -> bool {
        self.readers.iter().any(|reader| lock(&reader.stream).capture.over_limit())
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
            incomplete |= reader.close();
            let mut stream = lock(&reader.stream);
            incomplete |= stream.capture.over_limit();
            stream.capture.take_kept()
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
    let started = start(&image, command.max_output_bytes, waker);
    let (leader, readers) = started.map_err(|e| spawn_error(&e, &program, &command.cwd))?;
    let process = Arc::clone(&leader.process);
    Ok((leader, Running { readers, wakeups, process }))
}

/// The strings of `CreateProcessW`, each with its final NUL.
struct Image {
    application: Vec<u16>,
    line: Vec<u16>,
    environment: Vec<u16>,
    directory: Vec<u16>,
}

impl Image {
    fn new(command: &Command, program: &Path) -> Result<Self, Error> {
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

fn start(image: &Image, limit: usize, waker: &Waker) -> io::Result<(Leader, [Reader; 2])> {
    let job = job()?;
    let stdin = File::open("NUL")?;
    let (stdout, stdout_writer) = io::pipe()?;
    let (stderr, stderr_writer) = io::pipe()?;
    // The readers exist before the process, so that it never runs with a pipe that nobody drains. If a later step
    // fails, the writers are closed and the readers end.
    let readers =
        [Reader::start(stdout, limit, waker.clone())?, Reader::start(stderr, limit, waker.clone())?];
    let (process, main_thread) = create_suspended(image, &stdin, &stdout_writer, &stderr_writer)?;
    // SAFETY: both handles are ours, of a job and of a process.
    let assigned =
        succeeded(unsafe { AssignProcessToJobObject(job.as_raw_handle(), process.as_raw_handle()) });
    let resumed = assigned.and_then(|()| {
        // SAFETY: the handle is ours, of a thread. The result is the former count of suspensions: one, or -1 for an
        // error.
        let count = unsafe { ResumeThread(main_thread.as_raw_handle()) };
        if count == u32::MAX { Err(io::Error::last_os_error()) } else { Ok(()) }
    });
    if let Err(error) = resumed {
        // SAFETY: the handle is a process that we own. It has not run one instruction.
        unsafe { TerminateProcess(process.as_raw_handle(), TERMINATED) };
        // Whatever the reason, it is none of the program's: do not let its number be taken for one.
        return Err(io::Error::other(error));
    }
    Ok((Leader { job, process: Arc::new(process) }, readers))
}

/// A job that ends with its last handle.
fn job() -> io::Result<OwnedHandle> {
    // SAFETY: no security attributes and no name.
    let job = owned(unsafe { CreateJobObjectW(null(), null()) })?;
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // SAFETY: the structure is the one that belongs to the class, with its size.
    succeeded(unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size_in_u32::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(),
        )
    })?;
    Ok(job)
}

#[expect(clippy::cast_possible_truncation, reason = "structures of the system are small")]
const fn size_in_u32<T>() -> u32 {
    size_of::<T>() as u32
}

/// Creates the process, suspended. Of our handles it inherits these three and no other; a process that somebody else
/// in the host creates at this very moment may inherit them too, which the bounded drain makes harmless.
fn create_suspended(
    image: &Image,
    stdin: &File,
    stdout: &PipeWriter,
    stderr: &PipeWriter,
) -> io::Result<(OwnedHandle, OwnedHandle)> {
    let handles = [inheritable(stdin)?, inheritable(stdout)?, inheritable(stderr)?];
    let raw = handles.map(|handle| handle.as_raw_handle());
    let mut attributes = AttributeList::new()?;
    attributes.restrict_inheritance(&raw)?;
    let mut startup = STARTUPINFOEXW::default();
    startup.StartupInfo.cb = size_in_u32::<STARTUPINFOEXW>();
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    [startup.StartupInfo.hStdInput, startup.StartupInfo.hStdOutput, startup.StartupInfo.hStdError] = raw;
    startup.lpAttributeList = attributes.as_mut_ptr();
    let mut info = PROCESS_INFORMATION::default();
    let mut line = image.line.clone();
    // SAFETY: every string has its NUL (the block two) and outlives the call, as do the attributes, the handles they
    // list and the structures. The call may write to the line, which is a copy.
    succeeded(unsafe {
        CreateProcessW(
            image.application.as_ptr(),
            line.as_mut_ptr(),
            null(),
            null(),
            1,
            CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT,
            image.environment.as_ptr().cast(),
            image.directory.as_ptr(),
            (&raw const startup).cast(),
            &raw mut info,
        )
    })?;
    // SAFETY: the call has succeeded, so both handles are valid and ours.
    Ok(unsafe { (OwnedHandle::from_raw_handle(info.hProcess), OwnedHandle::from_raw_handle(info.hThread)) })
}

fn inheritable<H: AsHandle>(handle: &H) -> io::Result<BorrowedHandle<'_>> {
    let handle = handle.as_handle();
    // SAFETY: the handle is borrowed, so it is open.
    succeeded(unsafe {
        SetHandleInformation(handle.as_raw_handle(), HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT)
    })?;
    Ok(handle)
}

/// A list of one attribute for a new process. The words keep its memory aligned.
struct AttributeList(Vec<usize>);

impl AttributeList {
    fn new() -> io::Result<Self> {
        let mut bytes = 0;
        // SAFETY: without a list the call only tells the size, and "fails".
        unsafe { InitializeProcThreadAttributeList(null_mut(), 1, 0, &raw mut bytes) };
        let mut list = vec![0_usize; bytes.div_ceil(size_of::<usize>())];
        // SAFETY: the list has the size that the system has asked for.
        succeeded(unsafe {
            InitializeProcThreadAttributeList(list.as_mut_ptr().cast(), 1, 0, &raw mut bytes)
        })?;
        Ok(Self(list))
    }

    /// Nothing but `handles` is inherited. They must outlive the list.
    fn restrict_inheritance(&mut self, handles: &[HANDLE]) -> io::Result<()> {
        // SAFETY: the list is initialised; the value is an array of handles, with its size in bytes. The caller keeps
        // it alive and in place.
        succeeded(unsafe {
            UpdateProcThreadAttribute(
                self.as_mut_ptr(),
                0,
                PROC_THREAD_ATTRIBUTE_HANDLE_LIST as usize,
                handles.as_ptr().cast(),
                size_of_val(handles),
                null_mut(),
                null(),
            )
        })
    }

    fn as_mut_ptr(&mut self) -> *mut core::ffi::c_void {
        self.0.as_mut_ptr().cast()
    }
}

impl Drop for AttributeList {
    fn drop(&mut self) {
        // SAFETY: the list is initialised and not used after this.
        unsafe { DeleteProcThreadAttributeList(self.as_mut_ptr()) };
    }
}

/// Why something that a process needs could not be had.
pub(super) fn start_error(error: &io::Error) -> Error {
    match os_code(error) {
        Some(ERROR_TOO_MANY_OPEN_FILES) => Error::TooManyOpenFiles,
        _ => Error::SpawnFailed,
    }
}

/// Why the program did not start. The system tells by one number what may concern the program or the working
/// directory, so the two paths are looked at again.
fn spawn_error(error: &io::Error, program: &Path, cwd: &Path) -> Error {
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
