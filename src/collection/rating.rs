//! Numbers that tell how hard puzzles are.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

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

/// Returns ER, the rating of the hardest step by the profile `se-1.2.1`; `None` of a puzzle that cannot be rated.
pub fn explainer_rating(puzzle: &Puzzle) -> Option<Tenths> {
    match Rater::new(&EXPLAINER).rate(puzzle).ok()?.measure {
        Measure::Tenths { er, .. } => er.map(Tenths),
        Measure::Rank | Measure::Score { .. } => None,
    }
}
