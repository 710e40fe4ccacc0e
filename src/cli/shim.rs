//! The shims that npm, pnpm and yarn put beside a JavaScript command: which script they start. Pure text work.
//!
//! A shim only looks for node and hands a script to it. Running the script with node directly says the same, and keeps
//! the arguments away from `cmd.exe`, which expands them. Only the plain form is read: a shim that passes flags to
//! node, starts another interpreter or names two scripts is not understood, on purpose.

use std::sync::LazyLock;

use regex::Regex;

/// The three languages in which package managers write the same shim. Each has one group: the script, relative to the
/// directory of the shim.
static FORMS: LazyLock<[Option<Regex>; 3]> = LazyLock::new(|| {
    [
        // cmd.exe: `"%_prog%"  "%dp0%\..\cli.js" %*`, and the older `node  "%~dp0\..\cli.js" %*`
        r#"(?:"%_prog%"|"%(?:~dp0|dp0%)\\node\.exe"|[ \t\r\n@]node(?:\.exe)?)[ \t]+"%(?:~dp0|dp0%)\\([^"%\r\n]+)"[ \t]+%\*"#,
        // sh: `exec node  "$basedir/../cli.js" "$@"`
        r#"(?:"\$basedir/node(?:\.exe)?"|[ \t]node(?:\.exe)?)[ \t]+"\$basedir/([^"$`\\\r\n]+)"[ \t]+"\$@""#,
        // PowerShell: `& "node$exe"  "$basedir/../cli.js" $args`
        r#""(?:\$basedir/)?node\$exe"[ \t]+"\$basedir/([^"$`\r\n]+)"[ \t]+\$args"#,
    ]
    .map(|form| Regex::new(form).ok())
});

/// The script that the shim `text` starts with node, relative to the shim's directory and with `/` between its
/// segments. None where `text` is no such shim.
pub(crate) fn script(text: &str) -> Option<String> {
    // npm's cmd shim keeps the interpreter in a variable; any other than node is another language's.
    if text.contains("%_prog%") && !text.contains("_prog=node\"") {
        return None;
    }
    let mut scripts = FORMS
        .iter()
        .flatten()
        .flat_map(|form| form.captures_iter(text))
        .filter_map(|found| found.get(1))
        .map(|script| script.as_str().replace('\\', "/"));
    let first = scripts.next()?;
    scripts.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NPM_CMD: &str = "@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\n\
        CALL :find_dp0\r\n\r\nIF EXIST \"%dp0%\\node.exe\" (\r\n  SET \"_prog=%dp0%\\node.exe\"\r\n) ELSE (\r\n  \
        SET \"_prog=node\"\r\n  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\nendLocal & goto #_undefined_# 2>NUL || \
        title %COMSPEC% & \"%_prog%\"  \"%dp0%\\node_modules\\@adrkit\\cli\\dist\\index.js\" %*\r\n";
    const OLD_CMD: &str = "@IF EXIST \"%~dp0\\node.exe\" (\r\n  \"%~dp0\\node.exe\"  \"%~dp0\\..\\a b\\cli.js\" %*\r\n) \
        ELSE (\r\n  @SETLOCAL\r\n  @SET PATHEXT=%PATHEXT:;.JS;=;%\r\n  node  \"%~dp0\\..\\a b\\cli.js\" %*\r\n)";
    const NPM_SH: &str = "#!/bin/sh\nbasedir=$(dirname \"$(echo \"$0\" | sed -e 's,\\\\,/,g')\")\n\ncase `uname` in\n    \
        *CYGWIN*|*MINGW*|*MSYS*)\n        if command -v cygpath > /dev/null 2>&1; then\n            \
        basedir=`cygpath -w \"$basedir\"`\n        fi\n    ;;\nesac\n\nif [ -x \"$basedir/node\" ]; then\n  \
        exec \"$basedir/node\"  \"$basedir/../@adrkit/cli/dist/index.js\" \"$@\"\nelse \n  \
        exec node  \"$basedir/../@adrkit/cli/dist/index.js\" \"$@\"\nfi\n";
    const NPM_PS1: &str = "#!/usr/bin/env pwsh\n$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent\n\n\
        $exe=\"\"\nif ($PSVersionTable.PSVersion -lt \"6.0\" -or $IsWindows) {\n  $exe=\".exe\"\n}\n$ret=0\n\
        if (Test-Path \"$basedir/node$exe\") {\n  if ($MyInvocation.ExpectingInput) {\n    \
        $input | & \"$basedir/node$exe\"  \"$basedir/../cli.mjs\" $args\n  } else {\n    \
        & \"$basedir/node$exe\"  \"$basedir/../cli.mjs\" $args\n  }\n} else {\n    \
        & \"node$exe\"  \"$basedir/../cli.mjs\" $args\n}\nexit $ret\n";

    #[test]
    fn the_shims_of_package_managers_name_their_script() {
        for (shim, want) in [
            (NPM_CMD, "node_modules/@adrkit/cli/dist/index.js"),
            (OLD_CMD, "../a b/cli.js"),
            (NPM_SH, "../@adrkit/cli/dist/index.js"),
            (NPM_PS1, "../cli.mjs"),
        ] {
            assert_eq!(script(shim).as_deref(), Some(want), "{shim}");
        }
    }

    #[test]
    fn what_is_no_plain_node_shim_is_not_read() {
        let another = NPM_SH.replacen("cli/dist/index.js", "cli/dist/other.js", 1);
        let flags = OLD_CMD.replace("  \"%~dp0\\..", " --inspect \"%~dp0\\..");
        let python = NPM_CMD.replace("\"_prog=node\"", "\"_prog=python\"");
        let nested = NPM_CMD.replace("%dp0%\\node_modules", "%dp0%\\%X%");
        for text in [
            "",
            "#!/bin/sh\nexec asdf exec \"adr\" \"$@\"\n",
            "#!/usr/bin/env node\nrequire('./cli.js');\n",
            "@echo off\r\nnode cli.js %*\r\n",
            "exec mynode  \"$basedir/x.js\" \"$@\"",
            &another,
            &flags,
            &python,
            &nested,
        ] {
            assert_eq!(script(text), None, "{text}");
        }
    }

    #[test]
    fn every_form_compiles() {
        assert!(FORMS.iter().all(Option::is_some));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,200}", at in 0usize..900) {
            let mut shim = NPM_CMD.to_owned();
            shim.insert_str(at.min(NPM_CMD.len()), &text);
            let _ = script(&shim);
        }
    }
}
