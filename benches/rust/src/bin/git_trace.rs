//! Stands in for git and writes down what it was asked: command line, environment, begin and end.
//!
//! `BENCH_GIT` is the git that answers, `BENCH_TRACE` the directory that gets a file for each call. A call whose command
//! line contains `BENCH_HOLD` goes on for `BENCH_HOLD_MS` after its answer: whatever begins meanwhile did not wait for it.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, id};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

fn main() -> io::Result<ExitCode> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (ours, env): (Vec<_>, Vec<_>) = env::vars().partition(|(name, _)| name.starts_with("BENCH_"));
    let setting =
        |wanted: &str| ours.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let (Some(git), Some(trace)) = (setting("BENCH_GIT"), setting("BENCH_TRACE")) else {
        return Err(io::Error::other("BENCH_GIT and BENCH_TRACE are needed"));
    };
    let begin = since_epoch();
    let mut command = Command::new(git);
    command.args(&args);
    for (name, _) in &ours {
        command.env_remove(name);
    }
    let status = command.status()?;
    if setting("BENCH_HOLD").is_some_and(|hold| args.join(" ").contains(hold)) {
        let hold = setting("BENCH_HOLD_MS").and_then(|ms| ms.parse().ok()).unwrap_or_default();
        thread::sleep(Duration::from_millis(hold));
    }
    let call = json!({
        "args": args,
        "cwd": env::current_dir()?,
        "env": env.into_iter().collect::<BTreeMap<_, _>>(),
        "begin": begin,
        "end": since_epoch(),
    });
    std::fs::write(Path::new(trace).join(format!("{}.json", id())), call.to_string())?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)))
}

/// In microseconds.
fn since_epoch() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX)
}
