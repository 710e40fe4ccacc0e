//! `adr-native`: the read-only commands of `adr` over the embedded engine, and a report of its own.

mod grammar;
mod help;
mod report;
mod text;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use adrkit_native::corpus;
use adrkit_native::engine::{self, DEFAULT_DIR};
use adrkit_native::error::Error;
use camino::Utf8PathBuf;
use serde::Serialize;

use grammar::{Color, Command, Format};

/// The exit code where the question, not the answer, is at fault.
const USAGE_EXIT_CODE: u8 = 2;

/// What a run leaves behind.
#[derive(Debug, Default)]
struct Done {
    code: u8,
    stdout: String,
    stderr: String,
}

fn main() -> ExitCode {
    adrkit_native::logging::init();
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let done = run(grammar::parse(&args));
    // A reader that has gone away is no reason to complain.
    let _ = io::stdout().lock().write_all(done.stdout.as_bytes());
    let _ = io::stderr().lock().write_all(done.stderr.as_bytes());
    ExitCode::from(done.code)
}

fn run(command: Command) -> Done {
    match command {
        Command::Help { text } => printed(text.to_owned()),
        Command::Version => printed(format!("{}\n", env!("CARGO_PKG_VERSION"))),
        Command::Usage { message, with_general_usage } => {
            let parts = [message.as_str(), if with_general_usage { help::GENERAL } else { "" }];
            let parts: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
            Done { code: USAGE_EXIT_CODE, stderr: parts.join("\n\n") + "\n", ..Done::default() }
        }
        Command::Report { path, base, dir, json, all, color } => {
            let colour = match color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            };
            match report::run(&report::Options { path, base, dir, json, all }, colour) {
                Ok(text) => printed(text),
                Err(sentence) => Done { code: USAGE_EXIT_CODE, stderr: sentence + "\n", ..Done::default() },
            }
        }
        other => working_directory().and_then(|root| ask(&root, other)).unwrap_or_else(|e| failed(&e)),
    }
}

/// Asks the engine.
fn ask(root: &Utf8PathBuf, command: Command) -> Result<Done, Error> {
    let default = || DEFAULT_DIR.to_owned();
    Ok(match command {
        Command::Check { json, dir, paths } => {
            let (code, report) = corpus::check(root, &dir.unwrap_or_else(default), &paths)?;
            let stdout = if json { pretty(&report) } else { text::check(&report) };
            Done { code, stdout, ..Done::default() }
        }
        Command::Explain { json, dir, path } => {
            let (code, report) = corpus::explain(root, &dir.unwrap_or_else(default), &path)?;
            if json {
                return Ok(Done { code, stdout: pretty(&report), ..Done::default() });
            }
            let broken = code != 0;
            let stderr = if broken { text::findings_by_path(&report.findings) } else { String::new() };
            Done { code, stdout: text::explain(&report, broken), stderr }
        }
        Command::Lint { json, dir, paths } => {
            let (code, report) = if paths.is_empty() {
                corpus::lint(root, &dir.unwrap_or_else(default))?
            } else {
                corpus::lint_paths(root, dir.as_deref(), &paths)?
            };
            if json {
                return Ok(Done { code, stdout: pretty(&report), ..Done::default() });
            }
            let stderr = text::findings_by_path(&report.findings);
            Done { code, stdout: text::lint_summary(report.checked, &report.findings), stderr }
        }
        Command::Queue { dir, format, as_of } => {
            queue(root, &dir.unwrap_or_else(default), format, as_of.as_deref())?
        }
        _ => Done::default(),
    })
}

fn queue(root: &Utf8PathBuf, dir: &str, format: Format, as_of: Option<&str>) -> Result<Done, Error> {
    let as_of = as_of.map_or_else(engine::today, str::to_owned);
    let (code, report) = corpus::queue(root, dir, &as_of)?;
    let stdout = match format {
        Format::Json => pretty(&report),
        Format::Markdown => corpus::queue_markdown(&report),
    };
    Ok(Done { code, stdout, ..Done::default() })
}

fn printed(stdout: String) -> Done {
    Done { stdout, ..Done::default() }
}

fn failed(error: &Error) -> Done {
    let code = if matches!(error, Error::Usage { .. }) { USAGE_EXIT_CODE } else { 1 };
    Done { code, stderr: format!("{error}\n"), ..Done::default() }
}

fn working_directory() -> Result<Utf8PathBuf, Error> {
    let here = std::env::current_dir().map_err(|_| Error::WorkingDirectoryGone)?;
    Utf8PathBuf::try_from(here).map_err(|_| Error::WorkingDirectoryGone)
}

fn pretty(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}
