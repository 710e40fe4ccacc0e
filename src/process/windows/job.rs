//! The job object that holds a tree.
#![expect(unsafe_code, reason = "the Windows interface is foreign functions")]

use std::io;
use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::ptr::null;

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};

use super::{TERMINATED, owned, size_in_u32, succeeded};

/// A job that ends with its last handle, which is this one.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: no security attributes and no name.
        let job = Self(owned(unsafe { CreateJobObjectW(null(), null()) })?);
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the structure is the one that belongs to the class, with its size.
        succeeded(unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_in_u32::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(),
            )
        })?;
        Ok(job)
    }

    /// Takes `process` in, and with it whatever it starts from now on.
    pub(super) fn assign(&self, process: &OwnedHandle) -> io::Result<()> {
        // SAFETY: both handles are ours, of a job and of a process.
        succeeded(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    /// Ends everything that is in it.
    pub(super) fn terminate(&self) {
        // SAFETY: the handle is a job that we own. A job without processes is left as it is.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), TERMINATED) };
    }
}

#[cfg(test)]
impl Job {
    pub(super) fn as_raw(&self) -> std::os::windows::io::RawHandle {
        self.0.as_raw_handle()
    }
}

#[cfg(test)]
impl From<OwnedHandle> for Job {
    fn from(handle: OwnedHandle) -> Self {
        Self(handle)
    }
}
