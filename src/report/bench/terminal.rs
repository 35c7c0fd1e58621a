//! The terminal report of a measurement.

use std::fmt::Write;

use anstyle::Style;

use super::table::{
    CHANGE_TITLES, THROUGHPUT_TITLES, TITLES, cells, change_cells, ranked, throughput_cells,
};
use crate::bench::{BenchSummary, CorpusRow, Flag};
use crate::report::number::counted;
use crate::report::styles::{BAD, BOLD, DIM, GOOD};
use crate::roster::SolverSpec;
use crate::variant::VariantSolverSpec;

/// Characters of a full bar.
const BAR: usize = 16;

/// Returns the terminal report of a run: a table per corpus, the fastest first; all threads; the
/// comparison. With ANSI styles, for a writer that strips them where necessary.
pub fn bench_terminal(summary: &BenchSummary) -> String {
    let mut text = String::new();
    for corpus in &summary.corpora {
        corpus_table(&mut text, summary, corpus);
    }
    if !summary.throughput.is_empty() {
        heading(&mut text, "all threads", "");
        let mut table = Table::new(&THROUGHPUT_TITLES, &[2, 3, 4, 5, 6]);
        for row in &summary.throughput {
            let style = row.struck.as_ref().map_or(Style::new(), |_| BAD);
            table.push(throughput_cells(row).map(plain), style);
        }
        table.render(&mut text);
    }
    if let Some(comparison) = &summary.comparison {
        let note = format!("commit {}, {}", comparison.commit, comparison.cpu);
        heading(
            &mut text,
            &format!("compared with {}", comparison.base),
            &note,
        );
        let mut table = Table::new(&CHANGE_TITLES, &[2, 3, 4]);
        for change in &comparison.rows {
            let (cells, flag) = change_cells(change);
            let style = match flag {
                Some(Flag::Faster) => GOOD,
                Some(Flag::Slower) => BAD,
                Some(Flag::Same) => Style::new(),
                None => DIM,
            };
            table.push(cells.map(plain), style);
        }
        table.render(&mut text);
    }
    text
}

/// Returns a table of the solvers of classic boards, then of those of boards of any size.
pub fn roster_terminal(roster: &[SolverSpec], variants: &[VariantSolverSpec]) -> String {
    let classic = roster.iter().map(|spec| {
        let complete = if spec.complete { "yes" } else { "no" };
        [spec.name, "9x9", complete, spec.about]
    });
    let variants = variants
        .iter()
        .map(|spec| [spec.name, "any", "yes", spec.about]);
    let mut text = String::new();
    let mut table = Table::new(&["solver", "boards", "complete", "how it works"], &[]);
    for row in classic.chain(variants) {
        table.push(row.map(str::to_owned), Style::new());
    }
    table.render(&mut text);
    text
}

fn corpus_table(text: &mut String, summary: &BenchSummary, corpus: &CorpusRow) {
    let reading = &corpus.reading;
    let mut note = counted(reading.puzzles, "puzzle");
    if reading.bad_lines > 0 {
        note += &format!(", {}", counted(reading.bad_lines, "bad line"));
    }
    heading(text, &corpus.name, &note);
    let mut titles = TITLES.to_vec();
    titles.insert(2, "");
    let mut table = Table::new(&titles, &[1, 3, 4, 5, 6, 7, 8, 9]);
    for ranked in ranked(&summary.rows, &corpus.name) {
        let mut cells: Vec<String> = cells(ranked.row).map(plain).to_vec();
        cells.insert(2, ranked.share.map(bar).unwrap_or_default());
        let style = match ranked.share {
            Some(_) if ranked.is_best => GOOD,
            Some(_) => Style::new(),
            None => BAD,
        };
        table.push(cells, style);
    }
    table.render(text);
}

fn heading(text: &mut String, title: &str, note: &str) {
    let gap = if text.is_empty() { "" } else { "\n" };
    let title = plain(title.to_owned());
    let note = plain(note.to_owned());
    let line = format!("{gap}{BOLD}{title}{BOLD:#}  {DIM}{note}{DIM:#}");
    writeln!(text, "{}", line.trim_end()).expect("a string takes everything");
}

/// Returns a bar with a resolution of an eighth of a character.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * (8 * BAR) as f64).round() as usize;
    let rest = if eighths == 0 {
        "▏"
    } else {
        EIGHTHS[eighths % 8]
    };
    "█".repeat(eighths / 8) + rest
}

/// Returns the text with control characters escaped.
fn plain(text: String) -> String {
    if !text.contains(char::is_control) {
        return text;
    }
    let escape = |character: char| -> String {
        if character.is_control() {
            character.escape_default().collect()
        } else {
            character.into()
        }
    };
    text.chars().map(escape).collect()
}

/// A table with columns as wide as their widest cell.
struct Table {
    titles: Vec<String>,
    right: Vec<usize>,
    rows: Vec<(Vec<String>, Style)>,
}

impl Table {
    /// Returns an empty table with these titles; the columns in `right` are right-aligned.
    fn new(titles: &[&str], right: &[usize]) -> Table {
        Table {
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            right: right.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; the style is that of its first cell.
    fn push(&mut self, cells: impl Into<Vec<String>>, style: Style) {
        self.rows.push((cells.into(), style));
    }

    fn render(&self, text: &mut String) {
        let all = || std::iter::once(&self.titles).chain(self.rows.iter().map(|(cells, _)| cells));
        let widths: Vec<usize> = (0..self.titles.len())
            .map(|column| {
                all()
                    .map(|cells| cells[column].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut line = |cells: &[String], first: Style, others: Style| {
            let mut line = String::new();
            for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
                let style = if column == 0 { first } else { others };
                let padded = if self.right.contains(&column) {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                };
                // Blanks outside of the style, so that those at the end can go.
                let start = padded.len() - padded.trim_start().len();
                let (before, rest) = padded.split_at(start);
                let content = rest.trim_end();
                let after = &rest[content.len()..];
                write!(line, "  {before}{style}{content}{style:#}{after}")
                    .expect("a string takes everything");
            }
            writeln!(text, "{}", line.trim_end()).expect("a string takes everything");
        };
        line(&self.titles, DIM, DIM);
        for (cells, style) in &self.rows {
            line(cells, *style, Style::new());
        }
    }
}
