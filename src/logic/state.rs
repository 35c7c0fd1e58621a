//! What techniques look at: the marks, and what is derived from them once.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::ops::{ControlFlow, Deref};

use super::deduction::Effect;
use super::links::AlmostLockedSet;
use crate::grid::{CandidateGrid, CellSet, Contradiction, Puzzle};
use crate::solve::Deadline;

/// A candidate grid with its givens. Almost locked sets are derived when a technique first asks for
/// them, and kept until the marks change.
#[derive(Clone, Debug)]
pub struct State {
    grid: CandidateGrid,
    givens: CellSet,
    sets: OnceCell<Vec<AlmostLockedSet>>,
    /// Buffers that a technique uses again; they mean nothing.
    scratch: Scratch,
    deadline: Deadline,
}

/// Buffers of any technique. A copy is empty.
#[derive(Default)]
struct Scratch(RefCell<Option<Box<dyn Any + Send>>>);

impl Clone for Scratch {
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}

impl State {
    /// The marks that the givens of a puzzle leave.
    ///
    /// # Errors
    /// [`Contradiction`], where these show that there is no solution.
    pub fn of_puzzle(puzzle: &Puzzle) -> Result<State, Contradiction> {
        let grid = CandidateGrid::new(puzzle)?;
        let givens = puzzle.givens().map(|(cell, _)| cell).collect();
        Ok(State::with_givens(grid, givens))
    }

    /// These marks; the givens are what is placed.
    pub fn new(grid: CandidateGrid) -> State {
        let givens = grid.placed();
        State::with_givens(grid, givens)
    }

    /// These marks, and the cells whose digits were given.
    pub fn with_givens(grid: CandidateGrid, givens: CellSet) -> State {
        State {
            grid,
            givens,
            sets: OnceCell::new(),
            scratch: Scratch::default(),
            deadline: Deadline::NONE,
        }
    }

    /// The marks.
    pub fn grid(&self) -> &CandidateGrid {
        &self.grid
    }

    /// The cells that were given: no solver has placed them.
    pub fn givens(&self) -> CellSet {
        self.givens
    }

    /// Changes the marks.
    ///
    /// # Errors
    /// As [`Effect::apply`].
    pub fn apply(&mut self, effect: &Effect) -> Result<(), Contradiction> {
        self.sets.take();
        effect.apply(&mut self.grid)
    }

    /// Sets when searches on this state give up: late, they return without a step or with only
    /// some of their steps. So whoever takes a step checks the deadline after the search.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        // What was derived late may not be all there is.
        self.sets.take();
        self.deadline = deadline;
    }

    /// When searches on this state give up.
    pub(super) fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Breaks once the deadline is over. Reads the clock if there is a deadline, which takes some 30
    /// ns: techniques ask once every few microseconds of work.
    pub(super) fn check_deadline(&self) -> ControlFlow<()> {
        if self.deadline.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// All almost locked sets, those of single cells among them.
    pub(super) fn almost_locked_sets(&self) -> &[AlmostLockedSet] {
        self.sets.get_or_init(|| AlmostLockedSet::all(&self.grid))
    }

    /// Lends a technique the buffers of its type that it left here the last time, on whichever marks; new
    /// ones where there are none.
    pub(super) fn with_scratch<B: Default + Send + 'static, T>(
        &self,
        search: impl FnOnce(&mut B) -> T,
    ) -> T {
        let left = self.scratch.0.take();
        let left = left.and_then(|buffers| buffers.downcast().ok());
        let mut buffers: Box<B> = left.unwrap_or_default();
        let found = search(&mut buffers);
        self.scratch.0.replace(Some(buffers));
        found
    }
}

impl Deref for State {
    type Target = CandidateGrid;

    fn deref(&self) -> &CandidateGrid {
        &self.grid
    }
}
