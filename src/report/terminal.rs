//! A recognition run on one screen.

use std::fmt::Write;

use anstyle::{AnsiColor, Color, Style};

use super::recognition::Run;
use crate::recognize::Status;

/// Failures that are named; the others are in the report.
const NAMED: usize = 8;
/// Longest line of a failure, in characters.
const WIDTH: usize = 110;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = color(AnsiColor::Green);
const BAD: Style = color(AnsiColor::Red);

const fn color(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

/// The run on one screen: how many, how right, how fast, what went wrong, where the files are. With
/// ANSI styles, for a writer that strips them where they do not belong.
pub fn terminal(run: &Run<'_>, files: &str) -> String {
    let summary = run.summary;
    let mut text = String::new();
    line(&mut text, "photos", &photos_line(run));
    if let Some(accuracy) = &summary.accuracy {
        let boards = accuracy.cells / 81;
        let mut parts = vec![
            ratio(
                accuracy.decoded_exact,
                boards,
                "puzzles exact after decoding",
            ),
            ratio(accuracy.givens_exact, boards, "before"),
            format!(
                "{} of cells",
                percent(accuracy.cells_correct, accuracy.cells)
            ),
        ];
        let silent = accuracy.silent_wrong;
        let style = if silent == 0 { GOOD } else { BAD };
        parts.push(format!("{style}{silent}{style:#} wrong in silence"));
        if accuracy.boardless > 0 {
            let refused = ratio(
                accuracy.refused,
                accuracy.boardless,
                "without a board refused",
            );
            parts.push(refused);
        }
        line(&mut text, "right", &parts.join(" · "));
    }
    let speed = &summary.throughput;
    let stages = &summary.stages_ms;
    let threads = summary.environment.threads;
    line(
        &mut text,
        "speed",
        &format!(
            "{BOLD}{:.1}{BOLD:#} photos/s on {threads} thread{} · median {:.1} ms a photo {DIM}(decode {:.1}, detect {:.1}, read {:.1}, solve {:.1}){DIM:#}",
            speed.photos_per_second,
            plural(threads),
            stages.total.median,
            stages.decode.median,
            stages.detect.median,
            stages.read.median,
            stages.solve.median,
        ),
    );
    failures(&mut text, run);
    line(&mut text, "files", files);
    text
}

fn photos_line(run: &Run<'_>) -> String {
    let summary = run.summary;
    let counts = Status::ALL.into_iter().filter_map(|status| {
        let count = summary.status.of(status);
        let style = if status.is_read() { GOOD } else { BAD };
        (count > 0).then(|| format!("{style}{count}{style:#} {status}"))
    });
    let (photos, puzzles) = (summary.photos, summary.puzzles);
    let mut parts = vec![format!(
        "{BOLD}{photos}{BOLD:#} with {puzzles} puzzle{}",
        plural(puzzles)
    )];
    parts.extend(counts);
    if summary.resumed > 0 {
        parts.push(format!(
            "{DIM}{} taken from the last run{DIM:#}",
            summary.resumed
        ));
    }
    if summary.interrupted {
        parts.push(format!("{BAD}stopped{BAD:#}, run again to go on"));
    }
    parts.join(" · ")
}

fn failures(text: &mut String, run: &Run<'_>) {
    let failures = run.failures();
    for (index, (photo, why)) in failures.iter().take(NAMED).enumerate() {
        let label = if index == 0 { "wrong" } else { "" };
        let shown = one_line(&format!("{}  {why}", photo.file.name));
        line(text, label, &shown);
    }
    if failures.len() > NAMED {
        let more = format!(
            "{DIM}and {} more, see report.html{DIM:#}",
            failures.len() - NAMED
        );
        line(text, "", &more);
    }
}

/// Control characters escaped, and the middle left out of what is too long.
fn one_line(text: &str) -> String {
    let mut plain = String::new();
    for character in text.chars() {
        if character.is_control() {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    let count = plain.chars().count();
    if count <= WIDTH {
        return plain;
    }
    let head: String = plain.chars().take(WIDTH / 2).collect();
    let tail: String = plain.chars().skip(count - WIDTH / 2 + 1).collect();
    format!("{head}…{tail}")
}

fn line(text: &mut String, label: &str, content: &str) {
    writeln!(text, "{BOLD}{label:<8}{BOLD:#}{content}").expect("a string takes everything");
}

fn ratio(part: usize, whole: usize, what: &str) -> String {
    format!("{BOLD}{part}/{whole}{BOLD:#} {what}")
}

fn percent(part: usize, whole: usize) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    format!("{share:.2} %")
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
