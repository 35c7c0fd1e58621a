//! A measurement as one self-contained page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::bench_table::{
    CHANGE_TITLES, METHOD, THROUGHPUT_TITLES, TITLES, asked, cells, change_cells, machine, ranked,
    throughput_cells,
};
use super::html::STYLE;
use super::number::counted;
use crate::bench::{BenchSummary, Comparison, CorpusRow, Flag};

/// Columns of numbers in the table of a corpus.
const NUMBERS: std::ops::Range<usize> = 1..8;

/// `report.html`: a table with bars a corpus, then all threads, the comparison and the warnings.
pub fn bench_page(summary: &BenchSummary) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "sudoku-batch: solvers measured" }
                style { (PreEscaped(STYLE)) }
            }
            body.bench {
                header {
                    h1 { "Sudoku solvers, measured" }
                    p.quiet { (machine(summary)) br; (asked(summary)) }
                    @if summary.interrupted { p.bad { "Stopped before the end." } }
                }
                @if !summary.warnings.is_empty() {
                    ul.warnings {
                        @for warning in &summary.warnings {
                            li { (warning.to_string()) ": " span.advice { (warning.advice()) } }
                        }
                    }
                }
                @if let Some(comparison) = &summary.comparison { (compared(comparison)) }
                @for corpus in &summary.corpora { (corpus_table(summary, corpus)) }
                @if !summary.throughput.is_empty() { (throughput(summary)) }
                p.quiet { (METHOD) }
            }
        }
    };
    page.into_string()
}

fn corpus_table(summary: &BenchSummary, corpus: &CorpusRow) -> Markup {
    html! {
        h2 {
            (corpus.name)
            span.note {
                (counted(corpus.puzzles, "puzzle"))
                @if corpus.bad_lines > 0 { ", " (counted(corpus.bad_lines, "bad line")) }
            }
        }
        div.wide {
            table {
                thead { tr {
                    @for (column, title) in TITLES.iter().enumerate() {
                        th.number[NUMBERS.contains(&column)] { (title) }
                        @if column == 1 { th {} }
                    }
                } }
                tbody {
                    @for ranked in ranked(&summary.rows, &corpus.name) {
                        tr.best[ranked.is_best].struck[ranked.row.struck.is_some()] {
                            @for (column, cell) in cells(ranked.row).iter().enumerate() {
                                td.number[NUMBERS.contains(&column)] { (cell) }
                                @if column == 1 { td { @if let Some(share) = ranked.share { (bar(share)) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A bar, as long as this share of the widest.
fn bar(share: f64) -> Markup {
    html! { div.bar { div style=(format!("width: {:.1}%", 100.0 * share)) {} } }
}

fn throughput(summary: &BenchSummary) -> Markup {
    html! {
        h2 { "All threads" }
        div.wide {
            table {
                thead { tr {
                    @for (column, title) in THROUGHPUT_TITLES.iter().enumerate() {
                        th.number[(2..5).contains(&column)] { (title) }
                    }
                } }
                tbody {
                    @for row in &summary.throughput {
                        tr.struck[row.struck.is_some()] {
                            @for (column, cell) in throughput_cells(row).iter().enumerate() {
                                td.number[(2..5).contains(&column)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn compared(comparison: &Comparison) -> Markup {
    html! {
        h2 {
            "Against " (comparison.baseline)
            span.note { "commit " (comparison.commit) ", " (comparison.cpu) }
        }
        div.wide {
            table {
                thead { tr {
                    @for (column, title) in CHANGE_TITLES.iter().enumerate() {
                        th.number[(2..5).contains(&column)] { (title) }
                    }
                } }
                tbody {
                    @for change in &comparison.rows {
                        @let (cells, flag) = change_cells(change);
                        tr.faster[flag == Some(Flag::Faster)].slower[flag == Some(Flag::Slower)] {
                            @for (column, cell) in cells.iter().enumerate() {
                                td.number[(2..5).contains(&column)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}
