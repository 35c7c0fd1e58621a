//! How hard a row is: by a column of its file, or rated.

use crate::corpus::{Columns, Row};
use crate::grid::Puzzle;
use crate::logic::{EXPLAINER, Measure, Rater};

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
    /// ER, rated by the profile `se-1.2.1`: seconds for each of the hardest puzzles.
    Rated,
}

impl Difficulty {
    /// Returns the number of a row; `None` where its field holds none, or it cannot be rated.
    pub fn of(&self, row: &Row) -> Option<f64> {
        match self {
            Difficulty::Column { columns, place } => {
                let number: f64 = columns.field(&row.text, *place)?.parse().ok()?;
                number.is_finite().then_some(number)
            }
            Difficulty::Rated => explainer_rating(&row.puzzle),
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
pub fn explainer_rating(puzzle: &Puzzle) -> Option<f64> {
    match Rater::new(&EXPLAINER).rate(puzzle).ok()?.measure {
        Measure::Tenths { er, .. } => er.map(|tenths| f64::from(tenths) / 10.0),
        Measure::Rank | Measure::Score { .. } => None,
    }
}
