//! A recognition run as one self-contained page.

use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::recognition::{Run, name_below};
use crate::recognize::{Judgement, PhotoResult, Record, Spread, Status, show};

/// The style of all pages.
pub(super) const STYLE: &str = include_str!("style.css");

/// `report.html`: headline numbers, then the photos, those that went wrong first.
pub fn page(run: &Run<'_>) -> String {
    let summary = run.summary;
    let failures = run.failures();
    let folder = run.folder();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "sudoku-batch: " (summary.photos) " photos" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (summary.photos) " photos, " (summary.puzzles) " puzzles" }
                    p.quiet {
                        "sudoku-batch " (summary.version) " on " (summary.environment.cpu) ", "
                        (summary.environment.threads) " threads"
                        ", photos in " (show(folder))
                        @if summary.interrupted { ", stopped before the last photo" }
                    }
                }
                (tiles(run))
                (stages(run))
                @if !failures.is_empty() {
                    h2 { "What went wrong" }
                    (table(folder, failures.iter().map(|(photo, why)| (*photo, why.as_str()))))
                }
                h2 { "All photos" }
                (table(folder, run.photos.iter().zip(run.judgements).map(|(photo, judgement)| {
                    (photo, verdict(judgement.as_ref()))
                })))
            }
        }
    };
    page.into_string()
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
    html! {
        table.stages {
            thead { tr { th { "milliseconds a photo" } th.number { "median" } th.number { "95 %" } } }
            tbody {
                @for (name, spread) in rows {
                    tr {
                        td { (name) }
                        td.number { (format!("{:.2}", spread.median)) }
                        td.number { (format!("{:.2}", spread.p95)) }
                    }
                }
            }
        }
    }
}

fn table<'a>(folder: &Path, photos: impl Iterator<Item = (&'a PhotoResult, &'a str)>) -> Markup {
    html! {
        table.photos {
            thead {
                tr {
                    th { "photo" } th { "status" } th.number { "confidence" } th { "" }
                }
            }
            tbody {
                @for (photo, note) in photos {
                    @for record in &photo.entry.records { (row(folder, photo, record, note)) }
                }
            }
        }
    }
}

fn row(folder: &Path, photo: &PhotoResult, record: &Record, note: &str) -> Markup {
    let name = name_below(photo, folder);
    let overlay = photo.entry.overlay_file();
    let overlay = overlay.filter(|_| record.status.is_read());
    html! {
        tr {
            td {
                @if let Some(overlay) = overlay {
                    a href=(link(&overlay)) {
                        img loading="lazy" alt="" src=(link(&overlay));
                        (name)
                    }
                } @else { (name) }
                @if record.puzzle > 1 { " #" (record.puzzle) }
            }
            td { span.status.(record.status.name()) { (record.status.name()) } }
            td.number {
                @if let Some(reading) = &record.reading { (format!("{:.3}", reading.confidence)) }
            }
            td {
                @match (&record.error, note) {
                    (_, note) if !note.is_empty() => (note),
                    (Some(error), _) => (error),
                    (None, _) => "",
                }
            }
        }
    }
}

fn verdict(judgement: Option<&Judgement>) -> &'static str {
    match judgement {
        Some(judgement) if judgement.silent => "wrong in silence",
        Some(judgement) if judgement.wrong_cells == 0 => "as the truth has it",
        _ => "",
    }
}

/// A path below the report as a link: what has a meaning in links is escaped.
fn link(path: &str) -> String {
    let mut link = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                link.push(byte as char);
            }
            _ => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole.max(1) as f64)
}
