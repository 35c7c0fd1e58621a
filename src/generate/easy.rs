//! Easy puzzles: singles alone solve them.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::bottom_up::fill;
use super::prover::Prover;
use crate::grid::{Cell, Puzzle};
use crate::solve::{Goal, Limits, Mrv, Solver, Verdict};

/// Takes givens away from a random full board in random order, each unless a solver would have to guess then, down to
/// so many givens.
pub(super) fn easy(
    least_givens: usize,
    prover: &mut Prover,
    judge: &mut Mrv,
    rng: &mut ChaCha8Rng,
) -> Puzzle {
    let solution = fill(prover, rng).solution;
    let mut puzzle = solution.to_puzzle();
    let mut cells: Vec<Cell> = Cell::all().collect();
    cells.shuffle(rng);
    cells.truncate(Cell::COUNT.saturating_sub(least_givens));
    thin(&mut puzzle, &cells, &mut |puzzle| {
        needs_no_guess(puzzle, judge)
    });
    puzzle
}

/// Whether singles alone lead to the only solution. A second node is the first guess.
fn needs_no_guess(puzzle: &Puzzle, judge: &mut Mrv) -> bool {
    let outcome = judge.solve(puzzle, Goal::ProveUnique, Limits::nodes(1));
    matches!(outcome.verdict, Verdict::Unique(_))
}

/// Takes away the givens of these cells, in this order, each unless `holds` would become false.
///
/// `holds` must stay true when givens come back. A run of cells then goes at once exactly when each
/// of them goes in turn, so runs are halved only where they fail.
fn thin(puzzle: &mut Puzzle, cells: &[Cell], holds: &mut impl FnMut(&Puzzle) -> bool) {
    if cells.is_empty() {
        return;
    }
    let mut without = *puzzle;
    for &cell in cells {
        without.set(cell, None);
    }
    if holds(&without) {
        *puzzle = without;
    } else if cells.len() > 1 {
        let (first, second) = cells.split_at(cells.len() / 2);
        thin(puzzle, first, holds);
        thin(puzzle, second, holds);
    }
}
