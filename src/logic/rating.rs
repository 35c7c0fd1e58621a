//! How hard a puzzle is by a profile: its steps, rated by the profile's scale.

use std::time::Duration;

use thiserror::Error;

use super::deduction::Unsound;
use super::profile::Profile;
use super::run::Run;
use super::scale::{Measure, PathStep};
use super::technique_id::TechniqueId;
use crate::grid::{Candidate, Contradiction, Puzzle, Solution};
use crate::solve::{Bands, Deadline, Goal, Halt, Limits, Solver, Verdict};

/// What a profile says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// Whether the board was filled without a guess.
    pub solved: bool,
    /// Steps of logic.
    pub steps: usize,
    /// Digits that were taken from the solution, since no technique had a step.
    pub guesses: usize,
    /// The hardest technique of the path, in the spelling of the profile; none for a full board.
    pub hardest: Option<&'static str>,
    /// The numbers of the profile's scale.
    pub measure: Measure,
}

/// Why a puzzle has no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// The puzzle has no solution.
    #[error("no solution")]
    NoSolution,
    /// The puzzle has many solutions, which leave nothing to check the steps against.
    #[error("many solutions")]
    ManySolutions,
    /// A step assumed that there is only one solution, and there are many.
    #[error("many solutions, and the steps come to a contradiction")]
    Contradiction,
    /// It takes longer than it may.
    #[error("time limit")]
    Late,
    /// A technique is at fault.
    #[error("{technique} is wrong: {why}")]
    Unsound {
        /// Which one.
        technique: TechniqueId,
        /// What is wrong.
        why: Unsound,
    },
}

impl From<Contradiction> for RatingError {
    fn from(_: Contradiction) -> RatingError {
        RatingError::Contradiction
    }
}

impl From<Halt> for RatingError {
    fn from(halt: Halt) -> RatingError {
        match halt {
            Halt::Contradiction => RatingError::Contradiction,
            Halt::Late => RatingError::Late,
        }
    }
}

/// A puzzle with its rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its rating, or why it has none.
    pub rating: Result<Rating, RatingError>,
}

/// Rates puzzles one by one, in order; the profile goes as far as it takes. See [`Rater`] for
/// limits, and to rate on several threads.
pub fn rate(
    puzzles: impl IntoIterator<Item = Puzzle>,
    profile: &Profile,
) -> impl Iterator<Item = Rated> {
    let rater = Rater::new(profile);
    puzzles.into_iter().map(move |puzzle| Rated {
        rating: rater.rate(&puzzle),
        puzzle,
    })
}

/// Rates puzzles by a profile. It holds settings only, so threads may share it.
#[derive(Clone, Copy, Debug)]
pub struct Rater<'p> {
    /// Whose techniques, order and scale.
    pub profile: &'p Profile,
    /// Whether a puzzle with many solutions is followed as far as the profile goes without a guess,
    /// instead of being refused.
    pub assume_unique: bool,
    /// How long a puzzle may take.
    pub time_limit: Option<Duration>,
}

impl<'p> Rater<'p> {
    /// Rates puzzles with one solution, however long it takes.
    pub fn new(profile: &'p Profile) -> Rater<'p> {
        Rater {
            profile,
            assume_unique: false,
            time_limit: None,
        }
    }

    /// Runs the profile to the solution. Where no technique has a step, a digit of the solution is
    /// placed. Every step is checked against the solution.
    ///
    /// # Errors
    /// [`RatingError`].
    pub fn rate(&self, puzzle: &Puzzle) -> Result<Rating, RatingError> {
        let deadline = Deadline::after(self.time_limit);
        let limits = Limits {
            time: self.time_limit,
            ..Limits::NONE
        };
        match Bands::new()
            .solve(puzzle, Goal::ProveUnique, limits)
            .verdict
        {
            Verdict::Unique(solution) => self.by(puzzle, Some(&solution), deadline),
            Verdict::Multiple(_) if self.assume_unique => self.by(puzzle, None, deadline),
            Verdict::Multiple(_) => Err(RatingError::ManySolutions),
            Verdict::OutOfBudget => Err(RatingError::Late),
            _ => Err(RatingError::NoSolution),
        }
    }

    /// Without a solution to look at, the path ends where no technique has a step.
    fn by(
        &self,
        puzzle: &Puzzle,
        solution: Option<&Solution>,
        deadline: Deadline,
    ) -> Result<Rating, RatingError> {
        let mut run = Run::new(self.profile, &(*puzzle).into())?;
        run.set_deadline(deadline);
        let mut path: Vec<PathStep> = Vec::new();
        while !run.state().blanks().is_empty() {
            if let Some((entry, step)) = run.next_step()? {
                if let Some(solution) = solution {
                    let checked = step.check(run.state(), solution);
                    checked.map_err(|why| RatingError::Unsound {
                        technique: step.technique,
                        why,
                    })?;
                }
                run.take(&step)?;
                path.push(Some((entry, step)));
                continue;
            }
            let (Some(solution), Some(cell)) = (solution, (self.profile.guess)(run.state())) else {
                break;
            };
            let digit = solution.digit(cell);
            run.take_guess(Candidate { cell, digit })?;
            path.push(None);
        }
        let guesses = path.iter().filter(|step| step.is_none()).count();
        let solved = guesses == 0 && run.state().blanks().is_empty();
        let (hardest, measure) = (self.profile.scale)(&path, solved);
        Ok(Rating {
            solved,
            steps: path.len() - guesses,
            guesses,
            hardest,
            measure,
        })
    }
}
