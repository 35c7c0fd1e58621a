//! Runs a profile on a position, step by step.

use std::fmt;

use super::deduction::{Deduction, Effect};
use super::profile::{History, Profile, first_step};
use super::state::{Position, State};
use crate::grid::{Candidate, Contradiction};
use crate::solve::{Deadline, Halt};

/// A profile on one board: which step comes next, and the marks that the steps so far have left.
pub struct Run<'p> {
    profile: &'p Profile,
    state: State,
    history: Option<Box<dyn History>>,
}

impl<'p> Run<'p> {
    /// Starts a profile on a position.
    ///
    /// # Errors
    /// As [`Position::state`].
    pub fn new(profile: &'p Profile, position: &Position) -> Result<Run<'p>, Contradiction> {
        let state = position.state()?;
        Ok(Run {
            profile,
            history: profile.history.map(|start| start(position, &state)),
            state,
        })
    }

    /// Sets when [`Run::next_step`] gives up.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.state.set_deadline(deadline);
    }

    /// The marks.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Finds the step that comes next, and the number of its entry in the profile; `None` if no
    /// technique has a step. The marks stay as they are until it is taken.
    ///
    /// # Errors
    /// [`Halt::Late`], once the deadline is over.
    pub fn next_step(&mut self) -> Result<Option<(usize, Deduction)>, Halt> {
        if self.state.blanks().is_empty() {
            return Ok(None);
        }
        let by_history = self
            .history
            .as_ref()
            .and_then(|history| history.next_step());
        let step = match by_history {
            Some(step) => Some((0, step)),
            None => first_step(self.profile.techniques, &self.state),
        };
        self.state.deadline().check()?;
        Ok(step)
    }

    /// Takes a step that was found on these marks.
    ///
    /// # Errors
    /// [`Contradiction`], if it leaves no solution.
    pub fn take(&mut self, step: &Deduction) -> Result<(), Contradiction> {
        if let Some(history) = &mut self.history {
            history.follow(&self.state, step);
        }
        self.state.apply(&step.effect)
    }

    /// Places a digit that was guessed.
    ///
    /// # Errors
    /// [`Contradiction`], if it leaves no solution.
    pub fn take_guess(&mut self, guess: Candidate) -> Result<(), Contradiction> {
        if let Some(history) = &mut self.history {
            history.follow_guess(guess);
        }
        self.state.apply(&Effect::Place(guess))
    }

    /// Takes steps until no technique has one; each is shown, with the marks it was found on, before
    /// it is taken.
    ///
    /// # Errors
    /// [`Halt`], if there is no solution, or the deadline is over.
    pub fn finish(&mut self, mut show: impl FnMut(&State, &Deduction)) -> Result<(), Halt> {
        while let Some((_, step)) = self.next_step()? {
            show(&self.state, &step);
            self.take(&step)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on {:?}", self.profile, self.state.grid())
    }
}
