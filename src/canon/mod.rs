//! Canonical forms: the one board that stands for all boards that differ only in how they are written.
//!
//! [`Canonizer`] finds the least image of a puzzle, of a full grid, or of a pattern of givens over all symmetries of
//! the board, with the symmetry that leads there and the number of automorphisms. [`Augmenter`] goes the other way: it draws random
//! images of a puzzle.

mod augment;
mod board;
mod canonical;
mod canonizer;
mod full;
mod least;
mod node;
mod orders;
mod random;
mod row_pairs;
mod rows;
mod search;
mod sparse;
mod state;

pub use augment::{Augmenter, Image, Images, Moves};
pub use canonical::Canonical;
pub use canonizer::Canonizer;
