//! How hard a row is: by a column of its file, or rated.

use super::board::Board;
use super::rating::Number;
use crate::corpus::{Columns, Row};

/// Where the difficulty of a row comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difficulty {
    /// A column of numbers.
    Column {
        /// The columns of the files.
        columns: Columns,
        /// The place of the one that counts.
        place: usize,
    },
    /// ER, rated by the profile `se-1.2.1`: seconds for each of the hardest puzzles. Classic puzzles only.
    Rated,
}

impl Difficulty {
    /// Returns the number of a row; `None` where its field holds none, or it cannot be rated.
    pub fn of<B: Board>(&self, row: &Row<B::Puzzle>) -> Option<Number> {
        match self {
            Difficulty::Column { columns, place } => columns.field(&row.text, *place)?.parse().ok(),
            Difficulty::Rated => B::rating(&row.puzzle),
        }
    }

    /// Returns how many rows a thread takes at a time.
    pub(super) fn batch(&self) -> usize {
        match self {
            Difficulty::Column { .. } => 512,
            Difficulty::Rated => 1,
        }
    }
}
