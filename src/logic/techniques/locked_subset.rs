//! Some cells that a line and a block share, with no more candidates than they are.

use std::ops::ControlFlow;

use super::naked_subset::NakedSubset;
use crate::grid::CandidateSet;
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::size::Size;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

/// Locked pair, locked triple: a naked subset in cells that a line and a block share, whose digits
/// are struck from the rest of both. Where only one of them loses a candidate it is but a naked
/// subset. There is no locked quad, since a line and a block share three cells.
#[derive(Clone, Copy, Debug)]
pub struct LockedSubset {
    /// How many cells, and digits.
    pub size: Size,
}

impl Technique for LockedSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::LockedSubset(self.size)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let naked = NakedSubset { size: self.size };
        naked.search(grid, &mut |found| {
            let Pattern::Subset {
                cells,
                digits,
                house,
            } = found.pattern
            else {
                return ControlFlow::Continue(());
            };
            let Some(first) = cells.into_iter().next() else {
                return ControlFlow::Continue(());
            };
            let [row, column, block] = first.houses();
            let shared = [row, column]
                .into_iter()
                .find(|line| cells.difference(line.cells()).is_empty());
            // Seen once from the line and once from the block: the first is enough.
            let (Some(line), true) = (shared, cells.difference(block.cells()).is_empty()) else {
                return ControlFlow::Continue(());
            };
            let struck = [line, block].map(|house| {
                let beside = house.cells().difference(cells);
                let struck = digits
                    .into_iter()
                    .map(|digit| CandidateSet::of(digit, grid.places(digit).intersection(beside)));
                struck.fold(CandidateSet::EMPTY, |all, set| all.union(&set))
            });
            if house != line || struck.iter().any(CandidateSet::is_empty) {
                return ControlFlow::Continue(());
            }
            sink(Deduction {
                technique: self.id(),
                effect: Effect::Eliminate(struck[0].union(&struck[1])),
                pattern: Pattern::LockedSubset {
                    cells,
                    digits,
                    houses: [line, block],
                },
            })
        })
    }
}
