//! Sets of cells.

/// The largest side: each is a type of its own.
pub(super) const MOST_SIDE: usize = 10;

/// A set of cells.
pub(super) type Cells = u128;

/// These cells as a set.
pub(super) fn cells_of(cells: &[usize]) -> Cells {
    cells.iter().fold(0, |set, cell| set | 1 << cell)
}
