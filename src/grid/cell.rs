//! A cell of the board, sets of cells, and maps with one value per cell.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One of the 81 cells, in reading order: row by row from the top, each row from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Number of cells on a board.
    pub const COUNT: usize = 81;

    /// Returns the cell at this index in reading order, if it is below 81.
    pub const fn new(index: usize) -> Option<Cell> {
        if index < Cell::COUNT {
            Some(Cell(index as u8))
        } else {
            None
        }
    }

    /// Returns the cell in this row and column, each 0 to 8.
    pub const fn at(row: usize, column: usize) -> Option<Cell> {
        if row < 9 && column < 9 {
            Some(Cell((row * 9 + column) as u8))
        } else {
            None
        }
    }

    /// Returns the index in reading order, 0 to 80.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns all cells in reading order.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + Clone {
        (0..Cell::COUNT as u8).map(Cell)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Writes row and column from 1, as `r4c7`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.0 / 9 + 1, self.0 % 9 + 1)
    }
}

/// A set of cells: 81 bits, the lowest for the first cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet(u128);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet(0);
    /// All 81 cells.
    pub const ALL: CellSet = CellSet((1 << Cell::COUNT) - 1);

    /// Returns the set with just this cell.
    pub const fn only(cell: Cell) -> CellSet {
        CellSet(1 << cell.0)
    }

    /// Returns the set of the cells whose bits are set; bits above the 81st are ignored.
    pub const fn from_bits(bits: u128) -> CellSet {
        CellSet(bits & CellSet::ALL.0)
    }

    /// Returns the 81 bits, the lowest for the first cell.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the number of cells in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set holds no cell.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the first cell in reading order.
    pub const fn first(self) -> Option<Cell> {
        Cell::new(self.0.trailing_zeros() as usize)
    }

    /// Returns the cell if the set holds exactly one.
    pub const fn single(self) -> Option<Cell> {
        if self.len() == 1 { self.first() } else { None }
    }

    /// Returns the cells in reading order if the set holds exactly two.
    pub fn pair(self) -> Option<[Cell; 2]> {
        let first = self.first()?;
        Some([first, self.without(first).single()?])
    }

    /// Returns all subsets, the empty one first, in ascending order of their bits.
    pub fn subsets(self) -> impl Iterator<Item = CellSet> {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let bits: u128 = next?;
            let after = bits.wrapping_sub(self.0) & self.0;
            next = (after != 0).then_some(after);
            Some(CellSet(bits))
        })
    }

    /// Returns whether the set holds this cell.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    /// Returns this set with that cell added.
    #[must_use]
    pub const fn with(self, cell: Cell) -> CellSet {
        CellSet(self.0 | 1 << cell.0)
    }

    /// Returns this set without that cell.
    #[must_use]
    pub const fn without(self, cell: Cell) -> CellSet {
        CellSet(self.0 & !(1 << cell.0))
    }

    /// Returns the cells in either set.
    #[must_use]
    pub const fn union(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }

    /// Returns the cells in both sets.
    #[must_use]
    pub const fn intersection(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }

    /// Returns the cells of this set that are not in the other.
    #[must_use]
    pub const fn difference(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = CellSetIter;

    fn into_iter(self) -> CellSetIter {
        CellSetIter(self.0)
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        cells.into_iter().fold(CellSet::EMPTY, CellSet::with)
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The cells of a [`CellSet`] in reading order.
#[derive(Clone, Debug)]
pub struct CellSetIter(u128);

impl Iterator for CellSetIter {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let cell = Cell(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

/// A map with one value per cell; a [`Cell`] is the only index, so it cannot be out of range.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellMap<T>([T; Cell::COUNT]);

impl<T> CellMap<T> {
    /// Makes a map by calling `value` for every cell, in reading order.
    pub fn from_fn(mut value: impl FnMut(Cell) -> T) -> CellMap<T> {
        CellMap(std::array::from_fn(|index| value(Cell(index as u8))))
    }

    /// Makes a map of 81 values in reading order.
    pub const fn from_array(values: [T; Cell::COUNT]) -> CellMap<T> {
        CellMap(values)
    }

    /// Returns the values in reading order.
    pub const fn as_array(&self) -> &[T; Cell::COUNT] {
        &self.0
    }

    /// Returns every cell with its value, in reading order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        Cell::all().zip(&self.0)
    }

    /// Returns the map of the values that the function gives for these.
    pub fn map<U>(&self, mut value: impl FnMut(&T) -> U) -> CellMap<U> {
        CellMap::from_fn(|cell| value(&self[cell]))
    }
}

impl<T> Index<Cell> for CellMap<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        &self.0[cell.index()]
    }
}

impl<T> IndexMut<Cell> for CellMap<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.0[cell.index()]
    }
}

impl<T: fmt::Debug> fmt::Debug for CellMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_of_the_board_are_cells() {
        for (row, column) in [(9, 0), (0, 9), (9, 9), (usize::MAX, 0)] {
            assert_eq!(Cell::at(row, column), None);
        }
        let cells = (0..9).flat_map(|row| (0..9).map(move |column| Cell::at(row, column).unwrap()));
        assert!(cells.eq(Cell::all()));
        assert_eq!(Cell::new(Cell::COUNT), None);
    }
}
