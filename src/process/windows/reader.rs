//! The thread that drains one pipe.
#![expect(unsafe_code, reason = "the Windows interface is foreign functions")]

use std::io::{self, PipeReader, Read};
use std::os::windows::io::AsRawHandle as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use windows_sys::Win32::System::IO::CancelSynchronousIo;

use super::super::THREAD_STACK_BYTES;
use super::super::capture::Capture;
use super::Waker;

/// One read.
const READ_BYTES: usize = 64 * 1024;

/// Between two attempts to interrupt a read that has not begun yet.
const INTERRUPT_PAUSE: Duration = Duration::from_millis(1);

#[derive(Debug)]
struct Stream {
    capture: Capture,
    open: bool,
}

/// The thread that drains one pipe, and what it has found.
#[derive(Debug)]
pub(super) struct Reader {
    stream: Arc<Mutex<Stream>>,
    thread: JoinHandle<()>,
}

impl Reader {
    pub(super) fn start(mut pipe: PipeReader, limit: usize, waker: Waker) -> io::Result<Self> {
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

    /// Someone can still write.
    pub(super) fn is_open(&self) -> bool {
        lock(&self.stream).open
    }

    /// Something was dropped.
    pub(super) fn over_limit(&self) -> bool {
        lock(&self.stream).capture.over_limit()
    }

    /// Hands out what was kept.
    pub(super) fn take_kept(&self) -> Vec<u8> {
        lock(&self.stream).capture.take_kept()
    }

    /// Ends the capture. True if someone could still have written.
    pub(super) fn close(&self) -> bool {
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
