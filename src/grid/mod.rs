//! The base of the crate: digits, cells, houses, puzzles and solutions, each a type of its own.
//!
//! Knows nothing of photos, networks or solvers. All geometry of the board (which cells see each
//! other, which house has which cells) is in `house`.

mod candidate;
mod candidate_grid;
mod cell;
mod digit;
mod house;
mod pencil_marks;
mod puzzle;
mod puzzle_line;
mod solution;
mod symmetry;
mod tally;

pub use candidate::{Candidate, CandidateSet};
pub use candidate_grid::{CandidateGrid, Contradiction};
pub use cell::{Cell, CellMap, CellSet};
pub use digit::{Digit, DigitSet};
pub use house::{House, HouseKind, HouseSet, Lines};
pub use pencil_marks::{ParsePencilMarksError, PencilMarks};
pub use puzzle::Puzzle;
pub use puzzle_line::{ParsePuzzleError, PuzzleLine};
pub use solution::{ParseSolutionError, Solution};
pub use symmetry::{ParseSymmetryError, Symmetry};
