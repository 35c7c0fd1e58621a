//! Comparison of `recognize` runs: their numbers, their settings, and photos with different
//! results.

use maud::{Markup, html};

use super::settings::settings;
use crate::reader::Status;
use crate::recognize::{
    Accuracy, PhotoChange, PhotoDifference, PhotoOutcome, RecognizeSideBySide, Spread, Standing,
    Summary,
};
use crate::report::number::{counted, sort_key};
use crate::report::recognize::shared_folder;

/// Returns the section on photos.
pub(super) fn recognize_section(runs: &RecognizeSideBySide) -> Markup {
    html! {
        section #recognize {
            h2 { "Photos" }
            @if runs.not_shared > 0 {
                p.caveat {
                    (counted(runs.shared as u64, "photo")) " in all runs, "
                    (runs.not_shared) " only in some, so the numbers of the runs are for different photos."
                }
            }
            (measures(runs))
            (settings(&runs.runs, &runs.settings))
            (differences(runs))
        }
    }
}

/// A number with its value for each run.
type Measure = (String, Vec<Option<String>>);

fn measures(runs: &RecognizeSideBySide) -> Markup {
    html! {
        div.wide {
            table.measures {
                caption.unseen { "What each run read, and how fast" }
                thead { tr {
                    td {}
                    @for run in &runs.runs { th.number scope="col" { (run) } }
                } }
                tbody {
                    @for (name, values) in rows(&runs.summaries) {
                        tr {
                            th scope="row" { (name) }
                            @for value in values {
                                td.number { (value.unwrap_or_default()) }
                            }
                        }
                    }
                }
            }
        }
        p.quiet {
            "Times are wall-clock times per photo: median and 95th percentile."
        }
    }
}

/// Returns the numbers of all runs; those that no run has are left out.
fn rows(summaries: &[Summary]) -> Vec<Measure> {
    let mut rows: Vec<Measure> = Vec::new();
    let mut row = |name: &str, value: &dyn Fn(&Summary) -> Option<String>| {
        let values: Vec<Option<String>> = summaries.iter().map(value).collect();
        if values.iter().any(Option::is_some) {
            rows.push((name.to_owned(), values));
        }
    };
    row("model", &|run| {
        (!run.model.is_empty()).then(|| run.model.clone())
    });
    row("photos", &|run| Some(run.photos.to_string()));
    row("stopped before the end", &|run| {
        run.interrupted.then(|| "yes".to_owned())
    });
    row("puzzles", &|run| Some(run.puzzles.to_string()));
    for status in Status::ALL {
        if summaries.iter().any(|run| run.status.of(status) > 0) {
            row(status.name(), &|run| {
                Some(run.status.of(status).to_string())
            });
        }
    }
    type Count = fn(&Accuracy) -> String;
    let counts: [(&str, Count); 7] = [
        ("photos with ground truth", |it| it.photos.to_string()),
        ("exact after decoding", |it| {
            format!("{}/{}", it.decoded_exact, it.cells / 81)
        }),
        ("exact as read", |it| {
            format!("{}/{}", it.givens_exact, it.cells / 81)
        }),
        ("cells right", |it| {
            let share = it.cells_correct as f64 / it.cells.max(1) as f64;
            format!("{:.2} %", 100.0 * share)
        }),
        ("solved right", |it| it.solved_right.to_string()),
        ("silent errors", |it| it.silent_wrong.to_string()),
        ("false boards", |it| it.false_boards.to_string()),
    ];
    for (name, count) in counts {
        row(name, &|run| run.accuracy.as_ref().map(count));
    }
    // A run that took all photos from the last one has no speed.
    row("photos per second", &|run| {
        let speed = run.throughput.photos_per_second;
        (speed > 0.0).then(|| format!("{speed:.1}"))
    });
    type Stage = fn(&Summary) -> Spread;
    let stages: [(&str, Stage); 6] = [
        ("open the photo, ms", |run| run.stages_ms.spreads().decode),
        ("find the board, ms", |run| run.stages_ms.spreads().detect),
        ("read the cells, ms", |run| run.stages_ms.spreads().read),
        ("decode and solve, ms", |run| run.stages_ms.spreads().solve),
        ("write the pictures, ms", |run| {
            run.stages_ms.spreads().pictures
        }),
        ("all, ms", |run| run.stages_ms.spreads().total),
    ];
    for (name, stage) in stages {
        row(name, &|run| {
            let Spread { median, p95 } = stage(run);
            Some(format!("{median:.1} – {p95:.1}"))
        });
    }
    rows
}

fn differences(runs: &RecognizeSideBySide) -> Markup {
    let names = runs.differences.iter().map(|photo| photo.photo.as_str());
    let folder = shared_folder(names);
    html! {
        h3 { "Photos with different results" }
        @if runs.differences.is_empty() {
            p.quiet { "None." }
        } @else {
            p.quiet {
                "Compared with " (runs.runs[0]) ", the worse ones first."
                @if !folder.is_empty() { " Photos in " (folder) "." }
            }
            div.wide {
                table.sorts.filters.photos {
                    caption.unseen { "Photos whose status or board differs between runs" }
                    thead { tr {
                        th scope="col" { "photo" }
                        th scope="col" { "change" }
                        @for run in &runs.runs { th scope="col" { (run) } }
                    } }
                    tbody { @for photo in &runs.differences { (difference(photo, folder)) } }
                }
            }
        }
    }
}

fn difference(photo: &PhotoDifference, folder: &str) -> Markup {
    let (word, place) = match photo.change {
        PhotoChange::Worse => ("worse", 0.0),
        PhotoChange::Better => ("better", 1.0),
        PhotoChange::Other | PhotoChange::Same => ("otherwise", 2.0),
    };
    let first = photo.outcomes.iter().flatten().next();
    let name = photo.photo.strip_prefix(folder).unwrap_or(&photo.photo);
    html! {
        tr {
            th.any scope="row" { (name) }
            td.gain[photo.change == PhotoChange::Better].loss[photo.change == PhotoChange::Worse]
                data-value=(sort_key(place)) { (word) }
            @for outcome in &photo.outcomes {
                td.any {
                    @match outcome {
                        Some(outcome) => { (described(outcome)) (boards(outcome, first)) },
                        None => "not there",
                    }
                }
            }
        }
    }
}

/// Returns the result of a run for a photo.
fn described(outcome: &PhotoOutcome) -> Markup {
    let status = outcome.statuses.join(", ");
    let wrong = outcome.wrong_cells;
    html! {
        (status)
        @match (outcome.standing, wrong) {
            (Standing::Silent, _) => { b.loss { ", silent error" } },
            (Standing::Fine, Some(0)) => { span.gain { ", right" } },
            (_, Some(cells)) if cells > 0 => { ", " (counted(cells as u64, "cell")) " unlike the ground truth" },
            _ => {},
        }
        @if let Some(cells @ 1..) = outcome.differing_cells {
            span.note { (counted(cells as u64, "cell")) " other" }
        }
    }
}

/// Returns the boards that a run read, with differences from the first run marked.
fn boards(outcome: &PhotoOutcome, first: Option<&PhotoOutcome>) -> Markup {
    let rows = |board: &str| -> Vec<String> {
        let cells: Vec<char> = board.chars().collect();
        let rows = cells.chunks(9);
        rows.map(|row| row.iter().collect()).collect()
    };
    html! {
        @for (number, board) in outcome.boards.iter().enumerate() {
            @let other = first.and_then(|first| first.boards.get(number)).unwrap_or(board);
            details {
                summary { "board" @if outcome.boards.len() > 1 { " " (number + 1) } }
                pre.board {
                    @for (row, others) in rows(board).iter().zip(rows(other)) {
                        @for (cell, other) in row.chars().zip(others.chars()) {
                            @if cell == other { (cell) } @else { mark { (cell) } }
                            " "
                        }
                        "\n"
                    }
                }
            }
        }
    }
}
