//! Shortens a result until the host passes it on whole.
//!
//! The host writes a result of more than [`HOST_LIMIT_BYTES`] to a file and shows a model its first 500 characters,
//! which is no answer. So a long result is cut here, where it is known what matters. First goes what is told twice,
//! then the tails of long lists and texts; what governs goes last, and its ids after everything else.
//!
//! The shape of a shortened report: it begins with `truncated: true` and `omitted`, an object from the name of a list
//! to how many of its entries were left out. Lists keep their type and order. `governingIds` holds the ids of governing
//! decisions that `governing` itself no longer has room for. A text that was cut ends in `…`, and `omitted.texts`
//! counts these. Findings are left out by severity, errors last. A report that fits is not touched.

use super::tree::{Key, Tree};

/// The longest result that the host hands to a model, in bytes of UTF-8.
pub const HOST_LIMIT_BYTES: usize = 20_480;
/// What is left free of that, should another version of the host count something else in.
pub const MARGIN_BYTES: usize = 1_024;
/// The longest text of a tool's result, in bytes of UTF-8.
pub const MAX_RESULT_BYTES: usize = HOST_LIMIT_BYTES - MARGIN_BYTES;

/// What ends a text that was cut.
const ELLIPSIS: char = '…';

/// The lists of decisions, the least important one first.
const DECISIONS: [&str; 3] = ["history", "activeProposals", "governing"];

/// Texts without a bound of their own. Paths and ids are left out rather than cut: half of one is another one.
const LONG_TEXTS: [&str; 4] = ["title", "message", "pattern", "ref"];

/// One way to make a report shorter.
enum Step {
    /// Takes a list out that others repeat.
    TakeOut(&'static str),
    /// Leaves entries of a list out, as few as needed, but keeps some.
    Shorten { list: &'static [&'static str], keep: usize },
    /// Keeps so many entries of a list in each decision.
    ShortenEach { list: &'static str, keep: usize },
    /// Cuts texts to so many characters.
    Cut { chars: usize },
    /// Moves governing decisions to `governingIds`, as few as needed, the last ones first.
    MoveToIds,
}

use Step::{Cut, MoveToIds, Shorten, ShortenEach, TakeOut};

/// In this order, until the report fits. A step for a list that a report does not have does nothing.
const STEPS: &[Step] = &[
    // Only a failure has these, and whoever asked knows them.
    Shorten { list: &["files"], keep: 0 },
    // Each decision stands in its bucket again, and the counts tell the lengths of the lists of the marker scan.
    TakeOut("governedBy"),
    Shorten { list: &["markerScan", "skippedPaths"], keep: 0 },
    Shorten { list: &["markerScan", "absentPaths"], keep: 0 },
    Shorten { list: &["markerScan", "truncatedPaths"], keep: 0 },
    Shorten { list: &["markerScan", "unreadablePaths"], keep: 0 },
    Shorten { list: &["markerScan", "outOfTreePaths"], keep: 0 },
    Cut { chars: 240 },
    ShortenEach { list: "declaredBy", keep: 3 },
    ShortenEach { list: "firedMatchers", keep: 3 },
    Shorten { list: &["changedFiles"], keep: 50 },
    Shorten { list: &["findings"], keep: 20 },
    Shorten { list: &["history"], keep: 5 },
    Shorten { list: &["activeProposals"], keep: 5 },
    Shorten { list: &["markers", "declared"], keep: 20 },
    Shorten { list: &["changedFiles"], keep: 0 },
    Shorten { list: &["history"], keep: 0 },
    Shorten { list: &["changedRecords"], keep: 20 },
    Cut { chars: 80 },
    ShortenEach { list: "declaredBy", keep: 1 },
    ShortenEach { list: "firedMatchers", keep: 1 },
    Shorten { list: &["findings"], keep: 5 },
    Shorten { list: &["activeProposals"], keep: 0 },
    Shorten { list: &["markers", "declared"], keep: 0 },
    Shorten { list: &["changedRecords"], keep: 0 },
    MoveToIds,
    Shorten { list: &["findings"], keep: 0 },
    Shorten { list: &["governingIds"], keep: 0 },
];

/// `result` with at most `limit` bytes of JSON. `within` is the way to the object that is shortened and says so.
/// None where no step helps: what remains then are single texts and numbers.
pub(super) fn shorten(result: Tree, within: &[&str], limit: usize) -> Option<Tree> {
    let mut shortened = Shortened { result, within, limit, omitted: Vec::new() };
    for step in STEPS {
        // Once is not enough where the words about an omission are longer than what was left out.
        while !shortened.fits() && shortened.apply(step) {}
    }
    shortened.fits().then_some(shortened.result)
}

/// A result on its way to its size.
struct Shortened<'a> {
    result: Tree,
    within: &'a [&'a str],
    limit: usize,
    omitted: Vec<(&'static str, usize)>,
}

impl Shortened<'_> {
    fn fits(&self) -> bool {
        self.result.json_len_within(self.limit).is_some()
    }

    /// How many bytes are too many.
    fn excess(&self) -> usize {
        self.result.json_len().saturating_sub(self.limit)
    }

    /// Whether the step changed something.
    fn apply(&mut self, step: &Step) -> bool {
        match *step {
            TakeOut(key) => self.take_out(key),
            Shorten { list, keep } => self.shorten(list, keep),
            ShortenEach { list, keep } => self.shorten_each(list, keep),
            Cut { chars } => self.cut(chars),
            MoveToIds => self.move_to_ids(),
        }
    }

    fn report(&mut self) -> Option<&mut Vec<(Key, Tree)>> {
        self.result.at_mut(self.within)?.entries_mut()
    }

    fn list(&mut self, way: &[&str]) -> Option<&mut Vec<Tree>> {
        self.result.at_mut(self.within)?.at_mut(way)?.list_mut()
    }

    fn take_out(&mut self, key: &'static str) -> bool {
        let Some(entries) = self.report() else { return false };
        let is_list = |(k, value): &(Key, Tree)| k == key && matches!(value, Tree::List(_));
        let Some(at) = entries.iter().position(is_list) else { return false };
        let (_, mut list) = entries.remove(at);
        let count = list.list_mut().map_or(0, |list| list.len());
        self.omit(key, count);
        true
    }

    fn shorten(&mut self, way: &'static [&'static str], keep: usize) -> bool {
        if self.list(way).is_none_or(|list| list.len() <= keep) {
            return false;
        }
        let excess = self.excess();
        let Some(list) = self.list(way) else { return false };
        let leave_out = first_to_go(list, list.len() - keep, excess);
        let mut marks = leave_out.iter();
        list.retain(|_| marks.next() != Some(&true));
        let count = leave_out.into_iter().filter(|&out| out).count();
        self.omit(way.last().unwrap_or(&""), count);
        true
    }

    fn shorten_each(&mut self, key: &'static str, keep: usize) -> bool {
        let mut count = 0;
        for bucket in DECISIONS {
            for decision in self.list(&[bucket]).into_iter().flatten() {
                if let Some(list) = decision.at_mut(&[key]).and_then(Tree::list_mut) {
                    count += list.len().saturating_sub(keep);
                    list.truncate(keep);
                }
            }
        }
        self.omit(key, count);
        count > 0
    }

    fn cut(&mut self, chars: usize) -> bool {
        let mut cuts = Cuts::default();
        cut_texts(&mut self.result, chars, &mut cuts);
        self.omit("texts", cuts.first);
        cuts.all > 0
    }

    fn move_to_ids(&mut self) -> bool {
        let excess = self.excess();
        let Some(governing) = self.list(&["governing"]).filter(|list| !list.is_empty()) else { return false };
        let mut saved = 0;
        let mut ids = Vec::new();
        while let Some(decision) = governing.pop_if(|_| saved < excess) {
            let id = Tree::from(decision.get("recordId").and_then(Tree::text).unwrap_or_default());
            saved += decision.json_len().saturating_sub(id.json_len());
            ids.push(id);
        }
        ids.reverse();
        self.omit("governing", ids.len());
        if let Some(later) = self.list(&["governingIds"]) {
            ids.append(later);
            *later = ids;
        } else if let Some(entries) = self.report() {
            let at = entries.iter().position(|(key, _)| key == "governing").unwrap_or_default();
            entries.insert(at + 1, ("governingIds".into(), Tree::List(ids)));
        }
        true
    }

    /// Notes that `count` entries of a list are left out.
    fn omit(&mut self, list: &'static str, count: usize) {
        if count == 0 {
            return;
        }
        match self.omitted.iter_mut().find(|(key, _)| *key == list) {
            Some((_, so_far)) => *so_far += count,
            None => self.omitted.push((list, count)),
        }
        let counts = self.omitted.iter().map(|&(key, n)| (key.into(), n.into())).collect();
        let Some(entries) = self.report() else { return };
        // A report has no key of its own with either name.
        entries.retain(|(key, _)| !matches!(&**key, "truncated" | "omitted"));
        entries.insert(0, ("truncated".into(), Tree::Bool(true)));
        entries.insert(1, ("omitted".into(), Tree::Object(counts)));
    }
}

/// Marks the entries to leave out: the mildest findings and the last entries first, until `excess` bytes are saved or
/// `most` entries marked.
fn first_to_go(list: &[Tree], most: usize, excess: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..list.len()).rev().collect();
    order.sort_by_key(|&at| severity(&list[at]));
    let mut marked = vec![false; list.len()];
    let mut saved = 0;
    for at in order.into_iter().take(most) {
        if saved >= excess {
            break;
        }
        saved += list[at].json_len() + 1;
        marked[at] = true;
    }
    marked
}

/// 0 for what can go first. Only findings have a severity.
fn severity(entry: &Tree) -> u8 {
    match entry.get("severity").and_then(Tree::text) {
        Some("error") => 2,
        Some("warn") => 1,
        _ => 0,
    }
}

/// How many texts a step cut.
#[derive(Default)]
struct Cuts {
    all: usize,
    /// Those that no step before had cut.
    first: usize,
}

fn cut_texts(tree: &mut Tree, chars: usize, cuts: &mut Cuts) {
    match tree {
        Tree::List(items) => items.iter_mut().for_each(|item| cut_texts(item, chars, cuts)),
        Tree::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Tree::Text(text) if LONG_TEXTS.contains(&&**key) => {
                        let again = text.ends_with(ELLIPSIS);
                        let cut = cut_text(text, chars);
                        cuts.all += usize::from(cut);
                        cuts.first += usize::from(cut && !again);
                    }
                    _ => cut_texts(value, chars, cuts),
                }
            }
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) => {}
    }
}

/// Cuts `text` to `chars` characters, the ellipsis included; whether there were more.
fn cut_text(text: &mut String, chars: usize) -> bool {
    // No character takes less than a byte.
    if text.len() <= chars || text.chars().nth(chars).is_none() {
        return false;
    }
    let end = text.char_indices().nth(chars.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    text.truncate(end);
    text.push(ELLIPSIS);
    true
}

#[cfg(test)]
mod tests;
