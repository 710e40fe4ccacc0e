//! The texts of `--help`.

/// The text for the command as a whole.
pub const GENERAL: &str = "\
Tells which architecture decision records (ADRs) govern a file.

Usage: adr-native <command> [arguments]

Commands:
  report [PATH]    Decisions that govern what has changed in a work tree
  check [FILE...]  Decisions that govern the given files
  explain FILE     Decisions that govern one file, and why
  lint [PATH...]   Errors and warnings in the records themselves
  queue            Proposed records that wait for a decision
  help [COMMAND]   This text, or the text of one command

Options:
  -h, --help       Help for the command before it
  -V, --version    The version

Exit codes: 0 fine, 1 something was found, 2 usage error or no corpus.
";

const REPORT: &str = "\
Reports the decisions that govern what has changed in a git work tree: committed since the base, changed and not
committed, and untracked.

Usage: adr-native report [PATH] [options]

  PATH                       A directory in the work tree (default: the working directory)

Options:
  --base REV                 Compare with the merge base of this revision and HEAD (default: origin/main)
  --dir DIR                  Directory of the records (default: $ADRKIT_DIR, else docs/adr), relative to PATH,
                             or to the root of the work tree where PATH has none
  --all                      Also show the map: each decision and how many tracked files it governs, and the
                             files that none governs. It is shown anyway where nothing has changed
  --json                     Print the report as JSON
  --color auto|always|never  When to use colours (default: auto, that is on a terminal)
";

const CHECK: &str = "\
Lists the decisions that govern the given files, and errors in records among them. The files need not exist.

Usage: adr-native check [options] [--] [FILE...]

Options:
  --dir DIR  Directory of the records (default: docs/adr)
  --json     Print the report as JSON

Exit codes: 0 fine, 1 an error in a changed record, 2 usage error or no corpus.
";

const EXPLAIN: &str = "\
Lists the decisions that govern one file, with the patterns and markers that made them apply.

Usage: adr-native explain [options] [--] FILE

Options:
  --dir DIR  Directory of the records (default: docs/adr)
  --json     Print the report as JSON

Exit codes: 0 fine, 1 an error in any record, 2 usage error or no corpus.
";

const LINT: &str = "\
Checks the records themselves: front matter, fields, references. Given paths, only the records there.

Usage: adr-native lint [options] [--] [PATH...]

Options:
  --dir DIR  Directory of the records (default: docs/adr)
  --json     Print the report as JSON

Exit codes: 0 no error (warnings are none), 1 an error, 2 usage error or no corpus.
";

/// The text for `queue`, which looks for `--help` itself.
pub const QUEUE: &str = "\
Lists proposed records that wait for a decision, with deadlines as of a day.

Usage: adr-native queue [options]

Options:
  --dir DIR               Directory of the records (default: docs/adr)
  --as-of DATE            A date (2026-05-10) or a time with its zone (2026-05-10T09:00Z) (default: today, in UTC)
  --format markdown|json  The form of the report (default: markdown)

Exit codes: 0 fine, 1 a record cannot be read as one, 2 usage error or no corpus.
";

const NOT_PROVIDED: &str = "\
This command belongs to the adr command line and is not part of adr-native, which only reads.
";

/// The text for `command`; none where there is no such command, here or in `adr`.
pub fn of(command: &str) -> Option<&'static str> {
    Some(match command {
        "report" => REPORT,
        "check" => CHECK,
        "explain" => EXPLAIN,
        "lint" => LINT,
        "queue" => QUEUE,
        "new" | "migrate" | "graph" | "evaluate" => NOT_PROVIDED,
        _ => return None,
    })
}
