//! Three cells of two candidates each, one of which sees the other two.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

/// XY-wing: a pivot that holds x or y sees a pincer that holds x or z and another that holds y or z.
/// One of the pincers is z, so no cell that sees both is.
#[derive(Clone, Copy, Debug)]
pub struct XyWing;

impl Technique for XyWing {
    fn id(&self) -> TechniqueId {
        TechniqueId::XyWing
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let two = grid.with_at_most(2).difference(grid.with_at_most(1));
        two.into_iter().try_for_each(|pivot| {
            self.search_at(pivot, two.intersection(pivot.peers()), grid, sink)
        })
    }
}

impl XyWing {
    /// Those with this pivot, and pincers out of these cells.
    fn search_at(
        &self,
        pivot: Cell,
        cells: CellSet,
        grid: &CandidateGrid,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let xy = grid.candidates(pivot);
        let Some(x) = xy.into_iter().next() else {
            return ControlFlow::Continue(());
        };
        for first in cells.intersection(grid.places(x)) {
            let Some(z) = grid.candidates(first).difference(xy).single() else {
                continue;
            };
            let both = xy.without(x).with(z);
            let seen = grid.places(z).intersection(first.peers());
            for second in cells.intersection(grid.places(z)) {
                let struck = seen.intersection(second.peers());
                if grid.candidates(second) == both && !struck.is_empty() {
                    sink(Deduction {
                        technique: self.id(),
                        effect: Effect::Eliminate(CandidateSet::of(z, struck)),
                        pattern: Pattern::XyWing {
                            pivot,
                            pincers: [first, second],
                            digit: z,
                        },
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
