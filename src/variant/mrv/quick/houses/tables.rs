//! What depends on the layout only: where a cell stands in its houses, and what placing a value there strikes.

use super::super::super::super::layout::Layout;
use super::cell_set::{Cells, MOST_SIDE, cells_of};
use super::lanes::{LANES, Lanes};
use super::leftovers::{Leftover, leftovers};

/// The most cells of a board.
const MOST_CELLS: usize = Cells::BITS as usize;
/// Houses have up to 16 places.
const PLACES: usize = u16::BITS as usize;

/// Tables of a layout. Its first houses are the rows.
#[derive(Clone, Debug)]
pub(in super::super) struct HouseTables {
    pub(super) houses: usize,
    /// All places of all houses. Lanes without a house have two that are never placed: they are no single.
    pub(super) all: Lanes,
    /// Places that are a cell.
    pub(super) cells: Lanes,
    /// For each cell, all places but its own.
    but: Vec<Lanes>,
    /// For each cell, all places but those that share a house with it.
    unseen: Vec<Lanes>,
    /// For each cell, those that share a house with it.
    peers: [Cells; MOST_CELLS],
    /// The cell of each place.
    cell_at: [[u8; PLACES]; LANES],
    pub(super) leftovers: Vec<Leftover>,
}

impl HouseTables {
    /// Whether there are tables for this layout.
    pub(in super::super) fn supports(layout: &Layout) -> bool {
        layout.side() <= MOST_SIDE && layout.houses().len() <= LANES && layout.cages().is_empty()
    }

    /// Jigsaws have a layout each: this takes no longer than to place a few values.
    pub(in super::super) fn new(layout: &Layout) -> HouseTables {
        let houses = layout.houses();
        let mut cell_at = [[0; PLACES]; LANES];
        let mut own = vec![Lanes::NONE; layout.cells()];
        for (lane, (house, cell_at)) in houses.iter().zip(&mut cell_at).enumerate() {
            for (place, &cell) in house.cells.iter().enumerate() {
                cell_at[place] = cell as u8;
                own[cell].0[lane] |= 1 << place;
            }
        }
        let mut seen = vec![Lanes::NONE; layout.cells()];
        let mut peers = [0; MOST_CELLS];
        for house in houses {
            let places = (house.cells.iter()).fold(Lanes::NONE, |all, cell| all.or(own[*cell]));
            let cells = cells_of(&house.cells);
            for &cell in &house.cells {
                seen[cell] = seen[cell].or(places);
                peers[cell] |= cells;
            }
        }
        for (cell, peers) in peers.iter_mut().enumerate() {
            *peers &= !(1 << cell);
        }
        let unseen = seen
            .iter()
            .zip(&own)
            .map(|(seen, own)| seen.without(*own).but());
        let mut cells = Lanes::NONE;
        cells.0[..houses.len()].fill((1 << layout.side()) - 1);
        let mut all = cells;
        all.0[houses.len()..].fill(0b11);
        HouseTables {
            houses: houses.len(),
            all,
            cells,
            unseen: unseen.collect(),
            but: own.into_iter().map(Lanes::but).collect(),
            peers,
            cell_at,
            leftovers: leftovers(layout),
        }
    }

    /// The cell at a place of a house.
    #[inline]
    pub(super) fn cell_at(&self, house: usize, place: usize) -> usize {
        usize::from(self.cell_at[house % LANES][place % PLACES])
    }

    #[inline]
    pub(super) fn but(&self, cell: usize) -> Lanes {
        self.but[cell]
    }

    #[inline]
    pub(super) fn unseen(&self, cell: usize) -> Lanes {
        self.unseen[cell]
    }

    #[inline]
    pub(super) fn peers(&self, cell: usize) -> Cells {
        self.peers[cell % MOST_CELLS]
    }
}
