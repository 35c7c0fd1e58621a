//! What depends on the layout only: the cells of each house, and those that share a house with a cell.

use super::super::super::layout::Layout;

/// A set of cells.
pub(super) type Cells = u64;

/// The most cells of a board.
pub(super) const MOST_CELLS: usize = Cells::BITS as usize;

/// Houses and peers of a layout.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) all: Cells,
    pub(super) houses: Vec<Cells>,
    /// For each cell, the others of its houses.
    peers: [Cells; MOST_CELLS],
}

impl Tables {
    pub(super) fn new(layout: &Layout) -> Tables {
        let house = |cells: &Vec<usize>| cells.iter().fold(0, |house, cell| house | 1 << cell);
        let mut houses: Vec<Cells> = layout.houses().iter().map(|it| house(&it.cells)).collect();
        houses.sort_unstable();
        houses.dedup();
        let mut peers = [0; MOST_CELLS];
        for (cell, peers) in peers.iter_mut().enumerate().take(layout.cells()) {
            let own = houses.iter().filter(|house| *house >> cell & 1 == 1);
            *peers = own.fold(0, |all, house| all | house) & !(1 << cell);
        }
        Tables {
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
