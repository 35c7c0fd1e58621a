//! Whether an answer is right, settled outside the clock against a reference.

use std::collections::HashSet;
use std::hash::Hash;

use thiserror::Error;

use super::answer::AnswerKind;
use crate::solve::Goal;

/// What is known of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference<S> {
    /// All of its solutions, or as many as the goal asks for and at least two.
    Known(Vec<S>),
    /// It took too long to find out.
    Unknown,
}

impl<S> Reference<S> {
    /// The solutions that are known.
    pub(super) fn solutions(&self) -> &[S] {
        match self {
            Reference::Known(solutions) => solutions,
            Reference::Unknown => &[],
        }
    }

    /// How many solutions there are, if that is known; two stands for two or more.
    fn count(&self) -> Option<usize> {
        match self {
            Reference::Known(solutions) => Some(solutions.len()),
            Reference::Unknown => None,
        }
    }
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// A board that changes a given.
    #[error("its solution does not keep the givens")]
    Givens,
    /// A board with a digit twice in a house.
    #[error("its solution breaks the rules")]
    Rules,
    /// A board that the reference excludes.
    #[error("its solution is not that of the reference")]
    OtherSolution,
    /// One solution is called the only one, and there are more.
    #[error("it says that its solution is the only one, but there are more")]
    NotUnique,
    /// A solution where the only one was asked for.
    #[error("it gives a solution and does not say whether it is the only one")]
    NotProven,
    /// Several solutions are claimed, and there is one or none.
    #[error("it says that there are several solutions, but there are not")]
    NotMultiple,
    /// Several solutions are claimed, and the same is shown twice, or fewer than two.
    #[error("it says that there are several solutions, but does not show different ones")]
    NotDifferent,
    /// Not as many solutions as were asked for, or as there are.
    #[error("it shows {given} solutions, but was to show {expected}")]
    Count {
        /// Solutions that are shown.
        given: usize,
        /// Solutions that there are, up to as many as were asked for.
        expected: usize,
    },
    /// No solution is claimed, and there is one.
    #[error("it says that there is no solution, but there is one")]
    Solvable,
    /// A solver that got stuck has struck a candidate of a solution.
    #[error("it struck a candidate that belongs to a solution")]
    LostSolution,
}

/// Checks what is claimed of a puzzle and the solutions that are shown for it, if they are, against what is
/// known. `keeps_rules` is what a solution is worth by itself.
///
/// # Errors
/// What is wrong with it.
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
