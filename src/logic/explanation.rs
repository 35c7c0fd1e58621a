//! A path of logic with the grid that each step was found on.

use super::argument::Argument;
use super::deduction::{Deduction, TechniqueId};
use super::ladder::climb;
use crate::grid::{CandidateGrid, Contradiction};
use crate::solve::Clock;

/// A step, and what it was found on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The grid before the step.
    pub before: CandidateGrid,
    /// The step.
    pub deduction: Deduction,
}

impl Step {
    /// Why the step is right.
    pub fn argument(&self) -> Argument {
        Argument::new(&self.before, &self.deduction)
    }

    /// Whether it only fills in what is left over.
    pub fn is_single(&self) -> bool {
        matches!(
            self.deduction.technique,
            TechniqueId::FullHouse | TechniqueId::NakedSingle | TechniqueId::HiddenSingle
        )
    }
}

/// All steps that the [`LADDER`](super::LADDER) takes from a grid, and where they end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// A full board, a grid on which nothing more is found, or no solution.
    pub end: Result<CandidateGrid, Contradiction>,
}

impl Explanation {
    /// Climbs the ladder from this grid; one that is contradictory takes no step.
    pub fn new(start: Result<CandidateGrid, Contradiction>) -> Explanation {
        let mut steps = Vec::new();
        let end = start.and_then(|mut grid| {
            let mut before = grid.clone();
            let climbed = climb(&mut grid, Clock::STOPPED, |deduction| {
                steps.push(Step {
                    before: before.clone(),
                    deduction: deduction.clone(),
                });
                // A contradiction ends the climb, so `before` is not looked at again.
                let _ = deduction.effect.apply(&mut before);
            });
            climbed.map(|()| grid).map_err(|_| Contradiction)
        });
        Explanation { steps, end }
    }

    /// Whether a step is right only if there is one solution; if none is, a solution that they lead
    /// to is the only one.
    pub fn assumes_uniqueness(&self) -> bool {
        let mut techniques = self.steps.iter().map(|step| step.deduction.technique);
        techniques.any(TechniqueId::assumes_uniqueness)
    }
}
