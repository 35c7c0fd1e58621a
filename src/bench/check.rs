//! Checks answers against a reference, outside the timed region.

use std::collections::HashSet;
use std::hash::Hash;

use thiserror::Error;

use super::answer::AnswerKind;
use crate::solve::Goal;

/// The reference for a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference<S> {
    /// All solutions, or as many as the goal asks for, but at least two.
    Known(Vec<S>),
    /// The reference solver ran out of budget.
    Unknown,
}

impl<S> Reference<S> {
    /// Returns the known solutions.
    pub(super) fn solutions(&self) -> &[S] {
        match self {
            Reference::Known(solutions) => solutions,
            Reference::Unknown => &[],
        }
    }

    /// Returns the number of solutions, if known; two stands for two or more.
    fn count(&self) -> Option<usize> {
        match self {
            Reference::Known(solutions) => Some(solutions.len()),
            Reference::Unknown => None,
        }
    }
}

/// Error in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// A board that changes a given.
    #[error("its solution changes the givens")]
    Givens,
    /// A board with a digit twice in a house.
    #[error("its solution breaks the rules")]
    Rules,
    /// A board that is not among the reference's solutions.
    #[error("its solution is not that of the reference")]
    OtherSolution,
    /// A solution is claimed to be the only one, but there are more.
    #[error("it claims a unique solution, but there are more")]
    NotUnique,
    /// A solution without proof that it is the only one, where that was asked for.
    #[error("it gives a solution, but not whether it is unique")]
    NotProven,
    /// Several solutions are claimed, but there is one or none.
    #[error("it claims several solutions, but there are not")]
    NotMultiple,
    /// Several solutions are claimed, but they are fewer than two or not all different.
    #[error("it claims several solutions, but does not show different ones")]
    NotDifferent,
    /// The number of solutions is neither that asked for nor that of all.
    #[error("it shows {given} solutions instead of {expected}")]
    Count {
        /// Number of solutions shown.
        given: usize,
        /// Number of solutions there are, up to as many as were asked for.
        expected: usize,
    },
    /// No solution is claimed, but there is one.
    #[error("it claims that there is no solution, but there is one")]
    Solvable,
    /// A solver that got stuck has eliminated a candidate of a solution.
    #[error("it eliminated a candidate that belongs to a solution")]
    LostSolution,
}

/// Checks a claim about a puzzle and the solutions shown for it, if any, against the reference.
/// `keeps_rules` checks a solution by itself.
///
/// # Errors
///
/// What is wrong with the answer.
pub(super) fn check<S: Eq + Hash>(
    goal: Goal,
    claimed: AnswerKind,
    shown: Option<&[S]>,
    reference: &Reference<S>,
    keeps_rules: impl Fn(&S) -> Result<(), Wrong>,
) -> Result<AnswerKind, Wrong> {
    let claim = |holds: bool, wrong: Wrong| if holds { Ok(()) } else { Err(wrong) };
    shown.into_iter().flatten().try_for_each(keeps_rules)?;
    match claimed {
        AnswerKind::Unsolvable => claim(reference.solutions().is_empty(), Wrong::Solvable)?,
        AnswerKind::Solved | AnswerKind::Unique => {
            let [solution] = shown.unwrap_or_default() else {
                return Err(Wrong::Rules);
            };
            if claimed == AnswerKind::Unique {
                claim(reference.count().is_none_or(|n| n < 2), Wrong::NotUnique)?;
            } else {
                claim(goal.limit() == 1, Wrong::NotProven)?;
            }
            let others = reference.count().is_none_or(|count| count > 1);
            let is_possible = others || reference.solutions().contains(solution);
            claim(is_possible, Wrong::OtherSolution)?;
        }
        AnswerKind::Multiple => {
            if let Some(boards) = shown {
                let different: HashSet<&S> = boards.iter().collect();
                let differ = different.len() == boards.len() && boards.len() >= 2;
                claim(differ, Wrong::NotDifferent)?;
            }
            claim(reference.count().is_none_or(|n| n > 1), Wrong::NotMultiple)?;
            if let (Some(boards), Some(count)) = (shown, reference.count()) {
                let (given, expected) = (boards.len(), count.min(goal.limit().max(2)));
                claim(given == expected, Wrong::Count { given, expected })?;
            }
        }
        AnswerKind::Stuck | AnswerKind::Timeout | AnswerKind::Wrong => {}
    }
    Ok(claimed)
}
