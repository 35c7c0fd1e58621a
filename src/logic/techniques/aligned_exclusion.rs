//! Choices of digits for two or three cells that would leave none to a cell that sees them.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, DigitSet};
use crate::logic::deduction::{Pattern, TechniqueId};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};

/// Aligned pair and triple exclusion: a digit of one of the cells that is in no choice of digits for
/// all of them is struck. A choice is none if it repeats a digit in a house, or has all candidates
/// of a cell that sees all of them.
///
/// The order of the search, and which cells are looked at, are those of Sudoku Explainer (Nicolas
/// Juillerat).
#[derive(Clone, Copy, Debug)]
pub struct AlignedExclusion {
    /// Two cells or three.
    pub cells: u8,
}

/// The cells that are looked at, each with the cells that may exclude choices.
struct Bases {
    cells: Vec<Cell>,
    all: CellSet,
    /// As many candidates as cells of the choice, or fewer.
    few: CellSet,
}

impl Technique for AlignedExclusion {
    fn id(&self) -> TechniqueId {
        TechniqueId::AlignedExclusion(self.cells)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let single = grid.naked_singles();
        let several = grid.blanks().difference(single);
        let few = several.intersection(grid.with_at_most(usize::from(self.cells)));
        let open = several.into_iter().filter(|cell| {
            let peers = cell.peers();
            peers.intersection(single).is_empty() && !peers.intersection(few).is_empty()
        });
        let cells: Vec<Cell> = open.collect();
        let all = cells.iter().copied().collect();
        let bases = Bases { cells, all, few };
        for (at, &second) in bases.cells.iter().enumerate() {
            for &first in &bases.cells[..at] {
                if self.cells == 2 {
                    self.exclude(grid, &bases, &[first, second], sink)?;
                    continue;
                }
                for third in bases.near(first, second) {
                    self.exclude(grid, &bases, &[first, second, third], sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Bases {
    /// Third cells: those with few candidates that see the first, then those that see the second.
    fn near(&self, first: Cell, second: Cell) -> impl Iterator<Item = Cell> {
        let few = self.few.intersection(self.all);
        let near = |cell: Cell| in_order(cell, few.intersection(cell.peers()));
        let seen = first.peers();
        let by_first = near(first).filter(move |&cell| cell != second);
        let by_second = near(second).filter(move |&cell| cell != first && !seen.contains(cell));
        by_first.chain(by_second)
    }
}

/// Peers of a cell: those in its block, then in its row, then in its column.
fn in_order(cell: Cell, peers: CellSet) -> impl Iterator<Item = Cell> {
    let [row, column, block] = cell.houses();
    let outside = peers.difference(block.cells());
    let of_block = peers.intersection(block.cells());
    let of_row = outside.intersection(row.cells());
    let of_column = outside.intersection(column.cells());
    of_block.into_iter().chain(of_row).chain(of_column)
}

impl AlignedExclusion {
    fn exclude(
        &self,
        grid: &State,
        bases: &Bases,
        cells: &[Cell],
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let seen = cells.iter().map(|cell| cell.peers());
        let excluders = seen.fold(bases.few, CellSet::intersection);
        if excluders.len() < 2 {
            return ControlFlow::Continue(());
        }
        let sets: Vec<DigitSet> = excluders
            .into_iter()
            .map(|cell| grid.candidates(cell))
            .collect();
        let mut possible = [DigitSet::EMPTY; 3];
        choose(grid, cells, &sets, &mut Vec::new(), &mut possible);
        let mut struck = CandidateSet::EMPTY;
        for (&cell, possible) in cells.iter().zip(possible) {
            for digit in grid.candidates(cell).difference(possible) {
                struck = struck.with(Candidate { cell, digit });
            }
        }
        strike(self.id(), struck, sink, || Pattern::AlignedExclusion {
            cells: cells.iter().copied().collect(),
            excluders,
        })
    }
}

/// Goes through the choices that begin with these digits, and collects the digits of each that is
/// possible.
fn choose(
    grid: &State,
    cells: &[Cell],
    excluders: &[DigitSet],
    chosen: &mut Vec<crate::grid::Digit>,
    possible: &mut [DigitSet; 3],
) {
    let Some(&cell) = cells.get(chosen.len()) else {
        let digits: DigitSet = chosen.iter().copied().collect();
        if excluders.iter().all(|set| !set.difference(digits).is_empty()) {
            for (possible, &digit) in possible.iter_mut().zip(chosen.iter()) {
                *possible = possible.with(digit);
            }
        }
        return;
    };
    for digit in grid.candidates(cell) {
        let mut before = cells.iter().zip(chosen.iter());
        if before.all(|(&other, &taken)| taken != digit || !other.sees(cell)) {
            chosen.push(digit);
            choose(grid, cells, excluders, chosen, possible);
            chosen.pop();
        }
    }
}
