//! Steps held against what is true: no technique is asked.

use thiserror::Error;

use super::deduction::{Deduction, Effect};
use crate::grid::{Candidate, CandidateGrid, Solution};

/// Why a step is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsound {
    /// It places a digit that does not stand there.
    #[error("{0} is not the solution")]
    WrongDigit(Candidate),
    /// It strikes a digit that stands there.
    #[error("{} is {}", .0.cell, .0.digit)]
    StruckSolution(Candidate),
    /// It changes nothing, or strikes what is not there.
    #[error("{0} is not on the grid")]
    NotThere(Candidate),
    /// It strikes nothing.
    #[error("nothing is struck")]
    Empty,
}

/// Proves that a step is right: what it places is the digit of the solution, what it strikes is on
/// the grid and is not.
///
/// # Errors
/// [`Unsound`], which names the candidate.
pub fn prove(grid: &CandidateGrid, step: &Deduction, solution: &Solution) -> Result<(), Unsound> {
    let stands = |candidate: Candidate| solution.digit(candidate.cell) == candidate.digit;
    let is_open =
        |candidate: Candidate| grid.contains(candidate) && !grid.placed().contains(candidate.cell);
    match &step.effect {
        Effect::Place(candidate) if !stands(*candidate) => Err(Unsound::WrongDigit(*candidate)),
        Effect::Place(candidate) if !is_open(*candidate) => Err(Unsound::NotThere(*candidate)),
        Effect::Place(_) => Ok(()),
        Effect::Eliminate(struck) if struck.is_empty() => Err(Unsound::Empty),
        Effect::Eliminate(struck) => struck.iter().try_for_each(|candidate| {
            if stands(candidate) {
                Err(Unsound::StruckSolution(candidate))
            } else if !is_open(candidate) {
                Err(Unsound::NotThere(candidate))
            } else {
                Ok(())
            }
        }),
    }
}
