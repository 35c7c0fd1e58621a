//! Minimal puzzles whose bias is known: statistics of all minimal puzzles by weights.
//!
//! D. Berthier, "Unbiased Statistics of a CSP: A Controlled-Bias Generator", 2009. Cells of a full board are emptied
//! in random order. The first one whose given is needed ends the trial: it yields the puzzle before it if that is
//! minimal, and nothing otherwise. A generator that goes on with other cells, as `top-down` does, favours puzzles
//! with few givens in ways that nobody can compute. Here no choice is ever taken back, so the probability of a puzzle
//! is known: its blanks must come first in the order, whichever comes first among them. Of a full board, a minimal
//! puzzle with `n` givens is met in one of `C(81, n)` trials, whatever else it is like. So
//!
//! ```text
//!   P(puzzle with n + 1 givens) / P(puzzle with n givens) = C(81, n) / C(81, n + 1) = (n + 1) / (81 - n)
//! ```
//!
//! and a mean over puzzles in which each counts `C(81, n)` times is one over all minimal puzzles of these boards.
//!
//! # What is our own
//!
//! The boards are [drawn uniformly](super::uniform_grid), which Berthier's were not proven to be. And nearly all of
//! some 250,000 trials a puzzle are seen to be in vain without a solver: the last [`MOST_GIVENS`] cells of an order
//! miss a known unavoidable set.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::prover::Prover;
use super::unavoidable::{CELLS, difference, obvious};
use super::uniform_grid::draw;
use crate::grid::{CellSet, Puzzle, Solution};
use crate::solve::Verdict;

/// Puzzles with more givens are left out. Of all minimal puzzles fewer than one in a million have so many.
pub const MOST_GIVENS: usize = 34;

/// Trials with a full board, for each board with the same top band and left stack. More cost less time for each
/// puzzle, until puzzles are of one board too often.
const TRIALS: usize = 8;

/// The weight of a minimal puzzle with so many givens: `C(81, n)`, in units of that for 26 givens.
pub fn weight(givens: usize) -> f64 {
    let ratio = |n: usize| (81 - n) as f64 / (n + 1) as f64;
    if givens >= 26 {
        (26..givens).map(ratio).product()
    } else {
        1.0 / (givens..26).map(ratio).product::<f64>()
    }
}

/// Draws a full board, and returns the minimal puzzles of all trials with it: none mostly.
pub(super) fn trials(prover: &mut Prover, rng: &mut ChaCha8Rng) -> Vec<Puzzle> {
    let (solution, count) = draw(prover, rng);
    let mut board = Board::new(&solution);
    let mut cells: [u8; 81] = std::array::from_fn(|at| at as u8);
    let mut puzzles = Vec::new();
    for _ in 0..TRIALS * count {
        let mut kept = 0u128;
        for place in 0..MOST_GIVENS {
            let other = rng.random_range(place as u32..81) as usize;
            cells.swap(place, other);
            kept |= 1 << cells[place];
        }
        if board.sets.iter().all(|set| set & kept != 0) {
            let order: &[u8; MOST_GIVENS] = cells.first_chunk().expect("there are 81");
            puzzles.extend(board.minimal(order, prover));
        }
    }
    puzzles
}

/// A full board and its unavoidable sets as far as they are known, the smallest first.
struct Board<'a> {
    solution: &'a Solution,
    sets: Vec<u128>,
}

impl Board<'_> {
    fn new(solution: &Solution) -> Board<'_> {
        let mut sets = obvious(solution, &CELLS);
        sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
        sets.dedup();
        Board { solution, sets }
    }

    /// The puzzle at which a trial ends that empties these cells from the last one on, after all others, if it is
    /// minimal. They hit all known unavoidable sets.
    fn minimal(&mut self, order: &[u8; MOST_GIVENS], prover: &mut Prover) -> Option<Puzzle> {
        let prefix = |count: usize| {
            order[..count]
                .iter()
                .fold(0u128, |set, cell| set | 1 << cell)
        };
        let mut count = MOST_GIVENS;
        while count > 0 {
            let without = prefix(count - 1);
            if self.sets.iter().any(|set| set & without == 0) {
                break;
            }
            count -= 1;
        }
        // Sets that turn up show that the trial ended earlier.
        while let Some(missed) = self.learn(prefix(count), prover) {
            while missed & prefix(count) == 0 {
                count += 1;
                if count > MOST_GIVENS {
                    return None;
                }
            }
        }
        let givens = prefix(count);
        for cell in CellSet::from_bits(givens) {
            let without = givens & !(1 << cell.index());
            let is_needed = self.sets.iter().any(|set| set & without == 0);
            if !is_needed {
                self.learn(without, prover)?;
            }
        }
        Some(self.puzzle(givens))
    }

    fn puzzle(&self, givens: u128) -> Puzzle {
        let mut puzzle = Puzzle::empty();
        for cell in CellSet::from_bits(givens) {
            puzzle.set(cell, Some(self.solution.digit(cell)));
        }
        puzzle
    }

    /// Learns an unavoidable set that these givens miss; `None` if they have one solution, and miss none.
    fn learn(&mut self, givens: u128, prover: &mut Prover) -> Option<u128> {
        let Verdict::Multiple(solutions) = prover.two(&self.puzzle(givens)) else {
            return None;
        };
        let sets = solutions
            .iter()
            .map(|other| difference(self.solution, other));
        let least = sets
            .filter(|set| !set.is_empty())
            .min_by_key(|set| set.len())?;
        let at = self
            .sets
            .partition_point(|set| (set.count_ones() as usize) < least.len());
        self.sets.insert(at, least.bits());
        Some(least.bits())
    }
}
