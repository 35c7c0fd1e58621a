//! Cells of the same two candidates, each of which sees the next.

use std::ops::ControlFlow;

use crate::grid::{CandidateSet, Cell, CellSet};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// Remote pair: four or more cells of the same two candidates, each of which sees the next. The
/// digits alternate, so two of them at odd distance hold both, and a cell that sees both holds
/// neither.
#[derive(Clone, Copy, Debug)]
pub struct RemotePair;

impl Technique for RemotePair {
    fn id(&self) -> TechniqueId {
        TechniqueId::RemotePair
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let two = grid.with_at_most(2).difference(grid.with_at_most(1));
        for first in two {
            let digits = grid.candidates(first);
            let alike: CellSet = two
                .into_iter()
                .filter(|&cell| grid.candidates(cell) == digits)
                .collect();
            let mut path = vec![first];
            extend(alike, &mut path, &mut |path: &[Cell]| {
                grid.check_deadline()?;
                let last = path[path.len() - 1];
                if path.len() < 4 || path.len() % 2 == 1 || last < first {
                    return ControlFlow::Continue(());
                }
                let mut seen = CellSet::EMPTY;
                for (at, one) in path.iter().enumerate() {
                    for other in path[at + 1..].iter().step_by(2) {
                        seen = seen.union(one.peers().intersection(other.peers()));
                    }
                }
                let struck = digits.into_iter().map(|digit| {
                    let places = grid.places(digit).intersection(seen);
                    CandidateSet::of(digit, places.difference(alike))
                });
                let struck = struck.fold(CandidateSet::EMPTY, |all, set| all.union(&set));
                strike(self.id(), struck, sink, || Pattern::RemotePair {
                    digits,
                    cells: path.to_vec(),
                })
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// Goes through the ways on from the last cell: each cell at most once.
fn extend(
    alike: CellSet,
    path: &mut Vec<Cell>,
    visit: &mut dyn FnMut(&[Cell]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visit(path)?;
    let last = path[path.len() - 1];
    for next in alike.intersection(last.peers()) {
        if !path.contains(&next) {
            path.push(next);
            extend(alike, path, visit)?;
            path.pop();
        }
    }
    ControlFlow::Continue(())
}
