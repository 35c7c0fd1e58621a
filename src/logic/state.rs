//! What techniques look at: the marks, and what is derived from them once.

use std::cell::OnceCell;
use std::ops::Deref;

use super::almost_locked::AlmostLockedSet;
use super::chaining::Room;
use super::deduction::Effect;
use super::implications::Implications;
use super::links::{LinkKind, Links};
use crate::grid::{CandidateGrid, CellSet, Contradiction, Puzzle};

/// A candidate grid with its givens. Links and almost locked sets are derived when a technique first
/// asks for them, and kept until the marks change.
#[derive(Clone, Debug)]
pub struct State {
    grid: CandidateGrid,
    givens: CellSet,
    derived: OnceCell<Box<Derived>>,
    /// Room for the search of rated chains.
    room: Room,
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
            room: Room::default(),
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

    /// All almost locked sets, those of single cells among them.
    pub(super) fn almost_locked_sets(&self) -> &[AlmostLockedSet] {
        let sets = &self.derived().sets;
        sets.get_or_init(|| AlmostLockedSet::all(&self.grid))
    }

    /// All claims of this kind and their links.
    pub(super) fn links(&self, kind: LinkKind) -> &Links {
        self.derived().links[kind.index()].get_or_init(|| Links::new(self, kind))
    }

    /// All claims of this kind and what each implies.
    pub(super) fn implications(&self, kind: LinkKind) -> &Implications {
        let made = &self.derived().implications[kind.index()];
        made.get_or_init(|| Implications::new(self, kind))
    }

    /// Room for the search of rated chains, which is kept when the marks change.
    pub(super) fn room(&self) -> &Room {
        &self.room
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
