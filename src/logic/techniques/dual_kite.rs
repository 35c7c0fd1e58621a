//! Two 2-string kites with the same cells in their block.

use std::ops::ControlFlow;

use super::turbot_fish::TurbotFish;
use crate::grid::{CandidateSet, CellSet};
use crate::logic::deduction::{Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// Dual 2-string kite: two 2-string kites, of one digit or of two, that meet in the same two cells of
/// a block. It strikes what both do.
#[derive(Clone, Copy, Debug)]
pub struct DualTwoStringKite;

impl Technique for DualTwoStringKite {
    fn id(&self) -> TechniqueId {
        TechniqueId::DualTwoStringKite
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let mut kites = Vec::new();
        TurbotFish.search(grid, &mut |found| {
            if found.technique == TechniqueId::TwoStringKite {
                kites.push(found);
            }
            ControlFlow::Continue(())
        })?;
        for (at, one) in kites.iter().enumerate() {
            for other in &kites[at + 1..] {
                if !meet_alike(&one.pattern, &other.pattern) {
                    continue;
                }
                let struck = [one, other].map(|kite| match kite.effect {
                    Effect::Eliminate(struck) => struck,
                    Effect::Place(_) => CandidateSet::EMPTY,
                });
                strike(self.id(), struck[0].union(&struck[1]), sink, || {
                    Pattern::Both(Box::new([one.pattern.clone(), other.pattern.clone()]))
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether both have the same inner cells.
fn meet_alike(one: &Pattern, other: &Pattern) -> bool {
    let inner = |pattern: &Pattern| match *pattern {
        Pattern::TurbotFish { cells, .. } => Some(CellSet::only(cells[1]).with(cells[2])),
        _ => None,
    };
    inner(one) == inner(other)
}
