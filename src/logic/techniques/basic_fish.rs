//! A digit confined, in some parallel lines, to as many lines across.

use std::ops::ControlFlow;

use crate::grid::{CandidateSet, CellSet, Digit, HouseSet, Lines};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::size::Size;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;
use crate::logic::tight::{Nine, each_tight};

/// X-wing, swordfish, jellyfish without fins: so many rows in which a digit has places in so many
/// columns only, or the other way round. It is struck from the rest of the lines across.
#[derive(Clone, Copy, Debug)]
pub struct BasicFish {
    /// How many lines each way.
    pub size: Size,
}

impl Technique for BasicFish {
    fn id(&self) -> TechniqueId {
        TechniqueId::BasicFish(self.size)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        for digit in Digit::ALL {
            let places = grid.places(digit).intersection(blanks);
            if places.is_empty() {
                continue;
            }
            let mut in_rows = [Nine::default(); 9];
            let mut in_columns = [Nine::default(); 9];
            for cell in places {
                in_rows[cell.row()].insert(cell.column());
                in_columns[cell.column()].insert(cell.row());
            }
            let [rows, columns] = Lines::BOTH;
            self.search_in((digit, places), &in_rows, [rows, columns], sink)?;
            self.search_in((digit, places), &in_columns, [columns, rows], sink)?;
        }
        ControlFlow::Continue(())
    }
}

impl BasicFish {
    /// Those with base lines of the first kind, each given by the lines across that hold its places.
    fn search_in(
        &self,
        (digit, places): (Digit, CellSet),
        lines: &[Nine; 9],
        [base_lines, cover_lines]: [Lines; 2],
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        each_tight(lines, self.size, |base, cover| {
            let base: HouseSet = base.choose(base_lines.houses()).collect();
            let cover: HouseSet = cover.choose(cover_lines.houses()).collect();
            let struck = places.intersection(cover.cells()).difference(base.cells());
            if struck.is_empty() {
                return ControlFlow::Continue(());
            }
            sink(Deduction {
                technique: self.id(),
                effect: Effect::Eliminate(CandidateSet::of(digit, struck)),
                pattern: Pattern::Fish { digit, base, cover },
            })
        })
    }
}
