//! A random full board, in microseconds: a few random givens, the first solution of them that a search meets, and a
//! random image of it. The image undoes that the search prefers certain places and digits; which boards up to
//! symmetry it prefers is not known.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::draft::{Draft, FIRST_GIVENS};
use super::prover::Prover;
use crate::canon::{Augmenter, Moves};
use crate::grid::{Cell, PuzzleLine, Solution};
use crate::solve::{Goal, Verdict};

/// Nodes of a search that is given up: thousands of times what is usual.
const NODES: u64 = 10_000;

/// Draws full boards; keeps its buffers between them.
#[derive(Debug)]
pub(super) struct FullBoards(Augmenter);

impl Default for FullBoards {
    fn default() -> FullBoards {
        FullBoards(Augmenter::new(Moves::ALL))
    }
}

impl FullBoards {
    /// Draws a board.
    pub(super) fn draw(&mut self, prover: &mut Prover, rng: &mut ChaCha8Rng) -> Solution {
        let mut cells: Vec<Cell> = Cell::all().collect();
        loop {
            let (first, _) = cells.partial_shuffle(rng, FIRST_GIVENS);
            let mut draft = Draft::default();
            let fits = (0..FIRST_GIVENS).all(|_| draft.draw(first, rng).is_some());
            if fits
                && let Verdict::Solved(found) =
                    prover.look(&draft.puzzle, Goal::FirstSolution, NODES)
                && let Some(board) = self.image(&found, rng)
            {
                return board;
            }
        }
    }

    fn image(&mut self, board: &Solution, rng: &mut ChaCha8Rng) -> Option<Solution> {
        let line = PuzzleLine::from(&board.to_puzzle());
        let image = self.0.images(&line, 1, rng.next_u64()).next()?;
        Solution::from_ascii(image.line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::solve::{Bands, InstructionSet};

    #[test]
    fn a_seed_gives_the_same_boards_on_all_instructions() {
        let drawn = |bands: Bands| -> Vec<Solution> {
            let mut prover = Prover(bands);
            let mut boards = FullBoards::default();
            let mut rng = ChaCha8Rng::seed_from_u64(3);
            (0..200)
                .map(|_| boards.draw(&mut prover, &mut rng))
                .collect()
        };
        let best = drawn(Bands::new());
        for bands in InstructionSet::ALL.into_iter().filter_map(Bands::on) {
            assert_eq!(drawn(bands.clone()), best, "{bands:?}");
        }
    }

    #[test]
    fn no_digit_is_more_frequent_in_a_cell() {
        let mut boards = FullBoards::default();
        let mut prover = Prover::default();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut counts = [[0u32; 9]; 81];
        for _ in 0..9000 {
            let board = boards.draw(&mut prover, &mut rng);
            for cell in Cell::all() {
                counts[cell.index()][board.digit(cell).index()] += 1;
            }
        }
        // 1,000 each on average, with a standard deviation of 30.
        for (cell, counts) in counts.iter().enumerate() {
            for count in counts {
                assert!((850..1150).contains(count), "{cell}: {counts:?}");
            }
        }
    }
}
