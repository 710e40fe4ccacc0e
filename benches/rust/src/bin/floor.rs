//! The least that a process call costs: `std::process::Command` with both outputs captured, in a small process.
//!
//! Each line on stdin is a call as JSON, `{ "program", "args", "cwd", "env" }`. It is run to its end, and answered by a
//! line on stdout: `{ "ns", "code", "bytes" }`, with the time from before the start to after the reap.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Call {
    program: PathBuf,
    args: Vec<String>,
    cwd: PathBuf,
    env: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Cost {
    ns: u128,
    /// None after a signal.
    code: Option<i32>,
    bytes: usize,
}

fn main() -> io::Result<()> {
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let cost = measure(serde_json::from_str(&line?)?)?;
        serde_json::to_writer(&mut answers, &cost)?;
        writeln!(answers)?;
        answers.flush()?;
    }
    Ok(())
}

fn measure(call: Call) -> io::Result<Cost> {
    let mut command = Command::new(call.program);
    command.args(call.args).current_dir(call.cwd).env_clear().envs(call.env).stdin(Stdio::null());
    let begin = Instant::now();
    let output = command.output()?;
    let ns = begin.elapsed().as_nanos();
    Ok(Cost { ns, code: output.status.code(), bytes: output.stdout.len() + output.stderr.len() })
}
