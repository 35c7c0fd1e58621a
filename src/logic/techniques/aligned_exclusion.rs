//! Choices of digits for two or three cells that would leave none to a cell that sees them.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, Digit, DigitSet};
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
                if self.cells == 2 {
                    bases.exclude([first, second], excluders, self.id(), sink)?;
                    continue;
                }
                for third in bases.near(first, second) {
                    let excluders = excluders.intersection(third.peers());
                    if excluders.len() >= 2 {
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

    /// Strikes what no choice of digits for these cells has, all of which the excluders see.
    fn exclude<const N: usize>(
        &self,
        cells: [Cell; N],
        excluders: CellSet,
        technique: TechniqueId,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let held = cells.map(|cell| self.grid.candidates(cell));
        let mut sets = [DigitSet::EMPTY; 20];
        let mut count = 0;
        for excluder in excluders {
            sets[count] = self.grid.candidates(excluder);
            count += 1;
        }
        let mut choice = Choice {
            held,
            apart: cells.map(|one| cells.map(|other| one.sees(other))),
            excluders: &sets[..count],
            possible: [DigitSet::EMPTY; N],
        };
        let mut struck = CandidateSet::EMPTY;
        for at in 0..N {
            for digit in held[at] {
                if !choice.possible[at].contains(digit) && !choice.exists(at, digit) {
                    let cell = cells[at];
                    struck = struck.with(Candidate { cell, digit });
                }
            }
        }
        strike(technique, struck, sink, || Pattern::AlignedExclusion {
            cells: cells.into_iter().collect(),
            excluders,
        })
    }
}

/// Choices of a digit for each of some cells.
struct Choice<'a, const N: usize> {
    held: [DigitSet; N],
    /// Which of the cells see each other.
    apart: [[bool; N]; N],
    /// The candidates of the cells that see all of them.
    excluders: &'a [DigitSet],
    /// Digits that are known to be in choices.
    possible: [DigitSet; N],
}

impl<const N: usize> Choice<'_, N> {
    /// Whether there is a choice with this digit at this place.
    fn exists(&mut self, at: usize, digit: Digit) -> bool {
        let mut held = self.held;
        held[at] = DigitSet::only(digit);
        self.choose(&held, 0, &mut [digit; N])
    }

    /// Whether there is a choice out of these that begins with the first so many.
    fn choose(&mut self, held: &[DigitSet; N], done: usize, chosen: &mut [Digit; N]) -> bool {
        if done == N {
            let digits: DigitSet = chosen.iter().copied().collect();
            let open = |set: &DigitSet| !set.difference(digits).is_empty();
            let exists = self.excluders.iter().all(open);
            if exists {
                for (possible, &digit) in self.possible.iter_mut().zip(chosen.iter()) {
                    *possible = possible.with(digit);
                }
            }
            return exists;
        }
        for digit in held[done] {
            let repeats = |before: usize| self.apart[before][done] && chosen[before] == digit;
            if (0..done).any(repeats) {
                continue;
            }
            chosen[done] = digit;
            if self.choose(held, done + 1, chosen) {
                return true;
            }
        }
        false
    }
}
