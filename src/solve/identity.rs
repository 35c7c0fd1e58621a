//! Identifiers of puzzles by their content.

use super::mrv::Mrv;
use super::solver::{Goal, Limits, Solver, Verdict};
use crate::grid::Puzzle;

/// Search nodes after which a puzzle is identified by its board. The hardest known puzzles take a
/// thousandth of it.
const NODES: u64 = 1_000_000;

/// Returns an identifier that is the same for all photos of one puzzle, however much of it is
/// filled in: 12 hexadecimal digits of the BLAKE3 hash of its solution or, where that is not unique
/// or is not found within a million search nodes, of the board.
pub fn puzzle_id(board: &Puzzle) -> String {
    let budget = Limits::nodes(NODES);
    let line = match Mrv::new().solve(board, Goal::ProveUnique, budget).verdict {
        Verdict::Unique(solution) => solution.to_string(),
        _ => board.to_line(),
    };
    blake3::hash(line.as_bytes()).to_hex()[..12].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn the_identity_of_a_puzzle_is_unique_and_survives_filling_it_in() {
        let puzzle: Puzzle = PUZZLE.parse().unwrap();
        let filled: Puzzle = PUZZLE.replacen("53..7", "534.7", 1).parse().unwrap();
        assert_eq!(puzzle_id(&puzzle), puzzle_id(&filled));
        assert_eq!(puzzle_id(&puzzle).len(), 12);
        // A wrong digit leaves no solution, so the board itself defines the identity.
        let wrong: Puzzle = PUZZLE.replacen("53..7", "535.7", 1).parse().unwrap();
        assert_ne!(puzzle_id(&puzzle), puzzle_id(&wrong));
        let empty: Puzzle = ".".repeat(81).parse().unwrap();
        assert_ne!(puzzle_id(&empty), puzzle_id(&wrong));
    }
}
