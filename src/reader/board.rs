//! Results of a reader.

use std::ops::Add;

use serde::{Deserialize, Serialize};

use super::doubt::Doubt;
use super::refusal::Refusal;
use super::status::Status;
use crate::digits::{CellKind, Posterior};
use crate::grid::{CellMap, CellSet, DigitSet, Puzzle, Solution};
use crate::solve::Verdict;
use crate::vision::{BoardPlace, CellCrop};

/// Fewest cells with pencil marks on a board that has any.
const FEWEST_MARKED: usize = 3;

/// A board read in a photo.
#[derive(Clone, Debug)]
pub struct ReadBoard {
    /// The result: trust only boards for which [`Status::is_read`] holds.
    pub status: Status,
    /// Why the board is not to be trusted; `None` where it is.
    pub objection: Option<Refusal>,
    /// Its place: its lattice in reading pixels, and which side is up.
    pub place: BoardPlace,
    /// Its cell pictures in upright orientation.
    pub crops: CellMap<CellCrop>,
    /// Posterior of each cell by itself or, where that was doubtful, in the style of its page or board.
    pub posteriors: CellMap<Posterior>,
    /// The most probable content of each cell by itself.
    pub givens: Puzzle,
    /// The most probable board that has a solution, or the board as it stands where clear digits
    /// contradict each other.
    pub decoded: Puzzle,
    /// Solutions of `decoded` without the mistakes of a person.
    pub verdict: Verdict,
    /// Probability that `decoded` is what stands on the paper, 0 to 1.
    pub confidence: f32,
    /// Lead over the next best board, in nats.
    pub margin: f32,
    /// Expected number of cells in which `decoded` has a digit instead of a blank, or a blank
    /// instead of a digit.
    pub blank_doubt: f32,
    /// Cells in which the rules overruled the reading.
    pub overruled: CellSet,
    /// Cells whose digit contradicts the others and is taken for a mistake. On a board filled in by
    /// hand `givens` has what was read there, `decoded` the correct digit.
    pub mistakes: CellSet,
    /// Cells with a handwritten digit, as far as the board shows a clear difference between print
    /// and handwriting.
    pub written: CellSet,
    /// The solution of the printed digits alone, where they have exactly one and others were written: written digits
    /// that differ from it are among the mistakes.
    pub key: Option<Solution>,
    /// Doubtful cells, the most important first.
    pub doubts: Vec<Doubt>,
    /// Wall-clock times: `detect` of the whole photo, the rest of this board; `decode` is 0.
    pub times: StageMs,
}

impl ReadBoard {
    /// Returns the cells whose digit is printed.
    pub fn printed(&self) -> CellSet {
        let digits: CellSet = self.decoded.givens().map(|(cell, _)| cell).collect();
        digits.difference(self.written)
    }

    /// Returns the pencil marks of each cell without a digit; none at all where the network does
    /// not read them, or where so few cells seem to have some that these are specks.
    pub fn marks(&self) -> CellMap<DigitSet> {
        let marks = CellMap::from_fn(|cell| match self.posteriors[cell].kind() {
            Some(kind) if self.decoded.given(cell).is_none() && kind.best() == CellKind::Marks => {
                kind.candidates()
            }
            _ => DigitSet::EMPTY,
        });
        let marked = marks.iter().filter(|(_, digits)| !digits.is_empty());
        match marked.count() < FEWEST_MARKED {
            true => CellMap::from_fn(|_| DigitSet::EMPTY),
            false => marks,
        }
    }
}

/// Result of a photo.
#[derive(Debug)]
pub struct Examined {
    /// The boards: first the main one, the largest of those to be trusted; then every other board
    /// that is, or is in doubt and more likely right than wrong, the largest first. Where none is to
    /// be trusted, at most the most believable one, with its objection.
    pub boards: Vec<ReadBoard>,
    /// Why there is no board; `None` where there is one.
    pub refusal: Option<Refusal>,
    /// Wall-clock times of the photo; `decode` is 0.
    pub times: StageMs,
}

/// Wall-clock time of each stage, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageMs {
    /// Reading and opening the file.
    #[serde(rename = "decode_ms")]
    pub decode: f32,
    /// Finding boards and cutting their cells out.
    #[serde(rename = "detect_ms")]
    pub detect: f32,
    /// Reading the cells.
    #[serde(rename = "read_ms")]
    pub read: f32,
    /// Decoding by the rules and solving.
    #[serde(rename = "solve_ms")]
    pub solve: f32,
}

impl StageMs {
    /// Returns the sum of all stages.
    pub fn total(&self) -> f32 {
        self.decode + self.detect + self.read + self.solve
    }
}

impl Add for StageMs {
    type Output = StageMs;

    fn add(self, other: StageMs) -> StageMs {
        StageMs {
            decode: self.decode + other.decode,
            detect: self.detect + other.detect,
            read: self.read + other.read,
            solve: self.solve + other.solve,
        }
    }
}
