//! Repositories that name programs of their own, and programs that tell whether they ran.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, SystemTime};

use camino::Utf8PathBuf;

use crate::support::{Repo, Scratch, write_executable};

/// A program that leaves a file behind, named by its first argument. As a filter it changes nothing.
pub struct Canary {
    pub program: Utf8PathBuf,
    perch: Utf8PathBuf,
}

const FILTER: &str = "case $1 in clean|smudge|nameless|branch) exec cat;; esac";

/// Where git takes a program from the configuration: section, key, and under which name the canary is called.
const PROGRAMS: [(&str, &str, &str); 27] = [
    ("core", "fsmonitor", "fsmonitor"),
    ("core", "pager", "pager"),
    ("core", "editor", "editor"),
    ("core", "askPass", "askpass"),
    ("core", "sshCommand", "ssh"),
    ("core", "gitProxy", "proxy"),
    ("core", "virtualFilesystem", "vfs"),
    ("core", "alternateRefsCommand", "alternate-refs"),
    ("credential", "helper", "credential"),
    ("gpg", "program", "gpg"),
    ("sequence", "editor", "editor"),
    ("interactive", "diffFilter", "diff-filter"),
    ("pager", "status", "pager"),
    ("pager", "diff", "pager"),
    ("pager", "config", "pager"),
    ("alias", "status", "alias"),
    ("alias", "diff", "alias"),
    ("remote \"origin\"", "uploadpack", "uploadpack"),
    ("submodule \"sub\"", "update", "update"),
    ("trace2", "eventTarget", "trace"),
    ("diff", "external", "external"),
    ("DIFF \"driven\"", "Command", "diff-command"),
    ("diff \"text\"", "textconv", "textconv"),
    ("Filter \"Evil.One\"", "Clean", "clean"),
    ("filter \"Evil.One\"", "smudge", "smudge"),
    // `filter=` with nothing after it in the attributes names the driver without a name.
    ("filter \"\"", "clean", "nameless"),
    ("filter \"Evil.One\"", "required", ""),
];

pub const ATTRIBUTES: &str = "*.clean filter=Evil.One\n*.process filter=streaming\n*.nameless filter=\n\
    *.branch filter=branch\n*.diff diff=driven\n*.text diff=text\n";

impl Canary {
    pub fn new(scratch: &Scratch, name: &str) -> Self {
        let (program, perch) =
            (scratch.path(&format!("{name}-canary")), scratch.path(&format!("{name}-perch")));
        fs::create_dir(&perch).unwrap();
        write_executable(&program, &format!("#!/bin/sh\n: > '{perch}/'\"$1\"\n{FILTER}"));
        let canary = Self { program, perch };
        for hook in ["post-index-change", "post-checkout", "reference-transaction", "pre-commit"] {
            let script = format!("#!/bin/sh\nexec '{}' {hook} < /dev/null", canary.program);
            write_executable(&canary.hooks().join(hook), &script);
        }
        canary
    }

    fn hooks(&self) -> Utf8PathBuf {
        format!("{}.hooks", self.program).into()
    }

    /// Which of its names have been called.
    pub fn seen(&self) -> BTreeSet<String> {
        fs::read_dir(&self.perch).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// As if nothing had been called.
    pub fn forget(&self) {
        for name in self.seen() {
            fs::remove_file(self.perch.join(name)).unwrap();
        }
    }

    /// Whether all of `names` have been called.
    pub fn has_seen(&self, names: &[&str]) -> bool {
        names.iter().all(|&name| self.seen().contains(name))
    }

    /// One entry of a configuration file.
    pub fn entry(&self, (section, key, name): (&str, &str, &str)) -> String {
        match name {
            "" => format!("[{section}]\n\t{key} = true\n"),
            _ => format!("[{section}]\n\t{key} = \"'{}' {name}\"\n", self.program),
        }
    }

    /// Configuration that names it wherever git takes a program.
    pub fn config(&self) -> String {
        let entries: Vec<String> = PROGRAMS.iter().map(|&program| self.entry(program)).collect();
        format!("[core]\n\thooksPath = {}\n{}", self.hooks(), entries.concat())
    }
}

/// Appends to the repository's own configuration.
pub fn configure(repo: &Repo, text: &str) {
    let file = repo.git(["rev-parse", "--path-format=absolute", "--git-path", "config"]);
    let old = fs::read_to_string(&file).unwrap();
    fs::write(file, old + text).unwrap();
}

/// Gives every one of `files` another content of the same size that only reading it can tell: the times are those
/// that the index knows, and the index is as old as they are ("racily clean").
pub fn make_racy(repo: &Repo, files: &[&str]) {
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    // A restored time of modification leaves a trace in that of the inode.
    repo.git(["config", "core.trustctime", "false"]);
    for file in files {
        repo.set_modified(file, then);
    }
    repo.git(["update-index", "--refresh"]);
    for file in files {
        let mut content = fs::read(repo.path(file)).unwrap();
        content.reverse();
        repo.write(file, content);
        repo.set_modified(file, then);
    }
    let index = repo.git(["rev-parse", "--path-format=absolute", "--git-path", "index"]);
    fs::File::options().write(true).open(index).unwrap().set_modified(then).unwrap();
}

/// Two commits, and changes that git can only tell with the help of programs that the repository names.
pub fn hostile(scratch: &Scratch, name: &str) -> (Repo, Canary) {
    let canary = Canary::new(scratch, name);
    let racy = ["racy.clean", "racy.process", "racy.nameless", "racy.branch", "racy.txt"];
    let repo = scratch.repo(name, &racy);
    repo.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    // Attributes come with a clone, configuration with an archive or a shared directory.
    repo.write(".gitattributes", ATTRIBUTES);
    let edited = ["edited.clean", "edited.process", "edited.diff", "edited.text", "plain"];
    for file in [&edited[..], &["touched"]].concat() {
        repo.write(file, "committed");
    }
    repo.commit();
    make_racy(&repo, &racy);
    repo.set_modified("touched", SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000));
    for file in [&edited[..], &["untracked.clean"]].concat() {
        repo.write(file, "edited after the commit");
    }
    configure(&scratch.repo(&format!("{name}/nested"), &["n"]), &canary.config());

    configure(&repo, &canary.config());
    configure(
        &repo,
        "[includeIf \"onbranch:ma**\"]\n\tpath = branch.inc\n[extensions]\n\tworktreeConfig = true\n",
    );
    repo.write(".git/branch.inc", canary.entry(("filter \"branch\"", "clean", "branch")));
    let process = canary.entry(("filter \"streaming\"", "process", "process"));
    repo.write(".git/config.worktree", process + &canary.entry(("filter \"streaming\"", "required", "")));
    (repo, canary)
}
