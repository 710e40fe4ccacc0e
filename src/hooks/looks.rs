//! Which targets are to be looked at again, because they were told of without a look.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};
use tokio::task::AbortHandle;

/// Those that are due, by working directory. One task looks at them, one directory after the other.
#[derive(Debug, Default)]
pub(super) struct Looks {
    due: HashMap<Utf8PathBuf, HashSet<String>>,
    driver: Option<AbortHandle>,
}

impl Looks {
    /// `targets` are due. `drive` starts the task, where there is none.
    pub(super) fn request(
        &mut self,
        cwd: &Utf8Path,
        targets: impl IntoIterator<Item = String>,
        drive: impl FnOnce() -> AbortHandle,
    ) {
        if let Some(due) = self.due.get_mut(cwd) {
            due.extend(targets);
        } else {
            self.due.insert(cwd.to_owned(), targets.into_iter().collect());
        }
        // It may have gone with the runtime that it ran in.
        if self.driver.as_ref().is_none_or(AbortHandle::is_finished) {
            self.driver = Some(drive());
        }
    }

    /// What the task looks at next. After none it ends.
    pub(super) fn next(&mut self) -> Option<(Utf8PathBuf, Vec<String>)> {
        let Some(cwd) = self.due.keys().next().cloned() else {
            self.driver = None;
            return None;
        };
        let targets = self.due.remove(&cwd).unwrap_or_default();
        Some((cwd, targets.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_was_given_nothing_is_on_its_way_out() {
        let mut looks = Looks::default();
        let mut started = 0;
        let mut request = |looks: &mut Looks, target: &str| {
            looks.request("/w".into(), [target.to_owned()], || {
                started += 1;
                tokio::spawn(std::future::pending::<()>()).abort_handle()
            });
            started
        };
        assert_eq!(request(&mut looks, "a"), 1);
        assert_eq!(request(&mut looks, "a"), 1);
        assert_eq!(looks.next(), Some(("/w".into(), vec!["a".to_owned()])));
        assert_eq!(request(&mut looks, "b"), 1);
        assert_eq!(looks.next(), Some(("/w".into(), vec!["b".to_owned()])));
        assert_eq!(looks.next(), None);
        assert_eq!(request(&mut looks, "a"), 2);
    }
}
