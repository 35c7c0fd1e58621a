//! A cell that has a single candidate left.

use std::ops::ControlFlow;

use crate::grid::Candidate;
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

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
            sink(Deduction {
                technique: self.id(),
                effect: Effect::Place(candidate),
                pattern: Pattern::NakedSingle(candidate),
            })?;
        }
        ControlFlow::Continue(())
    }
}
