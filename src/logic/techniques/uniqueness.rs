//! Unique, hidden and avoidable rectangles, and BUG+1: right only if there is one solution.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
use crate::logic::technique_id::TechniqueId;

/// Unique, hidden and avoidable rectangles: four cells in two rows, two columns and two blocks, none
/// of them given. If two digits filled them, swapping these would give a second solution: so one of
/// the cells takes another digit. What follows from that has names by its kind. Where corners are
/// placed already the rectangle is called avoidable.
///
/// The types are numbered as by HoDoKu (Bernhard Hobiger).
#[derive(Clone, Copy, Debug)]
pub enum Rectangles {
    /// Corners are blank.
    Unique,
    /// Some corners are placed, and none is one of the givens.
    Avoidable,
}

/// The corners in reading order, and what is seen of them.
struct Corners<'a> {
    grid: &'a CandidateGrid,
    cells: [Cell; 4],
    digits: DigitSet,
    /// The corners with other candidates.
    roof: CellSet,
}

impl Technique for Rectangles {
    fn id(&self) -> TechniqueId {
        match self {
            Rectangles::Unique => TechniqueId::UniqueRectangle(1),
            Rectangles::Avoidable => TechniqueId::AvoidableRectangle(1),
        }
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for cells in rectangles() {
            grid.check_deadline()?;
            let corners: CellSet = cells.into_iter().collect();
            let placed = corners.intersection(grid.placed());
            let open = match self {
                Rectangles::Unique => placed.is_empty(),
                Rectangles::Avoidable => {
                    !placed.is_empty() && corners.intersection(grid.givens()).is_empty()
                }
            };
            if !open || placed == corners {
                continue;
            }
            for first in Digit::ALL {
                for second in Digit::ALL.into_iter().filter(|&second| second > first) {
                    let digits = DigitSet::only(first).with(second);
                    let held = |cell| grid.candidates(cell).intersection(digits);
                    if cells.into_iter().any(|cell| held(cell).is_empty()) {
                        continue;
                    }
                    let beyond =
                        |cell: &Cell| !grid.candidates(*cell).difference(digits).is_empty();
                    let found = Corners {
                        grid,
                        cells,
                        digits,
                        roof: cells.into_iter().filter(beyond).collect(),
                    };
                    match self {
                        Rectangles::Unique => found.unique(sink)?,
                        Rectangles::Avoidable => found.avoidable(sink)?,
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// All that lie in two rows, two columns and two blocks, each in reading order.
fn rectangles() -> impl Iterator<Item = [Cell; 4]> {
    let corners = Cell::all().flat_map(|first| Cell::all().map(move |last| (first, last)));
    corners.filter_map(|(first, last)| {
        let ([top, left], [bottom, right]) =
            ([first.row(), first.column()], [last.row(), last.column()]);
        let blocks = (top / 3 == bottom / 3) != (left / 3 == right / 3);
        if top >= bottom || left >= right || !blocks {
            return None;
        }
        Some([first, Cell::at(top, right)?, Cell::at(bottom, left)?, last])
    })
}

impl Corners<'_> {
    fn show(
        &self,
        technique: TechniqueId,
        eliminated: CandidateSet,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        self.show_with(technique, CellSet::EMPTY, eliminated, sink)
    }

    /// As above, where a subset takes part.
    fn show_with(
        &self,
        technique: TechniqueId,
        subset: CellSet,
        eliminated: CandidateSet,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        eliminate(technique, eliminated, sink, || Pattern::Rectangle {
            corners: self.cells,
            digits: self.digits,
            subset,
        })
    }

    fn extras(&self) -> DigitSet {
        self.grid.candidates_of(self.roof).difference(self.digits)
    }

    /// The candidates of these digits in these cells.
    fn marks(&self, digits: DigitSet, cells: CellSet) -> CandidateSet {
        held(self.grid, cells.difference(self.grid.placed()), digits)
    }

    /// The only other digit that corners have, eliminated from all that see these.
    fn common(&self) -> CandidateSet {
        let seen = self.roof.common_peers();
        match self.extras().single() {
            Some(digit) => self.marks(DigitSet::only(digit), seen),
            None => CandidateSet::EMPTY,
        }
    }

    /// Houses that hold all corners with other candidates.
    fn roof_houses(&self) -> impl Iterator<Item = House> {
        let roof = self.roof;
        House::all().filter(move |house| roof.difference(house.cells()).is_empty())
    }

    fn unique(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let lines = self.roof_houses().next().is_some();
        match self.roof.len() {
            1 => {
                let eliminated = self.marks(self.digits, self.roof);
                self.show(TechniqueId::UniqueRectangle(1), eliminated, sink)?;
            }
            2 if lines => {
                self.show(TechniqueId::UniqueRectangle(2), self.common(), sink)?;
                self.subsets(sink)?;
                self.confined(sink)?;
            }
            2 => {
                self.show(TechniqueId::UniqueRectangle(5), self.common(), sink)?;
                self.crossed(sink)?;
            }
            3 => self.show(TechniqueId::UniqueRectangle(5), self.common(), sink)?,
            _ => {}
        }
        self.hidden(sink)
    }

    fn avoidable(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        match self.roof.len() {
            1 => {
                let eliminated = self.marks(self.digits, self.roof);
                self.show(TechniqueId::AvoidableRectangle(1), eliminated, sink)
            }
            _ => self.show(TechniqueId::AvoidableRectangle(2), self.common(), sink),
        }
    }

    /// Type 3: the other candidates of two corners in a house make a naked subset with cells there.
    fn subsets(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let corners: CellSet = self.cells.into_iter().collect();
        for house in self.roof_houses() {
            let free = house
                .cells()
                .difference(corners)
                .difference(self.grid.placed());
            for chosen in free.subsets().skip(1) {
                let held = self.extras().union(self.grid.candidates_of(chosen));
                if held.len() != chosen.len() + 1 {
                    continue;
                }
                let mut eliminated = CandidateSet::EMPTY;
                for home in self.roof_houses() {
                    if chosen.difference(home.cells()).is_empty() {
                        let others = home.cells().difference(chosen).difference(self.roof);
                        eliminated = eliminated.union(&self.marks(held, others));
                    }
                }
                self.show_with(TechniqueId::UniqueRectangle(3), chosen, eliminated, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Type 4: in a house of two corners one of the digits has no other place, so the other one of
    /// the digits is in neither.
    fn confined(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in self.digits {
            let confined = |house: House| {
                let places = self.grid.places(digit).intersection(house.cells());
                places.difference(self.roof).is_empty()
            };
            if self.roof_houses().any(confined) {
                let eliminated = self.marks(self.digits.without(digit), self.roof);
                self.show(TechniqueId::UniqueRectangle(4), eliminated, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the corners are the only places of the digit in these lines.
    fn holds_all(&self, digit: Digit, lines: &[House]) -> bool {
        let corners: CellSet = self.cells.into_iter().collect();
        lines.iter().all(|line| {
            let places = self.grid.places(digit).intersection(line.cells());
            places.difference(corners).is_empty()
        })
    }

    /// Type 6: two opposite corners, and a digit whose places in both rows or both columns are the
    /// corners: in these two it would make the swap possible.
    fn crossed(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let [first, _, _, last] = self.cells.map(Cell::houses);
        for digit in self.digits {
            let rows = self.holds_all(digit, &[first[0], last[0]]);
            if rows || self.holds_all(digit, &[first[1], last[1]]) {
                let eliminated = self.marks(DigitSet::only(digit), self.roof);
                self.show(TechniqueId::UniqueRectangle(6), eliminated, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Hidden rectangle: a corner without other candidates; in the lines of the opposite one, a
    /// digit has its places in the corners alone. So the other digit is not in that corner.
    fn hidden(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let [a, b, c, d] = self.cells;
        for (plain, opposite) in [(a, d), (b, c), (c, b), (d, a)] {
            if self.roof.contains(plain) || self.roof.len() < 2 {
                continue;
            }
            let [row, column, _] = opposite.houses();
            for digit in self.digits {
                if self.holds_all(digit, &[row, column]) {
                    let others = self.digits.without(digit);
                    let eliminated = self.marks(others, CellSet::only(opposite));
                    self.show(TechniqueId::HiddenRectangle, eliminated, sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// BUG+1: every blank cell has two candidates, and every digit two places in each house, but for one
/// cell with a third candidate. Without that one the grid would have no or several solutions
/// (bivalue universal grave), so it is right.
#[derive(Clone, Copy, Debug)]
pub struct BugPlusOne;

impl Technique for BugPlusOne {
    fn id(&self) -> TechniqueId {
        TechniqueId::BugPlusOne
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        if !grid.naked_singles().is_empty() {
            return ControlFlow::Continue(());
        }
        let Some(cell) = blanks.difference(grid.with_at_most(2)).single() else {
            return ControlFlow::Continue(());
        };
        if grid.candidates(cell).len() != 3 {
            return ControlFlow::Continue(());
        }
        for digit in grid.candidates(cell) {
            let would_be_grave = Digit::ALL.into_iter().all(|other| {
                let mut places = grid.places(other).intersection(blanks);
                if other == digit {
                    places = places.without(cell);
                }
                House::all().all(|house| matches!(places.intersection(house.cells()).len(), 0 | 2))
            });
            if would_be_grave {
                let others = grid.candidates(cell).without(digit);
                let eliminated = Candidate::in_cell(cell, others).collect();
                let right = Candidate { cell, digit };
                eliminate(self.id(), eliminated, sink, || Pattern::BugPlusOne(right))?;
            }
        }
        ControlFlow::Continue(())
    }
}
