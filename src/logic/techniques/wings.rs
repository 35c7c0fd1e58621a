//! XY-wing, XYZ-wing and W-wing.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate};
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
                if grid.candidates(second) == both {
                    let eliminated = CandidateSet::of(z, seen.intersection(second.peers()));
                    eliminate(self.id(), eliminated, sink, || Pattern::XyWing {
                        pivot,
                        pincers: [first, second],
                        digit: z,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

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
                    let eliminated = grid
                        .places(digit)
                        .intersection(ends.intersection(pivot.peers()));
                    let eliminated = CandidateSet::of(digit, eliminated);
                    eliminate(self.id(), eliminated, sink, || Pattern::XyzWing {
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
                    let eliminated = grid.places(other).intersection(shared);
                    if eliminated.is_empty() {
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
                            let eliminated = CandidateSet::of(other, eliminated);
                            eliminate(self.id(), eliminated, sink, || Pattern::WWing {
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
