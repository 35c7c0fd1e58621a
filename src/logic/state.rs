//! What techniques look at: the marks, what is derived from them once, and the position they start from.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::ops::{ControlFlow, Deref};

use super::deduction::{AlmostLockedSet, Effect};
use crate::grid::{
    Candidate, CandidateGrid, Cell, CellSet, Contradiction, Digit, DigitSet, House, PencilMarks,
    Puzzle,
};
use crate::solve::{Deadline, Verdict};

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
        self.sets.get_or_init(|| almost_locked_sets(&self.grid))
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

/// Shows all almost locked sets of a house: each by its first cell, then its second, and so on.
pub(super) fn almost_locked_in(
    grid: &CandidateGrid,
    house: House,
    show: &mut impl FnMut(AlmostLockedSet),
) {
    let none = AlmostLockedSet {
        cells: CellSet::EMPTY,
        digits: DigitSet::EMPTY,
    };
    let blanks = house.cells().intersection(grid.blanks());
    extend(grid, blanks, none, show);
}

/// Adds some of these cells.
fn extend(
    grid: &CandidateGrid,
    mut cells: CellSet,
    chosen: AlmostLockedSet,
    show: &mut impl FnMut(AlmostLockedSet),
) {
    for cell in cells {
        cells = cells.without(cell);
        let set = AlmostLockedSet {
            cells: chosen.cells.with(cell),
            digits: chosen.digits.union(grid.candidates(cell)),
        };
        if set.digits.len() == set.cells.len() + 1 {
            show(set);
        }
        extend(grid, cells, set, show);
    }
}

/// All almost locked sets of a grid, each once, those of single cells among them.
fn almost_locked_sets(grid: &CandidateGrid) -> Vec<AlmostLockedSet> {
    let mut found = Vec::new();
    for house in House::all() {
        almost_locked_in(grid, house, &mut |set| found.push(set));
    }
    found.sort_by_key(|set: &AlmostLockedSet| (set.cells.len(), set.cells.bits()));
    found.dedup();
    found
}

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
