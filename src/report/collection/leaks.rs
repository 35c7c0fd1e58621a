//! The leaks of a training set into a test set, as a table and a page.

use std::fmt::Write;
use std::path::Path;

use maud::html;

use crate::collection::{Leak, LeakKind, LeakTable};
use crate::files::show;
use crate::report::number::{counted, grouped};
use crate::report::page::{TABLES_STYLE, document};

/// Returns the description of a kind.
fn meaning(kind: &str) -> String {
    match kind {
        "exact" => "the same givens".to_owned(),
        "relabeled" => "the same after relabeling digits".to_owned(),
        "equivalent" => "the same after a symmetry of the board".to_owned(),
        "same_solution" => "an equivalent solution".to_owned(),
        kind => match kind.strip_prefix("neighbour_") {
            Some("1") => "equivalent after removing at most one given from each".to_owned(),
            Some(radius) => {
                format!("equivalent after removing at most {radius} givens from each")
            }
            None => String::new(),
        },
    }
}

/// Returns a share in per cent; `-` if the total is zero.
fn share(count: u64, all: u64) -> String {
    if all == 0 {
        return "-".to_owned();
    }
    format!("{:.2}%", count as f64 / all as f64 * 100.0)
}

/// Returns the counts as text; the files are the training set and the test set.
pub fn leaks_table(files: [&Path; 2], table: &LeakTable) -> String {
    let [train, test] = files.map(show);
    let all = table.test.puzzles;
    let mut text = format!("of {} in {test}, {train} has\n", counted(all, "puzzle"));
    for leak in &table.leaks {
        let _ = writeln!(
            text,
            "  {:<14}{:>12}{:>9}  {}",
            leak.kind,
            grouped(leak.puzzles),
            share(leak.puzzles, all),
            meaning(&leak.kind),
        );
    }
    if table.test_without_solution > 0 {
        let _ = writeln!(
            text,
            "  {} without exactly one solution, not compared by solution",
            counted(table.test_without_solution, "puzzle")
        );
    }
    text
}

/// Returns the counts as a page, with examples: each puzzle of the test set with the leak in the
/// training set.
pub fn leaks_page(
    files: [&Path; 2],
    table: &LeakTable,
    kinds: &[LeakKind],
    examples: &[Leak],
) -> String {
    let [train, test] = files.map(show);
    let all = table.test.puzzles;
    let has_some = |kind: usize| examples.iter().any(|leak| leak.found[kind].is_some());
    let shown: Vec<usize> = (0..kinds.len()).filter(|&kind| has_some(kind)).collect();
    let body = html! {
        body.bench {
            header {
                h1 { "Leaks from training to test" }
                p.quiet {
                    (counted(all, "puzzle")) " in " code { (test) } ", compared with "
                    (counted(table.train.puzzles, "puzzle")) " in " code { (train) } "."
                }
            }
            main {
                section {
                    h2 { "Puzzles of the test set in the training set" }
                    table {
                        thead { tr {
                            th scope="col" { "kind" } th.number scope="col" { "puzzles" }
                            th.number scope="col" { "share" } th scope="col" { "meaning" }
                        } }
                        tbody {
                            @for leak in &table.leaks {
                                tr {
                                    th scope="row" { (leak.kind) }
                                    td.number { (grouped(leak.puzzles)) }
                                    td.number { (share(leak.puzzles, all)) }
                                    td { (meaning(&leak.kind)) }
                                }
                            }
                        }
                    }
                    @if table.test_without_solution > 0 {
                        p.quiet {
                            (counted(table.test_without_solution, "puzzle"))
                            " of the test set without exactly one solution, not compared by solution."
                        }
                    }
                }
                @if !examples.is_empty() {
                    section {
                        h2 { "Examples" }
                        p.quiet { "The first puzzles found, with the first place in the training set for each kind." }
                        div.wide { table {
                            thead { tr {
                                th scope="col" { "puzzle" } th scope="col" { "place" }
                                @for &kind in &shown { th scope="col" { (kinds[kind]) } }
                            } }
                            tbody {
                                @for leak in examples {
                                    tr {
                                        td { code { (leak.puzzle) } }
                                        td { (leak.place) }
                                        @for &kind in &shown {
                                            td { @if let Some(place) = &leak.found[kind] { (place) } }
                                        }
                                    }
                                }
                            }
                        } }
                    }
                }
            }
        }
    };
    document("leaks", &[TABLES_STYLE], &body)
}
