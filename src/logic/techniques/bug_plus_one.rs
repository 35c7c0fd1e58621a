//! One candidate too many for a grid with several solutions.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Digit, House};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// BUG+1: every blank cell has two candidates, and every digit two places in each house, but for one
/// cell with a third candidate. Without that one the grid would have no or several solutions
/// (bivalue universal grave), so it is right.
#[derive(Clone, Copy, Debug)]
pub struct BugPlusOne;

impl Technique for BugPlusOne {
    fn id(&self) -> TechniqueId {
        TechniqueId::BugPlusOne
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        if !grid.naked_singles().is_empty() {
            return ControlFlow::Continue(());
        }
        let mut more = blanks.difference(grid.with_at_most(2)).into_iter();
        let (Some(cell), None) = (more.next(), more.next()) else {
            return ControlFlow::Continue(());
        };
        if grid.candidates(cell).len() != 3 {
            return ControlFlow::Continue(());
        }
        for digit in grid.candidates(cell) {
            let would_be_grave = Digit::ALL.into_iter().all(|other| {
                let mut places = grid.places(other).intersection(blanks);
                if other == digit {
                    places = places.without(cell);
                }
                House::all().all(|house| matches!(places.intersection(house.cells()).len(), 0 | 2))
            });
            if would_be_grave {
                let others = grid.candidates(cell).without(digit);
                let struck = others.into_iter().map(|digit| Candidate { cell, digit });
                let struck: CandidateSet = struck.collect();
                let right = Candidate { cell, digit };
                strike(self.id(), struck, sink, || Pattern::BugPlusOne(right))?;
            }
        }
        ControlFlow::Continue(())
    }
}
