//! How hard a puzzle is by a profile: its steps held against the profile's scale.

use thiserror::Error;

use super::checker::{Unsound, prove};
use super::deduction::{Deduction, Effect};
use super::profile::{Level, Profile, Scale, step};
use super::technique_id::TechniqueId;
use crate::grid::{Candidate, Contradiction, Puzzle, Solution};

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

/// What a scale measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nothing beyond the hardest technique.
    Rank,
    /// Sudoku Explainer's ratings, in tenths. None that a guess has cut off.
    Tenths {
        /// Of the hardest step.
        er: Option<u16>,
        /// Of the hardest step up to the first placement.
        ep: Option<u16>,
        /// Of the first step.
        ed: Option<u16>,
    },
    /// HoDoKu's.
    Score {
        /// The level of the hardest step, or the one that the score calls for.
        level: Level,
        /// The sum of the steps.
        score: u32,
    },
}

/// Why a puzzle cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// There is no solution, or a step assumed that there is only one.
    #[error("the steps come to a contradiction")]
    Contradiction,
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

impl Rating {
    /// Follows the profile to the solution. Where no technique has a step, a digit of the solution is
    /// placed. Every step is held against the solution. Without one to look at, the path ends where no technique has a step.
    ///
    /// # Errors
    /// [`RatingError`], if the puzzle has no solution, or a step is wrong.
    pub fn of(
        profile: &Profile,
        puzzle: &Puzzle,
        solution: Option<&Solution>,
    ) -> Result<Rating, RatingError> {
        let mut state = profile.start(puzzle)?;
        // A guess is none of the techniques.
        let mut path: Vec<Option<(usize, Deduction)>> = Vec::new();
        while !state.blanks().is_empty() {
            if let Some((rung, step)) = step(profile.rungs, &state) {
                if let Some(solution) = solution {
                    prove(&state, &step, solution).map_err(|why| RatingError::Unsound {
                        technique: step.technique,
                        why,
                    })?;
                }
                state.take(&step)?;
                path.push(Some((rung, step)));
                continue;
            }
            let (Some(solution), Some(cell)) = (solution, profile.guessed_cell(&state)) else {
                break;
            };
            let digit = solution.digit(cell);
            state.apply(&Effect::Place(Candidate { cell, digit }))?;
            path.push(None);
        }
        let guesses = path.iter().filter(|step| step.is_none()).count();
        let solved = guesses == 0 && state.blanks().is_empty();
        let (hardest, measure) = held_against(profile.scale, &path, solved);
        Ok(Rating {
            solved,
            steps: path.len() - guesses,
            guesses,
            hardest,
            measure,
        })
    }
}

/// The hardest technique, and the numbers of the scale.
fn held_against(
    scale: Scale,
    path: &[Option<(usize, Deduction)>],
    solved: bool,
) -> (Option<&'static str>, Measure) {
    match scale {
        Scale::Rank(of) => {
            let steps = path.iter().flatten();
            let hardest = hardest(steps.map(|(rung, step)| (of(step.technique), rung)));
            (hardest.map(|(name, _)| name), Measure::Rank)
        }
        Scale::Tenths(of) => {
            let most = |steps: &[&Deduction]| steps.iter().map(|step| of(step).1).max();
            let certain = path.iter().map_while(Option::as_ref);
            let certain: Vec<&Deduction> = certain.map(|(_, step)| step).collect();
            let placement = certain
                .iter()
                .position(|step| matches!(step.effect, Effect::Place(_)));
            let measure = Measure::Tenths {
                er: most(&certain).filter(|_| solved),
                ep: placement.and_then(|at| most(&certain[..=at])),
                ed: most(&certain[..certain.len().min(1)]),
            };
            let steps = path.iter().flatten().map(|(_, step)| of(step));
            (hardest(steps).map(|(name, _)| name), measure)
        }
        Scale::Score(scores) => {
            let graded = path.iter().map(|step| match step {
                Some((_, step)) => (scores.of)(step),
                None => scores.guess,
            });
            let score = graded.clone().map(|(_, _, score)| score).sum();
            let top = hardest(graded.map(|(name, level, score)| (name, (level, score))));
            let of_steps = top.map_or(Level::Easy, |(_, (level, _))| level);
            let within = scores.limits.iter().find(|&&(_, most)| score <= most);
            let of_score = within.map_or(Level::Extreme, |&(level, _)| level);
            let level = of_steps.max(of_score);
            (top.map(|(name, _)| name), Measure::Score { level, score })
        }
    }
}

/// The first of the hardest.
fn hardest<T: PartialOrd>(
    steps: impl Iterator<Item = (&'static str, T)>,
) -> Option<(&'static str, T)> {
    steps.reduce(|held, step| if step.1 > held.1 { step } else { held })
}
