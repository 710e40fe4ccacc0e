//! Which `adr` and which `git` are run, and how.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adrkit_native::cli::{CliSource, Launch, resolve};
use adrkit_native::engine::{self, Ask, EngineChoice, EngineName};
use adrkit_native::error::Error;
use adrkit_native::git;
use adrkit_native::process::lookup::find_executable;
use adrkit_native::process::{Cancel, Owner};
use camino::Utf8PathBuf;
use tempfile::TempDir;

use crate::support::{block_on, helper, system};

/// What npm puts beside a command of a package, word for word.
const SHIM: &str = "@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\n\
    CALL :find_dp0\r\n\r\nIF EXIST \"%dp0%\\node.exe\" (\r\n  SET \"_prog=%dp0%\\node.exe\"\r\n) ELSE (\r\n  \
    SET \"_prog=node\"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || \
    title %COMSPEC% & \"%_prog%\"  \"%dp0%\\node_modules\\@adrkit\\cli\\dist\\index.js\" %*\r\n";

const SCRIPT: &str = r"node_modules\@adrkit\cli\dist\index.js";

/// A command that answers a lint with the number of its arguments.
const ADR: &str = "const args = process.argv.slice(2);\n\
    process.stdout.write(JSON.stringify({ checked: args.length, findings: [] }));\n";

/// A work tree `tree` beside a directory `bin`.
struct World {
    dir: TempDir,
    env: Vec<(OsString, OsString)>,
}

impl World {
    fn new(path: &[PathBuf]) -> Self {
        let dir = tempfile::Builder::new().prefix("Adr Cli ").tempdir().unwrap();
        for made in ["tree/.git", "tree/docs/adr", "tree/bin", "bin"] {
            fs::create_dir_all(dir.path().join(made)).unwrap();
        }
        let mut world = Self { dir, env: Vec::new() };
        world.set_path(path);
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name.replace('/', r"\"))
    }

    fn set_path(&mut self, path: &[PathBuf]) {
        let system = std::env::var_os("SystemRoot").unwrap();
        // Windows spells it so.
        let path = std::env::join_paths(path).unwrap();
        self.env = vec![("SystemRoot".into(), system), ("Path".into(), path)];
    }

    fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.env.push((name.into(), value.into()));
    }

    fn resolved(&self) -> Result<Option<(CliSource, PathBuf, Launch)>, Error> {
        let tree = self.at("tree");
        Ok(resolve(&tree, Some(&tree), &self.env)?.map(|cli| (cli.source, cli.path, cli.launch)))
    }

    fn lint(&self) -> Result<usize, Error> {
        let ask = Ask {
            cwd: Utf8PathBuf::try_from(self.at("tree")).unwrap(),
            dir: None,
            engine: EngineChoice::Cli,
            deadline: Duration::from_secs(60),
            env: self.env.clone(),
            owner: Owner::default(),
        };
        let answer = block_on(engine::lint(&ask, &Cancel::new()))?;
        assert_eq!(answer.engine, EngineName::Cli);
        Ok(answer.report.checked)
    }
}

fn write(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    path.to_owned()
}

/// The person's node, which everyone has who runs the Node tests.
fn node() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    find_executable("node".as_ref(), &path, Some(".EXE".as_ref()), |_| false).expect("node on PATH")
}

#[test]
#[ignore = "needs node on PATH"]
fn the_script_of_a_shim_is_run_with_node() {
    let mut world = World::new(&[]);
    world.set_path(&[world.at("bin"), node().parent().unwrap().to_owned()]);
    let shim = write(&world.at("bin/adr.cmd"), SHIM);
    let script = write(&world.at("bin").join(SCRIPT), ADR);
    let (source, path, launch) = world.resolved().unwrap().unwrap();
    assert_eq!(source, CliSource::Path);
    assert!(path.as_os_str().eq_ignore_ascii_case(&shim), "{path:?}");
    let Launch::Node { node: chosen, script: read } = launch else { panic!("{launch:?}") };
    assert_eq!(chosen.parent(), node().parent());
    assert_eq!(read.canonicalize().unwrap(), script.canonicalize().unwrap());
    // lint --json --dir docs/adr
    assert_eq!(world.lint(), Ok(4));
}

#[test]
fn a_batch_file_that_is_no_shim_gets_plain_arguments_only() {
    let mut world = World::new(&[]);
    world.set_path(&[world.at("bin")]);
    write(&world.at("bin/adr.bat"), "@echo {\"checked\": 9, \"findings\": []}\r\n");
    let launch = Launch::CommandShell { shell: system("cmd.exe") };
    assert_eq!(world.resolved().unwrap().unwrap().2, launch);
    assert_eq!(world.lint(), Ok(9));
}

#[test]
fn pathext_says_which_comes_first() {
    let mut world = World::new(&[]);
    world.set_path(&[world.at("bin")]);
    for name in ["adr", "adr.bat", "adr.com", "adr.exe", "adr.ps1", "adr.txt"] {
        write(&world.at("bin").join(name), "");
    }
    let name = |world: &World| {
        let name = world.resolved().unwrap().map(|cli| cli.1.file_name().unwrap().to_owned());
        name.map(|name| name.to_str().unwrap().to_ascii_lowercase())
    };
    assert_eq!(name(&world).as_deref(), Some("adr.com"));
    for (list, want) in [(".EXE;.COM", "adr.exe"), (".bat;.exe", "adr.bat"), (".CMD", ""), ("", "adr.com")] {
        world.set("pathext", list);
        assert_eq!(name(&world).unwrap_or_default(), want, "{list:?}");
    }
}

#[test]
fn what_lies_in_the_work_tree_is_the_repositorys_in_any_spelling() {
    let mut world = World::new(&[]);
    for at in ["bin/adr.exe", "tree/bin/adr.exe", "tree/adr.exe"] {
        write(&world.at(at), "");
    }
    let tree = world.at("tree/bin").into_os_string().into_string().unwrap();
    let rest = &tree[2..];
    for skipped in [
        tree.clone(),
        tree.to_uppercase(),
        tree.to_lowercase().replace('\\', "/"),
        format!(r"\\?\{tree}"),
        format!(r"{tree}\..\BIN"),
        format!("{}{rest}", &tree[..2].to_lowercase()),
        // As seen from the drive one is on, and from where one is on it.
        rest.to_owned(),
        format!("{}bin", &tree[..2]),
        ".".to_owned(),
        String::new(),
        "bin".to_owned(),
    ] {
        world.set_path(&[PathBuf::from(&skipped)]);
        assert_eq!(world.resolved(), Ok(None), "{skipped}");
        world.set_path(&[PathBuf::from(&skipped), world.at("bin")]);
        let found = world.resolved().unwrap().unwrap().1;
        assert_eq!(found.parent(), Some(&*world.at("bin")), "{skipped}");
    }
}

#[test]
fn what_a_person_names_is_found_with_its_extension_or_not_at_all() {
    let mut world = World::new(&[]);
    write(&world.at("bin/mine.exe"), "");
    write(&world.at("tree/mine.exe"), "");
    world.set_path(&[world.at("bin")]);
    for (value, found) in [
        (world.at("bin/mine.exe").into_os_string(), true),
        (world.at("bin/MINE").into_os_string(), true),
        ("mine".into(), true),
        ("other".into(), false),
        (r".\mine".into(), false),
        ("C:mine".into(), false),
        ("NUL".into(), false),
        (r"\\.\NUL".into(), false),
    ] {
        let mut env = world.env.clone();
        env.push(("ADRKIT_CLI".into(), value.clone()));
        let resolved = resolve(&world.at("tree"), Some(&world.at("tree")), &env);
        let source = resolved.map(|cli| cli.map(|cli| cli.source));
        assert_eq!(
            source,
            if found { Ok(Some(CliSource::Env)) } else { Err(Error::CliUnresolved) },
            "{value:?}"
        );
    }
}

#[test]
#[ignore = "needs the helper that `npm run check:platforms -- windows` compiles"]
fn git_is_an_exe_outside_the_work_tree() {
    let mut world = World::new(&[]);
    for at in ["tree/bin/git.exe", "tree/git.exe", "bin/git.exe"] {
        fs::copy(helper(), world.at(at)).unwrap();
    }
    write(&world.at("tree/git.cmd"), "");
    let ask = |world: &World| {
        let cwd = Utf8PathBuf::try_from(world.at("tree")).unwrap();
        let options = git::Options::new(world.env.clone());
        block_on(git::changed_files(&cwd, None, &options, &Cancel::new())).map(|_| ()).unwrap_err()
    };
    for skipped in [world.at("tree/bin"), PathBuf::from("."), world.at("TREE/BIN")] {
        world.set_path(&[skipped]);
        assert_eq!(ask(&world), Error::GitUnavailable);
    }
    // The helper is no git, but it is what is run.
    world.set_path(&[world.at("tree/bin"), world.at("bin")]);
    assert_ne!(ask(&world), Error::GitUnavailable);
}
