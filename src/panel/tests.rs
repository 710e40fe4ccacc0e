//! The parts as snapshots, and what no repository text can do to them.

use std::collections::HashMap;
use std::time::Duration;

use camino::Utf8PathBuf;
use proptest::collection::vec;
use proptest::prelude::*;

use super::coverage::Coverage;
use super::*;
use crate::corpus::date::Instant;
use crate::report::{
    CheckReport, CorpusFinding, Decision, Declaration, Finding, FiredMatcher, ItemFinding, LintReport,
    QueueItem, QueueReport, Severity,
};
use crate::snapshot::{Changes, Reported};

/// How many texts of a repository [`page_of`] has room for.
const TEXTS: usize = 34;

/// A page with a text of the repository in each place that takes one. Two calls differ in nothing else.
fn page_of(mut text: impl FnMut() -> String) -> (Subject, Content) {
    let subject = Subject { directory: Utf8PathBuf::from(format!("/w/{}", text())), corpus: text() };
    let files = vec![text(), format!("{}/{}", text(), text())];
    let mut decision = |bucket: &str| Decision {
        record_id: text(),
        title: text(),
        status: text(),
        bucket: bucket.to_owned(),
        superseded_by: (bucket == "history").then(&mut text),
        fired_matchers: vec![FiredMatcher { kind: text(), pattern: text() }],
        declared_by: vec![Declaration { path: text(), line: 7, reference: text() }],
    };
    let report = CheckReport {
        changed_files: files.clone(),
        governing: vec![decision("governing")],
        active_proposals: vec![decision("activeProposals")],
        history: vec![decision("history")],
        ..CheckReport::default()
    };
    let coverage = Coverage {
        governing: vec![vec![1]],
        proposals: vec![vec![0, 1]],
        history: vec![vec![0]],
        governed_by: vec![vec![], vec![0]],
        proposed_for: vec![vec![0], vec![0]],
        uncovered: vec![0],
    };
    let finding =
        Finding::new(&text(), Severity::Error, text()).path(text()).id(text()).field(text()).pattern(text());
    let item = QueueItem {
        id: text(),
        title: text(),
        source_path: String::new(),
        tier: None,
        tier_label: Some(text()),
        queued_at: None,
        sla_days: None,
        review_by: None,
        sla_state: text(),
        deadline_date: Some(text()),
        routing_targets: vec![text()],
        quorum: Some(2),
        approval_count: 1,
        unresolved_objection_count: 1,
        resolved_objection_count: 0,
        escalated_at: None,
        decided_at: None,
        item_findings: vec![ItemFinding { code: String::new(), severity: Severity::Warn, message: text() }],
    };
    let changes = Changes { files, base: None, label: text(), skipped_non_utf8: 1 };
    let queue = queue_of(vec![item], text());
    let content = Content {
        changes: held(changes),
        check: held(reported("embedded", report)),
        lint: held(reported("cli", LintReport { checked: 4, findings: vec![finding] })),
        queue: held(reported("embedded", queue)),
        coverage,
        no_corpus: false,
        made: made(),
    };
    (subject, content)
}

fn held<T>(value: T) -> Held<T> {
    Held { value: Some(value), ..Held::default() }
}

fn reported<R>(engine: &'static str, report: R) -> Reported<R> {
    Reported { exit_code: 0, engine, report }
}

fn made() -> Option<Made> {
    Some(Made { at: Instant::from_unix_ms(1_796_000_000_123)?, took: Duration::from_millis(48) })
}

fn queue_of(items: Vec<QueueItem>, as_of: String) -> QueueReport {
    QueueReport {
        version: "1".to_owned(),
        as_of,
        corpus_fingerprint: String::new(),
        total_items: items.len(),
        total_corpus_findings: 0,
        items_with_findings: 0,
        items,
        corpus_findings: vec![CorpusFinding {
            source_path: String::new(),
            code: String::new(),
            severity: Severity::Info,
            message: String::new(),
        }],
    }
}

fn all_parts(subject: &Subject, content: &Content) -> Vec<Part> {
    let mut parts = vec![status(subject, content, Activity::default())];
    parts.extend(content_parts(subject, content));
    parts
}

/// All parts, a line for each element.
fn shown(subject: &Subject, content: &Content) -> String {
    let parts = all_parts(subject, content);
    assert_eq!(parts.iter().map(|part| part.id).collect::<Vec<_>>(), PART_IDS);
    let lines = parts.iter().map(|part| format!("== {}\n{}\n", part.id, part.html.replace("><", ">\n<")));
    lines.collect()
}

/// One text after the other, over and over.
fn texts(texts: &[&str]) -> impl FnMut() -> String {
    let mut all: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    move || {
        all.rotate_left(1);
        all.last().cloned().unwrap_or_default()
    }
}

#[cfg(unix)]
#[test]
fn a_review_is_shown() {
    let (subject, content) = page_of(texts(&["0001", "src/a.ts", "Keep it simple", "accepted", "docs/adr"]));
    insta::assert_snapshot!("review", shown(&subject, &content));
}

#[cfg(unix)]
#[test]
fn hostile_text_is_shown_as_text() {
    let (subject, content) = page_of(texts(&[
        "</title></style></script><script>alert(1)</script>",
        "\" onfocus=\"alert(1)\" x='",
        "{{ x }} {% y %} ${z} <%= w %> (PreEscaped)",
        "a\u{202e}b\u{2066}c\u{200b}\u{e0041}\0\n\u{1b}[31m",
        "javascript:alert(1)",
        "-->]]><svg onload=alert(1)>&lt;&amp;",
        "$(touch x)`y`'z",
    ]));
    insta::assert_snapshot!("hostile", shown(&subject, &content));
}

#[test]
fn states_without_a_review_are_told_in_words() {
    let (subject, _) = page_of(texts(&["x"]));
    let subject = Subject { corpus: "docs/adr".to_owned(), ..subject };
    let failed = |note: &str| Content {
        changes: Held { note: Some(note.to_owned()), ..Held::default() },
        check: Held { note: Some(note.to_owned()), ..Held::default() },
        ..Content::default()
    };
    let none = |label: &str| Content {
        changes: held(Changes { files: vec![], base: None, label: label.to_owned(), skipped_non_utf8: 0 }),
        check: held(reported("cli", CheckReport::default())),
        made: made(),
        ..Content::default()
    };
    let busy = status(&subject, &Content::default(), Activity { refreshing: true });
    let cases = [
        ("collecting", busy.html),
        ("nothing yet", shown(&subject, &Content::default())),
        ("no work tree", shown(&subject, &failed("The directory is not inside a git work tree."))),
        ("no corpus", shown(&subject, &Content { no_corpus: true, ..failed(NO_RECORDS) })),
        ("nothing changed", shown(&subject, &none("HEAD"))),
    ];
    let text = cases.map(|(name, shown)| format!("# {name}\n{shown}"));
    insta::assert_snapshot!("states", text.join("\n"));
}

#[test]
fn a_part_that_failed_says_so_above_its_last_result() {
    let (subject, mut content) = page_of(texts(&["0001"]));
    let note = "Automatic refresh timed out; showing the previous result.";
    content.lint.note = Some(note.to_owned());
    content.queue.note = Some(note.to_owned());
    let parts = all_parts(&subject, &content);
    let noted: Vec<&str> = parts.iter().filter(|it| it.html.contains(note)).map(|it| it.id).collect();
    assert_eq!(noted, ["p-status", "p-lint", "p-queue"]);
    assert_eq!(parts[0].html.matches(note).count(), 1);
    assert!(parts.iter().all(|part| !part.html.is_empty()));
}

#[test]
fn a_huge_review_stays_light_and_counts_what_it_leaves_out() {
    let files: Vec<String> = (0..4000).map(|n| format!("packages/module-{n:04}/src/index.ts")).collect();
    let decision = |n: usize| Decision {
        record_id: format!("{n:04}"),
        title: "T".repeat(1_000_000),
        status: "accepted".to_owned(),
        bucket: "governing".to_owned(),
        superseded_by: None,
        fired_matchers: vec![FiredMatcher { kind: "path".to_owned(), pattern: "**".to_owned() }; 20],
        declared_by: vec![],
    };
    let everything: Vec<usize> = (0..files.len()).collect();
    let finding = Finding::new("rule", Severity::Warn, "M".repeat(1_000_000)).path("p".repeat(1_000_000));
    let content = Content {
        changes: held(Changes {
            files: files.clone(),
            base: None,
            label: "HEAD".to_owned(),
            skipped_non_utf8: 0,
        }),
        coverage: Coverage {
            governing: vec![everything.clone(); 600],
            governed_by: vec![(0..600).collect(); files.len()],
            proposed_for: vec![vec![]; files.len()],
            ..Coverage::default()
        },
        check: held(reported(
            "cli",
            CheckReport {
                governing: (0..600).map(decision).collect(),
                changed_files: files,
                ..CheckReport::default()
            },
        )),
        lint: held(reported("cli", LintReport { checked: 1, findings: vec![finding; 30] })),
        made: made(),
        ..Content::default()
    };
    let subject = Subject { directory: "/w".into(), corpus: "docs/adr".to_owned() };
    let parts = content_parts(&subject, &content);
    let html = |id: &str| parts.iter().find(|part| part.id == id).map(|part| part.html.as_str()).unwrap();
    let bytes: usize = parts.iter().map(|part| part.html.len()).sum();
    assert!(bytes < 6_000_000, "{bytes}");
    assert!(html("p-decisions").contains("and 100 more"));
    assert!(html("p-decisions").contains("and 3\u{202f}990 more"), "10 files of each");
    assert!(html("p-decisions").contains("and 8 more"), "12 reasons of each");
    assert!(html("p-changes").contains("and 1\u{202f}000 more"));
    assert!(html("p-changes").contains("+592"));
    assert!(html("p-picture").contains("The 8 decisions that hold the most of it, of 600."));
    assert_eq!(html("p-changes").matches("data-row").count(), limits::CHANGED_FILES);
}

#[test]
fn every_key_of_a_page_is_its_own() {
    // The same text everywhere, twice in each list.
    let (subject, mut content) = page_of(texts(&["0001"]));
    let report = &mut content.check.value.as_mut().unwrap().report;
    for list in [&mut report.governing, &mut report.active_proposals, &mut report.history] {
        list.push(list[0].clone());
    }
    report.changed_files = vec!["0001".to_owned(); 2];
    content.changes.value.as_mut().unwrap().files = vec!["0001".to_owned(); 2];
    content.coverage = Coverage {
        governing: vec![vec![0, 1]; 2],
        proposals: vec![vec![0, 1]; 2],
        history: vec![vec![0, 1]; 2],
        governed_by: vec![vec![0, 1]; 2],
        proposed_for: vec![vec![]; 2],
        uncovered: vec![0, 1],
    };
    let html: String = all_parts(&subject, &content).into_iter().map(|part| part.html).collect();
    let mut keys: Vec<String> = tags(&html)
        .into_iter()
        .flat_map(|tag| tag.attributes)
        .filter(|(name, _)| name == "data-key")
        .map(|(_, value)| value)
        .collect();
    let total = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!((keys.len(), total), (total, 24));
}

#[test]
fn the_document_holds_the_parts_one_style_and_one_script() {
    let (subject, content) = page_of(texts(&["</title><script>", "\"><script>"]));
    let parts = all_parts(&subject, &content);
    let page = document(&subject, &parts, Frame { nonce: "n\"o<nce", base: "/t\"<oken/" });
    for part in &parts {
        assert!(page.contains(&part.html), "{}", part.id);
    }
    for (text, times) in [
        ("<script", 1),
        ("<style", 1),
        ("<style nonce=\"n&quot;o&lt;nce\">", 1),
        ("<script nonce=\"n&quot;o&lt;nce\">", 1),
        ("data-base=\"/t&quot;&lt;oken/\"", 1),
        ("<section id=\"p-status\" role=\"status\">", 1),
        ("<section", PART_IDS.len()),
        ("<input id=\"filter\" type=\"search\"", 1),
        ("<button id=\"refresh\"", 1),
        ("<p id=\"connection\" role=\"alert\" hidden></p>", 1),
    ] {
        assert_eq!(page.matches(text).count(), times, "{text}");
    }
    let (_, body) = page.split_once("</style>").unwrap();
    let (body, _) = body.rsplit_once("<script").unwrap();
    let inline = |name: &str| name == "style" || name.starts_with("on") || name == "src" || name == "srcset";
    let links =
        |tag: &Tag| tag.attributes.iter().any(|(name, value)| name == "href" && !value.starts_with('#'));
    for tag in tags(body) {
        assert!(!links(&tag) && !tag.attributes.iter().any(|(name, _)| inline(name)), "{tag:?}");
    }
}

#[test]
fn style_and_script_do_not_end_their_elements() {
    for text in [include_str!("page.css"), include_str!("page.js")] {
        for end in ["</style", "</script", "<!--", "<script", "url(", "@import"] {
            assert!(!text.to_ascii_lowercase().contains(end), "{end}");
        }
    }
}

/// The colours of a scheme by name, each as red, green and blue.
fn colours(scheme: &str) -> HashMap<&str, [f64; 3]> {
    let channel = |hex: &str| f64::from(u8::from_str_radix(hex, 16).unwrap()) / 255.0;
    let declared = scheme.lines().filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
    let read = |(name, hex)| {
        let hex: &str = hex;
        (name, [channel(&hex[0..2]), channel(&hex[2..4]), channel(&hex[4..6])])
    };
    declared.map(read).collect()
}

/// The contrast ratio of WCAG 2.2, from 1 to 21.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn colours_can_be_told_apart_in_either_scheme() {
    let (light, dark) = include_str!("page.css").split_once("prefers-color-scheme: dark").unwrap();
    let (dark, _) = dark.split_once("*,").unwrap();
    let (text, shape) = (4.5, 3.0);
    for (scheme, colours) in [("light", colours(light)), ("dark", colours(dark))] {
        for (front, back, least) in [
            ("ink", "ground", text),
            ("ink", "raised", text),
            ("soft", "ground", text),
            ("soft", "raised", text),
            ("soft", "sunken", text),
            ("accent", "ground", text),
            ("accent-ink", "accent", text),
            ("good", "good-ground", text),
            ("open", "open-ground", text),
            ("open", "ground", text),
            ("warn", "warn-ground", text),
            ("warn", "ground", text),
            ("bad", "bad-ground", text),
            ("edge", "ground", shape),
            ("edge", "raised", shape),
            ("focus", "ground", shape),
            ("held", "sunken", shape),
            ("free", "sunken", shape),
        ] {
            let ratio = contrast(colours[front], colours[back]);
            assert!(ratio >= least, "{front} on {back}, {scheme}: {ratio:.2}");
        }
    }
}

/// A start tag.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

/// The start tags of markup, as a browser would find them. Anything but what `maud` writes is an error.
fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(begin) = rest.find('<') {
        rest = &rest[begin + 1..];
        if let Some(end) = rest.strip_prefix('/') {
            let (name, after) = end.split_once('>').expect("an end tag ends");
            assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()), "{name}");
            rest = after;
            continue;
        }
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        assert!(length > 0, "text has a '<': {:?}", rest.chars().take(40).collect::<String>());
        let mut tag = Tag { name: rest[..length].to_owned(), attributes: Vec::new() };
        rest = &rest[length..];
        while let Some(attribute) = rest.strip_prefix(' ') {
            let length = attribute.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
            assert!(length > 0, "an attribute has a name");
            let name = attribute[..length].to_owned();
            rest = &attribute[length..];
            let mut value = String::new();
            if let Some(quoted) = rest.strip_prefix("=\"") {
                let (inside, after) = quoted.split_once('"').expect("a value ends");
                (value, rest) = (inside.to_owned(), after);
            }
            tag.attributes.push((name, value));
        }
        rest = rest.strip_prefix('>').expect("a start tag ends");
        tags.push(tag);
    }
    tags
}

/// The elements of a page, without those that mark and cut text, and without what attributes take from the text.
fn skeleton(subject: &Subject, content: &Content) -> Vec<Tag> {
    let html: String = all_parts(subject, content).into_iter().map(|part| part.html).collect();
    let of_text = |tag: &Tag| {
        let class = tag.attributes.iter().find(|(name, _)| name == "class").map(|(_, value)| value.as_str());
        matches!(
            (tag.name.as_str(), class),
            ("b", Some("hidden-char")) | ("i", Some("cut")) | ("span", Some("dir"))
        ) || cfg!(windows) && tag.name == "button"
    };
    let mut tags: Vec<Tag> = tags(&html).into_iter().filter(|tag| !of_text(tag)).collect();
    for (name, value) in tags.iter_mut().flat_map(|tag| &mut tag.attributes) {
        if ["data-key", "data-copy", "aria-label"].contains(&name.as_str()) || value.starts_with("badge") {
            value.clear();
        }
    }
    tags
}

/// What breaks out of markup where it is not escaped.
const HOSTILE: &[&str] = &[
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<img src=x onerror=x>",
    "</title>",
    "</style>",
    "<svg/onload=x>",
    "\"",
    "'",
    "`",
    ">",
    "<",
    "=",
    " x=y ",
    "\" onclick=\"x",
    "&lt;script&gt;",
    "&#60;",
    "&quot;",
    "]]>",
    "<![CDATA[",
    "{{x}}",
    "{%x%}",
    "${x}",
    "javascript:",
    "\u{202e}",
    "\u{2066}",
    "\u{0}",
    "\n",
    "\u{feff}",
    "/",
    "\\",
    "..",
    "accepted",
    "cli",
    "path",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(HOSTILE).prop_map(str::to_owned),
        any::<char>().prop_map(String::from)
    ];
    vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_text_adds_an_element_or_an_attribute(texts in vec(hostile(), TEXTS..=TEXTS)) {
        let mut used = 0;
        // The number keeps apart what is shown otherwise where it is the same.
        let (subject, content) = page_of(|| {
            used += 1;
            format!("{}{used}", texts[used % TEXTS])
        });
        let mut harmless = 0;
        let (other_subject, other) = page_of(|| {
            harmless += 1;
            format!("x{harmless}")
        });
        prop_assert_eq!(skeleton(&subject, &content), skeleton(&other_subject, &other));
        let page = document(&subject, &all_parts(&subject, &content), Frame { nonce: &texts[0], base: &texts[1] });
        prop_assert_eq!(page.matches("<script").count(), 1);
        prop_assert_eq!(page.matches("<style").count(), 1);
    }
}
