//! The list of cases that are known to differ, held exact.

use std::collections::BTreeSet;
use std::fmt;

/// The cases of this prefix are run only where their data set is at hand.
const OPTIONAL: &str = "own-";

const HEAD: &str =
    "# Cases in which adr-native differs from the recording. Only ever make this list shorter.\n";

#[derive(Debug, Default, PartialEq)]
pub struct Ledger(BTreeSet<String>);

#[derive(Debug, Default, PartialEq)]
pub struct Verdict {
    /// Cases that differ and are not listed.
    pub unexpected: Vec<String>,
    /// Listed cases that match.
    pub settled: Vec<String>,
    /// Listed names that no case has.
    pub unknown: Vec<String>,
}

impl Ledger {
    /// One name a line; blank lines and lines that begin with `#` do not count.
    pub fn parse(text: &str) -> Self {
        Self(
            text.lines()
                .map(str::trim)
                .filter(|l| !l.is_empty() && !l.starts_with('#'))
                .map(str::to_owned)
                .collect(),
        )
    }

    /// Leaves only names that are in `ran`.
    pub fn keep(&mut self, ran: &BTreeSet<&str>) {
        self.0.retain(|n| ran.contains(n.as_str()));
    }

    /// Takes out what no longer differs. Names of cases that could not be run stay.
    pub fn shrink(&mut self, ran: &BTreeSet<&str>, differing: &BTreeSet<&str>) {
        self.0.retain(|n| {
            differing.contains(n.as_str()) || (n.starts_with(OPTIONAL) && !ran.contains(n.as_str()))
        });
    }

    pub fn judge(&self, ran: &BTreeSet<&str>, differing: &BTreeSet<&str>) -> Verdict {
        let listed = |wanted: &dyn Fn(&str) -> bool| self.0.iter().filter(|n| wanted(n)).cloned().collect();
        Verdict {
            unexpected: differing.iter().filter(|n| !self.0.contains(**n)).map(|n| (*n).to_owned()).collect(),
            settled: listed(&|n| ran.contains(n) && !differing.contains(n)),
            unknown: listed(&|n| !ran.contains(n) && !n.starts_with(OPTIONAL)),
        }
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        self.0.iter().try_for_each(|n| writeln!(f, "{n}"))
    }
}

impl Verdict {
    pub fn is_exact(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, names) in [
            ("differ from the recording and are not listed", &self.unexpected),
            ("match now: remove them from known-differences.txt (ADRKIT_GOLDEN_BLESS=1 does)", &self.settled),
            ("are listed and no case has that name", &self.unknown),
        ] {
            if !names.is_empty() {
                writeln!(f, "{} {what}: {}", names.len(), names.join(" "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_the_list_exact_and_only_shrinks_it() {
        let ran = BTreeSet::from(["a", "b", "c"]);
        let differing = BTreeSet::from(["b", "c"]);
        let mut ledger = Ledger::parse("# why\n\na\n b \ngone\nown-x\n");
        let names = |l: &[&str]| l.iter().map(ToString::to_string).collect::<Vec<_>>();
        let verdict = ledger.judge(&ran, &differing);
        assert_eq!(
            verdict,
            Verdict { unexpected: names(&["c"]), settled: names(&["a"]), unknown: names(&["gone"]) }
        );
        assert!(!verdict.is_exact() && verdict.to_string().contains("remove"));

        ledger.shrink(&ran, &differing);
        assert_eq!(ledger.to_string(), format!("{HEAD}b\nown-x\n"));
        assert_eq!(ledger.judge(&ran, &differing).unexpected, ["c"]);
        assert!(ledger.judge(&ran, &BTreeSet::from(["b"])).is_exact());
        ledger.keep(&BTreeSet::from(["b"]));
        assert_eq!(ledger, Ledger::parse("b"));
    }
}
