//! Choices of digits for two or three cells that would leave none to a cell that sees them.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, DigitSet};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate};
use crate::logic::technique_id::TechniqueId;

/// Aligned pair and triple exclusion: a digit of one of the cells that is in no choice of digits for
/// all of them is eliminated. A choice is none if it repeats a digit in a house, or has all candidates
/// of a cell that sees all of them.
///
/// The order of the search, and which cells are looked at, are those of Sudoku Explainer (Nicolas
/// Juillerat).
#[derive(Clone, Copy, Debug)]
pub struct AlignedExclusion(
    /// Two cells or three.
    pub u8,
);

/// The cells that are looked at.
struct Bases<'a> {
    grid: &'a State,
    cells: Vec<Cell>,
    all: CellSet,
    /// Those with as many candidates as a choice has cells, or fewer.
    few: CellSet,
}

impl Technique for AlignedExclusion {
    fn id(&self) -> TechniqueId {
        TechniqueId::AlignedExclusion(self.0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let single = grid.naked_singles();
        let several = grid.blanks().difference(single);
        let few = several.intersection(grid.with_at_most(usize::from(self.0)));
        let open = several.into_iter().filter(|cell| {
            let peers = cell.peers();
            peers.intersection(single).is_empty() && !peers.intersection(few).is_empty()
        });
        let cells: Vec<Cell> = open.collect();
        let bases = Bases {
            grid,
            all: cells.iter().copied().collect(),
            cells,
            few,
        };
        for (at, &second) in bases.cells.iter().enumerate() {
            let near = few.intersection(second.peers());
            for &first in &bases.cells[..at] {
                let excluders = near.intersection(first.peers());
                if excluders.len() < 2 {
                    continue;
                }
                if self.0 == 2 {
                    bases.exclude([first, second], excluders, self.id(), sink)?;
                    continue;
                }
                for third in bases.near(first, second) {
                    let excluders = excluders.intersection(third.peers());
                    if excluders.len() >= 2 && !bases.was_seen(first, second, third) {
                        bases.exclude([first, second, third], excluders, self.id(), sink)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
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

impl Bases<'_> {
    /// Third cells: those with few candidates that see the first, then those that see the second.
    fn near(&self, first: Cell, second: Cell) -> impl Iterator<Item = Cell> {
        let few = self.few.intersection(self.all);
        let of_first = few.intersection(first.peers()).without(second);
        let of_second = few.intersection(second.peers()).without(first);
        let by_first = in_order(first, of_first);
        by_first.chain(in_order(second, of_second.difference(of_first)))
    }

    /// Whether these three were looked at before, with another of them as the third.
    fn was_seen(&self, first: Cell, second: Cell, third: Cell) -> bool {
        let is_third = |cell: Cell, one: Cell, other: Cell| {
            let open = self.few.intersection(self.all).contains(cell);
            open && (cell.sees(one) || cell.sees(other))
        };
        third < second && is_third(second, first, third)
            || third < first && is_third(first, second, third)
    }

    /// Eliminates what no choice of digits for these cells has, all of which the excluders see.
    fn exclude<const N: usize>(
        &self,
        cells: [Cell; N],
        excluders: CellSet,
        technique: TechniqueId,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let mut sets = [DigitSet::EMPTY; 20];
        for (set, excluder) in sets.iter_mut().zip(excluders) {
            *set = self.grid.candidates(excluder);
        }
        let mut choices = Choices {
            held: cells.map(|cell| self.grid.candidates(cell)),
            apart: cells.map(|one| cells.map(|other| one.sees(other))),
            excluders: &sets[..excluders.len()],
            possible: [DigitSet::EMPTY; N],
        };
        choices.collect(0, &mut [DigitSet::EMPTY; N]);
        if choices.possible == choices.held {
            return ControlFlow::Continue(());
        }
        let mut eliminated = CandidateSet::EMPTY;
        for (at, &cell) in cells.iter().enumerate() {
            for digit in choices.held[at].difference(choices.possible[at]) {
                eliminated = eliminated.with(Candidate { cell, digit });
            }
        }
        eliminate(technique, eliminated, sink, || Pattern::AlignedExclusion {
            cells: cells.into_iter().collect(),
            excluders,
        })
    }
}

/// Choices of a digit for each of some cells.
struct Choices<'a, const N: usize> {
    held: [DigitSet; N],
    /// Which of the cells see each other.
    apart: [[bool; N]; N],
    /// The candidates of the cells that see all of them, two or more each.
    excluders: &'a [DigitSet],
    /// Digits that are known to be in choices.
    possible: [DigitSet; N],
}

impl<const N: usize> Choices<'_, N> {
    /// Goes through the choices that begin with so many digits; for the last cell, all digits that
    /// are left at once.
    fn collect(&mut self, done: usize, chosen: &mut [DigitSet; N]) {
        let mut left = self.held[done];
        let mut before = DigitSet::EMPTY;
        for (at, &digit) in chosen[..done].iter().enumerate() {
            before = before.union(digit);
            if self.apart[at][done] {
                left = left.difference(digit);
            }
        }
        if done + 1 < N {
            for digit in left {
                chosen[done] = DigitSet::only(digit);
                self.collect(done + 1, chosen);
                if self.possible == self.held {
                    return;
                }
            }
            return;
        }
        let known = |at: usize| self.possible[at].difference(chosen[at]) != self.possible[at];
        if self.possible[done] == self.held[done] && (0..done).all(known) {
            return;
        }
        for set in self.excluders {
            let rest = set.difference(before);
            if rest.len() < 2 {
                left = left.difference(rest);
                if rest.is_empty() {
                    return;
                }
            }
        }
        if !left.is_empty() {
            for (possible, &digit) in self.possible[..done].iter_mut().zip(&*chosen) {
                *possible = possible.union(digit);
            }
            self.possible[done] = self.possible[done].union(left);
        }
    }
}
