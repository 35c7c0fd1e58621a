//! Candidates that contradict themselves by singles.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet};
use crate::logic::deduction::{Pattern, TechniqueId};
use crate::logic::forcing::{ForcingKind, ForcingName};
use crate::logic::net::refutation;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::solve::Trial;

/// Forcing net by contradiction: if the candidate were right, the naked and hidden singles that
/// follow would exclude each other. Cells with few candidates are looked at first.
#[derive(Clone, Copy, Debug)]
pub struct ForcingNet;

impl Technique for ForcingNet {
    fn id(&self) -> TechniqueId {
        TechniqueId::Forcing(ForcingName::NetContradiction)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let trial = Trial::new(grid);
        let mut blanks: Vec<_> = grid.blanks().into_iter().collect();
        blanks.sort_by_key(|&cell| grid.candidates(cell).len());
        for cell in blanks {
            for digit in grid.candidates(cell) {
                let candidate = Candidate { cell, digit };
                if !trial.refutes(candidate) {
                    continue;
                }
                if let Some(branch) = refutation(grid, candidate) {
                    let struck = CandidateSet::only(candidate);
                    strike(self.id(), struck, sink, || Pattern::Forcing {
                        kind: ForcingKind::Contradiction,
                        branches: vec![branch],
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
