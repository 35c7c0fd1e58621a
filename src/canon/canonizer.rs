//! The ways to ask for a canonical form.

use super::board::Board;
use super::canonical::Canonical;
use super::full::{Grid, all_ways, least_grid};
use super::least::{Least, Way};
use super::search::least_image;
use super::sparse::SparseSearch;
use crate::grid::{Digit, PuzzleLine, Solution, Symmetry};

/// Finds canonical forms; keeps its buffers between boards.
///
/// Two puzzles have the same canonical form exactly if a symmetry of the board makes one of the other: a swap of rows
/// and columns, a permutation of the bands, of the rows in a band, of the stacks, of the columns in a stack, of the
/// digits, or any of these combined (E. Russell and F. Jarvis, 2006). No board is refused: not the blank one, not one
/// that contradicts itself.
///
/// ```
/// use sudoku_batch::canon::Canonizer;
/// use sudoku_batch::grid::{PuzzleLine, Symmetry};
///
/// let line = b"..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// let puzzle = PuzzleLine::new(*line).unwrap();
/// let turned = Symmetry::transpose().line(&puzzle);
/// let mut canonizer = Canonizer::new();
/// let canonical = canonizer.minlex(&puzzle);
/// assert_eq!(canonizer.minlex_line(&turned), canonical.line);
/// assert_eq!(canonical.symmetry.line(&puzzle), canonical.line);
/// ```
#[derive(Debug, Default, Clone)]
pub struct Canonizer {
    sparse: SparseSearch,
    /// All ways from a grid to its least image.
    ways: Vec<Way>,
}

impl Canonizer {
    /// Returns a canonizer with empty buffers.
    pub fn new() -> Canonizer {
        Canonizer::default()
    }

    /// Returns the least of all images of a puzzle, as text compares, where a blank is `.` and less than `1`.
    pub fn minlex(&mut self, puzzle: &PuzzleLine) -> Canonical {
        let unused = unused_digits(puzzle);
        let least = self.least(puzzle);
        Canonical {
            line: least.line(),
            symmetry: least.way.symmetry(),
            automorphisms: least.ways * (1..=unused).product::<u64>(),
        }
    }

    /// Returns the line of [`Canonizer::minlex`] alone, which takes less time.
    pub fn minlex_line(&mut self, puzzle: &PuzzleLine) -> PuzzleLine {
        self.least(puzzle).line()
    }

    fn least(&mut self, puzzle: &PuzzleLine) -> Least {
        if let Some(solution) = Solution::from_ascii(puzzle.as_bytes()) {
            return least_grid(&Grid::new(&solution));
        }
        let least = self.sparse.least_image(puzzle);
        least.unwrap_or_else(|| least_image(&Board::of_line(puzzle)))
    }

    /// Returns the least of those images of a puzzle that have the least image of its solution as theirs.
    ///
    /// The automorphisms counted are those that map the solution to itself as well: all, if it is the only one. The
    /// solution must solve the puzzle; of another one, what comes is an image, but no canonical form.
    pub fn by_solution(&mut self, puzzle: &PuzzleLine, solution: &Solution) -> Canonical {
        let mut best: Option<(PuzzleLine, Symmetry)> = None;
        let mut automorphisms = 0;
        all_ways(&Grid::new(solution), &mut self.ways);
        for way in &self.ways {
            let symmetry = way.symmetry();
            let line = symmetry.line(puzzle);
            let order = best.map(|(best, _)| line.as_bytes().cmp(best.as_bytes()));
            match order {
                Some(std::cmp::Ordering::Greater) => {}
                Some(std::cmp::Ordering::Equal) => automorphisms += 1,
                _ => {
                    best = Some((line, symmetry));
                    automorphisms = 1;
                }
            }
        }
        let (line, symmetry) = best.expect("a way leads to the least image");
        Canonical {
            line,
            symmetry,
            automorphisms,
        }
    }

    /// Returns the least image of the pattern of a puzzle: `1` for each given, `.` for each blank. The symmetry leaves
    /// the digits alone.
    pub fn pattern(&mut self, puzzle: &PuzzleLine) -> Canonical {
        let least = self.sparse.least_pattern(puzzle);
        let least = least.unwrap_or_else(|| least_image(&Board::of_pattern(puzzle)));
        let mut way = least.way;
        way.labels = [0; 10];
        Canonical {
            line: least.line(),
            symmetry: way.symmetry(),
            automorphisms: least.ways,
        }
    }

    /// Returns the least image of a full grid: what [`Canonizer::minlex`] makes of it.
    pub fn grid(&mut self, solution: &Solution) -> Canonical {
        let least = least_grid(&Grid::new(solution));
        Canonical {
            line: least.line(),
            symmetry: least.way.symmetry(),
            automorphisms: least.ways,
        }
    }

    /// Returns the line of [`Canonizer::grid`] alone, which takes less time.
    pub fn grid_line(&mut self, solution: &Solution) -> PuzzleLine {
        least_grid(&Grid::new(solution)).line()
    }
}

/// How many digits stand nowhere on the board.
fn unused_digits(puzzle: &PuzzleLine) -> u64 {
    let mut used = 0u16;
    for &byte in puzzle.as_bytes() {
        used |= Digit::from_ascii(byte).map_or(0, |digit| 1 << digit.index());
    }
    9 - u64::from(used.count_ones())
}
