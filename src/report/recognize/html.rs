//! The numbers of a recognition run as sections of its page.

use maud::{Markup, html};

use crate::digits::{ConfusionMatrix, class_names};
use crate::reader::Status;
use crate::recognize::{
    BoardCalibration, CONFIDENCE_BINS, MachineTimes, Spread, StageHistograms, Summary,
};
use crate::report::number::{counted, grouped};

/// Returns the number of photos, the folder, and the headline numbers.
pub(super) fn headline(summary: &Summary) -> Markup {
    html! {
        header {
            h1 { (inputs(summary)) ", " (counted(summary.puzzles as u64, "puzzle")) }
            p.quiet {
                "sudoku-batch " (summary.version) " on "
                @if summary.machines.is_empty() {
                    (summary.environment.cpu) ", " (summary.environment.threads) " threads"
                } @else {
                    (summary.machines.len()) " kinds of machines"
                }
                @if !summary.model.is_empty() { ", model " (model(summary)) }
                ", all in " (summary.folder.as_deref().unwrap_or_default())
                @if summary.interrupted { ", stopped before the end" }
            }
        }
        (tiles(summary))
    }
}

/// Returns the name of the model, with its weights as the title.
fn model(summary: &Summary) -> Markup {
    let weights = summary.config["model"].as_str();
    html! { span title=[weights] { (summary.model) } }
}

/// Returns the numbers of photos and videos.
pub(super) fn inputs(summary: &Summary) -> String {
    let videos = summary.videos.count;
    let photos = counted(summary.stills() as u64, "photo");
    let videos = counted(videos as u64, "video");
    match (summary.is_of_videos(), summary.videos.count) {
        (true, _) => videos,
        (false, 0) => photos,
        (false, _) => format!("{photos}, {videos}"),
    }
}

/// Returns times, calibration and confusion.
pub(super) fn numbers(summary: &Summary) -> Markup {
    html! {
        @if !summary.is_of_videos() {
            h2 { "Time" }
            @if summary.machines.is_empty() {
                (stages(&summary.stages_ms, "Wall-clock time, milliseconds per photo"))
            } @else {
                p { "The photos were read on different kinds of machines, whose times are not added." }
            }
            @for machine in &summary.machines {
                (stages(&machine.stages_ms, &machine_caption(machine)))
            }
        }
        @if let Some(accuracy) = &summary.accuracy && accuracy.grids_found > 0 {
            (calibration(&accuracy.calibration))
            (confusion(&accuracy.confusion))
        }
    }
}

fn tiles(summary: &Summary) -> Markup {
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
                (tile(&percent(accuracy.cells_correct, accuracy.cells), "of cells correct", ""))
                (tile(&accuracy.silent_wrong.to_string(), "silent errors", ""))
                (tile(&accuracy.false_boards.to_string(), "false boards", ""))
            }
            @if !summary.machines.is_empty() {
            } @else if summary.videos.count == 0 {
                @if summary.throughput.photos_per_second > 0.0 {
                (tile(&format!("{:.1}", summary.throughput.photos_per_second), "photos per second", ""))
                }
            } @else {
                (tile(&grouped(summary.videos.frames), "frames", ""))
            }
        }
    }
}

fn tile(number: &str, label: &str, class: &str) -> Markup {
    html! { div.tile.(class) { b { (number) } span { (label) } } }
}

/// Returns the caption of the times of one kind of machine.
fn machine_caption(machine: &MachineTimes) -> String {
    format!(
        "{}, {} threads: {} at {:.1} per second; wall-clock time, milliseconds per photo",
        machine.environment.cpu,
        machine.environment.threads,
        counted(machine.photos as u64, "photo"),
        machine.throughput.photos_per_second
    )
}

fn stages(stages: &StageHistograms, caption: &str) -> Markup {
    let stages = stages.spreads();
    let rows: [(&str, Spread); 6] = [
        ("open the photo", stages.decode),
        ("find the board", stages.detect),
        ("read the cells", stages.read),
        ("decode and solve", stages.solve),
        ("write the pictures", stages.pictures),
        ("all", stages.total),
    ];
    let share = |ms: f64| 100.0 * ms / stages.total.p95.max(f64::MIN_POSITIVE);
    html! {
        table.stages {
            caption { (caption) }
            thead {
                tr {
                    th scope="col" { "stage" }
                    th.number scope="col" { "median" }
                    th.number scope="col" { "95 %" }
                    th scope="col" { "median and 95th percentile" }
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

/// Returns the table of confidence and the share of exact boards.
fn calibration(boards: &BoardCalibration) -> Markup {
    let starts = std::iter::once(0.0).chain(CONFIDENCE_BINS);
    let bins = starts.zip(CONFIDENCE_BINS).zip(boards.bins());
    html! {
        h2 { "Calibration of the confidence" }
        table.calibration {
            caption {
                "Boards by confidence, and the share exact after decoding"
                @if let Some(error) = boards.error() { (format!("; calibration error {error:.4}")) }
            }
            thead {
                tr {
                    th scope="col" { "confidence" }
                    th.number scope="col" { "boards" }
                    th.number scope="col" { "mean confidence" }
                    th.number scope="col" { "exact" }
                }
            }
            tbody {
                @for ((start, end), bin) in bins {
                    @if bin.boards > 0 {
                        tr {
                            th scope="row" { (format!("{start:.2} to {end:.2}")) }
                            td.number { (bin.boards) }
                            td.number { (format!("{:.3}", bin.confidence / bin.boards as f64)) }
                            td.number { (percent(bin.exact, bin.boards)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the confusion matrix of the cells.
fn confusion(matrix: &ConfusionMatrix) -> Markup {
    let names = class_names();
    html! {
        h2 { "Cells as read, before the rules" }
        div.wide {
            table.confusion {
                caption { "One row per true content, one column per reading" }
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
