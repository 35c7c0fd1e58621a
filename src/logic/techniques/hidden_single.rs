//! A digit that has a single place left in a house.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CellSet, Digit};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

/// Hidden single: the only place of a digit in a house takes it. A block is named before a line.
#[derive(Clone, Copy, Debug)]
pub struct HiddenSingle;

impl Technique for HiddenSingle {
    fn id(&self) -> TechniqueId {
        TechniqueId::HiddenSingle
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in Digit::ALL {
            for cell in grid.hidden_singles(digit) {
                let [row, column, block] = cell.houses();
                let alone = [block, row, column].into_iter().find(|house| {
                    let places = grid.places(digit).intersection(house.cells());
                    places == CellSet::only(cell)
                });
                let Some(house) = alone else { continue };
                let candidate = Candidate { cell, digit };
                sink(Deduction {
                    technique: self.id(),
                    effect: Effect::Place(candidate),
                    pattern: Pattern::HiddenSingle { candidate, house },
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}
