//! One attempt at a board: its cells read and decoded, and what is to be believed of it.

use std::cmp::Ordering;

use super::config::TrustConfig;
use super::failure::Failure;
use super::record::{Reading, Rotation, Status};
use crate::decode::Decoded;
use crate::digits::Posterior;
use crate::grid::{CellMap, Solution};
use crate::solve::Verdict;
use crate::vision::{CellCrop, Lattice, Photo, Point};

/// A board to read: one hypothesis, one way up.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    pub(super) lattice: Lattice,
    pub(super) rotation: Rotation,
    /// Cells the way up that `rotation` says.
    pub(super) crops: CellMap<CellCrop>,
}

/// How much the cells of a board look like those of a Sudoku.
#[derive(Clone, Copy, Debug)]
struct Evidence {
    /// Cells whose most probable content is a digit.
    digits: usize,
    /// Those of them that are decided.
    decided_digits: usize,
    /// Cells in which no content is likely.
    undecided: usize,
    /// Mean logarithm of the probability of the most probable content, in nats.
    mean_log: f32,
}

/// A hypothesis, read and decoded.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) hypothesis: Hypothesis,
    decoded: Decoded,
    evidence: Evidence,
}

impl Evidence {
    fn of(posteriors: &CellMap<Posterior>, trust: &TrustConfig) -> Evidence {
        let mut evidence = Evidence {
            digits: 0,
            decided_digits: 0,
            undecided: 0,
            mean_log: 0.0,
        };
        for (_, posterior) in posteriors.iter() {
            let best = posterior.best();
            let probability = posterior.of(best);
            let decided = probability >= trust.decided;
            evidence.digits += usize::from(best.is_some());
            evidence.decided_digits += usize::from(best.is_some() && decided);
            evidence.undecided += usize::from(!decided);
            evidence.mean_log += probability.ln() / 81.0;
        }
        evidence
    }
}

impl Attempt {
    pub(super) fn new(
        hypothesis: Hypothesis,
        posteriors: &CellMap<Posterior>,
        decoded: Decoded,
        trust: &TrustConfig,
    ) -> Attempt {
        Attempt {
            hypothesis,
            decoded,
            evidence: Evidence::of(posteriors, trust),
        }
    }

    fn is_sudoku(&self, trust: &TrustConfig) -> bool {
        self.evidence.decided_digits >= trust.min_digits
            && self.evidence.undecided <= trust.max_undecided
    }

    /// Whether another turn or another detection may do better.
    pub(super) fn deserves_second_chance(&self, trust: &TrustConfig) -> bool {
        self.decoded.confidence < trust.second_chance_below || !self.is_sudoku(trust)
    }

    /// Whether there are enough digits for a puzzle, right way up or not.
    pub(super) fn is_promising(&self, trust: &TrustConfig) -> bool {
        self.evidence.digits >= trust.min_digits_beside
    }

    /// What stands in the way of believing it.
    pub(super) fn objection(&self, trust: &TrustConfig) -> Option<Failure> {
        let confidence = self.decoded.confidence;
        if !self.is_sudoku(trust) {
            return Some(Failure::NoSudoku {
                digits: self.evidence.decided_digits,
                undecided: self.evidence.undecided,
            });
        }
        match self.decoded.verdict {
            Verdict::Unsolvable => Some(Failure::Unsolvable),
            Verdict::OutOfBudget => Some(Failure::OutOfBudget),
            _ if confidence < trust.confidence => Some(Failure::Doubtful { confidence }),
            _ => None,
        }
    }

    /// The status of a board without objection.
    pub(super) const fn status(&self) -> Status {
        match self.decoded.verdict {
            Verdict::Multiple(_) => Status::Multiple,
            _ => Status::Solved,
        }
    }

    /// What a person filled in wrongly, if the board says so.
    pub(super) fn note(&self) -> Option<String> {
        let cells: Vec<String> = self
            .decoded
            .mistakes
            .into_iter()
            .map(|cell| cell.to_string())
            .collect();
        (!cells.is_empty()).then(|| format!("filled in wrongly: {}", cells.join(" ")))
    }

    /// Orders attempts at one place: the greater one is to be believed.
    pub(super) fn compare(&self, other: &Attempt, trust: &TrustConfig) -> Ordering {
        let sudoku = self.is_sudoku(trust).cmp(&other.is_sudoku(trust));
        sudoku
            .then(self.decoded.confidence.total_cmp(&other.decoded.confidence))
            .then(self.evidence.mean_log.total_cmp(&other.evidence.mean_log))
    }

    /// Area in square reading pixels.
    pub(super) fn area(&self) -> f32 {
        self.hypothesis.lattice.corners().area()
    }

    pub(super) fn solution(&self) -> Option<&Solution> {
        match &self.decoded.verdict {
            Verdict::Solved(solution) | Verdict::Unique(solution) => Some(solution),
            Verdict::Multiple(solutions) => Some(&solutions[0]),
            Verdict::Unsolvable | Verdict::OutOfBudget => None,
        }
    }

    pub(super) const fn decoded(&self) -> &Decoded {
        &self.decoded
    }

    /// The reading as a row tells it.
    pub(super) fn reading(&self, photo: &Photo) -> Reading {
        Reading {
            givens: self.decoded.givens,
            decoded: self.decoded.decoded,
            solution: self.solution().copied(),
            confidence: self.decoded.confidence,
            margin: self.decoded.margin,
            overruled: self.decoded.overruled.len(),
            rotation: self.hypothesis.rotation,
            corners: self.hypothesis.corners(photo),
        }
    }
}

impl Hypothesis {
    /// Corners in pixels of the upright photo, clockwise from the board's own top left.
    fn corners(&self, photo: &Photo) -> [Point; 4] {
        let mut corners = self.lattice.corners().corners();
        corners.rotate_left(self.rotation.quarter_turns() as usize);
        let inside = |value: f32, side: u32| (value / photo.scale()).clamp(0.0, side as f32);
        corners.map(|point| Point {
            x: inside(point.x, photo.width()),
            y: inside(point.y, photo.height()),
        })
    }

    /// Where `(column, row)` of the board the right way up lies, in reading pixels; both from 0 to 9.
    pub(super) fn place(&self, column: f32, row: f32) -> Point {
        let (u, v) = match self.rotation.quarter_turns() {
            0 => (column, row),
            1 => (9.0 - row, column),
            2 => (9.0 - column, 9.0 - row),
            _ => (row, 9.0 - column),
        };
        self.lattice.point(u, v)
    }
}
