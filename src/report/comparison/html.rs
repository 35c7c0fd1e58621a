//! Several runs on one self-contained page.

use maud::{Markup, PreEscaped, html};

use super::bench::bench_section;
use super::recognize::recognize_section;
use super::runs::{ComparedRun, RunComparison};
use super::train::train_section;
use super::words::{ALONE, Answer, bench_answers, recognize_answers, train_answers};
use crate::bench::Fastest;
use crate::report::number::{counted, rate};
use crate::report::page::{TABLES_SCRIPT, TABLES_STYLE, document, link};

/// The style of this page beside that of `bench`.
const COMPARISON_STYLE: &str = include_str!("../assets/comparison.css");

/// Returns the page of a comparison: which run is better and where not, then the runs, then each
/// kind.
pub fn comparison_page(comparison: &RunComparison) -> String {
    let count = comparison.runs.len();
    let body = html! {
        body.compare {
            header {
                h1 { (count) @if count == 1 { " run" } @else { " runs compared" } }
                p.quiet {
                    "Runs of each kind are compared with the first one."
                    @if comparison.bench.is_some() {
                        " Rates are called different if the 95 % interval of their ratio excludes 1 and the change is more "
                        "than 2 % and than half of the change of the machine."
                    }
                }
            }
            main {
                (answers(comparison))
                @if !comparison.problems.is_empty() { (problems(&comparison.problems)) }
                (runs(&comparison.runs))
                @if let Some(bench) = &comparison.bench { (bench_section(bench)) }
                @if let Some(recognize) = &comparison.recognize { (recognize_section(recognize)) }
                @if let Some(train) = &comparison.train { (train_section(train)) }
            }
            script { (PreEscaped(TABLES_SCRIPT)) }
        }
    };
    document(
        &format!("{count} runs compared"),
        &[TABLES_STYLE, COMPARISON_STYLE],
        &body,
    )
}

/// Returns which run is better, and where not.
fn answers(comparison: &RunComparison) -> Markup {
    let bench = comparison.bench.iter();
    let fastest: Vec<&Fastest> = bench.clone().flat_map(|bench| &bench.fastest).collect();
    let bench: Vec<Answer> = bench.flat_map(bench_answers).collect();
    let recognize = comparison.recognize.iter();
    let recognize: Vec<Answer> = recognize.flat_map(recognize_answers).collect();
    let train: Vec<Answer> = comparison.train.iter().flat_map(train_answers).collect();
    let is_alone = bench.len() + recognize.len() + train.len() == 0 && comparison.runs.len() > 1;
    html! {
        @if is_alone { p.caveat { (ALONE) "." } }
        nav.tiles.answers aria-label="Which run is better" {
            @for answer in &bench { (tile("#bench", answer)) }
            @for answer in &recognize { (tile("#recognize", answer)) }
            @for answer in &train { (tile("#train", answer)) }
            @for fastest in fastest {
                a.tile href="#bench" {
                    b { (fastest.solver) }
                    span {
                        "is the fastest on " (fastest.corpus) ": " (rate(fastest.puzzles_per_s))
                        " puzzles/s in " (fastest.run)
                    }
                }
            }
        }
    }
}

fn tile(target: &str, answer: &Answer) -> Markup {
    html! {
        a.tile.gain[answer.good == Some(true)].loss[answer.good == Some(false)] href=(target) {
            b { (answer.short) }
            span { (answer.sentence) "." }
            @if !answer.caveats.is_empty() {
                span.mind { (counted(answer.caveats.len() as u64, "thing")) " to note: see below." }
            }
        }
    }
}

fn problems(problems: &[String]) -> Markup {
    html! {
        details.warnings open {
            summary { "Not in this comparison" }
            ul { @for problem in problems { li { (problem) } } }
        }
    }
}

fn runs(runs: &[ComparedRun]) -> Markup {
    html! {
        h2 { "Runs" }
        div.wide {
            table {
                caption.unseen { "The runs that are compared" }
                thead { tr {
                    @for title in ["run", "command", "version", "machine", "folder"] {
                        th scope="col" { (title) }
                    }
                } }
                tbody {
                    @for run in runs {
                        tr {
                            th scope="row" {
                                @match &run.page {
                                    Some(page) => a href=(link(page)) { (run.name) },
                                    None => (run.name),
                                }
                            }
                            td { (run.command) }
                            td { (run.version) " (" (run.commit) ")" }
                            td { (run.cpu) ", " (run.cores) " cores, " (run.threads) " threads" }
                            td.any { (run.folder) }
                        }
                    }
                }
            }
        }
    }
}
