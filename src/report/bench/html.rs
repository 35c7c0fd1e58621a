//! A measurement as one self-contained page.

use maud::{Markup, PreEscaped, html};

use super::charts::charts;
use super::hardest::hardest;
use super::table::{
    CHANGE_TITLES, METHOD, Ranked, THROUGHPUT_TITLES, TITLES, asked, cells, change_cells, machine,
    range, ranked, throughput_cells, throughput_values, values,
};
use crate::bench::{BenchSummary, ChangeOutcome, Comparison, CorpusRow, Flag, Interval};
use crate::report::number::{counted, rate, sort_key};
use crate::report::page::{TABLES_SCRIPT, TABLES_STYLE, document, hash};

/// Columns with numbers in the table of a corpus.
const NUMBERS: std::ops::Range<usize> = 1..9;

/// Returns `report.html`: the fastest solvers, then each corpus with its table, charts and hardest
/// puzzles, then all threads, the comparison and the machine.
pub fn bench_page(summary: &BenchSummary) -> String {
    let body = html! {
        body.bench {
            header {
                h1 { "Sudoku solvers, measured" }
                p.quiet { (machine(summary)) br; (asked(summary)) }
                @if summary.interrupted { p.bad { "Stopped before the end." } }
            }
            main {
                (fastest(summary))
                (warnings(summary))
                @if let Some(comparison) = &summary.comparison { (compared(comparison)) }
                @for (number, corpus) in summary.corpora.iter().enumerate() {
                    section id={ "corpus-" (number) } {
                        (corpus_table(summary, corpus))
                        (charts(summary, number))
                        (hardest(corpus))
                    }
                }
                @if !summary.throughput.is_empty() { (throughput(summary)) }
                (environment(summary))
                p.quiet { (METHOD) }
            }
            script { (PreEscaped(TABLES_SCRIPT)) }
        }
    };
    document("solvers measured", &[TABLES_STYLE], &body)
}

/// Returns the summary: the fastest solver of each corpus, with a link to its section.
fn fastest(summary: &BenchSummary) -> Markup {
    html! {
        nav.tiles aria-label="The fastest solver of each corpus" {
            @for (number, corpus) in summary.corpora.iter().enumerate() {
                @let ranked = ranked(&summary.rows, &corpus.name);
                a.tile href={ "#corpus-" (number) } {
                    @match ranked.iter().position(|ranked| ranked.is_best) {
                        Some(place) => {
                            b { (ranked[place].row.solver) }
                            span {
                                "fastest on " (corpus.name) ": " (rate(ranked[place].row.puzzles_per_s))
                                " puzzles/s" (lead(&ranked[place..]))
                            }
                        }
                        None => { b { "no winner" } span { "on " (corpus.name) } }
                    }
                }
            }
        }
    }
}

/// Returns the lead of the first of these over the next one that answered all it tried.
fn lead(ranked: &[Ranked<'_>]) -> String {
    let mut others = ranked.iter().skip(1).map(|ranked| ranked.row);
    let Some(next) = others.find(|row| row.answered_all()) else {
        return String::new();
    };
    let Some(ratio) = next.vs_fastest else {
        return String::new();
    };
    let inverse = |interval: Interval| Interval {
        low: 1.0 / interval.high,
        high: 1.0 / interval.low,
    };
    let lead = rate(1.0 / ratio.value);
    match ratio.interval {
        Some(_) if !ratio.is_difference() => format!(", not distinguishable from {}", next.solver),
        Some(interval) => {
            let range = range(Some(inverse(interval)));
            format!(", {lead}× {} ({range})", next.solver)
        }
        None => format!(", about {lead}× {}", next.solver),
    }
}

/// Returns the warnings, collapsed where there are many.
fn warnings(summary: &BenchSummary) -> Markup {
    let length: usize = summary.warnings.iter().map(|it| it.text.len()).sum();
    html! {
        @if !summary.warnings.is_empty() {
            details.warnings open[length <= 400] {
                summary { (counted(summary.warnings.len() as u64, "warning")) }
                ul {
                    @for warning in &summary.warnings {
                        li { (warning.text) ": " span.advice { (warning.advice) } }
                    }
                }
            }
        }
    }
}

fn corpus_table(summary: &BenchSummary, corpus: &CorpusRow) -> Markup {
    html! {
        h2 {
            (corpus.name)
            span.note {
                (counted(corpus.reading.puzzles, "puzzle"))
                @if corpus.reading.bad_lines > 0 { ", " (counted(corpus.reading.bad_lines, "bad line")) }
            }
        }
        div.wide {
            table.sorts.filters {
                caption.unseen { "Solvers on " (corpus.name) ", one thread" }
                thead { tr {
                    @for (column, title) in TITLES.iter().enumerate() {
                        th.number[NUMBERS.contains(&column)] scope="col" { (title) }
                        @if column == 1 { td {} }
                    }
                } }
                tbody {
                    @for ranked in ranked(&summary.rows, &corpus.name) {
                        @let values = values(ranked.row);
                        tr.best[ranked.is_best].struck[ranked.row.struck.is_some()] {
                            @for (column, cell) in cells(ranked.row).iter().enumerate() {
                                @if column == 0 { th scope="row" { (cell) } }
                                @else {
                                    td.number[NUMBERS.contains(&column)] data-value=[values[column].map(sort_key)] { (cell) }
                                }
                                @if column == 1 { td { @if let Some(share) = ranked.share { (bar(share)) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a bar, as long as this share of the widest.
fn bar(share: f64) -> Markup {
    html! { div.bar { div style=(format!("width: {:.1}%", 100.0 * share)) {} } }
}

fn throughput(summary: &BenchSummary) -> Markup {
    html! {
        h2 { "All threads" }
        div.wide {
            table.sorts.filters {
                caption.unseen { "Solvers on all threads" }
                (headings(&THROUGHPUT_TITLES))
                tbody {
                    @for row in &summary.throughput {
                        tr.struck[row.struck.is_some()] { (data(&throughput_cells(row), &throughput_values(row))) }
                    }
                }
            }
        }
    }
}

fn compared(comparison: &Comparison) -> Markup {
    html! {
        h2 {
            "Compared with " (comparison.base)
            span.note { "commit " (comparison.commit) ", " (comparison.cpu) }
        }
        details open[comparison.rows.len() <= 12] {
            summary { (verdicts(comparison)) }
            (changes(comparison))
        }
    }
}

/// Returns the number of rows that became faster or slower: `2 faster, 1 slower, 9 without a
/// change`.
fn verdicts(comparison: &Comparison) -> String {
    let count = |wanted: Option<Flag>| {
        let flags = comparison.rows.iter().map(|change| change_cells(change).1);
        flags.filter(|flag| *flag == wanted).count()
    };
    let counts = [
        (count(Some(Flag::Faster)), "faster"),
        (count(Some(Flag::Slower)), "slower"),
        (count(Some(Flag::Same)), "without a change beyond the noise"),
        (count(None), "not comparable"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    parts.join(", ")
}

fn changes(comparison: &Comparison) -> Markup {
    html! {
        div.wide {
            table.sorts.filters {
                caption.unseen { "Changes since " (comparison.base) }
                (headings(&CHANGE_TITLES))
                tbody {
                    @for change in &comparison.rows {
                        @let (cells, flag) = change_cells(change);
                        @let values = match &change.outcome {
                            ChangeOutcome::Compared { ratio, interval, machine, .. } => [Some(*ratio), interval.map(|it| it.low), *machine],
                            ChangeOutcome::NotComparable { .. } => [None; 3],
                        };
                        tr.faster[flag == Some(Flag::Faster)].slower[flag == Some(Flag::Slower)] {
                            (data(&cells, &values))
                        }
                    }
                }
            }
        }
    }
}

/// Returns the head of a table with corpus, solver, columns of numbers, and text.
fn headings(titles: &[&str]) -> Markup {
    html! {
        thead { tr {
            @for (column, title) in titles.iter().enumerate() {
                @if title.is_empty() { td {} }
                @else { th.number[(2..titles.len() - 1).contains(&column)] scope="col" { (title) } }
            }
        } }
    }
}

/// Returns a row below [`headings`]; `values` are the sort keys of the numbers.
fn data(cells: &[String], values: &[Option<f64>]) -> Markup {
    html! {
        @for (column, cell) in cells.iter().enumerate() {
            @match column.checked_sub(2).and_then(|place| values.get(place)) {
                Some(value) => td.number data-value=[value.map(sort_key)] { (cell) },
                None if column == 0 => th scope="row" { (cell) },
                None => td { (cell) },
            }
        }
    }
}

/// Returns the machine and the build in full.
fn environment(summary: &BenchSummary) -> Markup {
    let conditions = &summary.environment;
    let environment = &conditions.environment;
    let load =
        |load: Option<f64>| load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    let clock = &conditions.clock;
    let facts = [
        ("processor", environment.cpu.clone()),
        ("system", format!("{} {}", environment.os, environment.arch)),
        ("cores", environment.cores.to_string()),
        ("threads of the run", environment.threads.to_string()),
        ("vector instructions", environment.cpu_features.join(" ")),
        ("the build relies on", environment.build_features.join(" ")),
        ("compiler", environment.rustc.to_string()),
        (
            "sudoku-batch",
            format!(
                "{} ({}), {} build",
                environment.version, environment.commit, environment.profile
            ),
        ),
        (
            "load before and after",
            format!(
                "{} and {}",
                load(conditions.load_before),
                load(conditions.load_after)
            ),
        ),
        (
            "clock",
            format!(
                "steps of {} ns, a look costs {} ns, subtracted",
                clock.resolution_ns, clock.cost_ns
            ),
        ),
        (
            "pinned to core",
            conditions
                .pinned_core
                .map_or_else(|| "none".to_owned(), |core| core.to_string()),
        ),
        ("seed", summary.config.seed.to_string()),
        ("puzzles of a round", summary.config.block.to_string()),
    ];
    html! {
        h2 { "Machine and settings" }
        div.wide {
            table {
                caption.unseen { "Machine and settings" }
                tbody {
                    @for (name, value) in facts { tr { th scope="row" { (name) } td { (value) } } }
                    @for corpus in &summary.corpora {
                        tr { th scope="row" { (corpus.name) } td { (corpus.file) ", hash of the puzzles " (hash(&corpus.reading.hash.to_string())) } }
                    }
                }
            }
        }
    }
}
