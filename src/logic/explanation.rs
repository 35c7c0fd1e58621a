//! A path of logic with the grid that each step was found on.

use super::argument::Argument;
use super::climb::climb;
use super::deduction::Deduction;
use super::profile::{Profile, step};
use super::state::State;
use super::technique_id::TechniqueId;
use crate::grid::{CandidateGrid, Contradiction};
use crate::solve::Deadline;

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

/// All steps that a profile takes from a position, and where they end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The name of the profile.
    pub profile: &'static str,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// A full board, a grid on which nothing more is found, or no solution.
    pub end: Result<CandidateGrid, Contradiction>,
}

impl Explanation {
    /// Climbs the profile from here; a position that is contradictory takes no step.
    pub fn new(profile: &Profile, start: Result<State, Contradiction>) -> Explanation {
        let mut steps = Vec::new();
        let end = start.and_then(|mut state| {
            let show = |before: &State, deduction: &Deduction| {
                steps.push(Step {
                    before: before.grid().clone(),
                    deduction: deduction.clone(),
                });
            };
            let climbed = climb(profile.rungs, &mut state, Deadline::NONE, show);
            climbed
                .map(|()| state.grid().clone())
                .map_err(|_| Contradiction)
        });
        Explanation {
            profile: profile.name,
            steps,
            end,
        }
    }

    /// Only the first step, and the grid that it was found on as the end: enough for a hint.
    pub fn first(profile: &Profile, start: Result<State, Contradiction>) -> Explanation {
        let found = start.as_ref().ok().and_then(|state| {
            let (_, deduction) = step(profile.rungs, state)?;
            Some(Step {
                before: state.grid().clone(),
                deduction,
            })
        });
        Explanation {
            profile: profile.name,
            steps: found.into_iter().collect(),
            end: start.map(|state| state.grid().clone()),
        }
    }

    /// Whether a step is right only if there is one solution; if none is, a solution that they lead
    /// to is the only one.
    pub fn assumes_uniqueness(&self) -> bool {
        let mut techniques = self.steps.iter().map(|step| step.deduction.technique);
        techniques.any(TechniqueId::assumes_uniqueness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Puzzle;
    use crate::logic::PROFILES;

    #[test]
    fn a_hint_is_the_first_step_of_the_path() {
        // By Gordon Royle's list of puzzles with 17 givens, then solved, then contradictory.
        let line =
            "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
        let solved =
            "693784512487512936125963874932651487568247391741398625319475268856129743274836159";
        let twice = format!("11{}", &line[2..]);
        for line in [line, solved, &twice] {
            let puzzle: Puzzle = line.parse().unwrap();
            for profile in PROFILES {
                let path = Explanation::new(profile, profile.start(&puzzle));
                let hint = Explanation::first(profile, profile.start(&puzzle));
                assert_eq!(hint.steps.first(), path.steps.first(), "{}", profile.name);
            }
        }
    }
}
