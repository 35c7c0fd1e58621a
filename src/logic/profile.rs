//! Profiles: which techniques are tried in which order, and what their steps count for.

use std::fmt;
use std::ops::ControlFlow;

use super::deduction::Deduction;
use super::scale::Scale;
use super::state::{Position, State};
use super::technique::Technique;
use crate::grid::{Candidate, Cell};

/// A table of techniques, the first to be tried first, and the scale that rates their steps.
#[derive(Clone, Copy)]
pub struct Profile {
    /// What the user calls it.
    pub name: &'static str,
    /// After each step the search begins again with the first.
    pub techniques: &'static [Entry],
    /// What its steps count for.
    pub scale: Scale,
    /// The cell whose digit is guessed where no technique has a step.
    pub guess: fn(&State) -> Option<Cell>,
    /// Starts the history of a run, if steps depend on how the marks have come about.
    pub history: Option<StartHistory>,
}

/// Makes the history of a run that begins here.
pub type StartHistory = fn(&Position, &State) -> Box<dyn History>;

/// What a profile knows beside the marks: how they have come about.
pub trait History {
    /// The step that it calls for before any technique is asked.
    fn next_step(&self) -> Option<Deduction>;

    /// Follows a step that was found on these marks, before they change.
    fn follow(&mut self, before: &State, step: &Deduction);

    /// Follows a digit that was guessed.
    fn follow_guess(&mut self, guess: Candidate);
}

/// One line of a profile.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The technique.
    pub technique: &'static dyn Technique,
    /// Which of its steps is taken.
    pub order: Order,
    /// Whether it takes microseconds, so that a search may use it between guesses.
    pub is_cheap: bool,
}

/// Ranks the steps of a technique: the least comes first.
pub type Key = [u32; 6];

/// Which of several steps of one technique is taken.
#[derive(Clone, Copy)]
pub enum Order {
    /// The one that is found first.
    AsFound,
    /// The one with the least key; of equal ones, the one that is found first.
    Least(fn(&State, &Deduction) -> Key),
}

impl Entry {
    /// Takes the first step that the technique finds.
    pub const fn first(technique: &'static dyn Technique) -> Entry {
        Entry {
            technique,
            order: Order::AsFound,
            is_cheap: false,
        }
    }

    /// Takes the step with the least key.
    pub const fn least(
        technique: &'static dyn Technique,
        key: fn(&State, &Deduction) -> Key,
    ) -> Entry {
        Entry {
            technique,
            order: Order::Least(key),
            is_cheap: false,
        }
    }

    /// Marks the technique as one that a search may use between guesses.
    pub const fn cheap(self) -> Entry {
        Entry {
            is_cheap: true,
            ..self
        }
    }

    /// The step that is taken, if there is one.
    pub fn step(&self, state: &State) -> Option<Deduction> {
        let Order::Least(key) = self.order else {
            return self.technique.first(state);
        };
        let mut least: Option<(Key, Deduction)> = None;
        let _ = self.technique.search(state, &mut |step| {
            let key = key(state, &step);
            if least.as_ref().is_none_or(|(held, _)| key < *held) {
                least = Some((key, step));
            }
            ControlFlow::Continue(())
        });
        least.map(|(_, step)| step)
    }
}

/// The first step of the first of these techniques that has one, and the number of its entry.
pub(super) fn first_step(techniques: &[Entry], state: &State) -> Option<(usize, Deduction)> {
    let mut entries = techniques.iter().enumerate();
    entries.find_map(|(number, entry)| Some((number, entry.step(state)?)))
}

impl Profile {
    /// Whether some of its techniques are right only for puzzles with one solution.
    pub fn assumes_uniqueness(&self) -> bool {
        let mut entries = self.techniques.iter();
        entries.any(|entry| entry.technique.assumes_uniqueness())
    }
}

/// The first blank cell with the fewest candidates.
pub(super) fn fewest_candidates(state: &State) -> Option<Cell> {
    let blanks = state.blanks().into_iter();
    blanks.min_by_key(|&cell| state.candidates(cell).len())
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
