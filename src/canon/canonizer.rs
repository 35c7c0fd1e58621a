//! The ways to ask for a canonical form.

use super::board::Board;
use super::canonical::Canonical;
use super::search::{Least, least_image, least_image_all_ways};
use super::state::State;
use crate::grid::{Digit, PuzzleLine, Solution, Symmetry};

/// Finds canonical forms; keeps its buffers between boards.
///
/// Two puzzles have the same canonical form exactly if a symmetry of the board makes one of the other: a swap of rows
/// and columns, a permutation of the bands, of the rows in a band, of the stacks, of the columns in a stack, of the
/// digits, or any of these combined (E. Russell and F. Jarvis, 2006). No board is refused: not the blank one, not one
/// that contradicts itself.
#[derive(Debug, Default, Clone)]
pub struct Canonizer {
    /// All ways from a grid to its least image.
    ways: Vec<State>,
}

impl Canonizer {
    /// Returns a canonizer with empty buffers.
    pub fn new() -> Canonizer {
        Canonizer::default()
    }

    /// Returns the least of all images of a puzzle, as text compares, where a blank is `.` and less than `1`.
    pub fn minlex(&mut self, puzzle: &PuzzleLine) -> Canonical {
        let board = Board::of_line(puzzle);
        canonical(&board, &least_image(&board))
    }

    /// Returns the line of [`Canonizer::minlex`] alone, which takes less time.
    pub fn minlex_line(&mut self, puzzle: &PuzzleLine) -> PuzzleLine {
        line(&least_image(&Board::of_line(puzzle)))
    }

    /// Returns the least of those images of a puzzle that have the least image of its solution as theirs.
    ///
    /// The solution must solve the puzzle; of another one, what comes is an image, but no canonical form.
    pub fn by_solution(&mut self, puzzle: &PuzzleLine, solution: &Solution) -> Canonical {
        let grid = Board::of_solution(solution);
        least_image_all_ways(&grid, &mut self.ways);
        let mut best: Option<(PuzzleLine, Symmetry)> = None;
        let mut automorphisms = 0;
        for way in &self.ways {
            let symmetry = symmetry(way);
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
        let board = Board::of_pattern(puzzle);
        let least = least_image(&board);
        let mut state = least.state;
        state.labels = [0; 10];
        Canonical {
            line: line(&least),
            symmetry: symmetry(&state),
            automorphisms: least.ways,
        }
    }

    /// Returns the least image of a full grid: what [`Canonizer::minlex`] makes of it.
    pub fn grid(&mut self, solution: &Solution) -> Canonical {
        let board = Board::of_solution(solution);
        canonical(&board, &least_image(&board))
    }

    /// Returns the line of [`Canonizer::grid`] alone, which takes less time.
    pub fn grid_line(&mut self, solution: &Solution) -> PuzzleLine {
        line(&least_image(&Board::of_solution(solution)))
    }
}

fn canonical(board: &Board, least: &Least) -> Canonical {
    let unused = board.unused_digits() as u64;
    Canonical {
        line: line(least),
        symmetry: symmetry(&least.state),
        automorphisms: least.ways * (1..=unused).product::<u64>(),
    }
}

/// The least image as text.
fn line(least: &Least) -> PuzzleLine {
    let bytes =
        std::array::from_fn(
            |place| match least.triples[place / 3] >> (8 - 4 * (place % 3)) & 15 {
                0 => b'.',
                label => b'0' + label as u8,
            },
        );
    PuzzleLine::new(bytes).expect("labels are 1 to 9")
}

/// The way to an image as a symmetry; digits without a label get those that are left, ascending.
fn symmetry(state: &State) -> Symmetry {
    let is_left = |digit: &Digit| !state.labels[1..].contains(&digit.value());
    let mut left = Digit::ALL.into_iter().filter(is_left);
    let labels = std::array::from_fn(|index| {
        let label = Digit::new(state.labels[index + 1]).or_else(|| left.next());
        label.expect("as many labels are left as digits without one")
    });
    let rows = state.rows.map(usize::from);
    let columns = state.columns.map(usize::from);
    let symmetry = Symmetry::new(state.transposed, rows, columns, labels);
    symmetry.expect("a state permutes bands, stacks, and lines within them")
}
