//! The directory that a session works in.
//!
//! A tool call names no directory, and the process's own working directory stays where it was when the session's
//! moves. So it is followed by the host's events.

use std::sync::{PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

/// The type of the event that tells a session's new directory.
pub const CONTEXT_CHANGED: &str = "session.context_changed";

/// Starts at a directory and follows [`CONTEXT_CHANGED`] events. Threads may share it.
///
/// ```
/// # #[cfg(unix)] {
/// use adrkit_native::session_dir::SessionDir;
///
/// let session = SessionDir::new("/a".into());
/// session.observe(&serde_json::json!({ "type": "session.context_changed", "data": { "cwd": "/b" } }));
/// assert_eq!(session.directory(), "/b");
/// # }
/// ```
#[derive(Debug)]
pub struct SessionDir(RwLock<Utf8PathBuf>);

impl SessionDir {
    /// Starts at `cwd`, which should be absolute.
    #[must_use]
    pub fn new(cwd: Utf8PathBuf) -> Self {
        Self(RwLock::new(cwd))
    }

    /// Takes any event of the host. One that is no [`CONTEXT_CHANGED`] with an absolute `data.cwd` changes nothing.
    /// The host tells each change twice, before and after it has looked at git: the second one changes nothing either.
    pub fn observe(&self, event: &Value) {
        if let Some(cwd) = new_directory(event) {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = cwd.to_owned();
        }
    }

    /// Where the session is now. That the directory exists is for its user to see.
    #[must_use]
    pub fn directory(&self) -> Utf8PathBuf {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn new_directory(event: &Value) -> Option<&Utf8Path> {
    if event.get("type")?.as_str()? != CONTEXT_CHANGED {
        return None;
    }
    let cwd = event.get("data")?.get("cwd")?.as_str()?;
    // No system has a directory with a NUL in its name, and what takes C strings would see another one.
    let cwd = (!cwd.contains('\0')).then(|| Utf8Path::new(cwd))?;
    cwd.is_absolute().then_some(cwd)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[cfg(unix)]
    const DIRS: [&str; 3] = ["/one", "/two", "/three"];
    #[cfg(windows)]
    const DIRS: [&str; 3] = ["C:\\one", "C:\\two", "\\\\host\\share\\three"];

    fn changed(cwd: impl Into<Value>) -> Value {
        json!({ "type": CONTEXT_CHANGED, "data": { "cwd": cwd.into() }, "id": "1", "parentId": null })
    }

    #[test]
    fn follows_the_event_told_once_or_twice() {
        let session = SessionDir::new(DIRS[0].into());
        assert_eq!(session.directory(), DIRS[0]);
        session.observe(
            &json!({ "type": CONTEXT_CHANGED, "data": { "cwd": DIRS[1], "pendingGitContext": true } }),
        );
        assert_eq!(session.directory(), DIRS[1]);
        let told_again = json!({ "cwd": DIRS[1], "gitRoot": DIRS[2], "branch": "main" });
        session.observe(&json!({ "type": CONTEXT_CHANGED, "data": told_again }));
        assert_eq!(session.directory(), DIRS[1]);
        session.observe(&changed(DIRS[2]));
        assert_eq!(session.directory(), DIRS[2]);
    }

    #[test]
    fn ignores_everything_else() {
        let session = SessionDir::new(DIRS[0].into());
        for event in [
            json!(null),
            json!(1),
            json!("session.context_changed"),
            json!([CONTEXT_CHANGED, DIRS[1]]),
            json!({}),
            json!({ "type": CONTEXT_CHANGED }),
            json!({ "type": CONTEXT_CHANGED, "cwd": DIRS[1] }),
            json!({ "type": CONTEXT_CHANGED, "data": null }),
            json!({ "type": CONTEXT_CHANGED, "data": DIRS[1] }),
            json!({ "type": CONTEXT_CHANGED, "data": [DIRS[1]] }),
            json!({ "type": CONTEXT_CHANGED, "data": {} }),
            json!({ "type": [CONTEXT_CHANGED], "data": { "cwd": DIRS[1] } }),
            json!({ "type": "session.tools_updated", "data": { "cwd": DIRS[1] } }),
            json!({ "data": { "cwd": DIRS[1] } }),
            changed(Value::Null),
            changed(7),
            changed(json!([DIRS[1]])),
            changed(""),
            changed("."),
            changed("two"),
            changed("../two"),
            changed("~/two"),
            changed(format!("{}\0x", DIRS[1])),
        ] {
            session.observe(&event);
            assert_eq!(session.directory(), DIRS[0], "{event}");
        }
    }
}
