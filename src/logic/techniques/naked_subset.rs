//! Some cells of a house with no more candidates than they are.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::size::Size;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;
use crate::logic::tight::{Nine, each_tight};

/// Naked pair, triple, quad: so many blank cells of a house with so many candidates together. Their
/// digits are struck from the rest of the house.
#[derive(Clone, Copy, Debug)]
pub struct NakedSubset {
    /// How many cells, and digits.
    pub size: Size,
}

impl Technique for NakedSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::NakedSubset(self.size)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let few = grid
            .with_at_most(self.size.get())
            .intersection(grid.blanks());
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
        if cells.len() < self.size.get() {
            return ControlFlow::Continue(());
        }
        let mut candidates = [Nine::default(); 9];
        for (candidates, cell) in candidates.iter_mut().zip(cells) {
            *candidates = Nine::from_bits(grid.candidates(cell).bits());
        }
        each_tight(&candidates, self.size, |chosen, digits| {
            let cells: CellSet = chosen.choose(cells).collect();
            let digits: DigitSet = digits.choose(Digit::ALL).collect();
            let others = house.cells().difference(cells);
            let mut struck = CandidateSet::EMPTY;
            for digit in digits {
                let places = grid.places(digit).intersection(others);
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
