//! Two cells of the same two candidates, joined by a house with two places for one of them.

use std::ops::ControlFlow;

use crate::grid::{CandidateSet, CellSet, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// W-wing: two cells hold the same two candidates, and see one each of the two places that a house
/// has for the first. Not both cells can take the first, so one takes the second, and no cell that
/// sees both does.
///
/// Named after George Woods, who described it on the players' forum.
#[derive(Clone, Copy, Debug)]
pub struct WWing;

impl Technique for WWing {
    fn id(&self) -> TechniqueId {
        TechniqueId::WWing
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let two = grid.with_at_most(2).difference(grid.with_at_most(1));
        for first in two {
            let pair = grid.candidates(first);
            let alike = two
                .into_iter()
                .filter(|&cell| cell > first && !cell.sees(first) && grid.candidates(cell) == pair);
            for second in alike {
                let ends = [first, second];
                let shared = first.peers().intersection(second.peers());
                for digit in pair {
                    let Some(other) = pair.without(digit).single() else {
                        continue;
                    };
                    let struck = grid.places(other).intersection(shared);
                    if struck.is_empty() {
                        continue;
                    }
                    for house in House::all() {
                        let link = grid.places(digit).intersection(house.cells());
                        let joins = |[a, b]: [CellSet; 2]| {
                            let seen = [a, b].map(|end| link.intersection(end));
                            link.len() == 2
                                && seen[0].union(seen[1]) == link
                                && seen.iter().all(|seen| !seen.is_empty())
                        };
                        let apart = ends.iter().all(|&end| !link.contains(end));
                        if apart && joins(ends.map(|end| end.peers())) {
                            let struck = CandidateSet::of(other, struck);
                            strike(self.id(), struck, sink, || Pattern::WWing {
                                ends,
                                house,
                                linked: digit,
                                digit: other,
                            })?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
