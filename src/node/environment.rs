//! What belongs to one Node environment: the main thread's, or a worker's.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use napi::Env;

use super::failure::{Thrown, refused};
use crate::hooks::Hooks;
use crate::logging;
use crate::process::{Cancel, Owner, kill_all, retire_owner, shut_down};
use crate::slots::Slots;

/// The next owner; 0 is nobody's.
static NEXT_OWNER: AtomicU64 = AtomicU64::new(1);

/// The owner of an environment's processes, the token that all its calls hang from, and its hooks.
pub(super) struct Environment {
    pub(super) owner: Owner,
    /// Where work runs that nobody asked for.
    pub(super) slots: Slots,
    calls: Mutex<Cancel>,
    hooks: Mutex<Vec<Weak<Hooks>>>,
}

impl Environment {
    /// The environment of the running JavaScript. The first question registers what ends its calls and processes
    /// when it is torn down; loading the addon does nothing.
    pub(super) fn of(env: Env) -> Result<Arc<Self>, Thrown> {
        if let Some(known) = env.get_instance_data::<Arc<Self>>().map_err(refused)? {
            return Ok(Arc::clone(known));
        }
        logging::init();
        let new = Arc::new(Self::new(Owner(NEXT_OWNER.fetch_add(1, Ordering::Relaxed))));
        env.set_instance_data(Arc::clone(&new), (), |_| {}).map_err(refused)?;
        env.add_env_cleanup_hook(Arc::clone(&new), |it| {
            // The hook is called from C: nothing may unwind out of it.
            let _ = catch_unwind(AssertUnwindSafe(|| it.end()));
        })
        .map_err(refused)?;
        Ok(new)
    }

    fn new(owner: Owner) -> Self {
        Self { owner, slots: Slots::default(), calls: Mutex::default(), hooks: Mutex::default() }
    }

    /// Ends `hooks` with the environment: their work in the background has no call to hang from.
    pub(super) fn adopt(&self, hooks: &Arc<Hooks>) {
        let mut all = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|known| known.strong_count() > 0);
        all.push(Arc::downgrade(hooks));
    }

    /// A token for a new call.
    pub(super) fn new_call(&self) -> Cancel {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).child_token()
    }

    /// Ends every live group of the process, whoever started it; how many there were.
    pub(super) fn kill_all(&self) -> usize {
        let groups = kill_all();
        self.cancel_calls();
        groups
    }

    /// Ends every live group of the process, which is about to exit: from now on nothing can be started.
    pub(super) fn shut_down(&self) -> usize {
        let groups = shut_down();
        self.cancel_calls();
        groups
    }

    fn end(&self) {
        let _ = retire_owner(self.owner);
        self.cancel_calls();
        let hooks = std::mem::take(&mut *self.hooks.lock().unwrap_or_else(PoisonError::into_inner));
        for hooks in hooks.iter().filter_map(Weak::upgrade) {
            hooks.dispose();
        }
    }

    /// Cancels what is in flight: a question that takes several processes must not go on to the next one. Calls made
    /// from now on are not affected.
    fn cancel_calls(&self) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *calls).cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use camino::{Utf8Path, Utf8PathBuf};
    use tokio::time::Instant;

    use super::*;
    use crate::error::Result;
    use crate::hooks::limits::SESSION_START_DEADLINE;
    use crate::hooks::{Changes, Later, Located, Options, Repository};
    use crate::report::CheckReport;

    /// Never answers.
    struct Silent;

    impl Repository for Silent {
        fn changed_files<'a>(&'a self, _: &'a Utf8Path, _: &'a Cancel) -> Later<'a, Result<Changes>> {
            Box::pin(pending())
        }
        fn starts_processes<'a>(&'a self, _: &'a Utf8Path) -> Later<'a, bool> {
            Box::pin(pending())
        }
        fn check<'a>(
            &'a self,
            _: &'a Utf8Path,
            _: Vec<String>,
            _: &'a Cancel,
        ) -> Later<'a, Result<CheckReport>> {
            Box::pin(pending())
        }
        fn locate(&self, _: Utf8PathBuf, _: Vec<String>) -> Later<'_, Result<Located>> {
            Box::pin(pending())
        }
    }

    #[test]
    fn ending_what_is_in_flight_leaves_later_calls_alone() {
        let it = Environment::new(Owner(7));
        let before = it.new_call();
        it.cancel_calls();
        assert!(before.is_cancelled());
        assert!(!it.new_call().is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_the_environment_ends_its_hooks_and_that_of_its_calls_does_not() {
        let it = Environment::new(Owner(7));
        let hooks = Arc::new(Hooks::with_repository(Options::default(), Silent));
        it.adopt(&hooks);
        let cwd = std::env::temp_dir();
        let mut waited = Vec::new();
        for end in [Environment::cancel_calls, Environment::end] {
            let input = serde_json::json!({ "workingDirectory": cwd, "source": "resume" });
            let begin = Instant::now();
            let ends = async {
                tokio::task::yield_now().await;
                end(&it);
            };
            tokio::join!(hooks.on_session_start(&input), ends);
            waited.push(begin.elapsed());
        }
        assert_eq!(waited, [SESSION_START_DEADLINE, Duration::ZERO]);
    }

    #[test]
    fn hooks_that_are_gone_are_forgotten() {
        let it = Environment::new(Owner(7));
        for _ in 0..3 {
            it.adopt(&Arc::new(Hooks::with_repository(Options::default(), Silent)));
        }
        assert_eq!(it.hooks.lock().unwrap().len(), 1);
    }
}
