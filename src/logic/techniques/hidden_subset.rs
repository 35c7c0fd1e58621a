//! Some digits with no more places in a house than they are.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::size::Size;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;
use crate::logic::tight::{Nine, each_tight};

/// Hidden pair, triple, quad: so many digits with so many places together among the blank cells of
/// a house. Every other digit is struck from these cells.
#[derive(Clone, Copy, Debug)]
pub struct HiddenSubset {
    /// How many digits, and cells.
    pub size: Size,
}

impl Technique for HiddenSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::HiddenSubset(self.size)
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
        if blanks.len() <= self.size.get() {
            return ControlFlow::Continue(());
        }
        let mut places = [Nine::default(); 9];
        for (number, cell) in blanks.into_iter().enumerate() {
            for digit in grid.candidates(cell) {
                places[digit.index()].insert(number);
            }
        }
        each_tight(&places, self.size, |chosen, cells| {
            let digits: DigitSet = chosen.choose(Digit::ALL).collect();
            let cells: CellSet = cells.choose(blanks).collect();
            let mut struck = CandidateSet::EMPTY;
            for digit in DigitSet::ALL.difference(digits) {
                let places = grid.places(digit).intersection(cells);
                struck = struck.union(&CandidateSet::of(digit, places));
            }
            if struck.is_empty() {
                return ControlFlow::Continue(());
            }
            sink(Deduction {
                technique: self.id(),
                effect: Effect::Eliminate(struck),
                pattern: Pattern::Subset {
                    cells,
                    digits,
                    house,
                },
            })
        })
    }
}
