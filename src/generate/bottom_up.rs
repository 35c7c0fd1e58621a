//! Random givens until one solution is left: from the empty board up. Folklore of the field (G. Stertenbrink's
//! `suexg`).

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::prover::Prover;
use crate::grid::{Cell, DigitSet, Puzzle, Solution};
use crate::solve::{Goal, Verdict};

/// Givens placed at once before the first look at the solutions: few enough to be solvable mostly.
const FIRST_GIVENS: usize = 12;
/// No puzzle of fewer givens has a single solution (McGuire, Tugemann and Civario, 2012).
const FEWEST_GIVENS: usize = 17;

/// Adds random givens in random order to an empty board until one solution is left; that one comes with it. A given
/// that leaves none is taken back, and its cell stays blank; if the first twelve leave none, or it takes too long to
/// know, it begins anew.
pub(super) fn fill(prover: &mut Prover, rng: &mut ChaCha8Rng) -> (Puzzle, Solution) {
    loop {
        if let Some(made) = attempt(prover, rng) {
            return made;
        }
    }
}

fn attempt(prover: &mut Prover, rng: &mut ChaCha8Rng) -> Option<(Puzzle, Solution)> {
    let mut cells: Vec<Cell> = Cell::all().collect();
    cells.shuffle(rng);
    let mut puzzle = Puzzle::empty();
    let mut seen = Seen::default();
    let mut count = 0;
    // Solutions that are known save questions: with two of them left there is more than one.
    let mut known: Vec<Solution> = Vec::new();
    for cell in cells {
        let free = seen.free(cell);
        if free.is_empty() {
            return None;
        }
        let digit = free.into_iter().nth(rng.random_range(0..free.len()))?;
        puzzle.set(cell, Some(digit));
        seen.flip(cell, digit.index());
        count += 1;
        if count < FIRST_GIVENS {
            continue;
        }
        let few = count < FEWEST_GIVENS;
        let agreeing = known.iter().filter(|known| known.digit(cell) == digit);
        if agreeing.count() >= if few { 1 } else { 2 } {
            known.retain(|known| known.digit(cell) == digit);
            continue;
        }
        let goal = if few {
            Goal::FirstSolution
        } else {
            Goal::ProveUnique
        };
        match prover.look(&puzzle, goal) {
            Verdict::Unique(solution) => return Some((puzzle, solution)),
            Verdict::Unsolvable if count == FIRST_GIVENS => return None,
            Verdict::Unsolvable => {
                puzzle.set(cell, None);
                seen.flip(cell, digit.index());
                count -= 1;
            }
            Verdict::Multiple(solutions) => {
                known.retain(|known| known.digit(cell) == digit);
                for solution in solutions {
                    if !known.contains(&solution) {
                        known.push(solution);
                    }
                }
            }
            Verdict::Solved(solution) => {
                known.clear();
                known.push(solution);
            }
            Verdict::Stuck(_) | Verdict::OutOfBudget => return None,
        }
    }
    None
}

/// The digits of each row, column and block, as bits.
#[derive(Default)]
struct Seen([[u16; 9]; 3]);

impl Seen {
    /// Digits that no given in sight of this cell has.
    fn free(&self, cell: Cell) -> DigitSet {
        let [rows, columns, blocks] = &self.0;
        let seen = rows[cell.row()] | columns[cell.column()] | blocks[cell.block()];
        DigitSet::ALL.difference(DigitSet::from_bits(seen))
    }

    /// Adds a digit that is not there, or takes it away.
    fn flip(&mut self, cell: Cell, digit: usize) {
        for (houses, at) in self
            .0
            .iter_mut()
            .zip([cell.row(), cell.column(), cell.block()])
        {
            houses[at] ^= 1 << digit;
        }
    }
}
