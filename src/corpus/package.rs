//! The patterns of `affects` entries of type `package`: a name, or a name and an npm version range.
//!
//! A range is accepted where `validRange` of npm `semver` accepts it, oddities included. The crate for npm ranges that
//! is at hand, `nodejs-semver`, is more lenient: it ignores words that are no versions and takes leading zeros, where
//! the command warns. Only validity counts here, so the versions that a range would match are never worked out.

/// The greatest number that a version may have in it: JavaScript's greatest exact integer.
const MAX_NUMBER: u64 = 9_007_199_254_740_991;
/// The greatest length of a version.
const MAX_VERSION_LEN: usize = 256;
/// How many characters may follow the first letter of a prerelease identifier.
const MAX_IDENTIFIER_TAIL: usize = 250;

/// What may stand before a version, any number of times.
const PREFIX: [char; 3] = ['v', '=', ' '];

/// Does the command take the pattern for a package, with a valid range if there is one? A name and its range are
/// separated by the last `@` that does not begin the pattern.
#[must_use]
pub fn package_pattern_is_valid(pattern: &str) -> bool {
    match pattern.rfind('@').filter(|at| *at > 0) {
        None => !is_blank(pattern),
        Some(at) => {
            let (name, range) = (&pattern[..at], &pattern[at + 1..]);
            !is_blank(name) && !is_blank(range) && range_is_valid(range)
        }
    }
}

/// White space in JavaScript.
pub(crate) fn is_js_space(c: char) -> bool {
    matches!(c, '\u{9}'..='\u{d}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_js_space)
}

fn range_is_valid(range: &str) -> bool {
    let words: Vec<&str> = range.split(is_js_space).filter(|w| !w.is_empty()).collect();
    words.join(" ").split("||").all(|part| set_is_valid(part.trim_matches(' ')))
}

/// One alternative of a range: comparators that are all to hold, or `from - to`.
fn set_is_valid(set: &str) -> bool {
    let set = strip_builds(set);
    if let Some((from, to)) = hyphen_range(set.trim_matches(' ')) {
        return from.is_valid_bound(false) && to.is_valid_bound(true);
    }
    join_operators(&set.replace("  ", " ")).split(' ').all(comparator_is_valid)
}

/// Takes `+build` out, wherever it stands.
fn strip_builds(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('+') {
        out.push_str(&rest[..at]);
        let mut tail = rest[at + 1..].trim_start_matches(is_part);
        if tail.len() == rest.len() - at - 1 {
            out.push('+');
        }
        while tail.len() < rest.len() - at - 1 {
            let Some(next) = tail.strip_prefix('.').filter(|t| t.starts_with(is_part)) else { break };
            tail = next.trim_start_matches(is_part);
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// One number of a version, or `x`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'t> {
    Any,
    Number(&'t str),
}

impl Part<'_> {
    fn is_any(self) -> bool {
        self == Part::Any
    }

    /// Is it a number that is small enough, even after 1 is added where `plus_one`?
    fn fits(self, plus_one: bool) -> bool {
        let max = MAX_NUMBER - u64::from(plus_one);
        matches!(self, Part::Number(digits) if digits.parse::<u64>().is_ok_and(|n| n <= max))
    }
}

/// A version in which numbers may be `x` or missing.
#[derive(Debug, Clone, Copy)]
struct Partial<'t> {
    /// The `v`, `=` and blanks before it.
    prefix: &'t str,
    major: Part<'t>,
    minor: Option<Part<'t>>,
    patch: Option<Part<'t>>,
    prerelease: &'t str,
    /// Everything but the prefix.
    text: &'t str,
}

impl<'t> Partial<'t> {
    /// Reads one from the start of `text`, as far as it goes.
    fn read(text: &'t str) -> Option<(Self, &'t str)> {
        let start = text.trim_start_matches(PREFIX);
        let prefix = &text[..text.len() - start.len()];
        let (major, mut rest) = read_part(start)?;
        let mut out = Self { prefix, major, minor: None, patch: None, prerelease: "", text: "" };
        let next = |rest: &'t str| rest.strip_prefix('.').and_then(read_part);
        if let Some((minor, after)) = next(rest) {
            out.minor = Some(minor);
            rest = after;
            if let Some((patch, after)) = next(rest) {
                out.patch = Some(patch);
                let (prerelease, after) = read_prerelease(after);
                out.prerelease = prerelease;
                rest = after;
            }
        }
        out.text = &start[..start.len() - rest.len()];
        Some((out, rest))
    }

    /// Reads one that is all of `text`.
    fn whole(text: &'t str) -> Option<Self> {
        Self::read(text).filter(|(_, rest)| rest.is_empty()).map(|(out, _)| out)
    }

    fn minor(self) -> Part<'t> {
        self.minor.unwrap_or(Part::Any)
    }

    fn patch(self) -> Part<'t> {
        self.patch.unwrap_or(Part::Any)
    }

    /// No `x` follows a number that follows an `x`.
    fn is_in_order(self) -> bool {
        let major_any = self.major.is_any() && !self.minor().is_any();
        let minor_any = self.minor().is_any() && !self.patch().is_any();
        !major_any && !minor_any
    }

    /// Is it a full version? One `v` may stand before it.
    fn is_version(self) -> bool {
        let parts = [self.major, self.minor(), self.patch()];
        parts.iter().all(|p| p.fits(false)) && matches!(self.prefix, "" | "v") && self.fits_length()
    }

    fn fits_length(self) -> bool {
        self.prefix.len() + self.text.len() <= MAX_VERSION_LEN
    }

    /// Can it be one end of `from - to`?
    fn is_valid_bound(self, is_upper: bool) -> bool {
        if self.major.is_any() {
            return true;
        }
        if self.minor().is_any() {
            return self.major.fits(is_upper);
        }
        if self.patch().is_any() {
            return self.major.fits(false) && self.minor().fits(is_upper);
        }
        if is_upper && !self.prerelease.is_empty() {
            return Self { prefix: "", ..self }.is_version();
        }
        // It is put behind `>=` or `<=` as it stands, and read again.
        let is_plain = matches!(self.prefix, "" | "v");
        is_plain && self.is_version()
    }

    /// Is `^` or `~` (`is_caret`) before it fine? Both make a lower bound and an upper one.
    fn is_valid_after_mark(self, is_caret: bool) -> bool {
        let (major, minor, patch) = (self.major, self.minor(), self.patch());
        if major.is_any() {
            return true;
        }
        if minor.is_any() {
            return major.fits(true);
        }
        let raises_major = is_caret && major != Part::Number("0");
        let raises_patch = is_caret && !raises_major && minor == Part::Number("0") && !patch.is_any();
        let raises_minor = !raises_major && !raises_patch;
        let fits = major.fits(raises_major) && minor.fits(raises_minor);
        if patch.is_any() {
            return fits;
        }
        fits && patch.fits(raises_patch) && self.text.len() <= MAX_VERSION_LEN
    }
}

fn read_part(text: &str) -> Option<(Part<'_>, &str)> {
    if let Some(rest) = text.strip_prefix(['x', 'X', '*']) {
        return Some((Part::Any, rest));
    }
    let digits = match text.bytes().next()? {
        b'0' => 1,
        b'1'..=b'9' => text.bytes().take_while(u8::is_ascii_digit).count().min(MAX_VERSION_LEN + 1),
        _ => return None,
    };
    let (number, rest) = text.split_at(digits);
    Some((Part::Number(number), rest))
}

/// Reads `-a.b`; nothing is read where it is not well formed.
fn read_prerelease(text: &str) -> (&str, &str) {
    let Some(mut rest) = text.strip_prefix('-').and_then(read_identifier) else { return ("", text) };
    while let Some(after) = rest.strip_prefix('.').and_then(read_identifier) {
        rest = after;
    }
    text.split_at(text.len() - rest.len())
}

/// What follows a prerelease identifier: a number without leading zeros, or a word.
fn read_identifier(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let word = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
    if word > digits {
        let end = word.min(digits + 1 + MAX_IDENTIFIER_TAIL);
        return Some(&text[end..]);
    }
    match digits {
        0 => None,
        _ if text.starts_with('0') => Some(&text[1..]),
        _ => Some(&text[digits..]),
    }
}

/// `a - b`.
fn hyphen_range(set: &str) -> Option<(Partial<'_>, Partial<'_>)> {
    let (from, rest) = Partial::read(set)?;
    let to = Partial::whole(rest.strip_prefix(" - ")?)?;
    Some((from, to))
}

/// Takes out the blanks between an operator and its version.
fn join_operators(set: &str) -> String {
    let mut out = String::with_capacity(set.len());
    let mut rest = set;
    // `>`, `>=`, `<`, `<=` and `=`, where a version follows.
    while let Some(first) = rest.chars().next() {
        let op = rest.strip_prefix(['<', '>']).unwrap_or(rest);
        let op = op.strip_prefix('=').unwrap_or(op);
        let bare = op.strip_prefix(' ').unwrap_or(op);
        let operator = &rest[..rest.len() - op.len()];
        let version = Partial::read(bare);
        let taken = match version {
            Some((_, after)) if first != ' ' => {
                out.push_str(operator);
                out.push_str(&bare[..bare.len() - after.len()]);
                rest = after;
                continue;
            }
            Some(_) => 0,
            // What fails here fails all along what can stand before a version.
            None => rest.len() - rest.trim_start_matches(PREFIX).len(),
        };
        let (taken, after) = rest.split_at(taken.max(first.len_utf8()));
        out.push_str(taken);
        rest = after;
    }
    out.replace("~> ", "~").replace("~ ", "~").replace("^ ", "^")
}

fn comparator_is_valid(text: &str) -> bool {
    if let Some(version) = text.strip_prefix('^').and_then(Partial::whole) {
        return version.is_valid_after_mark(true);
    }
    if let Some(tail) = text.strip_prefix('~') {
        let bare = tail.strip_prefix('>').unwrap_or(tail);
        if let Some(version) = Partial::whole(bare) {
            return version.is_valid_after_mark(false);
        }
    }
    let tail = text.strip_prefix(['<', '>']).unwrap_or(text);
    let operator_end = tail.strip_prefix('=').unwrap_or(tail);
    let operator = &text[..text.len() - operator_end.len()];
    if let Some(version) = Partial::whole(operator_end) {
        if version.is_in_order() && version.patch().is_any() {
            return partial_is_valid(operator, version);
        }
        if !version.patch().is_any() && version.is_in_order() {
            return version.is_version();
        }
    }
    // A star that is no part of a version is dropped with the operator before it.
    let starless = drop_star(text);
    let text = strip_builds(&starless);
    let tail = text.strip_prefix(['<', '>']).unwrap_or(&text);
    let tail = tail.strip_prefix('=').unwrap_or(tail);
    starless.is_empty() || Partial::whole(tail).is_some_and(Partial::is_version)
}

/// A comparator whose version has an `x` or fewer than three numbers.
fn partial_is_valid(operator: &str, version: Partial<'_>) -> bool {
    if version.major.is_any() {
        return true;
    }
    let raises = matches!(operator, ">" | "<=" | "" | "=");
    if version.minor().is_any() {
        return version.major.fits(raises);
    }
    version.major.fits(false) && version.minor().fits(raises)
}

fn drop_star(text: &str) -> String {
    let Some(star) = text.find('*') else { return text.to_owned() };
    let before = &text[..star];
    let before = before.strip_suffix('=').unwrap_or(before);
    let before = before.strip_suffix(['<', '>']).unwrap_or(before);
    format!("{before}{}", &text[star + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_npm() {
        let good = [
            "1",
            "v1.2",
            "=1.2.3",
            "==1",
            "vv1.x",
            ">= 1.2",
            "~> 1",
            "^x",
            "1 - 2",
            "v1 - =2",
            "* || x",
            "||",
            "1 2",
            "1.2.3-a.0+b",
            "1.2.3+b",
            "1+b",
            "1.2.3*",
            "<=*1.2.3",
            "9007199254740990",
            ">=9007199254740991",
        ];
        for range in good {
            assert!(package_pattern_is_valid(&format!("n@{range}")), "{range}");
        }
        let bad = [
            "next",
            "1-2",
            "01",
            "1.02.3",
            "1.2.3-01",
            "*.1",
            "1.x.3",
            "==1.2.3",
            "vv1.2.3",
            ">",
            "> > 1",
            "1 - 2 - 3",
            "1.2.3.4",
            "^9007199254740991",
            "9007199254740992.0.0",
            "1,2",
            "1 | 2",
            "!1",
            "= = 1",
        ];
        for range in bad {
            assert!(!package_pattern_is_valid(&format!("n@{range}")), "{range}");
        }
        let long = |n| format!("n@1.2.3-{}", "a".repeat(n));
        assert!(package_pattern_is_valid(&long(250)));
        assert!(!package_pattern_is_valid(&long(251)));
        // With an `x` the length of the whole does not count, that of an identifier does.
        let partial = |n| format!("n@1.x.x-{}", "a".repeat(n));
        assert!(package_pattern_is_valid(&partial(251)));
        assert!(!package_pattern_is_valid(&partial(252)));
    }

    #[test]
    fn a_name_goes_up_to_the_last_at_sign() {
        for good in ["react", "@s/p", "@s/p@1", "npm:a@b@1", "@1", "@@1", " a "] {
            assert!(package_pattern_is_valid(good), "{good}");
        }
        for bad in ["", " ", "\u{feff}", "a@", "a@ ", " @1", "@@", "a@1@b"] {
            assert!(!package_pattern_is_valid(bad), "{bad}");
        }
    }
}
