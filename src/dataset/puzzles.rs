//! Puzzles for rendered photos: a few known ones, in endless equivalent forms.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::grid::{Cell, CellMap, Digit, Puzzle, Solution};
use crate::solve::{Budget, Goal, Mrv, Solver, Verdict};

/// Puzzles with one solution, known from the literature of the field: the example of Wikipedia's
/// article, Project Euler 96 (three grids), Arto Inkala's of 2006 and 2010, and two of Peter
/// Norvig's essay.
const KNOWN: [&str; 8] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
    "2...8.3...6..7..84.3.5..2.9...1.54.8.........4.27.6...3.1..7.4.72..4..6...4.1...3",
    "......9.7...42.18....7.5.261..9.4....5.....4....5.7..992.1.8....34.59...5.7......",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    ".3..5..4...8.1.5..46.....12.7.5.2.8....6.3....4.1.9.3.25.....98..1.2.6...8..6..2.",
];

/// A puzzle with its only solution: a known one, its digits renamed, its rows and columns permuted
/// within their bands and the bands among each other, perhaps mirrored along the diagonal.
pub(super) fn any_puzzle(rng: &mut impl Rng) -> (Puzzle, Solution) {
    let mut bases = KNOWN;
    bases.shuffle(rng);
    let base: Puzzle = bases[0].parse().expect("a known puzzle has 81 cells");
    let mut names = Digit::ALL;
    names.shuffle(rng);
    let (rows, columns) = (lines(rng), lines(rng));
    let mirrored = rng.next_u32() % 2 == 0;
    let puzzle = Puzzle::from_givens(CellMap::from_fn(|cell| {
        let (row, column) = (rows[cell.index() / 9], columns[cell.index() % 9]);
        let from = if mirrored {
            Cell::at(column, row)
        } else {
            Cell::at(row, column)
        };
        let given = from.and_then(|from| base.given(from));
        given.map(|digit| names[digit.index()])
    }));
    match Mrv::new()
        .solve(&puzzle, Goal::ProveUnique, Budget::UNLIMITED)
        .verdict
    {
        Verdict::Unique(solution) => (puzzle, solution),
        _ => unreachable!("a known puzzle and its equivalents have one solution"),
    }
}

/// A permutation of nine lines that keeps bands together.
fn lines(rng: &mut impl Rng) -> [usize; 9] {
    let mut bands = [0, 1, 2];
    bands.shuffle(rng);
    let mut lines = [0; 9];
    for (to, from) in bands.into_iter().enumerate() {
        let mut within = [0, 1, 2];
        within.shuffle(rng);
        for (k, line) in within.into_iter().enumerate() {
            lines[3 * to + k] = 3 * from + line;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn every_known_puzzle_has_one_solution() {
        for line in KNOWN {
            let puzzle: Puzzle = line.parse().unwrap();
            let outcome = Mrv::new().solve(&puzzle, Goal::ProveUnique, Budget::UNLIMITED);
            assert!(matches!(outcome.verdict, Verdict::Unique(_)), "{line}");
        }
        let rng = &mut ChaCha8Rng::seed_from_u64(1);
        let (puzzle, solution) = any_puzzle(rng);
        assert!(solution.solves(&puzzle));
        assert_ne!(any_puzzle(rng).0, puzzle);
    }
}
