//! The parser of Copilot CLI 1.0.102 as far as headers go, as a model to compare with: strict, and without any thought
//! of speed. That it is right is what the recorded patches show.

/// JavaScript's `trim`.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\u{FEFF}' || c.is_whitespace() && c != '\u{85}')
}

/// The paths of a patch; none where the parser refuses it.
pub fn parse(text: &str) -> Option<Vec<String>> {
    let text = trim(text).replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    let mut rest = body(&lines).or_else(|| match lines[..] {
        ["<<EOF" | "<<'EOF'" | "<<\"EOF\"", ref inner @ .., last] if last.ends_with("EOF") => body(inner),
        _ => None,
    })?;
    let mut paths = Vec::new();
    while let [header, below @ ..] = rest {
        let header = trim(header);
        rest = below;
        let mut name = |marker| {
            let path = trim(header.strip_prefix(marker)?);
            paths.push(path.to_owned());
            Some(())
        };
        if name("*** Add File: ").is_some() {
            while let [line, below @ ..] = rest
                && line.starts_with('+')
            {
                rest = below;
            }
        } else if name("*** Delete File: ").is_some() {
        } else if name("*** Update File: ").is_some() {
            if let [line, below @ ..] = rest
                && let Some(path) = trim(line).strip_prefix("*** Move to: ")
            {
                paths.push(trim(path).to_owned());
                rest = below;
            }
            rest = chunks(rest)?;
        } else {
            return None;
        }
    }
    Some(paths)
}

fn body<'a, 'b>(lines: &'b [&'a str]) -> Option<&'b [&'a str]> {
    match lines {
        ["*** Begin Patch", body @ .., "*** End Patch"] => Some(body),
        _ => None,
    }
}

/// What is below the chunks of an update.
fn chunks<'a, 'b>(mut rest: &'b [&'a str]) -> Option<&'b [&'a str]> {
    let mut count = 0;
    while let [line, below @ ..] = rest {
        if trim(line).is_empty() {
            rest = below;
        } else if line.starts_with('*') {
            break;
        } else {
            rest = chunk(rest, count == 0)?;
            count += 1;
        }
    }
    (count > 0).then_some(rest)
}

fn chunk<'a, 'b>(mut rest: &'b [&'a str], may_begin_bare: bool) -> Option<&'b [&'a str]> {
    match rest {
        [at, below @ ..] if *at == "@@" || at.starts_with("@@ ") => rest = below,
        _ if !may_begin_bare => return None,
        _ => {}
    }
    let mut count = 0;
    while let [line, below @ ..] = rest {
        match line.chars().next() {
            None | Some(' ' | '+' | '-') => count += 1,
            Some(_) if *line == "*** End of File" && count > 0 => return Some(below),
            Some(_) => break,
        }
        rest = below;
    }
    (count > 0).then_some(rest)
}
