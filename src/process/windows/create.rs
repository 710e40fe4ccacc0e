//! The creation of a process that is suspended and inherits three handles.
#![expect(unsafe_code, reason = "the Windows interface is foreign functions")]

use std::fs::File;
use std::io::{self, PipeWriter};
use std::mem::size_of;
use std::os::windows::io::{AsHandle, AsRawHandle as _, BorrowedHandle, FromRawHandle as _, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation};
use windows_sys::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT, CreateProcessW,
    DeleteProcThreadAttributeList, EXTENDED_STARTUPINFO_PRESENT, InitializeProcThreadAttributeList,
    PROC_THREAD_ATTRIBUTE_HANDLE_LIST, PROCESS_INFORMATION, STARTF_USESTDHANDLES, STARTUPINFOEXW,
    UpdateProcThreadAttribute,
};

use super::image::Image;
use super::{size_in_u32, succeeded};

/// Creates the process, suspended. Of our handles it inherits these three and no other; a process that somebody else
/// in the host creates at this very moment may inherit them too, which the bounded drain makes harmless.
pub(super) fn create_suspended(
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

pub(super) fn inheritable<H: AsHandle>(handle: &H) -> io::Result<BorrowedHandle<'_>> {
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
