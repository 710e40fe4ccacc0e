//! What a process gets to see of its command line and its environment.

use std::ffi::OsString;
use std::fs;

use adrkit_native::error::Error;
use adrkit_native::process::{Cancel, Command, run};

use crate::support::{block_on, command, finish, helper, text};

/// What `CreateProcessW` takes, in UTF-16 units, less the final NUL.
const LONGEST_LINE: usize = 32_766;

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn words_arrive_as_they_were_given() {
    let words =
        ["a b", "", "\"q\"", r"c:\d e\", r"\\s\x", "ünï 日本", "%PATH%", "a&b|c", "'", "-x", "*.ts", "a\tb"];
    let out = finish(command(helper(), &words));
    assert_eq!(text(&out.stdout).split('\n').collect::<Vec<_>>(), words);
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn the_longest_line_is_the_systems() {
    // Quotes around the program, and a space before each word.
    let fixed = helper().as_os_str().len() + 2 + " line ".len();
    let fits = "x".repeat(LONGEST_LINE - fixed);
    let out = finish(command(helper(), &["line", &fits]));
    assert_eq!(text(&out.stdout), LONGEST_LINE.to_string());
    let over = command(helper(), &["line", &(fits + "x")]);
    assert_eq!(block_on(run(over, Cancel::new())).unwrap_err(), Error::CommandTooLong);
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn the_environment_lies_in_the_systems_order() {
    let given = [("b", "1"), ("_A", "2"), ("Z", "3"), ("a", "4"), ("A_", "5"), ("É", "6"), ("=Q:", r"Q:\")];
    let root = ("SystemRoot".into(), std::env::var_os("SystemRoot").unwrap());
    let env: Vec<(OsString, OsString)> =
        given.map(|(name, value)| (name.into(), value.into())).into_iter().chain([root]).collect();
    let out = finish(Command { env, ..command(helper(), &["environment"]) });
    let names: Vec<String> = text(&out.stdout)
        .lines()
        // A first `=` belongs to the name.
        .filter_map(|line| Some(line[..line.match_indices('=').find(|(at, _)| *at > 0)?.0].to_owned()))
        .filter(|name| given.iter().any(|(mine, _)| mine == name))
        .collect();
    assert_eq!(names, ["=Q:", "a", "A_", "b", "Z", "_A", "É"]);
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn a_bare_name_is_never_found_in_the_working_directory() {
    // Below the working directory of this process too.
    let dir = tempfile::tempdir_in(".").unwrap();
    let drive = std::env::current_dir().unwrap().to_str().unwrap()[..2].to_owned();
    let relative = format!(r"{}\here", dir.path().file_name().unwrap().to_str().unwrap());
    let (here, on_path) = (dir.path().join("here"), dir.path().join("on path"));
    for at in [&here, &on_path] {
        fs::create_dir(at).unwrap();
        fs::copy(helper(), at.join("adrkit-tool.exe")).unwrap();
    }
    let looked_up_on = |path: &str| {
        let mut command = Command { cwd: here.clone(), ..command("adrkit-tool".into(), &["found"]) };
        command.env.retain(|(name, _)| !name.eq_ignore_ascii_case("PATH"));
        command.env.push(("Path".into(), path.into()));
        block_on(run(command, Cancel::new()))
    };
    let of_drive = format!("{drive}{relative}");
    for none in ["", ".", r".\", r"..\here", "here", r"\", "C:", &drive, &of_drive, &relative] {
        assert_eq!(looked_up_on(none).unwrap_err(), Error::CommandNotFound, "{none}");
    }
    let list = format!(".;;\"{}\"", std::path::absolute(&on_path).unwrap().display());
    assert_eq!(text(&looked_up_on(&list).unwrap().stdout), "found");
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn a_path_with_a_drive_and_no_root_is_nowhere() {
    // Below the working directory of this process, which is where such a path would lead.
    let dir = tempfile::tempdir_in(".").unwrap();
    fs::copy(helper(), dir.path().join("adrkit-tool.exe")).unwrap();
    let drive = std::env::current_dir().unwrap().to_str().unwrap()[..2].to_owned();
    let relative = format!(r"{}\adrkit-tool.exe", dir.path().file_name().unwrap().to_str().unwrap());
    let started = |program: &str| {
        let cwd = std::env::current_dir().unwrap();
        block_on(run(Command { cwd, ..command(program.into(), &["found"]) }, Cancel::new()))
    };
    assert_eq!(started(&format!("{drive}{relative}")).unwrap_err(), Error::CommandNotFound);
    for from_the_childs in [relative.clone(), format!(r".\{relative}")] {
        assert_eq!(text(&started(&from_the_childs).unwrap().stdout), "found", "{from_the_childs}");
    }
}
