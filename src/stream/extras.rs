//! Optional measures of `rate` beside the rating.

use serde::Serialize;

use crate::dynamics::{Hardness, HardnessConfig};
use crate::grid::Puzzle;
use crate::logic::Rater;
use crate::solve::{Bands, Deadline, Goal, Limits, Solver, Verdict, median_guesses};

/// Measures that take longer than most ratings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Extras {
    /// Number of symmetric copies over which the guesses of `mrv` are counted: see
    /// [`median_guesses`].
    pub copies: Option<u32>,
    /// Settings of the escape rate: see [`Hardness`].
    pub hardness: Option<HardnessConfig>,
}

/// The measures of a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// The median of the guesses.
    pub guesses: Option<f64>,
    /// The escape rate.
    pub hardness: Option<Hardness>,
}

impl Extras {
    /// Returns whether a puzzle can take seconds.
    pub(super) fn are_slow(&self) -> bool {
        self.hardness.is_some()
    }

    /// Returns the names of the columns, in order.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> + use<> {
        let guesses = self.copies.map(|_| "guesses_median");
        let hardness = self.hardness.map(|_| ["eta", "eta_error"]);
        guesses.into_iter().chain(hardness.into_iter().flatten())
    }

    /// Returns the cells of these columns.
    pub(super) fn cells(&self, measured: &Measured) -> impl Iterator<Item = String> + use<> {
        let or_empty = |value: Option<String>| value.unwrap_or_default();
        let guesses = or_empty(measured.guesses.map(|it| it.to_string()));
        let eta = or_empty(measured.hardness.map(|it| format!("{:.3}", it.eta)));
        let error = or_empty(
            measured
                .hardness
                .map(|it| format!("{:.3}", it.standard_error)),
        );
        let guesses = self.copies.map(|_| guesses);
        let hardness = self.hardness.map(|_| [eta, error]);
        guesses.into_iter().chain(hardness.into_iter().flatten())
    }

    /// Measures a rated puzzle, within the rater's time; nothing where it has several solutions.
    pub(super) fn measure(
        &self,
        puzzle: &Puzzle,
        rater: &Rater<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Measured {
        if *self == Extras::default() || (rater.assume_unique && !is_unique(puzzle)) {
            return Measured::default();
        }
        let deadline = Deadline::after(rater.time_limit);
        let copies = self.copies;
        let guesses = copies.and_then(|copies| median_guesses(puzzle, copies, deadline));
        let is_over = || is_stopped() || deadline.is_over();
        let hardness = self.hardness;
        Measured {
            guesses,
            hardness: hardness.and_then(|config| Hardness::measure(puzzle, config, &is_over)),
        }
    }
}

fn is_unique(puzzle: &Puzzle) -> bool {
    let outcome = Bands::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
    matches!(outcome.verdict, Verdict::Unique(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::NATIVE;

    #[test]
    fn rows_have_as_many_cells_as_columns() {
        let hardness = Some(HardnessConfig::default());
        for (extras, columns) in [
            (Extras::default(), &[][..]),
            (
                Extras {
                    copies: Some(5),
                    hardness: None,
                },
                &["guesses_median"],
            ),
            (
                Extras {
                    copies: Some(5),
                    hardness,
                },
                &["guesses_median", "eta", "eta_error"],
            ),
        ] {
            assert_eq!(extras.columns().collect::<Vec<_>>(), columns);
            let nothing: Vec<String> = extras.cells(&Measured::default()).collect();
            assert_eq!(nothing, vec![String::new(); columns.len()]);
        }
    }

    #[test]
    fn many_solutions_have_no_measure() {
        let extras = Extras {
            copies: Some(3),
            hardness: None,
        };
        let rater = Rater {
            assume_unique: true,
            ..Rater::new(&NATIVE)
        };
        let line =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let measured = extras.measure(&line.parse().unwrap(), &rater, &|| false);
        assert_eq!(measured.guesses, Some(0.0));
        let open: Puzzle = line.replace("53..7", "....7").parse().unwrap();
        let measured = extras.measure(&open, &rater, &|| false);
        assert_eq!(measured, Measured::default());
    }
}
