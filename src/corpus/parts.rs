//! What a check of a whole change says that checks of its parts do not.
//!
//! The matches of a record in the parts of a change add up to its match in the whole, with three exceptions: a negated
//! matcher that one part hits takes the record out of the whole; records that share an id cannot be told apart in a
//! report; and patterns that the locale order holds equal stand in the order of their record.

use std::collections::{BTreeMap, HashMap};

use camino::Utf8Path;

use super::affects::{Matchers, Patterns};
use super::load::{Placed, Reader};
use super::locale::locale_cmp;
use crate::error::Result;
use crate::report::FiredMatcher;

/// For each id of a record that is such an exception: the matchers that fire for the whole change, one list for each
/// record that matches, in the order of a report. No list where none does.
pub(crate) type Exceptions = BTreeMap<String, Vec<Vec<FiredMatcher>>>;

/// The exceptions among the records of `dir` for a change of `files`. `root` is absolute and free of links.
///
/// # Errors
/// Where the corpus directory cannot be read.
pub(super) fn exceptions(
    reader: Reader<'_>,
    root: &Utf8Path,
    dir: &str,
    files: &[String],
) -> Result<Exceptions> {
    let mut records = reader.load(root, dir)?.records.clone();
    let mut holders: HashMap<String, usize> = HashMap::new();
    for placed in &records {
        *holders.entry(placed.record().id.clone()).or_default() += 1;
    }
    records.retain(|placed| {
        let shares_its_id = holders.get(&placed.record().id).is_some_and(|n| *n > 1);
        shares_its_id || placed.record().affects.iter().any(|m| m.negate) || has_tied_patterns(placed)
    });
    let files: Vec<String> = files.iter().map(|f| f.replace('\\', "/")).collect();
    let mut exceptions: Exceptions =
        records.iter().map(|placed| (placed.record().id.clone(), Vec::new())).collect();
    for found in Matchers::new(&records, &Patterns::of(&records)).matches(&files) {
        if let Some(lists) = exceptions.get_mut(&records[found.index].record().id) {
            lists.push(found.fired);
        }
    }
    Ok(exceptions)
}

fn has_tied_patterns(placed: &Placed) -> bool {
    let mut patterns: Vec<&str> = placed.record().affects.iter().map(|m| m.pattern.as_str()).collect();
    patterns.sort_by(|a, b| locale_cmp(a, b));
    patterns.windows(2).any(|pair| pair[0] != pair[1] && locale_cmp(pair[0], pair[1]).is_eq())
}
