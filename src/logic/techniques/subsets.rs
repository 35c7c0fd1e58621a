//! Naked, hidden and locked pairs, triples and quads.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::Pattern;
use crate::logic::hall::{Nine, each_hall_subset};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
use crate::logic::technique_id::{SubsetSize, TechniqueId};

/// Naked pair, triple, quad: so many blank cells of a house with so many candidates together. Their
/// digits are eliminated from the rest of the house.
#[derive(Clone, Copy, Debug)]
pub struct NakedSubset(
    /// How many cells, and digits.
    pub SubsetSize,
);

impl Technique for NakedSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::NakedSubset(self.0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let few = grid.with_at_most(self.0.get()).intersection(grid.blanks());
        House::all().try_for_each(|house| {
            self.search_in(house, few.intersection(house.cells()), grid, sink)
        })
    }
}

impl NakedSubset {
    /// Those among these cells of a house.
    fn search_in(
        &self,
        house: House,
        cells: CellSet,
        grid: &CandidateGrid,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        if cells.len() < self.0.get() {
            return ControlFlow::Continue(());
        }
        let mut candidates = [Nine::default(); 9];
        for (candidates, cell) in candidates.iter_mut().zip(cells) {
            *candidates = Nine::from_bits(grid.candidates(cell).bits());
        }
        each_hall_subset(&candidates, self.0, |chosen, digits| {
            let cells: CellSet = chosen.choose(cells).collect();
            let digits: DigitSet = digits.choose(Digit::ALL).collect();
            let eliminated = held(grid, house.cells().difference(cells), digits);
            eliminate(self.id(), eliminated, sink, || Pattern::Subset {
                cells,
                digits,
                house,
            })
        })
    }
}

/// Hidden pair, triple, quad: so many digits with so many places together among the blank cells of
/// a house. Every other digit is eliminated from these cells.
#[derive(Clone, Copy, Debug)]
pub struct HiddenSubset(
    /// How many digits, and cells.
    pub SubsetSize,
);

impl Technique for HiddenSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::HiddenSubset(self.0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        House::all().try_for_each(|house| {
            self.search_in(house, blanks.intersection(house.cells()), grid, sink)
        })
    }
}

impl HiddenSubset {
    /// Those in this house, whose blank cells these are.
    fn search_in(
        &self,
        house: House,
        blanks: CellSet,
        grid: &CandidateGrid,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        if blanks.len() <= self.0.get() {
            return ControlFlow::Continue(());
        }
        let mut places = [Nine::default(); 9];
        for (number, cell) in blanks.into_iter().enumerate() {
            for digit in grid.candidates(cell) {
                places[digit.index()].insert(number);
            }
        }
        each_hall_subset(&places, self.0, |chosen, cells| {
            let digits: DigitSet = chosen.choose(Digit::ALL).collect();
            let cells: CellSet = cells.choose(blanks).collect();
            let eliminated = held(grid, cells, DigitSet::ALL.difference(digits));
            eliminate(self.id(), eliminated, sink, || Pattern::Subset {
                cells,
                digits,
                house,
            })
        })
    }
}

/// Locked pair, locked triple: a naked subset in cells that a line and a block share, whose digits
/// are eliminated from the rest of both. Where only one of them loses a candidate it is but a naked
/// subset. There is no locked quad, since a line and a block share three cells.
#[derive(Clone, Copy, Debug)]
pub struct LockedSubset(
    /// How many cells, and digits.
    pub SubsetSize,
);

impl Technique for LockedSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::LockedSubset(self.0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let naked = NakedSubset(self.0);
        naked.search(grid, &mut |found| {
            let Pattern::Subset {
                cells,
                digits,
                house,
            } = found.pattern
            else {
                return ControlFlow::Continue(());
            };
            let Some(first) = cells.first() else {
                return ControlFlow::Continue(());
            };
            let [row, column, block] = first.houses();
            let shared = [row, column]
                .into_iter()
                .find(|line| cells.difference(line.cells()).is_empty());
            // Seen once from the line and once from the block: the first is enough.
            let (Some(line), true) = (shared, cells.difference(block.cells()).is_empty()) else {
                return ControlFlow::Continue(());
            };
            let eliminated =
                [line, block].map(|house| held(grid, house.cells().difference(cells), digits));
            if house != line || eliminated.iter().any(CandidateSet::is_empty) {
                return ControlFlow::Continue(());
            }
            let eliminated = eliminated[0].union(&eliminated[1]);
            eliminate(self.id(), eliminated, sink, || Pattern::LockedSubset {
                cells,
                digits,
                houses: [line, block],
            })
        })
    }
}
