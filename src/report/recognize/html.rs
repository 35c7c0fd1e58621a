//! A recognition run as one self-contained page.

use maud::{Markup, html};

use super::gallery;
use super::run::Run;
use crate::digits::{ConfusionMatrix, class_names};
use crate::recognize::{Spread, Status, show};
use crate::report::page::document;

/// `report.html`: headline numbers, then the gallery of photos, those that went wrong first, then
/// the times.
pub fn page(run: &Run<'_>) -> String {
    let summary = run.summary;
    let body = html! {
        body {
            header {
                h1 { (summary.photos) " photos, " (summary.puzzles) " puzzles" }
                p.quiet {
                    "sudoku-batch " (summary.version) " on " (summary.environment.cpu) ", "
                    (summary.environment.threads) " threads"
                    ", photos in " (show(run.folder()))
                    @if summary.interrupted { ", stopped before the last photo" }
                }
            }
            (tiles(run))
            (gallery::gallery(run))
            h2 { "Time" }
            (stages(run))
            @if let Some(accuracy) = &run.summary.accuracy && accuracy.grids_found > 0 {
                (confusion(&accuracy.confusion))
            }
        }
    };
    document(
        &format!("{} photos", summary.photos),
        &[gallery::STYLE],
        &body,
    )
}

fn tiles(run: &Run<'_>) -> Markup {
    let summary = run.summary;
    html! {
        section.tiles {
            @for status in Status::ALL {
                @let count = summary.status.of(status);
                @if count > 0 { (tile(&count.to_string(), status.name(), status.name())) }
            }
            @if let Some(accuracy) = &summary.accuracy {
                @let boards = accuracy.cells / 81;
                (tile(&format!("{}/{boards}", accuracy.decoded_exact), "exact after decoding", ""))
                (tile(&format!("{}/{boards}", accuracy.givens_exact), "exact as read", ""))
                (tile(&percent(accuracy.cells_correct, accuracy.cells), "of cells right", ""))
                (tile(&accuracy.silent_wrong.to_string(), "wrong in silence", ""))
            }
            (tile(&format!("{:.1}", summary.throughput.photos_per_second), "photos a second", ""))
        }
    }
}

fn tile(number: &str, label: &str, class: &str) -> Markup {
    html! { div.tile.(class) { b { (number) } span { (label) } } }
}

fn stages(run: &Run<'_>) -> Markup {
    let stages = &run.summary.stages_ms;
    let rows: [(&str, Spread); 5] = [
        ("open the photo", stages.decode),
        ("find the board", stages.detect),
        ("read the cells", stages.read),
        ("decode and solve", stages.solve),
        ("all", stages.total),
    ];
    let share = |ms: f64| 100.0 * ms / stages.total.p95.max(f64::MIN_POSITIVE);
    html! {
        table.stages {
            caption { "Processor time, milliseconds a photo" }
            thead {
                tr {
                    th scope="col" { "stage" }
                    th.number scope="col" { "median" }
                    th.number scope="col" { "95 %" }
                    th scope="col" { "median, and up to 95 %" }
                }
            }
            tbody {
                @for (name, spread) in rows {
                    tr {
                        th scope="row" { (name) }
                        td.number { (format!("{:.2}", spread.median)) }
                        td.number { (format!("{:.2}", spread.p95)) }
                        td.spread {
                            div style=(format!("width: {:.1}%", share(spread.p95))) {}
                            div style=(format!("width: {:.1}%", share(spread.median))) {}
                        }
                    }
                }
            }
        }
    }
}

/// What stands in the cells against what was read there.
fn confusion(matrix: &ConfusionMatrix) -> Markup {
    let names = class_names();
    html! {
        h2 { "Cells as read, before the rules" }
        div.wide {
            table.confusion {
                caption { "A row for what stands there, a column for what was read" }
                thead {
                    tr { td {} @for name in &names { th.number scope="col" { (name) } } }
                }
                tbody {
                    @for (label, name) in names.iter().enumerate() {
                        tr {
                            th scope="row" { (name) }
                            @for read in 0..names.len() {
                                @let count = matrix.count(label, read);
                                td.number.bad[count > 0 && label != read] { (count) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole.max(1) as f64)
}
