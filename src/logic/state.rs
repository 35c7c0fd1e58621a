//! What techniques look at: the marks, and what is derived from them once.

use std::cell::OnceCell;
use std::ops::Deref;

use super::almost_locked::AlmostLockedSet;
use super::arrivals::Arrivals;
use super::chaining::Scratch;
use super::deduction::{Deduction, Effect};
use super::implications::Implications;
use super::links::{LinkKind, Links};
use crate::grid::{Candidate, CandidateGrid, CellSet, Contradiction, Puzzle};
use crate::solve::Clock;

/// A candidate grid with its givens. Links and almost locked sets are derived when a technique first
/// asks for them, and kept until the marks change.
#[derive(Clone, Debug)]
pub struct State {
    grid: CandidateGrid,
    givens: CellSet,
    /// Kept where the order of singles matters.
    arrivals: Option<Box<Arrivals>>,
    derived: OnceCell<Box<Derived>>,
    /// Buffers for the search of rated chains.
    scratch: Scratch,
    clock: Clock,
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
            arrivals: None,
            derived: OnceCell::new(),
            scratch: Scratch::default(),
            clock: Clock::STOPPED,
        }
    }

    /// As [`State::of_puzzle`], and from there on it is kept in which order singles come up.
    ///
    /// # Errors
    /// [`Contradiction`], where the givens show that there is no solution.
    pub fn in_order(puzzle: &Puzzle) -> Result<State, Contradiction> {
        let mut state = State::of_puzzle(puzzle)?;
        let mut arrivals = Arrivals::empty();
        for (cell, digit) in puzzle.givens() {
            arrivals.follow(&Effect::Place(Candidate { cell, digit }));
        }
        state.arrivals = Some(Box::new(arrivals));
        Ok(state)
    }

    /// The singles in the order in which they came up, where that is kept.
    pub(super) fn arrivals(&self) -> Option<&Arrivals> {
        self.arrivals.as_deref()
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
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.follow(effect);
        }
        effect.apply(&mut self.grid)
    }

    /// Takes a step that was found on these marks: changes them, in the order of the step.
    ///
    /// # Errors
    /// As [`Effect::apply`].
    pub fn take(&mut self, step: &Deduction) -> Result<(), Contradiction> {
        self.derived.take();
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.follow_step(&self.grid, step);
        }
        step.effect.apply(&mut self.grid)
    }

    /// Searches that take long end without a step, once this clock is late.
    pub(super) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    pub(super) fn clock(&self) -> Clock {
        self.clock
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
