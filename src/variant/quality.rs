//! Whether a puzzle of any layout is what a collection promises: one solution, and no given too many.

use super::puzzle::{Clash, VariantPuzzle};
use super::roster::fastest;
use super::solver::VariantVerdict;
use super::steps::cell_name;
use crate::solve::{Goal, Limits};

/// What a check finds of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantQuality {
    /// Whether it has a solution, and whether that is the only one.
    pub verdict: VariantVerdict,
    /// Why it has no solution, where givens say so at once.
    pub clash: Option<Clash>,
    /// The names of the givens any one of which can be left out with the solution still the only one; empty unless there is
    /// one solution.
    pub redundant: Vec<String>,
}

impl VariantQuality {
    /// Checks a puzzle: it is solved, and where it has one solution, solved again without each of its givens.
    pub fn of(puzzle: &VariantPuzzle) -> VariantQuality {
        VariantQuality::within(puzzle, Limits::NONE)
    }

    /// Checks a puzzle within limits, which hold for each search. Givens that no search within them proves redundant are
    /// left out.
    pub fn within(puzzle: &VariantPuzzle, limits: Limits) -> VariantQuality {
        let layout = puzzle.layout();
        let mut solver = (fastest(layout).build)();
        let mut verdict_of =
            |puzzle: &VariantPuzzle| solver.solve(puzzle, Goal::ProveUnique, limits).verdict;
        let verdict = verdict_of(puzzle);
        let mut can_go = |cell: &usize| {
            let without = puzzle.without(*cell);
            matches!(verdict_of(&without), VariantVerdict::Unique(_))
        };
        let redundant = match verdict {
            VariantVerdict::Unique(_) => (0..layout.cells())
                .filter(|cell| puzzle.givens()[*cell].is_some() && can_go(cell))
                .map(|cell| cell_name(layout, cell))
                .collect(),
            _ => Vec::new(),
        };
        VariantQuality {
            clash: puzzle.clash(),
            verdict,
            redundant,
        }
    }
}
