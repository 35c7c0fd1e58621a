//! What became of a photo, as one row a puzzle: the row of `results.csv`.

use std::fmt;

use crate::grid::{Puzzle, Solution};
use crate::vision::Point;

/// What became of a puzzle, or of a photo in which none was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Read, with exactly one solution.
    Solved,
    /// Read, with several solutions.
    Multiple,
    /// Read, but without a solution in reach: certainly misread.
    Unsolvable,
    /// No board in the photo, or what looked like one holds no Sudoku.
    NoGrid,
    /// The photo does not open, or the reading is too doubtful to stand for.
    Unreadable,
    /// The time limit of a photo ran out.
    Timeout,
}

impl Status {
    /// All of them, best first.
    pub const ALL: [Status; 6] = [
        Status::Solved,
        Status::Multiple,
        Status::Unsolvable,
        Status::NoGrid,
        Status::Unreadable,
        Status::Timeout,
    ];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Multiple => "multiple",
            Status::Unsolvable => "unsolvable",
            Status::NoGrid => "no-grid",
            Status::Unreadable => "unreadable",
            Status::Timeout => "timeout",
        }
    }

    /// Whether the puzzle was read, with something to show for it.
    pub const fn is_read(self) -> bool {
        matches!(self, Status::Solved | Status::Multiple)
    }

    pub(super) fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a board lies in its photo: the quarter turns, clockwise, that reading has undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation(u8);

impl Rotation {
    /// Quarter turns clockwise, taken modulo four.
    pub const fn from_quarter_turns(turns: u8) -> Rotation {
        Rotation(turns % 4)
    }

    /// Quarter turns clockwise, 0 to 3.
    pub const fn quarter_turns(self) -> u8 {
        self.0
    }

    /// 0, 90, 180 or 270.
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * 90
    }
}

/// Processor time of each stage, in milliseconds: of the photo for opening and finding, of the
/// puzzle for reading and solving.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageMs {
    /// Reading and opening the file.
    pub decode: f32,
    /// Finding boards and cutting their cells out.
    pub detect: f32,
    /// The board's share of reading the cells.
    pub read: f32,
    /// Decoding by the rules and solving.
    pub solve: f32,
}

/// A board that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Most probable content of each cell by itself.
    pub givens: Puzzle,
    /// The puzzle after the rules had their say.
    pub decoded: Puzzle,
    /// A solution, if there is one; of several, one of them.
    pub solution: Option<Solution>,
    /// Probability that `decoded` is what stands on the paper.
    pub confidence: f32,
    /// Nats to the next best board.
    pub margin: f32,
    /// Cells in which the rules overruled the reading.
    pub overruled: usize,
    /// How the board lies in the photo.
    pub rotation: Rotation,
    /// Corners in pixels of the upright photo, clockwise from the board's own top left.
    pub corners: [Point; 4],
}

/// One row: a puzzle found, or a photo in which none was.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The photo as it was given.
    pub photo: String,
    /// Number of the puzzle in the photo, from 1; 0 where none was found.
    pub puzzle: usize,
    /// What became of it.
    pub status: Status,
    /// What was read, where a board was.
    pub reading: Option<Reading>,
    /// Why the status is no better, and what may help.
    pub error: Option<String>,
    /// What it cost.
    pub stages: StageMs,
}

/// The columns of `results.csv`.
pub const COLUMNS: [&str; 17] = [
    "photo",
    "puzzle",
    "status",
    "givens",
    "decoded",
    "solution",
    "solutions",
    "confidence",
    "margin",
    "overruled",
    "rotation",
    "corners",
    "error",
    "decode_ms",
    "detect_ms",
    "read_ms",
    "solve_ms",
];

impl Record {
    /// Solutions of the decoded puzzle: `0`, `1`, `2+`; empty where it is not known.
    fn solutions(&self) -> &'static str {
        match (&self.reading, self.status) {
            (None, _) => "",
            (Some(_), Status::Multiple) => "2+",
            (Some(reading), _) if reading.solution.is_some() => "1",
            (Some(_), Status::Unsolvable) => "0",
            (Some(_), _) => "",
        }
    }

    /// The fields of the row, in the order of [`COLUMNS`].
    pub fn to_fields(&self) -> [String; COLUMNS.len()] {
        let read = |field: &dyn Fn(&Reading) -> String| {
            self.reading.as_ref().map(field).unwrap_or_default()
        };
        let ms = |value: f32| format!("{value:.2}");
        [
            self.photo.clone(),
            self.puzzle.to_string(),
            self.status.name().to_owned(),
            read(&|reading| reading.givens.to_line()),
            read(&|reading| reading.decoded.to_line()),
            read(&|reading| reading.solution.map(|s| s.to_line()).unwrap_or_default()),
            self.solutions().to_owned(),
            read(&|reading| format!("{:.4}", reading.confidence)),
            read(&|reading| format!("{:.3}", reading.margin)),
            read(&|reading| reading.overruled.to_string()),
            read(&|reading| reading.rotation.degrees().to_string()),
            read(&|reading| corners_text(&reading.corners)),
            self.error.clone().unwrap_or_default(),
            ms(self.stages.decode),
            ms(self.stages.detect),
            ms(self.stages.read),
            ms(self.stages.solve),
        ]
    }

    /// Reads a row back; `None` if the fields are not those of a row.
    pub fn from_fields(fields: &[String]) -> Option<Record> {
        let fields: &[String; COLUMNS.len()] = fields.try_into().ok()?;
        let [
            photo,
            puzzle,
            status,
            givens,
            decoded,
            solution,
            _,
            rest @ ..,
        ] = fields;
        let [
            confidence,
            margin,
            overruled,
            rotation,
            corners,
            error,
            stages @ ..,
        ] = rest;
        let reading = if givens.is_empty() {
            None
        } else {
            Some(Reading {
                givens: givens.parse().ok()?,
                decoded: decoded.parse().ok()?,
                solution: match solution.as_str() {
                    "" => None,
                    line => Some(parse_solution(line)?),
                },
                confidence: confidence.parse().ok()?,
                margin: margin.parse().ok()?,
                overruled: overruled.parse().ok()?,
                rotation: match rotation.parse::<u16>().ok()? {
                    degrees @ (0 | 90 | 180 | 270) => {
                        Rotation::from_quarter_turns((degrees / 90) as u8)
                    }
                    _ => return None,
                },
                corners: parse_corners(corners)?,
            })
        };
        let [decode, detect, read, solve] = stages;
        Some(Record {
            photo: photo.clone(),
            puzzle: puzzle.parse().ok()?,
            status: Status::from_name(status)?,
            reading,
            error: (!error.is_empty()).then(|| error.clone()),
            stages: StageMs {
                decode: decode.parse().ok()?,
                detect: detect.parse().ok()?,
                read: read.parse().ok()?,
                solve: solve.parse().ok()?,
            },
        })
    }
}

fn corners_text(corners: &[Point; 4]) -> String {
    corners
        .map(|point| format!("{:.1} {:.1}", point.x, point.y))
        .join(" ")
}

fn parse_corners(text: &str) -> Option<[Point; 4]> {
    let numbers: Vec<f32> = text
        .split(' ')
        .map(|number| number.parse().ok())
        .collect::<Option<_>>()?;
    let numbers: [f32; 8] = numbers.try_into().ok()?;
    Some([0, 2, 4, 6].map(|at| Point {
        x: numbers[at],
        y: numbers[at + 1],
    }))
}

/// Reads the 81 digits of a solution; `None` if they are none.
fn parse_solution(line: &str) -> Option<Solution> {
    let full: Puzzle = line.parse().ok()?;
    let mut complete = true;
    let digits = crate::grid::CellMap::from_fn(|cell| {
        full.given(cell).unwrap_or_else(|| {
            complete = false;
            crate::grid::Digit::ALL[0]
        })
    });
    complete.then(|| Solution::new(digits)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    // "The world's hardest sudoku" of Arto Inkala, 2012, as published in The Telegraph.
    const GIVENS: &str =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    const SOLUTION: &str =
        "812753649943682175675491283154237896369845721287169534521974368438526917796318452";

    fn record() -> Record {
        Record {
            photo: "a,\"b\"\n.jpg".to_owned(),
            puzzle: 1,
            status: Status::Solved,
            reading: Some(Reading {
                givens: GIVENS.parse().unwrap(),
                decoded: GIVENS.parse().unwrap(),
                solution: parse_solution(SOLUTION),
                confidence: 0.9875,
                margin: 7.25,
                overruled: 2,
                rotation: Rotation::from_quarter_turns(3),
                corners: [(1.5, 2.0), (90.0, 3.0), (91.0, 80.5), (0.0, 79.0)]
                    .map(|(x, y)| Point { x, y }),
            }),
            error: None,
            stages: StageMs {
                decode: 1.25,
                detect: 2.5,
                read: 3.75,
                solve: 0.5,
            },
        }
    }

    #[test]
    fn a_row_reads_back_as_it_was_written() {
        let found = record();
        assert_eq!(
            Record::from_fields(&found.to_fields()).as_ref(),
            Some(&found)
        );
        let missed = Record {
            puzzle: 0,
            status: Status::NoGrid,
            reading: None,
            error: Some("no board".to_owned()),
            ..record()
        };
        assert_eq!(
            Record::from_fields(&missed.to_fields()).as_ref(),
            Some(&missed)
        );
    }

    #[test]
    fn a_row_that_is_damaged_is_refused() {
        for column in [1, 2, 3, 5, 7, 10, 11, 13] {
            let mut fields = record().to_fields();
            fields[column] = "x".to_owned();
            assert_eq!(
                Record::from_fields(&fields),
                None,
                "column {}",
                COLUMNS[column]
            );
        }
        assert_eq!(Record::from_fields(&[]), None);
    }
}
