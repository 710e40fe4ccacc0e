//! Generated patches are read as the host reads them.

use proptest::prelude::*;

use crate::{host, patched};

/// A patch that the host is likely to accept.
fn plausible_patch() -> impl Strategy<Value = String> {
    let name = "[ \u{a0}]?[a-e]{1,2}([ /][a-e])?[ \t]?";
    let body_line = "[+ -](x|\\*\\*\\* (Add File: z|Move to: z|End Patch|End of File))?";
    let chunk = prop::collection::vec(body_line, 1..4);
    let part = (prop::sample::select(vec!["", " ", "\t"]), 0..4, name, name, chunk, any::<bool>());
    let part = part.prop_map(|(indent, kind, name, other, body, eof)| {
        let mut lines = match kind {
            0 => vec![format!("{indent}*** Delete File: {name}")],
            1 => {
                let body = body.iter().map(|line| format!("+{line}"));
                std::iter::once(format!("{indent}*** Add File: {name}")).chain(body).collect()
            }
            _ => {
                let moved = (kind == 3).then(|| format!("{indent}*** Move to: {other}"));
                let head = std::iter::once(format!("*** Update File: {name}")).chain(moved);
                head.chain(["@@".to_owned()]).chain(body).collect()
            }
        };
        lines.extend((kind > 1 && eof).then(|| "*** End of File".to_owned()));
        lines.join("\n")
    });
    (prop::collection::vec(part, 1..5), prop::sample::select(vec!["\n", "\r\n", "\r"]), any::<bool>())
        .prop_map(|(parts, end, heredoc)| {
            let patch = format!("*** Begin Patch\n{}\n*** End Patch\n", parts.join("\n"));
            let patch = if heredoc { format!("<<'EOF'\n{patch}EOF\n") } else { patch };
            patch.replace('\n', end)
        })
}

fn without_line(patch: &str, number: usize) -> String {
    let lines = patch.split_inclusive(['\r', '\n']).enumerate();
    lines.filter(|(i, _)| *i != number).map(|(_, line)| line).collect()
}

proptest! {
    #[test]
    fn what_the_host_accepts_is_read_as_it_reads_it(patch in plausible_patch(), number in 0_usize..40) {
        for patch in [without_line(&patch, number), patch] {
            let Some(named) = host::parse(&patch) else { continue };
            let mut want: Vec<String> = Vec::new();
            for path in named {
                if !want.contains(&path) {
                    want.push(path);
                }
            }
            prop_assert_eq!(patched(&patch), want);
        }
    }
}

#[test]
fn most_generated_patches_are_accepted() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let accepted = (0..200).filter(|_| {
        let tree = plausible_patch().new_tree(&mut runner).expect("a patch");
        host::parse(&tree.current()).is_some()
    });
    assert!(accepted.count() > 100);
}
