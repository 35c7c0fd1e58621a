//! How hard a row is: by a column of its file, or rated.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::board::Board;
use crate::corpus::{Columns, Row};
use crate::generate::Tenths;
use crate::grid::Puzzle;
use crate::logic::{EXPLAINER, Measure, Rater};

/// A finite number, as text has it.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Number, String> {
        match text.parse::<f64>() {
            // -0 is 0.
            Ok(number) if number.is_finite() => Ok(Number(number + 0.0)),
            _ => Err(format!("`{text}` is no number")),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

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

/// Returns ER, the rating of the hardest step by the profile `se-1.2.1`; `None` of a puzzle that cannot be rated.
pub fn explainer_rating(puzzle: &Puzzle) -> Option<Tenths> {
    match Rater::new(&EXPLAINER).rate(puzzle).ok()?.measure {
        Measure::Tenths { er, .. } => er.map(Tenths),
        Measure::Rank | Measure::Score { .. } => None,
    }
}
