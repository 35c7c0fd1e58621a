//! A puzzle with its solution, as data sets have them.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::any_layout::{written, written_cells};
use super::super::key::Key;
use crate::canon::Moves;
use crate::grid::{Puzzle, Solution};
use crate::solve::random_symmetry;
use crate::variant::{Alphabet, Value, VariantImages, VariantPuzzle, VariantSolution};

/// A puzzle, and its solution if that is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Example {
    /// On the classic board.
    Classic {
        /// The puzzle.
        puzzle: Puzzle,
        /// Its solution.
        solution: Option<Solution>,
    },
    /// On a board of any layout.
    Variant {
        /// The puzzle.
        puzzle: VariantPuzzle,
        /// Its solution.
        solution: Option<VariantSolution>,
        /// How values are written.
        alphabet: Alphabet,
    },
}

impl Example {
    /// Returns the puzzle as a line, with its rules after the cells where the cells do not tell them.
    pub fn line(&self) -> String {
        match self {
            Example::Classic { puzzle, .. } => puzzle.to_line(),
            Example::Variant {
                puzzle, alphabet, ..
            } => written(puzzle, *alphabet),
        }
    }

    /// Returns the solution as a line.
    pub fn solution_line(&self) -> Option<String> {
        match self {
            Example::Classic { solution, .. } => Some(solution.as_ref()?.to_line()),
            Example::Variant {
                solution, alphabet, ..
            } => Some(written_cells(solution.as_ref()?.values(), *alphabet)),
        }
    }

    /// Returns the number of givens.
    pub fn given_count(&self) -> usize {
        match self {
            Example::Classic { puzzle, .. } => puzzle.given_count(),
            Example::Variant { puzzle, .. } => puzzle.given_count(),
        }
    }

    /// Returns the value of each cell of the puzzle, 0 for a blank.
    pub fn cells(&self) -> Vec<u8> {
        match self {
            Example::Classic { puzzle, .. } => puzzle.to_bytes().to_vec(),
            Example::Variant { puzzle, .. } => {
                let givens = puzzle.givens().iter();
                givens.map(|given| given.map_or(0, Value::get)).collect()
            }
        }
    }

    /// Returns the value of each cell of the solution.
    pub fn solution_cells(&self) -> Option<Vec<u8>> {
        match self {
            Example::Classic { solution, .. } => {
                Some(solution.as_ref()?.to_puzzle().to_bytes().to_vec())
            }
            Example::Variant { solution, .. } => {
                let values = solution.as_ref()?.values().iter();
                Some(values.map(|value| value.get()).collect())
            }
        }
    }

    /// Returns whether another puzzle has the same rules.
    pub fn has_rules_of(&self, other: &Example) -> bool {
        match (self, other) {
            (Example::Classic { .. }, Example::Classic { .. }) => true,
            (Example::Variant { puzzle, .. }, Example::Variant { puzzle: other, .. }) => {
                puzzle.layout() == other.layout()
            }
            _ => false,
        }
    }

    /// Returns so many random images under the same rules, with their solutions. On other boards than the classic one,
    /// all are different, and fewer if there are no more. They depend on nothing but the puzzle and the seed.
    pub fn copies(&self, count: usize, seed: u64) -> Vec<Example> {
        match self {
            Example::Classic { puzzle, solution } => {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(stream(puzzle));
                let copies = (0..count).map(|_| {
                    let symmetry = random_symmetry(&mut rng);
                    Example::Classic {
                        puzzle: symmetry.puzzle(puzzle),
                        solution: solution.as_ref().map(|it| symmetry.solution(it)),
                    }
                });
                copies.collect()
            }
            Example::Variant {
                puzzle,
                solution,
                alphabet,
            } => {
                let seed = Key::of(&puzzle.exact_form()).seed(seed);
                let images = VariantImages::new(puzzle, Moves::ALL, seed).on_the_same_layout();
                let copies = images.filter(|image| image.puzzle != *puzzle).map(|image| {
                    let solution = solution.as_ref().and_then(|solution| {
                        let values = image.symmetry.values(solution);
                        VariantSolution::new(&image.puzzle, values)
                    });
                    Example::Variant {
                        puzzle: image.puzzle,
                        solution,
                        alphabet: *alphabet,
                    }
                });
                copies.take(count).collect()
            }
        }
    }
}

/// A number that stands for the content of a puzzle.
fn stream(puzzle: &Puzzle) -> u64 {
    let hash = blake3::hash(puzzle.to_line().as_bytes());
    let (first, _) = hash.as_bytes().split_at(8);
    first
        .iter()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The rules that all rows of an array have: those of the first one.
#[derive(Debug, Default)]
pub(super) struct CommonRules {
    first: Option<Example>,
    rows: u64,
}

impl CommonRules {
    /// Counts a row. Returns its number, from 1, as an error if it has other rules than the first one.
    pub(super) fn add(&mut self, example: &Example) -> Result<u64, u64> {
        self.rows += 1;
        let first = self.first.get_or_insert_with(|| example.clone());
        if first.has_rules_of(example) {
            Ok(self.rows)
        } else {
            Err(self.rows)
        }
    }

    /// Returns the number of cells of a board.
    pub(super) fn cells(&self) -> usize {
        let first = self.first.as_ref();
        first.map_or(crate::grid::Cell::COUNT, |first| first.cells().len())
    }
}
