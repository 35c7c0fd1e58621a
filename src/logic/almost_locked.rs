//! Almost locked sets: cells of a house with one candidate more than they are.

use crate::grid::{CandidateGrid, Cell, CellSet, Digit, DigitSet, House};

/// Some blank cells of a house with one digit more than they are: without any one of its digits they
/// take all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlmostLockedSet {
    /// The cells, one or more.
    pub cells: CellSet,
    /// Their digits, one more than cells.
    pub digits: DigitSet,
}

impl AlmostLockedSet {
    /// The cells that hold this digit.
    pub fn places(&self, digit: Digit, grid: &CandidateGrid) -> CellSet {
        grid.places(digit).intersection(self.cells)
    }

    /// All on this grid, each once, those of single cells among them.
    pub(super) fn all(grid: &CandidateGrid) -> Vec<AlmostLockedSet> {
        let mut found: Vec<AlmostLockedSet> = Vec::new();
        for house in House::all() {
            let blanks = house.cells().intersection(grid.blanks());
            let cells: Vec<Cell> = blanks.into_iter().collect();
            for choice in 1..1_u32 << cells.len() {
                let chosen = cells.iter().enumerate();
                let chosen = chosen.filter(|(at, _)| choice >> at & 1 == 1);
                let cells: CellSet = chosen.map(|(_, &cell)| cell).collect();
                let held = cells.into_iter().map(|cell| grid.candidates(cell));
                let digits = held.fold(DigitSet::EMPTY, DigitSet::union);
                if digits.len() == cells.len() + 1 {
                    found.push(AlmostLockedSet { cells, digits });
                }
            }
        }
        found.sort_by_key(|set| (set.cells.len(), set.cells.bits()));
        found.dedup();
        found
    }
}

/// What sees all of these cells.
pub(super) fn common_peers(cells: CellSet) -> CellSet {
    let peers = cells.into_iter().map(Cell::peers);
    peers.fold(CellSet::ALL, CellSet::intersection)
}
