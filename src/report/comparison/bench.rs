//! Runs of `bench` side by side: rates, their ratios, and what cannot be compared.

use maud::{Markup, html};

use super::rates::rates;
use super::settings::settings;
use crate::bench::{BenchSideBySide, Flag, SideEntry, SideRow};
use crate::report::number::{rate, sort_key};

/// Returns the part of a comparison that is about solvers.
pub(super) fn bench_section(runs: &BenchSideBySide) -> Markup {
    let mut corpora: Vec<&str> = Vec::new();
    for row in &runs.rows {
        if !corpora.contains(&&*row.corpus) {
            corpora.push(&row.corpus);
        }
    }
    html! {
        section #bench {
            h2 { "Solvers" }
            @for (run, caveats) in runs.runs.iter().zip(&runs.caveats) {
                @if !caveats.is_empty() {
                    p.caveat { b { (run) } ": " (caveats.join(", ")) "." }
                }
            }
            (settings(&runs.runs, &runs.settings))
            @for (number, corpus) in corpora.iter().enumerate() {
                @let rows = ranked(runs, corpus);
                h3 { (corpus) }
                div.beside {
                    div { (table(runs, corpus, &rows)) }
                    div { (rates(&runs.runs, &rows, number)) }
                }
            }
        }
    }
}

/// Returns the rows of a corpus, the highest rate of any run first.
fn ranked<'a>(runs: &'a BenchSideBySide, corpus: &str) -> Vec<&'a SideRow> {
    let rows = runs.rows.iter().filter(|row| row.corpus == corpus);
    let mut rows: Vec<&SideRow> = rows.collect();
    let highest = |row: &SideRow| {
        let entries = row.entries.iter().flatten();
        let rates = entries.filter_map(|entry| entry.puzzles_per_s);
        rates.fold(0.0, f64::max)
    };
    rows.sort_by(|a, b| highest(b).total_cmp(&highest(a)));
    rows
}

fn table(runs: &BenchSideBySide, corpus: &str, rows: &[&SideRow]) -> Markup {
    let first = &runs.runs[0];
    html! {
        div.wide {
            table.sorts.filters {
                caption.unseen { "Puzzles per second on " (corpus) " in each run, one thread" }
                thead { tr {
                    th scope="col" { "solver" }
                    @for (number, run) in runs.runs.iter().enumerate() {
                        th.number scope="col" { (run) }
                        @if number > 0 { th.number scope="col" { (run) " ÷ " (first) } }
                    }
                    th scope="col" { "to mind" }
                } }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" { (row.solver) }
                            @for (number, entry) in row.entries.iter().enumerate() {
                                @let entry = entry.as_ref();
                                @let per_s = entry.and_then(|entry| entry.puzzles_per_s);
                                td.number data-value=[per_s.map(sort_key)] { (cell(per_s)) }
                                @if number > 0 { (ratio(entry)) }
                            }
                            td.any { (notes(&runs.runs, &row.entries)) }
                        }
                    }
                }
            }
        }
        p.quiet {
            "Puzzles per second on one thread. No number: the run has no such row, or it is invalid. Ratios "
            "have 95 % intervals and, on the same machine, are in units of the calibration loop timed beside "
            "both; those beyond the noise are coloured."
        }
    }
}

fn cell(per_s: Option<f64>) -> String {
    per_s.map_or_else(String::new, rate)
}

fn ratio(entry: Option<&SideEntry>) -> Markup {
    let ratio = entry.and_then(|entry| entry.ratio);
    let flag = entry.and_then(|entry| entry.flag);
    html! {
        td.number.gain[flag == Some(Flag::Faster)].loss[flag == Some(Flag::Slower)]
            data-value=[ratio.map(sort_key)]
        {
            @if let Some(ratio) = ratio { (rate(ratio)) "×" }
            @if let Some(interval) = entry.and_then(|entry| entry.interval) {
                span.note { (rate(interval.low)) " to " (rate(interval.high)) }
            }
        }
    }
}

fn notes(runs: &[String], entries: &[Option<SideEntry>]) -> String {
    let notes = |(run, entry): (&String, &Option<SideEntry>)| {
        let notes = &entry.as_ref()?.notes;
        (!notes.is_empty()).then(|| format!("{run}: {}", notes.join(", ")))
    };
    let notes: Vec<String> = runs.iter().zip(entries).filter_map(notes).collect();
    notes.join("; ")
}
