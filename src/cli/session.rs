//! One question to the `adr` command, which may take several calls of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::identity::{Fingerprint, Identity, is_adrkit_help};
use super::launch::Launch;
use super::resolve::{CliSource, ResolvedCli};
use super::search::{Search, work_tree_around};
use super::{Env, answer, argv, batch, resolve};
use crate::error::{Error, Result};
use crate::process::{self, Cancel, Command, Finished, Outcome, Owner};

/// What is kept of each of the command's streams: 64 MiB.
pub const MAX_OUTPUT_BYTES: usize = 64 * 1024 * 1024;

/// How long a command that has answered with no report may take to say who it is.
pub const IDENTITY_DEADLINE: Duration = Duration::from_secs(2);

/// What is read of a command's help, in bytes.
const MAX_HELP_BYTES: usize = 64 * 1024;

/// A resolved command, and the bounds of the question that is put to it.
#[derive(Debug)]
pub(crate) struct Session {
    cli: ResolvedCli,
    cwd: PathBuf,
    env: Vec<(OsString, OsString)>,
    owner: Owner,
    clock: Clock,
}

/// When a question as a whole has to be answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    started: Instant,
    limit: Duration,
}

impl Clock {
    /// From now.
    pub(crate) fn start(limit: Duration) -> Self {
        Self { started: Instant::now(), limit }
    }

    /// What is left, down to zero.
    pub(crate) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.started.elapsed())
    }
}

impl Session {
    /// Looks up the command for `cwd`; none where there is none. Reads directories: not for an async thread.
    pub(crate) fn open(cwd: &Path, env: &Env, owner: Owner, clock: Clock) -> Result<Option<Self>> {
        let work_tree = work_tree_around(cwd);
        let Some(cli) = resolve::resolve(cwd, work_tree, env)? else { return Ok(None) };
        let env = Search::new(cwd, work_tree, env).child_env(env);
        Ok(Some(Self { cli, cwd: cwd.to_owned(), env, owner, clock }))
    }

    /// The bounds of the question.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// May another engine answer in this command's place after `error`? Never in place of one that a person named.
    pub(crate) fn is_replaceable(&self, error: &Error) -> bool {
        self.cli.source != CliSource::Env
            && matches!(
                error,
                Error::CliForeign
                    | Error::CommandNotFound
                    | Error::CommandNotExecutable
                    | Error::SpawnFailed
                    | Error::ArgumentExpandable
            )
    }

    /// How many bytes of paths may stand on one line.
    pub(crate) fn batch_bytes(&self) -> usize {
        if matches!(self.cli.launch, Launch::CommandShell { .. }) {
            batch::MAX_SHELL_BATCH_BYTES
        } else {
            batch::MAX_BATCH_BYTES
        }
    }

    /// The exit code and the report that `arguments` give.
    ///
    /// # Errors
    /// As [`answer::read`] and [`process::run`]; [`Error::CliForeign`] when a command that was only found turns out to
    /// be another program.
    pub(crate) async fn report<R: DeserializeOwned>(
        &self,
        arguments: Vec<OsString>,
        cancel: &Cancel,
    ) -> Result<(u8, R)> {
        if self.cli.source == CliSource::Env {
            return self.ask(arguments, cancel).await;
        }
        if self.clock.left().is_zero() {
            return Err(Error::TimedOut);
        }
        let file = Fingerprint::of(&self.cli.path);
        match file.identity() {
            Some(Identity::Foreign) => return Err(Error::CliForeign),
            Some(Identity::Silent) => self.identify(&file, cancel).await?,
            Some(Identity::Adrkit) | None => {}
        }
        let answer = self.ask(arguments, cancel).await;
        match &answer {
            Ok(_) => drop(file.remember(Identity::Adrkit)),
            Err(Error::TimedOut) if file.identity() != Some(Identity::Adrkit) => {
                // There is no time left to find out who it is. The next question begins with that.
                let _ = file.remember(Identity::Silent);
            }
            Err(Error::Usage { .. } | Error::NoReport { .. } | Error::OutputTooLarge)
                if file.identity() != Some(Identity::Adrkit) =>
            {
                self.identify(&file, cancel).await?;
            }
            Err(_) => {}
        }
        answer
    }

    async fn ask<R: DeserializeOwned>(&self, arguments: Vec<OsString>, cancel: &Cancel) -> Result<(u8, R)> {
        let finished = self.run(arguments, self.clock.left(), MAX_OUTPUT_BYTES, cancel).await?;
        answer::read(&finished)
    }

    /// Asks the command for its help.
    ///
    /// # Errors
    /// [`Error::CliForeign`] where it is not adrkit's, or does not say so in time.
    async fn identify(&self, file: &Fingerprint, cancel: &Cancel) -> Result<()> {
        let deadline = self.clock.left().min(IDENTITY_DEADLINE);
        let finished = self.run(argv::help(), deadline, MAX_HELP_BYTES, cancel).await?;
        if is_adrkit_help(&finished) {
            let _ = file.clone().remember(Identity::Adrkit);
            return Ok(());
        }
        match finished.outcome {
            Outcome::Aborted => return Err(Error::Aborted),
            Outcome::Exited | Outcome::OutputTooLarge => {
                if file.clone().remember(Identity::Foreign) {
                    let path = self.cli.path.display();
                    tracing::warn!(%path, "this adr does not answer as adrkit's does, and is not asked again");
                }
            }
            // A slow or busy machine is no proof: it is asked again the next time.
            _ => drop(file.clone().remember(Identity::Silent)),
        }
        Err(Error::CliForeign)
    }

    async fn run(
        &self,
        arguments: Vec<OsString>,
        deadline: Duration,
        max_output_bytes: usize,
        cancel: &Cancel,
    ) -> Result<Finished> {
        if deadline.is_zero() {
            return Err(Error::TimedOut);
        }
        let (program, args) = self.cli.launch.line(&self.cli.path, arguments)?;
        let command = Command {
            program,
            args,
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            deadline,
            max_output_bytes,
            owner: self.owner,
        };
        process::run(command, cancel.clone()).await
    }
}
