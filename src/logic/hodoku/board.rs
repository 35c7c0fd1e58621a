//! The board as HoDoKu keeps it: marks, and two queues of the singles that came up on the way.
//!
//! Which single is taken next depends on the order in which the singles came up, so the history of
//! the marks is part of the state.

use std::collections::VecDeque;

use super::found::Found;
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellMap, CellSet, Contradiction, Digit, DigitSet,
    House, Puzzle,
};
use crate::logic::deduction::Effect;
use crate::logic::state::State;

/// The marks of a puzzle, and the singles that have come up so far, in order.
#[derive(Clone)]
pub(super) struct Board {
    state: State,
    /// The places of each digit in blank cells.
    places: [CellSet; 9],
    marks: CellMap<DigitSet>,
    /// How often each digit may still stand in each house.
    counts: [[u8; 9]; House::COUNT],
    naked: VecDeque<Candidate>,
    hidden: VecDeque<Candidate>,
}

impl Board {
    /// Places the givens in reading order.
    pub(super) fn new(puzzle: &Puzzle) -> Result<Board, Contradiction> {
        let givens = puzzle.givens().map(|(cell, _)| cell).collect();
        let mut board = Board {
            state: State::with_givens(CandidateGrid::empty(), givens),
            places: [CellSet::ALL; 9],
            marks: CellMap::from_fn(|_| DigitSet::ALL),
            counts: [[9; 9]; House::COUNT],
            naked: VecDeque::new(),
            hidden: VecDeque::new(),
        };
        for (cell, digit) in puzzle.givens() {
            board.place(Candidate { cell, digit })?;
        }
        Ok(board)
    }

    /// The same marks for all other techniques.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// The blank cells that may hold this digit.
    pub(super) fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// The blank cells of the house that may hold this digit.
    pub(super) fn places_in(&self, digit: Digit, house: House) -> CellSet {
        self.places(digit).intersection(house.cells())
    }

    /// The candidates of a blank cell; none, once it is placed.
    pub(super) fn marks(&self, cell: Cell) -> DigitSet {
        self.marks[cell]
    }

    /// The candidates of all these cells together.
    pub(super) fn marks_of(&self, cells: CellSet) -> DigitSet {
        let marks = cells.into_iter().map(|cell| self.marks(cell));
        marks.fold(DigitSet::EMPTY, DigitSet::union)
    }

    /// The blank cells.
    pub(super) fn blanks(&self) -> CellSet {
        self.state.blanks()
    }

    /// The blank cells with just so many candidates.
    pub(super) fn with_count(&self, count: usize) -> CellSet {
        let cells = self.blanks().into_iter();
        cells
            .filter(|&cell| self.marks(cell).len() == count)
            .collect()
    }

    /// The cells where no placed digit forbids this one; marks that logic struck count as allowed.
    pub(super) fn allowed(&self, digit: Digit) -> CellSet {
        let placed = self.state.places(digit).intersection(self.state.placed());
        let seen = placed.into_iter().map(Cell::peers);
        let seen = seen.fold(CellSet::EMPTY, CellSet::union);
        self.blanks().difference(seen)
    }

    /// The first queued naked single that is alone in a house; it stays in the queue.
    pub(super) fn full_house(&self) -> Option<(Candidate, House)> {
        let queued = self
            .naked
            .iter()
            .filter(|single| self.is_blank(single.cell));
        let mut queued = queued.copied();
        queued.find_map(|single| {
            let alone = |house: &House| {
                let counts = &self.counts[house.index()];
                let mut others = Digit::ALL
                    .into_iter()
                    .filter(|&other| other != single.digit);
                others.all(|other| counts[other.index()] == 0)
            };
            let house = single.cell.houses().into_iter().find(alone)?;
            Some((single, house))
        })
    }

    /// Takes the next naked single from its queue.
    pub(super) fn naked_single(&mut self) -> Option<Candidate> {
        while let Some(single) = self.naked.pop_front() {
            if self.is_blank(single.cell) {
                return Some(single);
            }
        }
        None
    }

    /// Takes the next hidden single from its queue.
    pub(super) fn hidden_single(&mut self) -> Option<(Candidate, House)> {
        while let Some(single) = self.hidden.pop_front() {
            if self.is_blank(single.cell) {
                let alone = |house: &House| self.counts[house.index()][single.digit.index()] == 1;
                let house = single.cell.houses().into_iter().find(alone)?;
                return Some((single, house));
            }
        }
        None
    }

    fn is_blank(&self, cell: Cell) -> bool {
        !self.state.placed().contains(cell)
    }

    /// Makes the change.
    pub(super) fn apply(&mut self, found: &Found) -> Result<(), Contradiction> {
        match found.deduction.effect {
            Effect::Place(candidate) => self.place(candidate),
            Effect::Eliminate(_) => self.strike(&found.struck),
        }
    }

    /// Puts a digit into a cell.
    pub(super) fn place(&mut self, candidate: Candidate) -> Result<(), Contradiction> {
        let Candidate { cell, digit } = candidate;
        self.state.apply(&Effect::Place(candidate))?;
        let held = self.marks[cell];
        self.marks[cell] = DigitSet::EMPTY;
        for other in held {
            self.places[other.index()] = self.places[other.index()].without(cell);
        }
        for peer in cell.peers() {
            self.unmark(Candidate { cell: peer, digit });
        }
        for other in held {
            for house in cell.houses() {
                let count = &mut self.counts[house.index()][other.index()];
                *count = count.saturating_sub(1);
                if *count == 1 && other != digit {
                    self.queue_hidden(house, other);
                }
            }
        }
        Ok(())
    }

    /// Strikes these candidates one after the other.
    fn strike(&mut self, struck: &[Candidate]) -> Result<(), Contradiction> {
        let set = struck
            .iter()
            .fold(CandidateSet::EMPTY, |set, &one| set.with(one));
        self.state.apply(&Effect::Eliminate(set))?;
        for &candidate in struck {
            self.unmark(candidate);
        }
        Ok(())
    }

    fn unmark(&mut self, Candidate { cell, digit }: Candidate) {
        if !self.marks[cell].contains(digit) {
            return;
        }
        self.marks[cell] = self.marks[cell].without(digit);
        self.places[digit.index()] = self.places[digit.index()].without(cell);
        if let Some(digit) = self.marks[cell].single() {
            self.naked.push_back(Candidate { cell, digit });
        }
        for house in cell.houses() {
            let count = &mut self.counts[house.index()][digit.index()];
            *count = count.saturating_sub(1);
            if *count == 1 {
                self.queue_hidden(house, digit);
            }
        }
    }

    fn queue_hidden(&mut self, house: House, digit: Digit) {
        let cell = self.places_in(digit, house).into_iter().next();
        let single = cell.map(|cell| Candidate { cell, digit });
        self.hidden.extend(single);
    }
}
