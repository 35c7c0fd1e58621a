//! A house with a single blank cell.

use std::ops::ControlFlow;

use crate::grid::{Candidate, House};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

/// Full house: the last blank cell of a house takes the digit that is missing there.
#[derive(Clone, Copy, Debug)]
pub struct FullHouse;

impl Technique for FullHouse {
    fn id(&self) -> TechniqueId {
        TechniqueId::FullHouse
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for house in House::all() {
            let mut blanks = grid.blanks().intersection(house.cells()).into_iter();
            let (Some(cell), None) = (blanks.next(), blanks.next()) else {
                continue;
            };
            if let Some(digit) = grid.candidates(cell).single() {
                let candidate = Candidate { cell, digit };
                sink(Deduction {
                    technique: self.id(),
                    effect: Effect::Place(candidate),
                    pattern: Pattern::FullHouse { candidate, house },
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}
