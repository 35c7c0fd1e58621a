//! Full houses, naked singles and hidden singles.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CellSet, Digit, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, place};
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
            let Some(cell) = grid.blanks().intersection(house.cells()).single() else {
                continue;
            };
            if let Some(digit) = grid.candidates(cell).single() {
                let candidate = Candidate { cell, digit };
                sink(place(
                    self.id(),
                    candidate,
                    Pattern::FullHouse { candidate, house },
                ))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Naked single: a blank cell with one candidate takes it.
#[derive(Clone, Copy, Debug)]
pub struct NakedSingle;

impl Technique for NakedSingle {
    fn id(&self) -> TechniqueId {
        TechniqueId::NakedSingle
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for cell in grid.naked_singles() {
            let Some(digit) = grid.candidates(cell).single() else {
                continue;
            };
            let candidate = Candidate { cell, digit };
            sink(place(self.id(), candidate, Pattern::NakedSingle(candidate)))?;
        }
        ControlFlow::Continue(())
    }
}

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
                sink(place(
                    self.id(),
                    candidate,
                    Pattern::HiddenSingle { candidate, house },
                ))?;
            }
        }
        ControlFlow::Continue(())
    }
}
