//! A few candidates too many for a grid with several solutions.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
use crate::logic::technique_id::TechniqueId;

/// Bivalue universal grave, types 1 to 4: without some extra candidates every blank cell would have
/// two, and every digit two places in each house, so that the grid had no or several solutions. One
/// of the extra candidates is right.
///
/// Found as by Sudoku Explainer (Nicolas Juillerat).
#[derive(Clone, Copy, Debug)]
pub struct Bug;

/// The extra candidates.
struct Grave<'a> {
    grid: &'a State,
    cells: Vec<Cell>,
    extra: CandidateSet,
    digits: DigitSet,
    /// The cells that see all cells with extra candidates.
    seen: CellSet,
}

/// Blocks, rows, columns.
fn houses() -> impl Iterator<Item = House> {
    House::all().skip(18).chain(House::all().take(18))
}

impl Technique for Bug {
    fn id(&self) -> TechniqueId {
        TechniqueId::Bug(1, 0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Some(grave) = Grave::find(grid) else {
            return ControlFlow::Continue(());
        };
        match (grave.cells.len(), grave.digits.len()) {
            (0, _) => ControlFlow::Continue(()),
            (1, _) => grave.one_cell(sink),
            (cells, 1) => {
                grave.one_digit(sink)?;
                if cells == 2 {
                    grave.confined(sink)
                } else {
                    ControlFlow::Continue(())
                }
            }
            (cells, _) if !grave.seen.is_empty() => {
                if cells == 2 {
                    grave.confined(sink)?;
                }
                grave.subsets(sink)
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Grave<'_> {
    fn find(grid: &State) -> Option<Grave<'_>> {
        let blanks = grid.blanks();
        let more = blanks.difference(grid.with_at_most(2));
        let mut grave = Grave {
            grid,
            cells: Vec::new(),
            extra: CandidateSet::EMPTY,
            digits: DigitSet::EMPTY,
            seen: CellSet::ALL,
        };
        for house in houses() {
            for digit in Digit::ALL {
                let places = grid.places(digit).intersection(house.cells());
                let places = places.intersection(blanks);
                if matches!(places.len(), 0 | 2) {
                    continue;
                }
                let mut wide = places.intersection(more).into_iter();
                let cell = wide.next()?;
                if wide.next().is_some() {
                    continue;
                }
                if !grave.cells.contains(&cell) {
                    grave.cells.push(cell);
                }
                grave.extra = grave.extra.with(Candidate { cell, digit });
                grave.digits = grave.digits.with(digit);
                grave.seen = grave.seen.intersection(cell.peers());
                for &cell in &grave.cells {
                    grave.seen = grave.seen.without(cell);
                }
                if grave.cells.len() > 1 && grave.digits.len() > 1 && grave.seen.is_empty() {
                    return None;
                }
            }
        }
        let left = |digit| {
            let places = grid.places(digit).intersection(blanks);
            places.difference(grave.extra.places(digit))
        };
        let two_each = |cell: Cell| {
            let held = Digit::ALL.into_iter().filter(|&d| left(d).contains(cell));
            held.count() == 2
        };
        let even = |house: House| {
            let mut digits = Digit::ALL.into_iter();
            digits.all(|d| matches!(left(d).intersection(house.cells()).len(), 0 | 2))
        };
        let is_grave = blanks.into_iter().all(two_each) && House::all().all(even);
        is_grave.then_some(grave)
    }

    fn extras_of(&self, cell: Cell) -> DigitSet {
        let digits = Digit::ALL.into_iter();
        digits
            .filter(|&digit| self.extra.contains(Candidate { cell, digit }))
            .collect()
    }

    fn show(
        &self,
        kind: u8,
        (size, subset): (u8, CellSet),
        eliminated: CandidateSet,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let extra = self.extra;
        eliminate(TechniqueId::Bug(kind, size), eliminated, sink, || {
            Pattern::Bug { extra, subset }
        })
    }

    /// Type 1: the digits of one cell.
    fn one_cell(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let cell = self.cells[0];
        let others = self.grid.candidates(cell).difference(self.digits);
        let eliminated = Candidate::in_cell(cell, others).collect();
        self.show(1, (0, CellSet::EMPTY), eliminated, sink)
    }

    /// Type 2: one digit in several cells.
    fn one_digit(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Some(digit) = self.digits.single() else {
            return ControlFlow::Continue(());
        };
        let eliminated = self.grid.places(digit).intersection(self.seen);
        self.show(
            2,
            (0, CellSet::EMPTY),
            CandidateSet::of(digit, eliminated),
            sink,
        )
    }

    /// Houses of all cells with extra candidates.
    fn shared_houses(&self) -> impl Iterator<Item = House> {
        let cells: CellSet = self.cells.iter().copied().collect();
        houses().filter(move |house| cells.difference(house.cells()).is_empty())
    }

    /// Type 4: two cells of a house share one other digit, which one of them takes.
    fn confined(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let held = self.cells.iter().map(|&cell| self.grid.candidates(cell));
        let common = held.fold(DigitSet::ALL, DigitSet::intersection);
        let Some(shared) = common.difference(self.digits).single() else {
            return ControlFlow::Continue(());
        };
        if self.shared_houses().next().is_none() {
            return ControlFlow::Continue(());
        }
        let mut eliminated = CandidateSet::EMPTY;
        for &cell in &self.cells {
            let others = self.grid.candidates(cell).difference(self.extras_of(cell));
            for digit in others.without(shared) {
                eliminated = eliminated.with(Candidate { cell, digit });
            }
        }
        self.show(4, (0, CellSet::EMPTY), eliminated, sink)
    }

    /// Type 3: the extra digits make a naked subset with other cells of a house.
    fn subsets(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for house in self.shared_houses() {
            let cells = self.seen.intersection(house.cells());
            let blank = cells.intersection(self.grid.blanks());
            for degree in 2..=6_usize.min(cells.len()) {
                for chosen in blank.subsets().filter(|chosen| chosen.len() == degree - 1) {
                    let digits = self.grid.candidates_of(chosen);
                    if digits.len() == degree && self.digits.difference(digits).is_empty() {
                        let eliminated = held(self.grid, blank.difference(chosen), digits);
                        self.show(3, (degree as u8, chosen), eliminated, sink)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
