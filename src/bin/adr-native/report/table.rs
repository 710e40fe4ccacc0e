//! The report as a table for people.

use std::fmt::Write as _;

use adrkit_native::validate::text;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::gather::{File, Map, Matched, Proposal, Reason, Report};
use crate::text::{counted, findings_by_path};

/// How many changed files are shown.
const MAX_FILES: usize = 200;
/// How many ungoverned files are shown.
const MAX_UNGOVERNED: usize = 40;
/// The width to which a title is cut, in columns.
const MAX_TITLE_COLUMNS: usize = 48;

/// How a piece of text stands out on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Bold,
    Dim,
    Good,
    Open,
    Bad,
}

/// Turns styles into escape sequences, or into nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) colour: bool,
}

impl Paint {
    fn apply(self, style: Style, text: &str) -> String {
        let code = match style {
            _ if !self.colour || text.is_empty() => return text.to_owned(),
            Style::Plain => return text.to_owned(),
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Good => "32",
            Style::Open => "33",
            Style::Bad => "31",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The whole text.
pub(crate) fn render(report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} {}",
        paint.apply(Style::Bold, &printable(&report.repository)),
        paint.apply(Style::Dim, &format!("(decisions in {})", printable(&report.dir)))
    );
    changed_files(&mut out, report, paint);
    if let Some(map) = &report.map {
        map_tables(&mut out, map, paint);
    }
    proposals(&mut out, &report.open_proposals, paint);
    lint(&mut out, report, paint);
    let timings = &report.timings_ms;
    let _ = writeln!(
        out,
        "\n{}",
        paint.apply(
            Style::Dim,
            &format!(
                "git {} ms, decisions {} ms, lint {} ms; {} engine",
                timings.git, timings.decisions, timings.lint, report.engine
            )
        )
    );
    out
}

fn changed_files(out: &mut String, report: &Report, paint: Paint) {
    let label = printable(&report.label);
    if report.changed_files.is_empty() {
        heading(out, paint, &format!("Nothing has changed against {label} or in the work tree."));
    } else {
        let count = counted(report.changed_files.len(), "file");
        heading(out, paint, &format!("Changed: {count} against {label}, the work tree included"));
        let shown = &report.changed_files[..report.changed_files.len().min(MAX_FILES)];
        let mut rows = vec![header(&["FILE", "ID", "STATUS", "DECISION", "WHY", "WHERE"])];
        rows.extend(shown.iter().flat_map(file_rows));
        table(out, paint, &rows);
        more(out, report.changed_files.len() - shown.len());
    }
    if report.skipped_non_utf8 > 0 {
        let names = counted(report.skipped_non_utf8, "name");
        let _ = writeln!(out, "  {names} left out: not UTF-8");
    }
}

fn file_rows(file: &File) -> Vec<Vec<Cell>> {
    let live: Vec<&Matched> = file.decisions.iter().filter(|d| d.bucket != "history").collect();
    if live.is_empty() {
        return vec![vec![plain(&file.path), cell(Style::Dim, "-"), cell(Style::Dim, "nothing governs it")]];
    }
    let mut rows = Vec::new();
    for decision in live {
        for (n, reason) in decision.because.iter().enumerate() {
            let path = if rows.is_empty() { plain(&file.path) } else { plain("") };
            let mut row = vec![path];
            if n == 0 {
                row.extend(decision_cells(&decision.id, &decision.status, &decision.title));
            } else {
                row.extend([plain(""), plain(""), plain("")]);
            }
            row.extend([plain(&reason.text), cell(Style::Dim, &place(reason))]);
            rows.push(row);
        }
    }
    rows
}

fn place(reason: &Reason) -> String {
    match reason.line {
        Some(line) => format!("{}:{line}", reason.path),
        None => reason.path.clone(),
    }
}

fn decision_cells(id: &str, status: &str, title: &str) -> [Cell; 3] {
    let style = match status {
        "accepted" => Style::Good,
        "draft" | "proposed" => Style::Open,
        _ => Style::Dim,
    };
    [cell(Style::Bold, id), cell(style, status), plain(&cut(title))]
}

fn map_tables(out: &mut String, map: &Map, paint: Paint) {
    heading(out, paint, &format!("Decisions over {}", counted(map.tracked_files, "tracked file")));
    let mut rows = vec![header(&["ID", "STATUS", "DECISION", "FILES"])];
    rows.extend(map.decisions.iter().map(|d| {
        let [id, status, title] = decision_cells(&d.id, &d.status, &d.title);
        vec![id, status, title, plain(&d.files.to_string())]
    }));
    table(out, paint, &rows);
    if map.ungoverned.is_empty() {
        return;
    }
    let count = map.ungoverned.len();
    heading(out, paint, &format!("No accepted decision governs {}", counted(count, "tracked file")));
    for path in map.ungoverned.iter().take(MAX_UNGOVERNED) {
        let _ = writeln!(out, "  {}", printable(path));
    }
    more(out, count.saturating_sub(MAX_UNGOVERNED));
}

fn proposals(out: &mut String, proposals: &[Proposal], paint: Paint) {
    if proposals.is_empty() {
        return;
    }
    heading(out, paint, &format!("Open: {}", counted(proposals.len(), "proposal")));
    let rows: Vec<Vec<Cell>> = proposals
        .iter()
        .map(|p| {
            let mut row = decision_cells(&p.id, &p.status, &p.title).to_vec();
            row.push(match p.changed_files {
                0 => plain(""),
                n => plain(&format!("would govern {} of these", counted(n, "file"))),
            });
            row.push(cell(Style::Dim, &p.path));
            row
        })
        .collect();
    table(out, paint, &rows);
}

fn lint(out: &mut String, report: &Report, paint: Paint) {
    let count = counted(report.lint.checked, "record");
    if report.lint.findings.is_empty() {
        heading(out, paint, &format!("Lint: {count}, no finding"));
        return;
    }
    let findings = counted(report.lint.findings.len(), "finding");
    heading(out, paint, &format!("Lint: {count}, {}", paint.apply(Style::Bad, &findings)));
    for line in findings_by_path(&report.lint.findings).lines() {
        let _ = writeln!(out, "  {}", printable(line));
    }
}

fn heading(out: &mut String, paint: Paint, text: &str) {
    let _ = writeln!(out, "\n{}", paint.apply(Style::Bold, text));
}

fn more(out: &mut String, left: usize) {
    if left > 0 {
        let _ = writeln!(out, "  and {left} more (--json lists all)");
    }
}

/// A piece of a row; its text is safe to print.
#[derive(Debug, Clone)]
struct Cell {
    style: Style,
    text: String,
}

fn cell(style: Style, text: &str) -> Cell {
    Cell { style, text: printable(text) }
}

fn plain(text: &str) -> Cell {
    cell(Style::Plain, text)
}

fn header(names: &[&str]) -> Vec<Cell> {
    names.iter().map(|n| cell(Style::Dim, n)).collect()
}

fn table(out: &mut String, paint: Paint, rows: &[Vec<Cell>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|c| rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.text.width()).max().unwrap_or(0))
        .collect();
    for row in rows {
        let mut line = String::from(" ");
        let mut gap = 0;
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, " {:gap$}{}", "", paint.apply(cell.style, &cell.text));
            gap = width - cell.text.width() + 1;
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn cut(title: &str) -> String {
    if title.width() <= MAX_TITLE_COLUMNS {
        return title.to_owned();
    }
    let mut left = MAX_TITLE_COLUMNS - 1;
    let mut fits = |c: &char| {
        let room = left.checked_sub(c.width().unwrap_or(0));
        left = room.unwrap_or(0);
        room.is_some()
    };
    let out: String = title.chars().take_while(|c| fits(c)).collect();
    format!("{}…", out.trim_end())
}

/// Repository text with everything escaped that a terminal would act on or hide.
fn printable(raw: &str) -> String {
    raw.chars().fold(String::with_capacity(raw.len()), |mut out, c| {
        if text::is_control(c) || text::is_line_separator(c) || text::is_format(c) || text::is_tag(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_in_repository_text_are_shown_not_sent() {
        assert_eq!(printable("a\u{1b}[31mb\u{202e}c"), "a\\u{1b}[31mb\\u{202e}c");
        let row = [vec![cell(Style::Good, "x\u{7}"), plain("é")]];
        let mut out = String::new();
        table(&mut out, Paint { colour: false }, &row);
        assert_eq!(out, "  x\\u{7}  é\n");
    }

    #[test]
    fn columns_line_up_whatever_the_width_of_a_character() {
        let rows = [vec![plain("日本"), plain("1")], vec![plain("abc"), plain("2")]];
        let mut out = String::new();
        table(&mut out, Paint { colour: false }, &rows);
        assert_eq!(out, "  日本  1\n  abc   2\n");
        assert_eq!(cut(&"日".repeat(40)).width(), MAX_TITLE_COLUMNS - 1);
    }

    #[test]
    fn colour_only_where_it_is_asked_for() {
        assert_eq!(Paint { colour: true }.apply(Style::Bad, "x"), "\u{1b}[31mx\u{1b}[0m");
        assert_eq!(Paint { colour: false }.apply(Style::Bad, "x"), "x");
    }
}
