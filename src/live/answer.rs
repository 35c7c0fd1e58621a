//! The boards of a photo or a frame, with coordinates in pixels of the picture as it is shown.

use std::time::Duration;

use serde::Serialize;

use crate::decode::Decoded;
use crate::grid::Cell;
use crate::reader::{Doubt, ReadBoard, Refusal, Sight, Sighting, Status};
use crate::vision::{BoardPlace, Photo, Point};

/// Confidence from which on a reading with one solution is sure.
const SURE: f32 = 0.99;
/// How far a reading has come, as a share of its confidence, before there are frames enough.
const UNNUMBERED: f32 = 0.6;

/// What was found in a picture.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Pixels of the upright picture from left to right.
    pub width: u32,
    /// Pixels of the upright picture from top to bottom.
    pub height: u32,
    /// Wall-clock time that the answer took, in milliseconds.
    pub ms: f32,
    /// The boards, the main one first.
    pub boards: Vec<BoardAnswer>,
    /// Why there is no board; `None` where there is one.
    pub refusal: Option<String>,
}

/// A board in a picture.
#[derive(Clone, Debug, Serialize)]
pub struct BoardAnswer {
    /// Its number, from 1; frames keep it while they show the same board. 0 where frames do not suffice yet.
    pub board: usize,
    /// `found` by a search, `followed` from the frame before, or `lost`: its place is then the last one known.
    pub how: &'static str,
    /// Its outer corners, clockwise from its own top left, in pixels of the upright picture.
    pub corners: [[f32; 2]; 4],
    /// Where its grid lines cross: `x` and `y` of 10 times 10 points, row by row as the board is read.
    pub lattice: Vec<f32>,
    /// How far the reading has come, 0 to 1.
    pub evidence: f32,
    /// The result in one word.
    pub status: Status,
    /// Whether the reading is to be shown without a question: one solution, and no doubt left.
    pub is_sure: bool,
    /// The most probable content of each cell by itself: 81 characters, `.` for a blank.
    pub givens: String,
    /// The most probable board that has a solution.
    pub decoded: String,
    /// The solution, the first one of several; `None` where there is none.
    pub solution: Option<String>,
    /// Probability that `decoded` is what stands on the paper, 0 to 1.
    pub confidence: f32,
    /// Cells that a person should look at: `[cell, [[content, probability], …]]`, cells from 0, 0 for a blank.
    pub doubts: Vec<Doubt>,
    /// Why the reading is not to be trusted; `None` where it is.
    pub objection: Option<String>,
}

impl Answer {
    /// Answers with what was found in this photo.
    pub(super) fn new(
        photo: &Photo,
        boards: Vec<BoardAnswer>,
        refusal: Option<&Refusal>,
        took: Duration,
    ) -> Answer {
        Answer {
            width: photo.width(),
            height: photo.height(),
            ms: took.as_secs_f32() * 1000.0,
            boards,
            refusal: refusal.map(Refusal::to_string),
        }
    }
}

impl BoardAnswer {
    /// Answers with a board that the frames up to this one give together.
    pub(super) fn seen(photo: &Photo, sighting: &Sighting, board: &ReadBoard) -> BoardAnswer {
        BoardAnswer {
            how: sighting.sight.name(),
            is_sure: sighting.is_sure && board.status == Status::Solved,
            ..BoardAnswer::found(photo, sighting.board, board)
        }
    }

    /// Answers with a board that further frames must make sure.
    pub(super) fn unnumbered(photo: &Photo, place: &BoardPlace, reading: &Decoded) -> BoardAnswer {
        let points = lattice(photo, place);
        let solution = reading.verdict.solution();
        BoardAnswer {
            board: 0,
            how: Sight::Found.name(),
            corners: corners(&points),
            lattice: points.concat(),
            evidence: reading.confidence * UNNUMBERED,
            status: Status::Uncertain,
            is_sure: false,
            givens: reading.givens.to_line(),
            decoded: reading.decoded.to_line(),
            solution: solution.map(|solution| solution.to_line()),
            confidence: reading.confidence,
            doubts: Vec::new(),
            objection: None,
        }
    }

    /// Answers with a board that was read in this photo.
    pub(super) fn found(photo: &Photo, number: usize, board: &ReadBoard) -> BoardAnswer {
        let points = lattice(photo, &board.place);
        BoardAnswer {
            board: number,
            how: Sight::Found.name(),
            corners: corners(&points),
            lattice: points.concat(),
            evidence: board.confidence,
            status: board.status,
            is_sure: board.status == Status::Solved && board.confidence >= SURE,
            givens: board.givens.to_line(),
            decoded: board.decoded.to_line(),
            solution: board.verdict.solution().map(|solution| solution.to_line()),
            confidence: board.confidence,
            doubts: board.doubts.clone(),
            objection: board.objection.as_ref().map(Refusal::to_string),
        }
    }
}

fn corners(points: &[[f32; 2]]) -> [[f32; 2]; 4] {
    [0, 9, 99, 90].map(|at| points[at])
}

/// The crossings of a board's grid lines, row by row as it is read, in pixels of the upright photo.
fn lattice(photo: &Photo, place: &BoardPlace) -> Vec<[f32; 2]> {
    let lines = 0..=Cell::COUNT.isqrt();
    let crossings = lines
        .clone()
        .flat_map(|row| lines.clone().map(move |column| (column, row)));
    let points = crossings.map(|(column, row)| place.point(column as f32, row as f32));
    points
        .map(|Point { x, y }| [x / photo.scale(), y / photo.scale()])
        .collect()
}
