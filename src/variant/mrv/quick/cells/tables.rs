//! What depends on the layout only: the cells of each house, and those that share a house with a cell.

use super::super::super::super::layout::Layout;

/// A set of cells.
pub(super) type Cells = u64;

/// The most cells of a board.
const MOST_CELLS: usize = Cells::BITS as usize;

/// Houses and peers of a layout.
#[derive(Clone, Debug)]
pub(in super::super) struct CellTables {
    pub(super) all: Cells,
    pub(super) houses: Vec<Cells>,
    /// For each cell, the others of its houses.
    peers: [Cells; MOST_CELLS],
}

impl CellTables {
    /// Whether there are tables for this layout.
    pub(in super::super) fn supports(layout: &Layout) -> bool {
        layout.cells() <= MOST_CELLS && layout.cages().is_empty()
    }

    pub(in super::super) fn new(layout: &Layout) -> CellTables {
        let house = |cells: &Vec<usize>| cells.iter().fold(0, |house, cell| house | 1 << cell);
        let mut houses: Vec<Cells> = layout.houses().iter().map(|it| house(&it.cells)).collect();
        houses.sort_unstable();
        houses.dedup();
        let mut peers = [0; MOST_CELLS];
        for (cell, peers) in peers.iter_mut().enumerate().take(layout.cells()) {
            let own = houses.iter().filter(|house| *house >> cell & 1 == 1);
            *peers = own.fold(0, |all, house| all | house) & !(1 << cell);
        }
        CellTables {
            all: Cells::MAX >> (MOST_CELLS - layout.cells()),
            houses,
            peers,
        }
    }

    #[inline]
    pub(super) fn peers(&self, cell: usize) -> Cells {
        self.peers[cell % MOST_CELLS]
    }
}
