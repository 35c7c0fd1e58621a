//! Runs a profile on a position, step by step.

use std::fmt;

use super::deduction::{Deduction, Effect};
use super::profile::{Profile, first_step};
use super::state::State;
use crate::grid::{Candidate, Cell, CellSet, Contradiction, Digit, PencilMarks, Puzzle};
use crate::solve::{Deadline, Halt, Verdict};

/// Givens, or pencil marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The givens of a puzzle.
    Puzzle(Puzzle),
    /// Marks somebody has come to.
    Marks(PencilMarks),
}

impl Position {
    /// The marks to start from. Cells of pencil marks with a single digit are taken for givens.
    ///
    /// # Errors
    /// [`Contradiction`], where the position itself shows that there is no solution.
    pub fn state(&self) -> Result<State, Contradiction> {
        match self {
            Position::Puzzle(puzzle) => State::of_puzzle(puzzle),
            Position::Marks(marks) => marks.grid().map(State::new),
        }
    }

    /// The digit that stands in this cell: a given, or the only mark.
    pub fn digit(&self, cell: Cell) -> Option<Digit> {
        match self {
            Position::Puzzle(puzzle) => puzzle.given(cell),
            Position::Marks(marks) => marks.candidates(cell).single(),
        }
    }

    /// The cells that have a digit.
    pub fn givens(&self) -> CellSet {
        let cells = Cell::all();
        cells.filter(|&cell| self.digit(cell).is_some()).collect()
    }

    /// Two cells that see each other and have the same digit, if there are such.
    pub fn clash(&self) -> Option<(Candidate, Cell)> {
        self.givens().into_iter().find_map(|cell| {
            let digit = self.digit(cell)?;
            let mut peers = cell.peers().into_iter();
            let other = peers.find(|&peer| self.digit(peer) == Some(digit))?;
            Some((Candidate { cell, digit }, other))
        })
    }

    /// Says what is wrong with a position that does not have just one solution; `None` where the verdict on it
    /// is that it has.
    pub fn complaint(&self, verdict: &Verdict) -> Option<String> {
        match verdict {
            Verdict::Unsolvable => Some(match self.clash() {
                Some((one, other)) => format!(
                    "no solution: {} and {other} see each other and are both {}",
                    one.cell, one.digit
                ),
                None => "no solution".to_owned(),
            }),
            Verdict::Multiple(solutions) => {
                let (one, other) = (solutions.first()?, solutions.get(1)?);
                let cell = Cell::all().find(|&cell| one.digit(cell) != other.digit(cell))?;
                let (one, other) = (one.digit(cell), other.digit(cell));
                Some(format!(
                    "many solutions: {cell} can be {} or {}",
                    one.min(other),
                    one.max(other)
                ))
            }
            Verdict::OutOfBudget => Some("the number of solutions is not known".to_owned()),
            Verdict::Solved(_) | Verdict::Unique(_) | Verdict::Stuck(_) => None,
        }
    }
}

impl From<Puzzle> for Position {
    fn from(puzzle: Puzzle) -> Position {
        Position::Puzzle(puzzle)
    }
}

/// 81 characters for a puzzle, 729 for pencil marks.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Puzzle(puzzle) => puzzle.fmt(f),
            Position::Marks(marks) => marks.fmt(f),
        }
    }
}

/// What a profile knows beside the marks: how they have come about.
pub trait History {
    /// The step that it calls for before any technique is asked.
    fn next_step(&self) -> Option<Deduction>;

    /// Follows a step that was found on these marks, before they change.
    fn follow(&mut self, before: &State, step: &Deduction);

    /// Follows a digit that was guessed.
    fn follow_guess(&mut self, guess: Candidate);
}

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
