//! A set of cells as three bands.

use std::ops::{BitAnd, BitOr};

use crate::grid::{Cell, CellSet};

/// A set of cells: a word of 27 bits for each band, the lowest bit for the cell at its top left.
///
/// ```text
///              stack 0   stack 1    stack 2
///   row 0      0  1  2 |  3  4  5 |  6  7  8      a row is 9 bits in a line, a minirow 3 of them;
///   row 1      9 10 11 | 12 13 14 | 15 16 17      a column is 3 bits in each of the three bands,
///   row 2     18 19 20 | 21 22 23 | 24 25 26      9 apart; a block is 3 times 3 bits
/// ```
///
/// A fourth word, always 0, rounds it up to a vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub(super) struct BandSet([u32; 4]);

/// All cells of a band.
const FULL: u32 = (1 << 27) - 1;

impl BandSet {
    /// No cell.
    pub(super) const EMPTY: BandSet = BandSet([0; 4]);
    /// All 81 cells.
    pub(super) const ALL: BandSet = BandSet::new([FULL; 3]);

    /// The set with these bands, from the top.
    pub(super) const fn new([top, middle, bottom]: [u32; 3]) -> BandSet {
        BandSet([top, middle, bottom, 0])
    }

    /// The same cells in another layout.
    pub(super) const fn from_cells(cells: CellSet) -> BandSet {
        let bits = cells.bits();
        BandSet::new([
            bits as u32 & FULL,
            (bits >> 27) as u32 & FULL,
            (bits >> 54) as u32,
        ])
    }

    /// The bands, from the top.
    pub(super) const fn bands(self) -> [u32; 3] {
        let [top, middle, bottom, _] = self.0;
        [top, middle, bottom]
    }

    /// Adds a cell.
    #[inline]
    pub(super) fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 27] |= 1 << (cell.index() % 27);
    }

    /// Takes a cell out.
    #[inline]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 27] &= !(1 << (cell.index() % 27));
    }

    /// Whether the set holds this cell.
    #[inline]
    pub(super) fn contains(self, cell: Cell) -> bool {
        self.0[cell.index() / 27] >> (cell.index() % 27) & 1 == 1
    }

    /// How many cells the set holds.
    #[inline]
    pub(super) fn len(self) -> usize {
        let [top, middle, bottom] = self.bands();
        let two = u64::from(top) | u64::from(middle) << 32;
        (two.count_ones() + bottom.count_ones()) as usize
    }

    /// The cells of this set that are not in the other.
    #[inline]
    pub(super) const fn difference(self, other: BandSet) -> BandSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        BandSet([a & !e, b & !f, c & !g, d & !h])
    }

    pub(super) fn is_empty(self) -> bool {
        self == BandSet::EMPTY
    }

    /// Shows every cell, in reading order.
    #[inline]
    pub(super) fn for_each(self, mut show: impl FnMut(Cell)) {
        for (at, mut band) in self.bands().into_iter().enumerate() {
            while band != 0 {
                let cell = Cell::new(at * 27 + band.trailing_zeros() as usize);
                show(cell.expect("27 bits a band, and three bands"));
                band &= band - 1;
            }
        }
    }
}

impl BitAnd for BandSet {
    type Output = BandSet;

    fn bitand(self, other: BandSet) -> BandSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        BandSet([a & e, b & f, c & g, d & h])
    }
}

impl BitOr for BandSet {
    type Output = BandSet;

    fn bitor(self, other: BandSet) -> BandSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        BandSet([a | e, b | f, c | g, d | h])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(set: BandSet) -> CellSet {
        let mut cells = CellSet::EMPTY;
        set.for_each(|cell| cells = cells.with(cell));
        cells
    }

    #[test]
    fn a_cell_comes_and_goes_alone() {
        for cell in Cell::all() {
            let mut set = BandSet::EMPTY;
            set.insert(cell);
            assert_eq!(listed(set), CellSet::only(cell));
            set.remove(cell);
            assert!(set.is_empty());
            let mut set = BandSet::ALL;
            set.remove(cell);
            assert_eq!(listed(set), CellSet::ALL.without(cell));
        }
    }

    #[test]
    fn cells_stay_the_same_in_the_other_layout() {
        for cells in Cell::all().map(|cell| cell.peers().with(cell)) {
            let bands = BandSet::from_cells(cells);
            assert_eq!(listed(bands), cells);
            assert_eq!(
                listed(BandSet::ALL.difference(bands)),
                CellSet::ALL.difference(cells)
            );
            assert_eq!(bands.len(), cells.len());
            assert!(Cell::all().all(|cell| bands.contains(cell) == cells.contains(cell)));
        }
    }
}
