//! What techniques look at: the marks, and what is derived from them once.

use std::cell::OnceCell;
use std::ops::{ControlFlow, Deref};

use super::chaining::Scratch;
use super::deduction::Effect;
use super::implications::Implications;
use super::links::{AlmostLockedSet, LinkKind, Links};
use crate::grid::{CandidateGrid, CellSet, Contradiction, Puzzle};
use crate::solve::Deadline;

/// A candidate grid with its givens. Links and almost locked sets are derived when a technique first
/// asks for them, and kept until the marks change.
#[derive(Clone, Debug)]
pub struct State {
    grid: CandidateGrid,
    givens: CellSet,
    derived: OnceCell<Box<Derived>>,
    /// Buffers for the search of rated chains.
    scratch: Scratch,
    deadline: Deadline,
}

#[derive(Clone, Debug, Default)]
struct Derived {
    sets: OnceCell<Vec<AlmostLockedSet>>,
    /// By kind.
    links: [OnceCell<Links>; LinkKind::COUNT],
    implications: [OnceCell<Implications>; LinkKind::COUNT],
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
            derived: OnceCell::new(),
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
        self.derived.take();
        effect.apply(&mut self.grid)
    }

    /// Sets when searches on this state give up: late, they return without a step or with only
    /// some of their steps. So whoever takes a step checks the deadline after the search.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        // What was derived late may not be all there is.
        self.derived.take();
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
        let sets = &self.derived().sets;
        sets.get_or_init(|| AlmostLockedSet::all(&self.grid))
    }

    /// All claims of this kind and their links.
    pub(super) fn links(&self, kind: LinkKind) -> &Links {
        self.derived().links[kind.index()].get_or_init(|| {
            let sets = match kind {
                LinkKind::GroupsAndSets => self.almost_locked_sets(),
                _ => &[],
            };
            Links::new(self, kind, sets)
        })
    }

    /// All claims of this kind and what each implies.
    pub(super) fn implications(&self, kind: LinkKind) -> &Implications {
        let made = &self.derived().implications[kind.index()];
        made.get_or_init(|| Implications::new(self, kind))
    }

    /// Buffers for the search of rated chains, which are kept when the marks change.
    pub(super) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    fn derived(&self) -> &Derived {
        self.derived.get_or_init(Box::default)
    }
}

impl Deref for State {
    type Target = CandidateGrid;

    fn deref(&self) -> &CandidateGrid {
        &self.grid
    }
}
