//! A cell that has a single candidate left.

use crate::grid::{Candidate, CandidateGrid};
use crate::logic::deduction::{Deduction, Effect, Pattern, TechniqueId};
use crate::logic::technique::Technique;

/// Naked single: a blank cell with one candidate takes it.
#[derive(Clone, Copy, Debug)]
pub struct NakedSingle;

impl Technique for NakedSingle {
    fn id(&self) -> TechniqueId {
        TechniqueId::NakedSingle
    }

    fn find(&self, grid: &CandidateGrid) -> Option<Deduction> {
        let cell = grid.naked_singles().into_iter().next()?;
        let digit = grid.candidates(cell).single()?;
        let candidate = Candidate { cell, digit };
        Some(Deduction {
            technique: self.id(),
            effect: Effect::Place(candidate),
            pattern: Pattern::NakedSingle(candidate),
        })
    }
}
