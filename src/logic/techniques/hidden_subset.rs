//! Some digits with no more places in a house than they are.

use crate::grid::{CandidateGrid, CandidateSet, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Effect, Pattern, TechniqueId};
use crate::logic::size::Size;
use crate::logic::technique::Technique;
use crate::logic::tight::{Nine, find_tight};

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

    fn find(&self, grid: &CandidateGrid) -> Option<Deduction> {
        let blanks = grid.blanks();
        House::all().find_map(|house| self.find_in(house, blanks.intersection(house.cells()), grid))
    }
}

impl HiddenSubset {
    /// The first in this house, whose blank cells these are.
    fn find_in(&self, house: House, blanks: CellSet, grid: &CandidateGrid) -> Option<Deduction> {
        if blanks.len() <= self.size.get() {
            return None;
        }
        let mut places = [Nine::default(); 9];
        for (number, cell) in blanks.into_iter().enumerate() {
            for digit in grid.candidates(cell) {
                places[digit.index()].insert(number);
            }
        }
        find_tight(&places, self.size, |chosen, cells| {
            let digits: DigitSet = chosen.choose(Digit::ALL).collect();
            let cells: CellSet = cells.choose(blanks).collect();
            let mut struck = CandidateSet::EMPTY;
            for digit in DigitSet::ALL.difference(digits) {
                let places = grid.places(digit).intersection(cells);
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
