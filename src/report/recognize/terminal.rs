//! Terminal report of a recognition run.

use std::fmt::Write;

use crate::reader::Status;
use crate::recognize::{
    ConfidenceBin, FilledCounts, MachineTimes, PhotoResult, StageHistograms, Summary, Videos,
};
use crate::report::number::counted;
use crate::report::styles::{BAD, BOLD, DIM, GOOD};

/// Number of failures that are listed; the others are in the report.
const NAMED: usize = 8;
/// Longest name of a photo, in characters; of a longer one the end is shown.
const NAME: usize = 40;
/// Longest reason, in characters.
const REASON: usize = 80;

/// The worst photos of a run, a few of them.
#[derive(Clone, Debug, Default)]
pub struct WorstPhotos(Vec<(u8, String, String)>);

impl WorstPhotos {
    /// Adds the next photo of the run.
    pub fn add(&mut self, photo: &PhotoResult) {
        let Some(trouble) = photo.trouble() else {
            return;
        };
        let place = self.0.partition_point(|(rank, ..)| *rank <= trouble.rank);
        if place < NAMED {
            let worst = (trouble.rank, photo.photo.clone(), trouble.text);
            self.0.insert(place, worst);
            self.0.truncate(NAMED);
        }
    }
}

/// Returns the terminal report of a run: counts, accuracy, speed, failures, and where the files
/// are. With ANSI styles, for a writer that strips them where necessary.
pub fn terminal(summary: &Summary, worst: &WorstPhotos, files: &str) -> String {
    let mut text = String::new();
    let label = if summary.is_of_videos() {
        "videos"
    } else {
        "photos"
    };
    line(&mut text, label, &photos_line(summary));
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
        let s = plural(silent);
        parts.push(format!("{style}{silent}{style:#} silent error{s}"));
        if accuracy.false_boards > 0 {
            let count = accuracy.false_boards;
            let s = plural(count);
            parts.push(format!("{BAD}{count}{BAD:#} false board{s}"));
        }
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
    if let Some(risk) = risk_line(summary) {
        line(&mut text, "risk", &risk);
    }
    let FilledCounts {
        boards,
        right,
        wrong,
    } = summary.filled;
    if boards > 0 {
        let style = if wrong == 0 { GOOD } else { BAD };
        let boards = counted(boards as u64, "board");
        let content =
            format!("{GOOD}{right}{GOOD:#} right, {style}{wrong}{style:#} wrong on {boards}");
        line(&mut text, "filled", &content);
    }
    match &summary.machines[..] {
        [] => line(&mut text, "speed", &speed_line(summary)),
        machines => {
            let count = machines.len();
            line(
                &mut text,
                "speed",
                &format!("{count} kinds of machines, reported separately"),
            );
            for machine in machines {
                line(&mut text, "", &machine_line(machine));
            }
        }
    }
    failures(&mut text, summary, worst);
    line(&mut text, "files", files);
    text
}

/// Returns the expected number of errors among the accepted puzzles, and the actual one, if known.
fn risk_line(summary: &Summary) -> Option<String> {
    let accepted = Status::ALL.into_iter().filter(|status| status.is_read());
    let accepted = accepted
        .map(|status| summary.status.of(status))
        .fold(0, usize::saturating_add);
    let known = summary.accuracy.map(|accuracy| accuracy.accepted);
    let risk = risk(accepted, summary.expected_wrong, known.unwrap_or_default());
    (accepted > 0).then_some(risk)
}

fn risk(accepted: usize, expected: f64, known: ConfidenceBin) -> String {
    let expected =
        format!("{BOLD}{expected:.2}{BOLD:#} of {accepted} accepted puzzles expected to be wrong");
    let (boards, wrong) = (known.boards, known.wrong());
    match boards {
        0 => expected,
        _ if boards == accepted => format!("{expected}, {wrong} not exact"),
        _ => format!(
            "{expected} · with ground truth {:.2} of {boards}, {wrong} not exact",
            known.expected_wrong(),
        ),
    }
}

/// Returns the speed: photos per second, or frames per second where there are only videos.
fn speed_line(summary: &Summary) -> String {
    let speed = &summary.throughput;
    let threads = summary.environment.threads;
    let threads = format!("on {threads} thread{}", plural(threads));
    let Videos { count, frames } = summary.videos;
    if summary.is_of_videos() {
        let pace = frames as f64 / speed.seconds.max(f64::MIN_POSITIVE);
        return format!("{BOLD}{pace:.1}{BOLD:#} frames/s {threads}");
    }
    let pace = match count {
        // All was taken from a run whose speed is not known.
        0 if speed.photos_per_second == 0.0 => return stages_text(&summary.stages_ms),
        0 => format!("{BOLD}{:.1}{BOLD:#} photos/s", speed.photos_per_second),
        _ => {
            let frames = counted(frames, "frame");
            format!(
                "{BOLD}{:.1}{BOLD:#} s with {frames} of videos",
                speed.seconds
            )
        }
    };
    format!("{pace} {threads} · {}", stages_text(&summary.stages_ms))
}

/// Returns the speed of one kind of machine.
fn machine_line(machine: &MachineTimes) -> String {
    let MachineTimes {
        environment,
        photos,
        throughput,
        stages_ms,
    } = machine;
    format!(
        "{}, {} threads: {} at {BOLD}{:.1}{BOLD:#} photos/s · {}",
        environment.cpu,
        environment.threads,
        counted(*photos as u64, "photo"),
        throughput.photos_per_second,
        stages_text(stages_ms)
    )
}

fn stages_text(stages: &StageHistograms) -> String {
    let stages = stages.spreads();
    format!(
        "median {:.1} ms per photo {DIM}(decode {:.1}, detect {:.1}, read {:.1}, solve {:.1}, pictures {:.1}){DIM:#}",
        stages.total.median,
        stages.decode.median,
        stages.detect.median,
        stages.read.median,
        stages.solve.median,
        stages.pictures.median,
    )
}

fn photos_line(summary: &Summary) -> String {
    let counts = Status::ALL.into_iter().filter_map(|status| {
        let count = summary.status.of(status);
        let style = if status.is_read() { GOOD } else { BAD };
        (count > 0).then(|| format!("{style}{count}{style:#} {status}"))
    });
    let (puzzles, videos) = (summary.puzzles, summary.videos.count);
    let photos = summary.stills();
    let count = match (photos, videos) {
        (_, 0) => format!("{BOLD}{photos}{BOLD:#}"),
        (0, _) => format!("{BOLD}{videos}{BOLD:#}"),
        _ => format!(
            "{BOLD}{photos}{BOLD:#} and {BOLD}{videos}{BOLD:#} video{}",
            plural(videos)
        ),
    };
    let mut parts = vec![format!("{count} with {puzzles} puzzle{}", plural(puzzles))];
    parts.extend(counts);
    if summary.resumed > 0 {
        parts.push(format!(
            "{DIM}{} taken from the last run{DIM:#}",
            summary.resumed
        ));
    }
    if summary.interrupted {
        parts.push(format!("{BAD}stopped{BAD:#}, run again to continue"));
    }
    parts.join(" · ")
}

fn failures(text: &mut String, summary: &Summary, worst: &WorstPhotos) {
    let folder = summary.folder.as_deref().unwrap_or_default();
    let below = |name: &str| name.strip_prefix(folder).unwrap_or(name).to_owned();
    let worst = worst.0.iter();
    let worst = worst.map(|(_, name, why)| (last(&plain(&below(name)), NAME), why));
    let worst: Vec<(String, &String)> = worst.collect();
    let widest = worst.iter().map(|(name, _)| name.chars().count()).max();
    let width = widest.unwrap_or(0);
    for (index, (name, why)) in worst.iter().enumerate() {
        let label = if index == 0 { "wrong" } else { "" };
        let why = first(&plain(why), REASON);
        line(text, label, &format!("{name:<width$}  {DIM}{why}{DIM:#}"));
    }
    if summary.failures > worst.len() {
        let more = summary.failures - worst.len();
        line(
            text,
            "",
            &format!("{DIM}and {more} more, see report.html{DIM:#}"),
        );
    }
}

/// Returns the text with control characters escaped.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for character in text.chars() {
        if character.is_control() {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}

fn first(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit - 1).collect();
    format!("{kept}…")
}

fn last(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(count - (limit - 1)).collect();
    format!("…{kept}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_errors_are_shown_beside_the_known_ones() {
        let plain =
            |accepted, known| anstream::adapter::strip_str(&risk(accepted, 0.5, known)).to_string();
        let known = ConfidenceBin {
            boards: 3,
            exact: 2,
            confidence: 2.75,
        };
        assert_eq!(
            plain(4, ConfidenceBin::default()),
            "0.50 of 4 accepted puzzles expected to be wrong"
        );
        assert_eq!(
            plain(3, known),
            "0.50 of 3 accepted puzzles expected to be wrong, 1 not exact"
        );
        assert_eq!(
            plain(4, known),
            "0.50 of 4 accepted puzzles expected to be wrong · with ground truth 0.25 of 3, 1 not exact"
        );
    }
}
