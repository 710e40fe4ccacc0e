//! Long options and positionals, read as Node's `util.parseArgs` reads them when it is strict.

use super::quote;

/// The options that a command knows, without their dashes. It knows no short ones.
pub struct Spec {
    /// Options without a value.
    pub flags: &'static [&'static str],
    /// Options with a value.
    pub values: &'static [&'static str],
}

/// What was given.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    flags: Vec<&'static str>,
    values: Vec<(&'static str, String)>,
    /// What is neither an option nor the value of one, in the order given.
    pub positionals: Vec<String>,
}

impl Options {
    /// Whether the flag was given, once or more.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// The value that was given last.
    pub fn last(&self, name: &str) -> Option<String> {
        self.values.iter().rev().find(|(n, _)| *n == name).map(|(_, v)| v.clone())
    }
}

/// Reads `args`. Options may stand anywhere before `--`; a lone `-` is a positional.
///
/// # Errors
/// A sentence for the person: an unknown option, a value too many or too few.
pub fn read(spec: &Spec, args: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            options.positionals.extend(rest.by_ref().cloned());
        } else if let Some(body) = arg.strip_prefix("--") {
            let (name, inline) = match body.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (body, None),
            };
            if let Some(flag) = find(spec.flags, name) {
                if inline.is_some() {
                    return Err(format!("The option --{flag} takes no value."));
                }
                options.flags.push(flag);
            } else if let Some(option) = find(spec.values, name) {
                let value = match inline {
                    Some(value) => value.to_owned(),
                    None => following(option, rest.next())?,
                };
                options.values.push((option, value));
            } else {
                return Err(unknown(arg));
            }
        } else if arg.len() > 1 && arg.starts_with('-') {
            return Err(unknown(arg));
        } else {
            options.positionals.push(arg.clone());
        }
    }
    Ok(options)
}

fn find(names: &'static [&'static str], name: &str) -> Option<&'static str> {
    names.iter().find(|n| **n == name).copied()
}

/// The next argument as the value of `option`. One that looks like an option is more likely a forgotten value.
fn following(option: &str, next: Option<&String>) -> Result<String, String> {
    match next {
        None => Err(format!("The option --{option} needs a value.")),
        Some(v) if v.len() > 1 && v.starts_with('-') => Err(format!(
            "The option --{option} needs a value; for one that begins with a dash write --{option}=VALUE."
        )),
        Some(v) => Ok(v.clone()),
    }
}

fn unknown(arg: &str) -> String {
    format!("Unknown option {}. A path that begins with a dash goes after --.", quote(arg))
}
