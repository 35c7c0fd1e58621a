//! The result for one photo, as one row a puzzle.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::text;
use crate::files::spreadsheet_text;
use crate::grid::{Cell, CellSet, DigitSet, PencilMarks, Puzzle, Solution};
use crate::reader::{Doubt, ReadBoard, StageMs, Status};
use crate::solve::Verdict;
use crate::vision::{BoardPlace, Photo, Point};

/// Largest time in milliseconds, or distance in pixels, that is taken for one.
const MEASURABLE: f32 = 1e9;

/// A board that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Most probable content of each cell by itself. Older runs call it `givens`.
    #[serde(with = "text", alias = "givens")]
    pub read: Puzzle,
    /// The most probable board that has a solution, in `mistakes` what is right and not what was written; of a board
    /// that is `unsolvable`, what stands there.
    #[serde(with = "text")]
    pub decoded: Puzzle,
    /// A solution, if there is one; of several, one of them.
    #[serde(with = "text::optional")]
    pub solution: Option<Solution>,
    /// Whether there are several solutions.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_ambiguous: bool,
    /// Probability that `decoded` is what stands on the paper.
    pub confidence: f32,
    /// Nats to the next best board.
    pub margin: f32,
    /// Cells in which `decoded` is expected to have a digit where there is none, or none where there is one.
    #[serde(default)]
    pub blank_doubt: f32,
    /// Cells in which the rules overruled the reading.
    pub overruled: usize,
    /// Cells that were taken for mistakes, numbered from 0. Of those on a board filled in by hand it is not known what
    /// stands there on the paper.
    #[serde(
        with = "text::cells",
        skip_serializing_if = "text::cells::is_empty",
        default
    )]
    pub mistakes: CellSet,
    /// Cells whose digit was written by hand, numbered from 0.
    #[serde(
        with = "text::cells",
        skip_serializing_if = "text::cells::is_empty",
        default
    )]
    pub written: CellSet,
    /// Whether the written digits were compared with the solution of the printed ones, so that those that differ are
    /// among the mistakes.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_checked: bool,
    /// The pencil marks of a board that has some: what is marked in a cell, the digit where there is one, and where
    /// there is neither what the digits leave.
    #[serde(
        with = "text::optional",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub marks: Option<PencilMarks>,
    /// Where the board lies in the reading copy.
    pub place: BoardPlace,
    /// Corners in pixels of the upright photo, clockwise from the board's own top left.
    pub corners: [Point; 4],
    /// The cells that a person should look at first.
    pub doubts: Vec<Doubt>,
}

impl Reading {
    /// Whether all numbers are such as a reader can have found.
    fn is_measured(&self) -> bool {
        let sides = self.corners.iter().flat_map(|point| [point.x, point.y]);
        (0.0..=1.0).contains(&self.confidence)
            && self.margin.is_finite()
            && self.blank_doubt.is_finite()
            && sides.into_iter().all(|side| side.abs() <= MEASURABLE)
    }

    /// Returns the printed digits of `decoded`.
    pub fn givens(&self) -> Puzzle {
        let mut givens = self.decoded;
        for cell in self.written {
            givens.set(cell, None);
        }
        givens
    }

    /// Returns the digits that were written by hand, mistakes as they were read.
    pub fn filled(&self) -> Puzzle {
        let mut filled = Puzzle::empty();
        for cell in self.written {
            let board = match self.mistakes.contains(cell) {
                true => &self.read,
                false => &self.decoded,
            };
            filled.set(cell, board.given(cell));
        }
        filled
    }

    /// Returns how many of the written digits are right and how many are wrong, where that is known.
    pub fn check(&self) -> Option<(usize, usize)> {
        let wrong = self.written.intersection(self.mistakes).len();
        let is_known = self.is_checked && !self.written.is_empty();
        is_known.then(|| (self.written.len() - wrong, wrong))
    }

    /// Returns the pencil marks as text, where the board has some.
    pub fn marks_line(&self) -> Option<String> {
        self.marks.map(|marks| marks.to_string())
    }
}

/// The pencil marks of a board, if it has some.
fn marks(board: &ReadBoard) -> Option<PencilMarks> {
    let marks = board.marks();
    let is_marked = marks.iter().any(|(_, digits)| !digits.is_empty());
    let candidates = |cell: Cell| {
        if let Some(digit) = board.decoded.given(cell) {
            return DigitSet::only(digit);
        }
        let seen = cell.peers().into_iter();
        let seen: DigitSet = seen.filter_map(|peer| board.decoded.given(peer)).collect();
        let left = DigitSet::ALL.difference(seen);
        // A mark of a digit that stands in the same house is out of date, or misread.
        match marks[cell].intersection(left) {
            DigitSet::EMPTY => left,
            marked => marked,
        }
    };
    is_marked.then(|| PencilMarks::from_fn(candidates))
}

/// One row: a puzzle found, or a photo in which none was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the puzzle in the photo, from 1; 0 where none was found.
    pub puzzle: usize,
    /// The result in one word.
    pub status: Status,
    /// What was read, where a board was.
    pub reading: Option<Reading>,
    /// Why the status is no better, and what may help.
    pub error: Option<String>,
    /// What it cost.
    #[serde(flatten)]
    pub stages: StageMs,
    /// The board of the ground truth that this one was compared with, where there is one.
    #[serde(
        with = "text::optional",
        skip_serializing_if = "Option::is_none",
        default
    )]
    pub truth: Option<Puzzle>,
}

/// A row as an object, for programs: its fields are the columns of `results.csv`.
#[derive(Debug, Serialize)]
pub struct RowObject<'a> {
    photo: &'a str,
    puzzle: usize,
    status: Status,
    givens: Option<String>,
    decoded: Option<String>,
    solution: Option<String>,
    solutions: Option<&'static str>,
    confidence: Option<f32>,
    margin: Option<f32>,
    overruled: Option<usize>,
    rotation: Option<u16>,
    corners: Option<[[f32; 2]; 4]>,
    error: Option<&'a str>,
    #[serde(flatten)]
    stages: StageMs,
    filled: Option<String>,
    read: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<Option<String>>,
}

/// A row of `results.csv`: its fields are the columns. Text that a spreadsheet would take for a formula
/// has an apostrophe in front.
#[derive(Debug, Serialize)]
pub(super) struct ResultRow<'a> {
    photo: Cow<'a, str>,
    puzzle: usize,
    status: Status,
    givens: String,
    decoded: String,
    solution: String,
    solutions: &'static str,
    confidence: String,
    margin: String,
    overruled: Option<usize>,
    rotation: Option<u16>,
    corners: String,
    error: Cow<'a, str>,
    decode_ms: String,
    detect_ms: String,
    read_ms: String,
    solve_ms: String,
    filled: String,
    read: String,
    /// A column only where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<String>,
}

impl Record {
    /// Whether all numbers are such as a run can have found; those of a forged journal may not be.
    pub(super) fn is_measured(&self) -> bool {
        let StageMs {
            decode,
            detect,
            read,
            solve,
        } = self.stages;
        let times = [decode, detect, read, solve];
        let is_time = |value: &f32| (0.0..=MEASURABLE).contains(value);
        times.iter().all(is_time) && self.reading.as_ref().is_none_or(Reading::is_measured)
    }

    /// Returns why the board was not read, if it was not.
    pub fn failure(&self) -> Option<String> {
        match (&self.error, self.status) {
            (_, status) if status.is_read() => None,
            (Some(error), Status::Uncertain | Status::Unreadable) => Some(error.clone()),
            (Some(error), status) => Some(format!("{status}: {error}")),
            (None, status) => Some(status.to_string()),
        }
    }

    /// The row of a board; `stages` are those of the photo for opening and finding it.
    pub(super) fn of_board(
        number: usize,
        board: &ReadBoard,
        photo: &Photo,
        open_ms: f32,
    ) -> Record {
        let reading = Reading {
            read: board.givens,
            decoded: board.decoded,
            solution: board.verdict.solution().copied(),
            is_ambiguous: matches!(board.verdict, Verdict::Multiple(_)),
            confidence: board.confidence,
            margin: board.margin,
            blank_doubt: board.blank_doubt,
            overruled: board.overruled.len(),
            mistakes: board.mistakes,
            written: board.written,
            is_checked: board.key.is_some(),
            marks: marks(board),
            corners: board.place.corners(photo),
            place: board.place.clone(),
            doubts: board.doubts.clone(),
        };
        let objection = board.objection.as_ref().map(ToString::to_string);
        Record {
            puzzle: number,
            status: board.status,
            reading: Some(reading),
            error: objection.or_else(|| note(board)),
            stages: StageMs {
                decode: open_ms,
                ..board.times
            },
            truth: None,
        }
    }

    /// The row of a photo without a board.
    pub(super) fn of_failure(failure: &Failure, stages: StageMs) -> Record {
        Record {
            puzzle: 0,
            status: failure.status(),
            reading: None,
            error: Some(failure.to_string()),
            stages,
            truth: None,
        }
    }

    /// Returns how many solutions the decoded puzzle has: `0`, `1`, `2+`; empty where it is not known.
    pub fn solutions(&self) -> &'static str {
        match (&self.reading, self.status) {
            (None, _) => "",
            // Runs of before have only the status.
            (Some(reading), status) if reading.is_ambiguous || status == Status::Multiple => "2+",
            (Some(reading), _) if reading.solution.is_some() => "1",
            (Some(_), Status::Unsolvable) => "0",
            (Some(_), _) => "",
        }
    }

    /// The row as an object: what `results.csv` has, numbers as such, and `null` for what there is not; with the
    /// pencil marks where they are asked for.
    pub fn object<'a>(&'a self, photo: &'a str, with_marks: bool) -> RowObject<'a> {
        let reading = self.reading.as_ref();
        RowObject {
            photo,
            puzzle: self.puzzle,
            status: self.status,
            givens: reading.map(|it| it.givens().to_line()),
            filled: reading.map(|it| it.filled().to_line()),
            read: reading.map(|it| it.read.to_line()),
            decoded: reading.map(|it| it.decoded.to_line()),
            solution: reading.and_then(|it| it.solution).map(|it| it.to_line()),
            solutions: Some(self.solutions()).filter(|it| !it.is_empty()),
            confidence: reading.map(|it| it.confidence),
            margin: reading.map(|it| it.margin),
            overruled: reading.map(|it| it.overruled),
            rotation: reading.map(|it| it.place.rotation.degrees()),
            corners: reading.map(|it| it.corners.map(|point| [point.x, point.y])),
            marks: with_marks.then(|| reading.and_then(Reading::marks_line)),
            error: self.error.as_deref(),
            stages: self.stages,
        }
    }

    /// The row as `results.csv` has it, with the pencil marks where they are asked for.
    pub(super) fn row<'a>(&'a self, photo: &'a str, with_marks: bool) -> ResultRow<'a> {
        let reading = self.reading.as_ref();
        let read = |field: fn(&Reading) -> String| reading.map(field).unwrap_or_default();
        let ms = |value: f32| format!("{value:.2}");
        ResultRow {
            photo: spreadsheet_text(photo),
            puzzle: self.puzzle,
            status: self.status,
            givens: read(|reading| reading.givens().to_line()),
            filled: read(|reading| reading.filled().to_line()),
            read: read(|reading| reading.read.to_line()),
            decoded: read(|reading| reading.decoded.to_line()),
            solution: read(|reading| reading.solution.map(|it| it.to_line()).unwrap_or_default()),
            solutions: self.solutions(),
            confidence: read(|reading| format!("{:.4}", reading.confidence)),
            margin: read(|reading| format!("{:.3}", reading.margin)),
            overruled: reading.map(|reading| reading.overruled),
            rotation: reading.map(|reading| reading.place.rotation.degrees()),
            corners: read(|reading| corners_text(&reading.corners)),
            marks: with_marks.then(|| read(|reading| reading.marks_line().unwrap_or_default())),
            error: spreadsheet_text(self.error.as_deref().unwrap_or_default()),
            decode_ms: ms(self.stages.decode),
            detect_ms: ms(self.stages.detect),
            read_ms: ms(self.stages.read),
            solve_ms: ms(self.stages.solve),
        }
    }
}

/// What a person filled in wrongly, if the board says so.
fn note(board: &ReadBoard) -> Option<String> {
    let cells: Vec<String> = board
        .mistakes
        .into_iter()
        .map(|it| it.to_string())
        .collect();
    (!cells.is_empty()).then(|| format!("filled in wrongly: {}", cells.join(" ")))
}

fn corners_text(corners: &[Point; 4]) -> String {
    corners
        .map(|point| format!("{:.1} {:.1}", point.x, point.y))
        .join(" ")
}
