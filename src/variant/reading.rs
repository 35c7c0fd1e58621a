//! What is known of puzzles before their lines are read, and what comes of a line.

use std::sync::Arc;

use super::alphabet::Alphabet;
use super::layout::{Boxes, Layout};
use super::puzzle::VariantPuzzle;
use super::value::Value;

/// What is known of puzzles before they are read: the rules that their lines do not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The boxes; without them, and without regions, boxes are square.
    pub boxes: Option<Boxes>,
    /// The regions of all puzzles: what cells are in a region together. Its other rules are not looked at.
    pub regions: Option<Arc<Layout>>,
    /// Whether both diagonals have all values.
    pub diagonals: bool,
    /// Whether there are the extra boxes of a windoku.
    pub windows: bool,
    /// How values are written, where that is not to be concluded from the lines.
    pub symbols: Option<Alphabet>,
}

/// A puzzle of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantEntry {
    /// The puzzle.
    pub puzzle: VariantPuzzle,
    /// The full board that the line gives as the solution: it keeps the givens, but may break the rules.
    pub expected: Option<Vec<Value>>,
    /// How its values are written.
    pub alphabet: Alphabet,
    /// Whether a 0 was taken for a blank.
    pub has_blank_zeros: bool,
    /// All other text of the line.
    pub note: String,
}
