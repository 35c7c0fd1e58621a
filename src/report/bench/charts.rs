//! The charts of a corpus.

use maud::{Markup, html};

use super::guesses::guesses;
use super::lines::Line;
use super::rates::rates;
use super::times::{solved, spread};
use crate::bench::{BenchSummary, Row};
use crate::report::chart::colour;

/// Returns all charts of the corpus at this index. Charts without data are left out.
pub(super) fn charts(summary: &BenchSummary, number: usize) -> Markup {
    let corpus = &summary.corpora[number];
    let rows = summary.rows.iter();
    let rows = rows.filter(|row| row.corpus == corpus.name && row.counts());
    let place = |row: &Row| {
        summary
            .config
            .solvers
            .iter()
            .position(|name| *name == row.solver)
    };
    let mut lines: Vec<Line<'_>> = rows
        .map(|row| Line {
            row,
            colour: colour(place(row).unwrap_or(0)),
        })
        .collect();
    lines.sort_by(|a, b| b.row.puzzles_per_s.total_cmp(&a.row.puzzles_per_s));
    let untimed = lines.iter().filter(|line| line.row.times.is_empty());
    let untimed: Vec<&str> = untimed.map(name).collect();
    html! {
        div.charts {
            div { (solved(&lines, number)) }
            div { (spread(&lines, number)) }
            div { (rates(summary, &lines, number)) }
            div { (guesses(&lines, number)) }
        }
        @if !untimed.is_empty() {
            p.quiet { (untimed.join(", ")) ": single puzzles are not timed, so only its rate is shown." }
        }
    }
}

fn name<'a>(line: &Line<'a>) -> &'a str {
    &line.row.solver
}
