//! Statistics of a collection, as text and a page.

use std::fmt::{Display, Write};
use std::path::PathBuf;

use maud::{Markup, html};

use crate::collection::CollectionStats;
use crate::files::show;
use crate::report::number::{counted, grouped};
use crate::report::page::{TABLES_STYLE, document};

/// Length of the longest bar of a histogram, in characters.
const BAR: f64 = 40.0;

/// A histogram: its title, and the count of each value.
struct Histogram {
    title: &'static str,
    rows: Vec<(String, u64)>,
}

impl Histogram {
    fn new<'a, K: Display + 'a>(
        title: &'static str,
        counts: impl IntoIterator<Item = (&'a K, &'a u64)>,
    ) -> Histogram {
        let rows = counts.into_iter();
        Histogram {
            title,
            rows: rows.map(|(key, count)| (key.to_string(), *count)).collect(),
        }
    }

    fn greatest(&self) -> f64 {
        self.rows.iter().map(|row| row.1).max().unwrap_or(1) as f64
    }
}

fn histograms(stats: &CollectionStats) -> Vec<Histogram> {
    let difficulty = stats.difficulty.iter();
    let difficulty = Histogram {
        title: "difficulty",
        rows: difficulty
            .map(|(from, count)| (format!("{from} to {}", from + 1), *count))
            .collect(),
    };
    let all = [
        Histogram::new("boards", &stats.boards),
        Histogram::new("givens", &stats.givens),
        difficulty,
        Histogram::new("redundant givens", &stats.redundant),
        Histogram::new("symmetry of the pattern", &stats.symmetry),
        Histogram::new("automorphisms", &stats.automorphisms),
    ];
    all.into_iter()
        .filter(|histogram| !histogram.rows.is_empty())
        .collect()
}

/// Returns the counts that are not histograms, with their descriptions.
fn facts(stats: &CollectionStats) -> Vec<(u64, &'static str)> {
    let classes = stats.classes;
    let minimal = stats.minimal.map(|minimal| (minimal, "minimal"));
    let first = [
        (stats.read.puzzles, "puzzles"),
        (stats.one_solution, "with one solution"),
        (stats.many_solutions, "with several solutions"),
        (stats.no_solution, "without a solution"),
    ];
    let rest = [
        (classes.exact, "different puzzles"),
        (classes.relabeled, "different after relabeling digits"),
        (classes.equivalent, "different after symmetries"),
        (classes.solution, "different solutions after symmetries"),
        (stats.without_difficulty, "without a difficulty"),
        (stats.read.bad_lines, "bad lines"),
    ];
    let is_shown =
        |fact: &(u64, &str)| fact.0 > 0 || matches!(fact.1, "with one solution" | "minimal");
    let all = first.into_iter().chain(minimal).chain(rest);
    all.filter(is_shown).collect()
}

/// Returns the counts and histograms as text.
pub fn stats_table(stats: &CollectionStats) -> String {
    let mut text = String::new();
    for (count, words) in facts(stats) {
        let _ = writeln!(text, "{:>13}  {words}", grouped(count));
    }
    for histogram in histograms(stats) {
        let _ = writeln!(text, "\n{}", histogram.title);
        let greatest = histogram.greatest();
        let widths = histogram.rows.iter().map(|(value, _)| value.len());
        let width = widths.max().unwrap_or(0).max(13);
        for (value, count) in &histogram.rows {
            let bar = "#".repeat((*count as f64 / greatest * BAR).ceil() as usize);
            let _ = writeln!(text, "{value:>width$}  {:>12}  {bar}", grouped(*count));
        }
    }
    text
}

/// Returns the counts and histograms as a page.
pub fn stats_page(paths: &[PathBuf], stats: &CollectionStats) -> String {
    let names: Vec<String> = paths.iter().map(|path| show(path)).collect();
    let body = html! {
        body.bench {
            header {
                h1 { "Statistics of a collection" }
                p.quiet { (counted(stats.read.puzzles, "puzzle")) " in " (names.join(", ")) }
            }
            main {
                div.tiles {
                    @for (count, words) in facts(stats) {
                        div.tile { b { (grouped(count)) } span { (words) } }
                    }
                }
                @for shown in histograms(stats) { (histogram(&shown, stats.read.puzzles)) }
            }
        }
    };
    document("collection", &[TABLES_STYLE], &body)
}

fn histogram(shown: &Histogram, all: u64) -> Markup {
    let greatest = shown.greatest();
    html! {
        section {
            h2 { (shown.title) }
            div.wide { table {
                thead { tr {
                    th scope="col" { (shown.title) } th.number scope="col" { "puzzles" }
                    th.number scope="col" { "share" } th scope="col" { }
                } }
                tbody {
                    @for (value, count) in &shown.rows {
                        tr {
                            th scope="row" { (value) }
                            td.number { (grouped(*count)) }
                            td.number { (format!("{:.2}%", *count as f64 / all as f64 * 100.0)) }
                            td { div.bar { div style=(format!("width: {:.1}%", *count as f64 / greatest * 100.0)) {} } }
                        }
                    }
                }
            } }
        }
    }
}
