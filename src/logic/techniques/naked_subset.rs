//! Some cells of a house with no more candidates than they are.

use crate::grid::{CandidateGrid, CandidateSet, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Effect, Pattern, TechniqueId};
use crate::logic::size::Size;
use crate::logic::technique::Technique;
use crate::logic::tight::{Nine, find_tight};

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

    fn find(&self, grid: &CandidateGrid) -> Option<Deduction> {
        let few = grid
            .with_at_most(self.size.get())
            .intersection(grid.blanks());
        House::all().find_map(|house| self.find_in(house, few.intersection(house.cells()), grid))
    }
}

impl NakedSubset {
    /// The first among these cells of a house.
    fn find_in(&self, house: House, cells: CellSet, grid: &CandidateGrid) -> Option<Deduction> {
        if cells.len() < self.size.get() {
            return None;
        }
        let mut candidates = [Nine::default(); 9];
        for (candidates, cell) in candidates.iter_mut().zip(cells) {
            *candidates = Nine::from_bits(grid.candidates(cell).bits());
        }
        find_tight(&candidates, self.size, |chosen, digits| {
            let cells: CellSet = chosen.choose(cells).collect();
            let digits: DigitSet = digits.choose(Digit::ALL).collect();
            let others = house.cells().difference(cells);
            let mut struck = CandidateSet::EMPTY;
            for digit in digits {
                let places = grid.places(digit).intersection(others);
                struck = struck.union(&CandidateSet::of(digit, places));
            }
            (!struck.is_empty()).then_some(Deduction {
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
