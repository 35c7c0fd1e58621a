//! One attempt at a board: its cells read and decoded, and what is to be believed of it.

use std::cmp::Ordering;

use super::config::{RecognizeConfig, TrustConfig};
use super::doubt::Doubt;
use super::failure::Failure;
use super::record::{Reading, Rotation, Status};
use crate::decode::{Decoded, decode};
use crate::digits::Posterior;
use crate::grid::{CellMap, Digit, Puzzle};
use crate::solve::{Solver, Verdict};
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
    /// Digits that stand twice in a house, as a share of how many random digits would.
    repeats: f32,
    /// Logarithm of the probability that every cell holds its most probable content, in nats.
    log_best: f32,
}

/// A hypothesis whose cells were read.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) hypothesis: Hypothesis,
    evidence: Evidence,
    /// What the rules say; `None` where the cells do not read like a Sudoku, so that decoding them
    /// would be a long search for nothing.
    decoded: Option<Decoded>,
    /// The cells that a person should look at first.
    doubts: Vec<Doubt>,
}

impl Evidence {
    fn of(posteriors: &CellMap<Posterior>, trust: &TrustConfig) -> Evidence {
        let mut evidence = Evidence {
            digits: 0,
            decided_digits: 0,
            undecided: 0,
            repeats: repeats(&Puzzle::from_givens(posteriors.map(Posterior::best))),
            log_best: 0.0,
        };
        for (_, posterior) in posteriors.iter() {
            let best = posterior.best();
            let probability = posterior.of(best);
            let decided = probability >= trust.decided;
            evidence.digits += usize::from(best.is_some());
            evidence.decided_digits += usize::from(best.is_some() && decided);
            evidence.undecided += usize::from(!decided);
            evidence.log_best += probability.ln();
        }
        evidence
    }

    const fn is_of_sudoku(&self, trust: &TrustConfig) -> bool {
        self.decided_digits >= trust.min_digits
            && self.undecided <= trust.max_undecided
            && self.repeats <= trust.max_repeats
    }
}

/// Digits with an equal among their peers, over how many of them random digits would give.
fn repeats(board: &Puzzle) -> f32 {
    let (mut repeated, mut expected) = (0.0, 0.0);
    for (cell, digit) in board.givens() {
        let peers = cell.peers().into_iter();
        let seen: Vec<Digit> = peers.filter_map(|peer| board.given(peer)).collect();
        repeated += f32::from(u8::from(seen.contains(&digit)));
        expected += 1.0 - (8.0f32 / 9.0).powi(seen.len() as i32);
    }
    if expected > 0.0 {
        repeated / expected
    } else {
        0.0
    }
}

impl Attempt {
    /// Decodes the posteriors of a board that reads like a Sudoku.
    pub(super) fn new(
        hypothesis: Hypothesis,
        posteriors: &CellMap<Posterior>,
        solver: &mut dyn Solver,
        config: &RecognizeConfig,
    ) -> Attempt {
        let evidence = Evidence::of(posteriors, &config.trust);
        let sudoku = evidence.is_of_sudoku(&config.trust);
        let decoded = sudoku.then(|| decode(posteriors, solver, &config.decode));
        let doubts = decoded
            .as_ref()
            .map(|decoded| Doubt::all(posteriors, decoded));
        Attempt {
            hypothesis,
            evidence,
            decoded,
            doubts: doubts.unwrap_or_default(),
        }
    }

    /// Probability that the decoded board is right.
    fn confidence(&self) -> f32 {
        let decoded = self.decoded.as_ref();
        decoded.map_or(0.0, |decoded| decoded.confidence)
    }

    /// Whether another turn or another detection may do better.
    pub(super) fn deserves_second_chance(&self, trust: &TrustConfig) -> bool {
        self.confidence() < trust.second_chance_below
    }

    /// Whether the doubt may come from standing the wrong way up.
    pub(super) fn may_be_turned(&self, trust: &TrustConfig) -> bool {
        let solved = self.decoded.as_ref();
        let solved = solved.is_some_and(|decoded| {
            decoded.verdict.solution().is_some() && decoded.overruled.is_empty()
        });
        self.hypothesis.rotation == Rotation::default()
            && (!solved || self.evidence.log_best < -trust.turned_beyond)
    }

    /// Whether there are enough digits for a puzzle, right way up or not.
    pub(super) const fn is_promising(&self, trust: &TrustConfig) -> bool {
        self.evidence.digits >= trust.min_digits_beside
    }

    /// What stands in the way of believing it.
    pub(super) fn objection(&self, trust: &TrustConfig) -> Option<Failure> {
        let Some(decoded) = &self.decoded else {
            return Some(Failure::NoSudoku {
                digits: self.evidence.decided_digits,
                undecided: self.evidence.undecided,
            });
        };
        let confidence = decoded.confidence;
        if let (None, Some(limit)) = (decoded.verdict.solution(), decoded.gave_up) {
            return Some(Failure::OutOfBudget(limit));
        }
        match decoded.verdict {
            Verdict::Unsolvable => Some(Failure::Unsolvable),
            _ if confidence < trust.confidence => Some(Failure::Doubtful { confidence }),
            _ => None,
        }
    }

    /// Orders attempts at one place: the greater one is to be believed. A board with a solution goes
    /// before one without, that before no Sudoku; of two alike, the more likely one.
    pub(super) fn compare(&self, other: &Attempt, trust: &TrustConfig) -> Ordering {
        let rank = |attempt: &Attempt| match &attempt.decoded {
            None => 0,
            Some(decoded) if decoded.verdict.solution().is_none() => 1,
            Some(_) => 2,
        };
        let (mine, others) = (self.clarity(trust), other.clarity(trust));
        rank(self).cmp(&rank(other)).then(mine.total_cmp(&others))
    }

    /// Logarithm of the probability of the board that the rules leave, in nats a digit: of a board
    /// read the wrong way up, or cut at the wrong place, digits look like nothing in particular.
    /// Not a cell: a blank looks like one any way up, and the wrong place has more of them.
    fn clarity(&self, trust: &TrustConfig) -> f32 {
        let turned = self.hypothesis.rotation != Rotation::default();
        let overruling = self.decoded.as_ref().map_or(0.0, |decoded| decoded.cost);
        let turn_cost = if turned { trust.turn_cost } else { 0.0 };
        let digits = self.evidence.digits.max(1) as f32;
        (self.evidence.log_best - overruling - turn_cost) / digits
    }

    /// Area in square reading pixels.
    pub(super) fn area(&self) -> f32 {
        self.hypothesis.lattice.corners().area()
    }

    /// What the rules say, if the cells read like a Sudoku.
    pub(super) const fn decoded(&self) -> Option<&Decoded> {
        self.decoded.as_ref()
    }

    /// The cells that a person should look at first.
    pub(super) fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// The reading as a row tells it.
    pub(super) fn reading(&self, photo: &Photo) -> Option<Reading> {
        let decoded = self.decoded.as_ref()?;
        Some(Reading {
            givens: decoded.givens,
            decoded: decoded.decoded,
            solution: decoded.verdict.solution().copied(),
            confidence: decoded.confidence,
            margin: decoded.margin,
            overruled: decoded.overruled.len(),
            rotation: self.hypothesis.rotation,
            corners: self.hypothesis.corners(photo),
        })
    }
}

/// The status of a board without objection.
pub(super) const fn status(decoded: &Decoded) -> Status {
    match decoded.verdict {
        Verdict::Multiple(_) => Status::Multiple,
        _ => Status::Solved,
    }
}

/// What a person filled in wrongly, if the board says so.
pub(super) fn note(decoded: &Decoded) -> Option<String> {
    let cells = decoded.mistakes.into_iter();
    let cells: Vec<String> = cells.map(|cell| cell.to_string()).collect();
    (!cells.is_empty()).then(|| format!("filled in wrongly: {}", cells.join(" ")))
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
