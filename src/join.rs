//! The joins that the Copilot extension tries, as data.
//!
//! A host refuses a join as a whole, and does not say which part of it it objected to. So the extension tries again
//! with less, in a fixed order: what is most likely to be refused and least missed goes first.

use serde::Serialize;

/// An optional part of a join. The rest, the event handler and the workflow, is never dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// The advisory hooks.
    Hooks,
    /// The read-only tools.
    Tools,
    /// The panels.
    Canvases,
}

impl Field {
    /// The field's name in the host's join.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hooks => "hooks",
            Self::Tools => "tools",
            Self::Canvases => "canvases",
        }
    }
}

/// Which optional parts could be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Present {
    /// Whether there are hooks.
    pub hooks: bool,
    /// Whether there are tools.
    pub tools: bool,
    /// Whether there are canvases.
    pub canvases: bool,
}

impl Present {
    const fn has(self, field: Field) -> bool {
        match field {
            Field::Hooks => self.hooks,
            Field::Tools => self.tools,
            Field::Canvases => self.canvases,
        }
    }
}

/// One join: everything that is present, without these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// What this join leaves out, in the order of [`Field`]. Empty for the first join.
    pub drop: Vec<Field>,
}

/// What each join leaves out, in order; `None` stands for all that is present.
const LADDER: [Option<&[Field]>; MAX_JOINS] = [
    Some(&[]),
    Some(&[Field::Hooks]),
    Some(&[Field::Tools]),
    Some(&[Field::Hooks, Field::Tools]),
    Some(&[Field::Canvases]),
    None,
];

/// The most joins that are tried.
pub const MAX_JOINS: usize = 6;

/// The joins to try, in order, until one is accepted: with everything, without the hooks, without the tools, without
/// both, without the canvases alone, with the workflow alone. One that would leave out what is not there, or the same
/// as an earlier one, is not among them. There is always a first, and there are at most [`MAX_JOINS`].
///
/// ```
/// use adrkit_native::join::{Field, Present, ladder};
///
/// let rungs = ladder(Present { hooks: true, canvases: true, ..Present::default() });
/// let drops: Vec<&[Field]> = rungs.iter().map(|rung| rung.drop.as_slice()).collect();
/// assert_eq!(drops, [&[][..], &[Field::Hooks], &[Field::Canvases], &[Field::Hooks, Field::Canvases]]);
/// ```
#[must_use]
pub fn ladder(present: Present) -> Vec<Rung> {
    let all: Vec<Field> = [Field::Hooks, Field::Tools, Field::Canvases]
        .into_iter()
        .filter(|field| present.has(*field))
        .collect();
    let mut rungs: Vec<Rung> = Vec::with_capacity(MAX_JOINS);
    for drop in LADDER {
        let drop = drop.unwrap_or(&all);
        let rung = Rung { drop: drop.to_vec() };
        if drop.iter().all(|field| present.has(*field)) && !rungs.contains(&rung) {
            rungs.push(rung);
        }
    }
    rungs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The initials of what each join leaves out, for the initials of what is present.
    fn drops(present: &str) -> Vec<String> {
        let present = Present {
            hooks: present.contains('h'),
            tools: present.contains('t'),
            canvases: present.contains('c'),
        };
        let initials = |rung: &Rung| rung.drop.iter().map(|field| &field.name()[..1]).collect();
        ladder(present).iter().map(initials).collect()
    }

    #[test]
    fn every_combination_has_its_ladder() {
        for (present, expected) in [
            ("htc", &["", "h", "t", "ht", "c", "htc"][..]),
            ("ht", &["", "h", "t", "ht"]),
            ("hc", &["", "h", "c", "hc"]),
            ("tc", &["", "t", "c", "tc"]),
            ("h", &["", "h"]),
            ("t", &["", "t"]),
            ("c", &["", "c"]),
            ("", &[""]),
        ] {
            assert_eq!(drops(present), expected, "{present}");
            assert!(expected.len() <= MAX_JOINS);
        }
    }

    #[test]
    fn a_field_is_serialized_by_its_name() {
        for field in [Field::Hooks, Field::Tools, Field::Canvases] {
            assert_eq!(serde_json::to_value(field).unwrap(), field.name());
        }
    }
}
