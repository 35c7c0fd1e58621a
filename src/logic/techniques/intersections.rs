//! What the cells that a block and a line share take from the rest of both: locked candidates, Sue de Coq.

use std::ops::ControlFlow;

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, Lines};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
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
                    let eliminated = CandidateSet::of(digit, eliminated);
                    eliminate(self.id(), eliminated, sink, || Pattern::LockedCandidates {
                        digit,
                        cells: places.intersection(from.cells()),
                        from,
                        to,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Sue de Coq: some cells that a line and a block share, the center, some others of the line and some
/// others of the block have as many digits together as they are cells. The others share digits with the
/// center, but a digit of the center is not on both sides; one beside the center that is on both counts
/// twice. So each digit is used, and is eliminated from the rest of the houses in which it stands.
///
/// Found by Sue De Coq, described on the players' forum as "two-sector disjoint subsets", 2005. The
/// order is HoDoKu's: rows, then columns, block by block, cells of the line before those of the block.
#[derive(Clone, Copy, Debug)]
pub struct SueDeCoq;

impl Technique for SueDeCoq {
    fn id(&self) -> TechniqueId {
        TechniqueId::SueDeCoq
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let blanks = grid.blanks();
        for line in House::all().take(18) {
            for block in House::all().skip(18) {
                grid.check_deadline()?;
                let shared = line.cells().intersection(block.cells());
                let cells: Vec<Cell> = shared.intersection(blanks).into_iter().collect();
                for center in centers(&cells) {
                    let digits = grid.candidates_of(center);
                    if digits.len() >= center.len() + 2 {
                        let crossing = Crossing {
                            grid,
                            houses: [line, block],
                            cells: [line, block].map(|house| house.cells().intersection(blanks)),
                            center,
                            digits,
                        };
                        crossing.search(sink)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Two of these cells, then these and a third one.
fn centers(cells: &[Cell]) -> Vec<CellSet> {
    let mut all = Vec::new();
    for (i, &one) in cells.iter().enumerate() {
        for (j, &two) in cells.iter().enumerate().skip(i + 1) {
            let pair = CellSet::only(one).with(two);
            all.push(pair);
            all.extend(cells[j + 1..].iter().map(|&three| pair.with(three)));
        }
    }
    all
}

/// A center with its line and its block.
struct Crossing<'a> {
    grid: &'a CandidateGrid,
    houses: [House; 2],
    /// The blank cells of both.
    cells: [CellSet; 2],
    center: CellSet,
    digits: DigitSet,
}

impl Crossing<'_> {
    fn search(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let surplus = self.digits.len() - self.center.len();
        let in_line = self.cells[0].difference(self.center);
        self.each(in_line, DigitSet::EMPTY, &mut |a, of_line| {
            let extra = of_line.difference(self.digits);
            let free = a.len().saturating_sub(extra.len());
            if free == 0 || free >= surplus {
                return ControlFlow::Continue(());
            }
            let in_block = self.cells[1].difference(self.center).difference(a);
            let barred = of_line.difference(extra);
            self.each(in_block, barred, &mut |b, of_block| {
                let extra = of_block.difference(self.digits);
                if b.len() != extra.len() + surplus - free {
                    return ControlFlow::Continue(());
                }
                self.show([a, b], [of_line, of_block], sink)
            })
        })
    }

    /// All choices of these cells that share digits with the center, and have none of those that are
    /// barred, depth first.
    fn each(
        &self,
        cells: CellSet,
        barred: DigitSet,
        visit: &mut dyn FnMut(CellSet, DigitSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let cells: Vec<Cell> = cells.into_iter().collect();
        self.extend(&cells, barred, (CellSet::EMPTY, DigitSet::EMPTY), visit)
    }

    fn extend(
        &self,
        cells: &[Cell],
        barred: DigitSet,
        (chosen, digits): (CellSet, DigitSet),
        visit: &mut dyn FnMut(CellSet, DigitSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (at, &cell) in cells.iter().enumerate() {
            let digits = digits.union(self.grid.candidates(cell));
            if !digits.intersection(barred).is_empty() {
                continue;
            }
            let chosen = chosen.with(cell);
            if !digits.intersection(self.digits).is_empty() {
                visit(chosen, digits)?;
            }
            self.extend(&cells[at + 1..], barred, (chosen, digits), visit)?;
        }
        ControlFlow::Continue(())
    }

    fn show(
        &self,
        sides: [CellSet; 2],
        [of_line, of_block]: [DigitSet; 2],
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let both = of_line.intersection(of_block);
        let by_line = self.digits.union(of_line).difference(of_block).union(both);
        let by_block = self.digits.union(of_block).difference(of_line).union(both);
        let eliminated = [(0, by_line), (1, by_block)].map(|(at, digits)| {
            let beside = self.cells[at].difference(sides[at]).difference(self.center);
            held(self.grid, beside, digits)
        });
        let eliminated = eliminated[0].union(&eliminated[1]);
        eliminate(TechniqueId::SueDeCoq, eliminated, sink, || {
            Pattern::SueDeCoq {
                houses: self.houses,
                center: self.center,
                sides,
            }
        })
    }
}
