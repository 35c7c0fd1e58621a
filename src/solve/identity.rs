//! What tells one puzzle from another, however much of it is filled in.

use super::mrv::Mrv;
use super::solver::{Budget, Goal, Solver, Verdict};
use crate::grid::Puzzle;

/// Search nodes after which a board counts as one without a unique solution.
const NODES: u64 = 100_000;

/// Returns a name of 12 characters that is the same for all photos of one puzzle, however much of it is
/// filled in: a hash of its solution, or, where that is not unique, of what stands on the board.
pub fn puzzle_identity(board: &Puzzle) -> String {
    let budget = Budget::nodes(NODES);
    let outcome = Mrv::new().solve(board, Goal::ProveUnique, budget);
    let line = match outcome.verdict {
        Verdict::Unique(solution) => solution.to_string(),
        _ => board.to_line(),
    };
    blake3::hash(line.as_bytes()).to_hex()[..12].to_owned()
}
