//! The command line: what was asked for, told from the arguments alone.
//!
//! The commands that `adr` has too keep its grammar, its oddities included, so that either can stand in for the other.

mod options;

use self::options::{Options, Spec, read};
use crate::help;

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Print the text on stdout; exit code 0.
    Help {
        /// The text, with its last line break.
        text: &'static str,
    },
    /// Print the version on stdout; exit code 0.
    Version,
    /// Check the records themselves.
    Lint {
        /// As JSON.
        json: bool,
        /// `--dir`, where it was given. With paths it is looked at only then.
        dir: Option<String>,
        /// Records or directories of records; none stands for the whole corpus.
        paths: Vec<String>,
    },
    /// Which decisions govern these files.
    Check {
        /// As JSON.
        json: bool,
        /// `--dir`, where it was given.
        dir: Option<String>,
        /// The files, perhaps none.
        paths: Vec<String>,
    },
    /// Which decisions govern this file, and why.
    Explain {
        /// As JSON.
        json: bool,
        /// `--dir`, where it was given.
        dir: Option<String>,
        /// The file; not empty.
        path: String,
    },
    /// Which proposals wait for a decision.
    Queue {
        /// `--dir`, where it was given.
        dir: Option<String>,
        /// The form of the report.
        format: Format,
        /// `--as-of` as it was given; whether it is a date is not judged here.
        as_of: Option<String>,
    },
    /// Which decisions govern what has changed in a work tree.
    Report {
        /// A directory in the work tree; none stands for the working directory.
        path: Option<String>,
        /// `--base`, where it was given.
        base: Option<String>,
        /// `--dir`, where it was given.
        dir: Option<String>,
        /// As JSON.
        json: bool,
        /// The map of all tracked files too.
        all: bool,
        /// When to use colours.
        color: Color,
    },
    /// Print the message and perhaps [`help::GENERAL`] on stderr, nothing on stdout; exit code 2.
    Usage {
        /// One line without its line break; empty where no argument was given at all.
        message: String,
        /// Whether the general text follows.
        with_general_usage: bool,
    },
}

/// The form of the queue report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tables for people.
    Markdown,
    /// JSON.
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands that are provided, in the order in which `adr` names its own.
const PROVIDED: &str = "lint, explain, check, queue, report";

const COMMON: Spec = Spec { flags: &["json"], values: &["dir"] };
const REPORT: Spec = Spec { flags: &["json", "all"], values: &["base", "dir", "color"] };

/// Longest piece of an argument that a message repeats, in characters.
const MAX_QUOTED: usize = 80;

/// Reads the arguments after the program's name.
pub fn parse(args: &[String]) -> Command {
    let Some((command, rest)) = args.split_first() else { return usage(String::new()) };
    match command.as_str() {
        "help" | "--help" | "-h" => return help_for(rest),
        "--version" | "-V" => return Command::Version,
        "queue" => return queue(rest),
        _ => {}
    }
    let Some(text) = help::of(command) else { return unknown_command(command) };
    // Anywhere: after `--` and as the value of an option too, as in `adr`.
    if rest.iter().any(|a| is_help(a)) {
        return Command::Help { text };
    }
    let parsed = match command.as_str() {
        "lint" => read(&COMMON, rest).map(|o| Command::Lint {
            json: o.has("json"),
            dir: o.last("dir"),
            paths: o.positionals,
        }),
        "check" => read(&COMMON, rest).map(|o| Command::Check {
            json: o.has("json"),
            dir: o.last("dir"),
            paths: o.positionals,
        }),
        "explain" => read(&COMMON, rest).and_then(explain),
        "report" => read(&REPORT, rest).and_then(report),
        _ => Err(format!("The command {command} is not part of adr-native. Use adr for it.")),
    };
    parsed.unwrap_or_else(usage)
}

fn help_for(rest: &[String]) -> Command {
    match rest.iter().find(|a| !a.starts_with('-')) {
        None => Command::Help { text: help::GENERAL },
        Some(command) => {
            help::of(command).map_or_else(|| unknown_command(command), |text| Command::Help { text })
        }
    }
}

fn explain(mut options: Options) -> Result<Command, String> {
    match (options.positionals.pop(), options.positionals.is_empty()) {
        (Some(path), true) if !path.is_empty() => {
            Ok(Command::Explain { json: options.has("json"), dir: options.last("dir"), path })
        }
        _ => Err("The command explain takes exactly one path.".to_owned()),
    }
}

fn report(mut options: Options) -> Result<Command, String> {
    let path = options.positionals.pop();
    if path.as_ref().is_some_and(String::is_empty) || !options.positionals.is_empty() {
        return Err("The command report takes at most one path.".to_owned());
    }
    let color = match options.last("color").as_deref() {
        None | Some("auto") => Color::Auto,
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        Some(_) => return Err("The option --color is one of auto, always and never.".to_owned()),
    };
    Ok(Command::Report {
        path,
        base: options.last("base"),
        dir: options.last("dir"),
        json: options.has("json"),
        all: options.has("all"),
        color,
    })
}

/// `queue` reads its options by rules of its own: no positionals, and no value that begins with a dash.
fn queue(args: &[String]) -> Command {
    let refuse = |message: String| Command::Usage { message, with_general_usage: false };
    let (mut help, mut dir, mut as_of, mut format) = (false, None, None, None);
    let mut rest = args.iter().peekable();
    while let Some(arg) = rest.next() {
        let (name, inline) = match arg.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (arg.as_str(), None),
        };
        let option = match name {
            "--help" | "-h" => {
                help = true;
                continue;
            }
            "--dir" => &mut dir,
            "--as-of" => &mut as_of,
            "--format" => &mut format,
            _ => return refuse(format!("Unknown flag {} of the command queue.", quote(arg))),
        };
        let value = inline.or_else(|| rest.next_if(|next| !next.starts_with('-')).map(String::as_str));
        let Some(value) = value else { return refuse(format!("The flag {name} needs a value.")) };
        *option = Some(value.to_owned());
    }
    if help {
        return Command::Help { text: help::QUEUE };
    }
    let format = match format.as_deref() {
        None | Some("markdown") => Format::Markdown,
        Some("json") => Format::Json,
        Some(_) => return refuse("The flag --format is one of markdown and json.".to_owned()),
    };
    Command::Queue { dir, format, as_of }
}

fn is_help(arg: &str) -> bool {
    matches!(arg, "--help" | "-h")
}

fn unknown_command(command: &str) -> Command {
    usage(format!("Unknown command {}. The commands are {PROVIDED}.", quote(command)))
}

fn usage(message: String) -> Command {
    Command::Usage { message, with_general_usage: true }
}

/// An argument in quotes, cut short and with its control characters escaped: it may hold anything, and the message
/// goes to a terminal.
fn quote(arg: &str) -> String {
    let cut: String = arg.chars().take(MAX_QUOTED).collect();
    let more = if cut.len() < arg.len() { "…" } else { "" };
    format!("'{}{more}'", cut.escape_debug())
}

#[cfg(test)]
mod tests;
