//! Every failure that leaves the crate: one variant, one stable code, one fixed message.
//!
//! Messages never carry repository text, paths, arguments or the text of another error. The one exception is
//! [`Error::Usage`], which carries the words of the `adr` command line for its own usage errors.

use crate::validate::Rejection;

/// The result of anything that can fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure, told by code. [`Error::code`] is stable; the message is fixed per variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument that the caller (often a model) chose breaks a rule of [`crate::validate`].
    #[error("{}", .0.message())]
    Rejected(Rejection),
    /// There is no tool of that name.
    #[error("There is no tool of this name.")]
    UnknownTool,
    /// The text of a tool's arguments is no JSON, or too long; see [`crate::tools::MAX_ARGUMENTS_BYTES`].
    #[error("The arguments must be an object that JSON can hold, of at most 1 MiB.")]
    ArgumentsUnreadable,
    /// The arguments of a tool are no object.
    #[error("The arguments must be an object.")]
    ArgumentsNotObject,
    /// An argument that the tool does not have.
    #[error(
        "The tools have no other arguments than these: adr_check paths, base, dir; adr_explain path, dir; adr_lint dir."
    )]
    UnknownArgument,
    /// The corpus directory leads out of the session's directory through a symbolic link.
    #[error("The corpus directory leaves the session's directory through a symbolic link.")]
    SymlinkEscape,

    /// The executable does not exist.
    #[error("The command was not found.")]
    CommandNotFound,
    /// The executable exists but the system refuses to run it.
    #[error("The command is not executable.")]
    CommandNotExecutable,
    /// Arguments and environment exceed what the system takes on one command line.
    #[error("The command line is too long for this system.")]
    CommandTooLong,
    /// The working directory does not exist (any more) or is no directory.
    #[error("The working directory does not exist or is not a directory.")]
    WorkingDirectoryGone,
    /// The process or the system has no file descriptor left.
    #[error("Too many open files.")]
    TooManyOpenFiles,
    /// The process could not be started for another reason.
    #[error("The command could not be started.")]
    SpawnFailed,

    /// The call was aborted by its caller.
    #[error("The call was aborted.")]
    Aborted,
    /// The deadline passed.
    #[error("The call took too long and was ended.")]
    TimedOut,
    /// A command printed more than the limit.
    #[error("The command's output exceeded the limit and it was ended.")]
    OutputTooLarge,
    /// A command was ended by a signal that was not ours.
    #[error("The command was ended by a signal.")]
    KilledBySignal,

    /// The directory is not inside a git work tree (a bare repository is not one either).
    #[error("The directory is not inside a git work tree.")]
    NotWorkTree,
    /// Git refuses the repository because another user owns it (`safe.directory`).
    #[error("Git refuses this repository because it is owned by someone else (see safe.directory).")]
    GitUnsafeDirectory,
    /// Neither the given base nor HEAD could be compared with the work tree.
    #[error("Git cannot compare the work tree with the given base.")]
    BaseUndiffable,
    /// There is no usable git: not installed, or it does not start.
    #[error("Git is not available.")]
    GitUnavailable,
    /// Git started but failed in a way that has no code of its own.
    #[error("Git failed.")]
    GitFailed,

    /// `$ADRKIT_CLI` is set, and names nothing that can be run.
    #[error(
        "ADRKIT_CLI does not name a command that can be run. A relative path counts only with ADRKIT_ALLOW_REPO_CLI=1."
    )]
    CliUnresolved,
    /// There is no `adr` command: none is named, none is on `PATH`.
    #[error("There is no adr command: ADRKIT_CLI is not set, and PATH has none that may be run.")]
    CliNotFound,
    /// The `adr` command that was found is another program of that name.
    #[error("The adr command that was found is not adrkit's.")]
    CliForeign,
    /// The command can only be run by `cmd.exe`, which could expand an argument.
    #[error(
        "The adr command can only be run through cmd.exe here, and an argument has a character that it expands."
    )]
    ArgumentExpandable,
    /// The `adr` command's usage error (its exit code 2) in its own words.
    #[error("{message}")]
    Usage {
        /// What the command said, without stack lines, at most 2 KiB.
        message: String,
    },
    /// The command ended without a report.
    #[error("The adr command ended without a report.")]
    NoReport {
        /// Its exit code.
        exit_code: Option<i32>,
    },
    /// The corpus could not be read for a reason other than being absent (exit code 1 of the command).
    #[error("The corpus could not be read.")]
    CorpusUnreadable,

    /// The engine's name is none of `auto`, `cli`, `embedded`.
    #[error("The engine must be auto, cli or embedded.")]
    UnknownEngine,
    /// The engine that was asked for is not there.
    #[error("The engine that was asked for is not available.")]
    EngineUnavailable,

    /// A defect of this library; the panic is caught at the border.
    #[error("An internal error occurred.")]
    Internal,
}

impl Error {
    /// The stable code, in kebab case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rejected(r) => r.code(),
            Self::UnknownTool => "unknown-tool",
            Self::ArgumentsUnreadable => "arguments-unreadable",
            Self::ArgumentsNotObject => "arguments-not-object",
            Self::UnknownArgument => "unknown-argument",
            Self::SymlinkEscape => "symlink-escape",
            Self::CommandNotFound => "command-not-found",
            Self::CommandNotExecutable => "command-not-executable",
            Self::CommandTooLong => "command-too-long",
            Self::WorkingDirectoryGone => "working-directory-gone",
            Self::TooManyOpenFiles => "too-many-open-files",
            Self::SpawnFailed => "spawn-failed",
            Self::Aborted => "aborted",
            Self::TimedOut => "timed-out",
            Self::OutputTooLarge => "output-too-large",
            Self::KilledBySignal => "killed-by-signal",
            Self::NotWorkTree => "not-work-tree",
            Self::GitUnsafeDirectory => "git-unsafe-directory",
            Self::BaseUndiffable => "base-undiffable",
            Self::GitUnavailable => "git-unavailable",
            Self::GitFailed => "git-failed",
            Self::CliUnresolved => "cli-unresolved",
            Self::CliNotFound => "cli-not-found",
            Self::CliForeign => "cli-foreign",
            Self::ArgumentExpandable => "argument-expandable",
            Self::Usage { .. } => "usage-error",
            Self::NoReport { .. } => "no-report",
            Self::CorpusUnreadable => "corpus-unreadable",
            Self::UnknownEngine => "unknown-engine",
            Self::EngineUnavailable => "engine-unavailable",
            Self::Internal => "internal",
        }
    }
}

impl From<Rejection> for Error {
    fn from(r: Rejection) -> Self {
        Self::Rejected(r)
    }
}
