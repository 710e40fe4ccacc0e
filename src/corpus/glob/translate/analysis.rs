//! Which repeated extended globs, `+(…)` and `*(…)`, are not taken as such because they could take for ever.

use std::collections::HashSet;

use super::{Failure, escape};

/// How many bytes may be looked at for one pattern. Extended globs nested thousands deep pass it.
const MAX_WORK: usize = 1 << 22;

/// What remains of [`MAX_WORK`].
#[derive(Debug)]
pub struct Budget {
    left: usize,
}

impl Budget {
    pub fn new() -> Self {
        Self { left: MAX_WORK }
    }

    pub fn spend(&mut self, work: usize) -> Result<(), Failure> {
        self.left = self.left.checked_sub(work).ok_or(Failure::TooMuchWork)?;
        Ok(())
    }
}

/// What to make of a repetition.
#[derive(Debug, PartialEq, Eq)]
pub enum Risk {
    None,
    /// Take it literally.
    Literal,
    /// This expression means the same and is harmless.
    Class(String),
}

/// Looks at the body of a repeated extended glob.
pub fn analyse(body: &str, budget: &mut Budget) -> Result<Risk, Failure> {
    budget.spend(body.len())?;
    let branches: Vec<&str> = split_top_level(body).into_iter().map(trim).collect();
    if branches.len() > 1 {
        let is_any = |branch: &&str| branch.chars().all(|c| matches!(c, '*' | '?'));
        if branches.iter().any(is_any) || overlap(&branches) {
            return Ok(Risk::Literal);
        }
    }
    let mut units: Vec<char> = Vec::new();
    let (mut saw_sequence, mut combinable) = (false, true);
    for branch in branches {
        if let Some(sequence) = star_sequence(branch) {
            saw_sequence = true;
            units.extend(sequence);
        } else if let Some(unit) = simple_branch(branch).as_deref().and_then(single_unit) {
            units.push(unit);
        } else {
            combinable = false;
            if repeated(branch).is_some_and(|(_, _, end)| end + 1 == branch.len()) {
                return Ok(Risk::Literal);
            }
        }
    }
    if !saw_sequence {
        return Ok(Risk::None);
    }
    Ok(if combinable { Risk::Class(class_star(&units)) } else { Risk::Literal })
}

/// JavaScript's `trim`.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() && c != '\u{85}' || c == '\u{FEFF}')
}

/// Splits at each `|` outside of parentheses, brackets and quotes.
fn split_top_level(body: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut brackets, mut parens, mut quoted, mut escaped, mut begin) = (0usize, 0usize, false, false, 0);
    for (at, b) in body.bytes().enumerate() {
        if escaped {
            escaped = false;
            continue;
        }
        match b {
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' => brackets += 1,
            b']' => brackets = brackets.saturating_sub(1),
            _ if brackets > 0 => {}
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b'|' if parens == 0 => {
                parts.push(&body[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[begin..]);
    parts
}

/// The text of a branch without metacharacters; `@(x)` counts as `x`.
fn simple_branch(branch: &str) -> Option<String> {
    let branch = trim(branch);
    let inner = branch.strip_prefix("@(").and_then(|rest| rest.strip_suffix(')'));
    let inner =
        inner.filter(|inner| !inner.is_empty() && !inner.contains(['\\', '(', ')', '[', ']', '{', '}', '|']));
    let text = inner.unwrap_or(branch);
    let mut plain = String::with_capacity(text.len());
    let mut escaped = false;
    for c in text.chars() {
        if escaped {
            if matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}') {
                plain.push('\\');
            }
            plain.push(c);
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if matches!(c, '?' | '*' | '+' | '@' | '!' | '(' | ')' | '[' | ']' | '{' | '}') {
            return None;
        } else {
            plain.push(c);
        }
    }
    if escaped {
        plain.push('\\');
    }
    Some(plain)
}

/// The character, if the text is one code unit.
fn single_unit(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next().filter(|c| c.len_utf16() == 1)?;
    chars.next().is_none().then_some(first)
}

/// Are two branches runs of the same character?
fn overlap(branches: &[&str]) -> bool {
    let mut runs: Vec<char> = branches
        .iter()
        .filter_map(|branch| simple_branch(branch))
        .filter_map(|text| {
            let first = text.chars().next().filter(|c| c.len_utf16() == 1)?;
            text.chars().all(|c| c == first).then_some(first)
        })
        .collect();
    runs.sort_unstable();
    runs.windows(2).any(|pair| pair[0] == pair[1])
}

/// If the text begins with `+(…)` or `*(…)`: its character, its body, and where its `)` is.
fn repeated(text: &str) -> Option<(u8, &str, usize)> {
    let bytes = text.as_bytes();
    let kind = *bytes.first().filter(|b| matches!(b, b'+' | b'*'))?;
    if bytes.get(1) != Some(&b'(') {
        return None;
    }
    let (mut brackets, mut parens, mut quoted, mut escaped) = (0usize, 0usize, false, false);
    for (at, &b) in bytes.iter().enumerate().skip(1) {
        if escaped {
            escaped = false;
            continue;
        }
        match b {
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' => brackets += 1,
            b']' if brackets > 0 => brackets -= 1,
            _ if brackets > 0 => {}
            b'(' => parens += 1,
            b')' => {
                parens -= 1;
                if parens == 0 {
                    return Some((kind, &text[2..at], at));
                }
            }
            _ => {}
        }
    }
    None
}

/// The characters of `*(a)*(b)…`.
fn star_sequence(branch: &str) -> Option<Vec<char>> {
    let mut units = Vec::new();
    let mut rest = branch;
    while !rest.is_empty() {
        let (kind, body, end) = repeated(rest)?;
        let parts = split_top_level(body);
        let [part] = parts[..] else { return None };
        let unit = simple_branch(trim(part)).as_deref().and_then(single_unit)?;
        if kind != b'*' {
            return None;
        }
        units.push(unit);
        rest = &rest[end + 1..];
    }
    if units.is_empty() { None } else { Some(units) }
}

fn class_star(units: &[char]) -> String {
    let mut seen = HashSet::new();
    let distinct: Vec<char> = units.iter().copied().filter(|&unit| seen.insert(unit)).collect();
    if let [unit] = distinct[..] {
        return format!("{}*", escape(unit.encode_utf8(&mut [0; 4])));
    }
    format!("[{}]*", escape(&distinct.into_iter().collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks() {
        let class = |text: &str| Risk::Class(text.to_owned());
        for (body, risk) in [
            ("a", Risk::None),
            ("a|b", Risk::None),
            ("a|ab", Risk::None),
            ("ab|abab", Risk::None),
            ("a|aa", Risk::Literal),
            ("@(a)|aa", Risk::Literal),
            ("a| a", Risk::Literal),
            ("a|", Risk::Literal),
            ("a|**", Risk::Literal),
            ("a|b|*?", Risk::Literal),
            ("+(a)", Risk::Literal),
            ("x|+(a)", Risk::Literal),
            ("x+(a)", Risk::None),
            ("*(a)", class("a*")),
            ("*(a)*(b)", class("[ab]*")),
            ("*(a)|*(b)|a|.", class("[ab\\.]*")),
            ("*(a)|bc", Risk::Literal),
            ("*(ab)", Risk::Literal),
            ("\"a|b\"", Risk::None),
            ("[a|a]|b", Risk::None),
        ] {
            assert_eq!(analyse(body, &mut Budget::new()), Ok(risk), "{body}");
        }
    }
}
