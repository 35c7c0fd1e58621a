//! How much the cells of a board look like those of a Sudoku.

use super::config::TrustConfig;
use crate::decode::Decoded;
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, Digit, Puzzle};
use crate::solve::{Goal, Limits, Solver, Verdict};
use crate::statistics::median;
use crate::vision::{CellCrop, CellTone};

/// How much the cells of a board look like those of a Sudoku.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// Cells whose most probable content is a digit.
    pub(super) digits: usize,
    /// Number of these that are decided.
    pub(super) decided_digits: usize,
    /// Number of cells in which no content is likely.
    pub(super) undecided: usize,
    /// Number of digits repeated in a house, relative to that of random digits.
    repeats: f32,
    /// The same for the decided digits.
    decided_repeats: f32,
    /// Logarithm of the probability that every cell holds its most probable content, in nats.
    pub(super) log_best: f32,
}

impl Evidence {
    pub(super) fn of(posteriors: &CellMap<Posterior>, trust: &TrustConfig) -> Evidence {
        let best = posteriors.map(Posterior::best);
        let is_decided = |cell: Cell| posteriors[cell].of(best[cell]) >= trust.decided;
        let decided = CellMap::from_fn(|cell| best[cell].filter(|_| is_decided(cell)));
        let mut evidence = Evidence {
            digits: 0,
            decided_digits: 0,
            undecided: 0,
            repeats: repeats(&Puzzle::from_givens(best)),
            decided_repeats: repeats(&Puzzle::from_givens(decided)),
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

    pub(super) const fn is_of_sudoku(&self, trust: &TrustConfig) -> bool {
        let is_clear = self.undecided == 0 && self.repeats == 0.0;
        // Where every cell holds a digit, the rules decide what the cells leave open.
        let is_full = self.digits == Cell::COUNT;
        let is_plain = self.decided_digits >= trust.min_digits
            && (is_full || self.undecided <= trust.max_undecided)
            && self.repeats <= trust.max_repeats;
        is_plain || (is_clear && self.decided_digits >= trust.min_clear_digits)
    }

    /// Returns whether the cells are clear and hold what no Sudoku does: digits repeated in a house
    /// all over the board.
    pub(super) fn is_of_other_grid(&self, trust: &TrustConfig) -> bool {
        self.undecided <= trust.max_clear_undecided
            && self.decided_repeats > trust.max_clear_repeats
    }
}

/// Share of the contrast of the digits by which a black cell is darker than one beside it.
const BLACK: f64 = 0.6;

/// Share of the contrast of the digits from which on the middle of a cell is not empty.
const INKED: f64 = 0.25;

/// Returns the number of cells that are black all over, as in a crossword.
pub(super) fn black_cells(crops: &CellMap<CellCrop>, posteriors: &CellMap<Posterior>) -> usize {
    let tones = crops.map(CellCrop::tone);
    let black = BLACK * contrast_of_digits(&tones, posteriors);
    let place = |cell: Cell| (cell.index() / 9, cell.index() % 9);
    let is_beside = |one: Cell, other: Cell| {
        let (one, other) = (place(one), place(other));
        one.0.abs_diff(other.0) + one.1.abs_diff(other.1) == 1
    };
    let is_black = |cell: &Cell| {
        let mut beside = Cell::all().filter(|other| is_beside(*cell, *other));
        beside.any(|other| f64::from(tones[other].ground - tones[*cell].ground) > black)
    };
    Cell::all().filter(is_black).count()
}

/// Returns the number of cells that hold something else than a digit in their middle, as a Kakuro does. Not at the edge:
/// blurred lines around a blank are nothing in it.
pub(super) fn inked_cells(crops: &CellMap<CellCrop>, posteriors: &CellMap<Posterior>) -> usize {
    let inked = INKED * contrast_of_digits(&crops.map(CellCrop::tone), posteriors);
    let is_inked = |cell: &Cell| {
        let contrast = || f64::from(crops[*cell].tone_of_middle().contrast);
        posteriors[*cell].best().is_none() && contrast() >= inked
    };
    Cell::all().filter(is_inked).count()
}

/// Returns the median contrast of the cells with a digit.
fn contrast_of_digits(tones: &CellMap<CellTone>, posteriors: &CellMap<Posterior>) -> f64 {
    let digits = Cell::all().filter(|cell| posteriors[*cell].best().is_some());
    let mut inks: Vec<f64> = digits.map(|cell| f64::from(tones[cell].contrast)).collect();
    median(&mut inks)
}

/// Returns the number of digits with an equal among their peers, relative to that of random digits.
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

/// Returns whether a board without a solution holds another kind of grid. Without the digits that
/// contradict others, a misprinted puzzle has few solutions, a table of numbers countless ones.
pub(super) fn is_other_grid(
    decoded: &Decoded,
    solver: &mut dyn Solver,
    limits: Limits,
    trust: &TrustConfig,
) -> bool {
    let many = trust.many_solutions;
    let mut has_many = || {
        let mut rest = decoded.decoded;
        for cell in decoded.mistakes {
            rest.set(cell, None);
        }
        let verdict = solver.solve(&rest, Goal::Count(many), limits).verdict;
        matches!(verdict, Verdict::Multiple(found) if found.len() >= many.get())
    };
    decoded.verdict == Verdict::Unsolvable
        && !decoded.mistakes.is_empty()
        && (decoded.mistakes.len() > trust.max_misprints || has_many())
}
