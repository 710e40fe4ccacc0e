//! `adr-native report`: which decisions govern what has changed in a repository.

mod gather;
mod table;

use adrkit_native::engine::DEFAULT_DIR;
use adrkit_native::error::{Error, Result};

use self::gather::{Question, Report};
use self::table::Paint;

/// The options of the command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) path: Option<String>,
    pub(crate) base: Option<String>,
    pub(crate) dir: Option<String>,
    pub(crate) json: bool,
    pub(crate) all: bool,
}

/// The text that goes to stdout. The error is a sentence for people.
pub(crate) fn run(options: &Options, colour: bool) -> std::result::Result<String, String> {
    let shown = options.path.as_deref().unwrap_or(".");
    let start = gather::start_directory(options.path.as_deref())
        .ok_or_else(|| format!("There is no directory '{shown}'."))?;
    let dir = options.dir.clone().or_else(environment_dir).unwrap_or_else(|| DEFAULT_DIR.to_owned());
    let question = Question { start, base: options.base.clone(), dir, all: options.all };
    let report = gather_blocking(&question).map_err(|e| sentence(&e, shown))?;
    if options.json {
        return serde_json::to_string_pretty(&report)
            .map(|s| s + "\n")
            .map_err(|_| Error::Internal.to_string());
    }
    Ok(table::render(&report, Paint { colour }))
}

/// `$ADRKIT_DIR`, as the tools of the extension read it.
fn environment_dir() -> Option<String> {
    std::env::var("ADRKIT_DIR").ok().filter(|d| !d.is_empty())
}

fn gather_blocking(question: &Question) -> Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.map_err(|_| Error::Internal)?.block_on(gather::gather(question))
}

fn sentence(error: &Error, shown: &str) -> String {
    match error {
        Error::NotWorkTree => format!("'{shown}' is not inside a git work tree."),
        Error::GitUnavailable => "git was not found on PATH, or does not start.".to_owned(),
        other => other.to_string(),
    }
}
