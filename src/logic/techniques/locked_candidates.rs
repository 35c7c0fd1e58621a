//! A digit that a block and a line can only have in the cells they share.

use std::ops::ControlFlow;

use crate::grid::{CandidateSet, Digit, Lines};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

/// Which of the two houses has no other place for the digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locked {
    /// The block: the digit is eliminated from the rest of the line.
    Pointing,
    /// The line: the digit is eliminated from the rest of the block.
    Claiming,
}

/// Locked candidates: one of the cells that two houses share takes the digit.
#[derive(Clone, Copy, Debug)]
pub struct LockedCandidates(
    /// Pointing or claiming.
    pub Locked,
);

impl Technique for LockedCandidates {
    fn id(&self) -> TechniqueId {
        match self.0 {
            Locked::Pointing => TechniqueId::Pointing,
            Locked::Claiming => TechniqueId::Claiming,
        }
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        for digit in Digit::ALL {
            let places = grid.places(digit);
            if places.intersection(blanks).is_empty() {
                continue;
            }
            for lines in Lines::BOTH {
                let by_block = places.confined_in_block(lines);
                let by_line = places.confined_in_line(lines);
                // Where both are confined nothing is left to eliminate.
                let mut locked = match self.0 {
                    Locked::Pointing => by_block.difference(by_line),
                    Locked::Claiming => by_line.difference(by_block),
                };
                while let Some(cell) = locked.first() {
                    let [line, block] = [cell.line(lines), cell.houses()[2]];
                    let (from, to) = match self.0 {
                        Locked::Pointing => (block, line),
                        Locked::Claiming => (line, block),
                    };
                    let eliminated = places.intersection(to.cells()).difference(from.cells());
                    locked = locked.difference(from.cells().intersection(to.cells()));
                    sink(Deduction {
                        technique: self.id(),
                        effect: Effect::Eliminate(CandidateSet::of(digit, eliminated)),
                        pattern: Pattern::LockedCandidates {
                            digit,
                            cells: places.intersection(from.cells()),
                            from,
                            to,
                        },
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
