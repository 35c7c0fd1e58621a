//! A path of logic with the grid that each step was found on.

use super::deduction::Deduction;
use super::profile::Profile;
use super::run::Run;
use super::state::Position;
use super::technique_id::TechniqueId;
use super::text::Argument;
use crate::grid::CandidateGrid;
use crate::solve::{Deadline, Halt};

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
    /// A full board, or marks on which nothing more is found, or why there are none.
    pub end: Result<CandidateGrid, Halt>,
}

impl Explanation {
    /// Runs the profile from here; a position that is contradictory takes no step. What is late
    /// keeps the steps up to then.
    pub fn new(profile: &Profile, position: &Position, deadline: Deadline) -> Explanation {
        Explanation::of(profile, position, deadline, usize::MAX)
    }

    /// Only the first step, and the grid that it was found on as the end: enough for a hint.
    pub fn first(profile: &Profile, position: &Position, deadline: Deadline) -> Explanation {
        Explanation::of(profile, position, deadline, 1)
    }

    fn of(profile: &Profile, position: &Position, deadline: Deadline, most: usize) -> Explanation {
        let mut steps: Vec<Step> = Vec::new();
        let mut walk = || {
            let mut run = Run::new(profile, position)?;
            run.set_deadline(deadline);
            while let Some((_, deduction)) = run.next_step()? {
                steps.push(Step {
                    before: run.state().grid().clone(),
                    deduction,
                });
                if steps.len() == most {
                    break;
                }
                run.take(&steps[steps.len() - 1].deduction)?;
            }
            Ok(run.state().grid().clone())
        };
        Explanation {
            profile: profile.name,
            end: walk(),
            steps,
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
                let path = Explanation::new(profile, &puzzle.into(), Deadline::NONE);
                let hint = Explanation::first(profile, &puzzle.into(), Deadline::NONE);
                assert_eq!(hint.steps.first(), path.steps.first(), "{}", profile.name);
            }
        }
    }
}
