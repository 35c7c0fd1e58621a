//! A block whose places for a digit lie in a row and a column, and a line with two places.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Digit, House, Lines};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::TechniqueId;

/// Empty rectangle: in a block, a digit has places in one row and one column only. A line that
/// crosses one of these two outside the block holds the digit in two places, one of them there: so
/// the digit is not where the other one of the two crosses the second place's line.
///
/// Two of the same block together are called a dual empty rectangle.
///
/// Described by Rod Hagglund on the players' forum.
#[derive(Clone, Copy, Debug)]
pub struct EmptyRectangle;

impl Technique for EmptyRectangle {
    fn id(&self) -> TechniqueId {
        TechniqueId::EmptyRectangle
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for digit in Digit::ALL {
            for block in House::all().skip(18) {
                let found = in_block(grid, digit, block);
                for (at, (struck, pattern)) in found.iter().enumerate() {
                    strike(self.id(), *struck, sink, || pattern.clone())?;
                    for (other, second) in &found[at + 1..] {
                        let dual = TechniqueId::DualEmptyRectangle;
                        strike(dual, struck.union(other), sink, || {
                            Pattern::Both(Box::new([pattern.clone(), second.clone()]))
                        })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// All of this digit and block, with what they strike.
fn in_block(grid: &CandidateGrid, digit: Digit, block: House) -> Vec<(CandidateSet, Pattern)> {
    let places = grid.places(digit).difference(grid.placed());
    let inside = places.intersection(block.cells());
    let crosses = |line: &House| !line.cells().intersection(block.cells()).is_empty();
    let mut found = Vec::new();
    for row in Lines::Rows.houses().filter(crosses) {
        for column in Lines::Columns.houses().filter(crosses) {
            let by_row = inside.intersection(row.cells()).difference(column.cells());
            let by_column = inside.intersection(column.cells()).difference(row.cells());
            let rest = inside.difference(row.cells()).difference(column.cells());
            if by_row.is_empty() || by_column.is_empty() || !rest.is_empty() {
                continue;
            }
            for (one, other, lines) in [(row, column, Lines::Rows), (column, row, Lines::Columns)] {
                let entries = places.intersection(one.cells()).difference(block.cells());
                for near in entries {
                    let [along, across] = match lines {
                        Lines::Rows => [near.line(Lines::Columns), other],
                        Lines::Columns => [near.line(Lines::Rows), other],
                    };
                    let link = places.intersection(along.cells());
                    let mut far = link.without(near).into_iter();
                    let (Some(far), None) = (far.next(), far.next()) else {
                        continue;
                    };
                    let ends = across.cells().intersection(far.line(lines).cells());
                    let struck = places.intersection(ends).difference(block.cells());
                    if !struck.is_empty() {
                        let pattern = Pattern::EmptyRectangle {
                            digit,
                            block,
                            lines: [one, other],
                            link: [near, far],
                        };
                        found.push((CandidateSet::of(digit, struck), pattern));
                    }
                }
            }
        }
    }
    found
}
