//! A digit that has a single place left in a house.

use crate::grid::{Candidate, CandidateGrid, CellSet, Digit};
use crate::logic::deduction::{Deduction, Effect, Pattern, TechniqueId};
use crate::logic::technique::Technique;

/// Hidden single: the only place of a digit in a house takes it. A block is named before a line.
#[derive(Clone, Copy, Debug)]
pub struct HiddenSingle;

impl Technique for HiddenSingle {
    fn id(&self) -> TechniqueId {
        TechniqueId::HiddenSingle
    }

    fn find(&self, grid: &CandidateGrid) -> Option<Deduction> {
        Digit::ALL.into_iter().find_map(|digit| {
            let cell = grid.hidden_singles(digit).into_iter().next()?;
            let [row, column, block] = cell.houses();
            let house = [block, row, column].into_iter().find(|house| {
                let places = grid.places(digit).intersection(house.cells());
                places == CellSet::only(cell)
            })?;
            let candidate = Candidate { cell, digit };
            Some(Deduction {
                technique: self.id(),
                effect: Effect::Place(candidate),
                pattern: Pattern::HiddenSingle { candidate, house },
            })
        })
    }
}
