//! A cell of three candidates that sees two cells with two of these each.

use std::ops::ControlFlow;

use crate::grid::CandidateSet;
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// XYZ-wing: a pivot x, y or z sees a pincer x or z and a pincer y or z. One of the three is z, so no
/// cell that sees them all is.
#[derive(Clone, Copy, Debug)]
pub struct XyzWing;

impl Technique for XyzWing {
    fn id(&self) -> TechniqueId {
        TechniqueId::XyzWing
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let two = grid.with_at_most(2).difference(grid.with_at_most(1));
        let three = grid.with_at_most(3).difference(grid.with_at_most(2));
        for pivot in three {
            let xyz = grid.candidates(pivot);
            let near = two.intersection(pivot.peers()).into_iter();
            let pincers = near.filter(|&cell| grid.candidates(cell).difference(xyz).is_empty());
            for (at, first) in pincers.clone().enumerate() {
                for second in pincers.clone().skip(at + 1) {
                    let shared = grid.candidates(first).intersection(grid.candidates(second));
                    let Some(digit) = shared.single() else {
                        continue;
                    };
                    let ends = first.peers().intersection(second.peers());
                    let struck = grid
                        .places(digit)
                        .intersection(ends.intersection(pivot.peers()));
                    let struck = CandidateSet::of(digit, struck);
                    strike(self.id(), struck, sink, || Pattern::XyzWing {
                        pivot,
                        pincers: [first, second],
                        digit,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
