//! What is possible: for each value the cells that may hold it. Singles are found in all cells at once.

use std::ops::ControlFlow;

use super::super::super::super::mask::bits;
use super::super::super::super::value::Value;
use super::super::state::{Contradiction, Possible, QuickState};
use super::tables::{CellTables, Cells};

/// A board with this many values.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct CellState<const SIDE: usize> {
    /// For each value, the cells where it may stand.
    cells: [Cells; SIDE],
    /// Cells whose value is not yet struck from their peers.
    open: Cells,
}

impl<const SIDE: usize> CellState<SIDE> {
    /// The cells with one value.
    #[inline]
    fn once(&self) -> ControlFlow<Contradiction, Cells> {
        let (mut once, mut twice) = (0, 0);
        for cells in self.cells {
            twice |= once & cells;
            once |= cells;
        }
        if (once & self.open) != self.open {
            return ControlFlow::Break(Contradiction);
        }
        ControlFlow::Continue(once & !twice)
    }

    /// Strikes the values of these cells, which have one each, from their peers.
    #[inline]
    fn place_naked(&mut self, tables: &CellTables, singles: Cells) -> Possible {
        self.open &= !singles;
        for cells in &mut self.cells {
            let placed = *cells & singles;
            let seen = bits(placed).fold(0, |seen, cell| seen | tables.peers(cell));
            if placed & seen != 0 {
                return ControlFlow::Break(Contradiction);
            }
            *cells &= !seen;
        }
        ControlFlow::Continue(())
    }

    /// Places each value that has one cell left in a house; whether there was any.
    #[inline]
    fn place_hidden(&mut self, tables: &CellTables) -> ControlFlow<Contradiction, bool> {
        let mut any = false;
        for value in 0..SIDE {
            let mut singles = 0;
            for &house in &tables.houses {
                let left = self.cells[value] & house;
                if left == 0 {
                    return ControlFlow::Break(Contradiction);
                }
                if left & (left - 1) == 0 {
                    singles |= left;
                }
            }
            singles &= self.open;
            if singles != 0 {
                any = true;
                self.place_value(tables, singles, value)?;
            }
        }
        ControlFlow::Continue(any)
    }

    /// Places a value in these cells.
    #[inline]
    fn place_value(&mut self, tables: &CellTables, into: Cells, value: usize) -> Possible {
        let seen = bits(into).fold(0, |seen, cell| seen | tables.peers(cell));
        if into & seen != 0 {
            return ControlFlow::Break(Contradiction);
        }
        for cells in &mut self.cells {
            *cells &= !into;
        }
        self.cells[value] = (self.cells[value] | into) & !seen;
        self.open &= !into;
        ControlFlow::Continue(())
    }
}

impl<const SIDE: usize> QuickState for CellState<SIDE> {
    type Tables = CellTables;

    fn new(
        tables: &CellTables,
        givens: &[Option<Value>],
    ) -> ControlFlow<Contradiction, CellState<SIDE>> {
        let mut placed = [0; SIDE];
        let mut seen = [0; SIDE];
        for (cell, given) in givens.iter().enumerate() {
            if let Some(value) = given {
                placed[value.index()] |= 1 << cell;
                seen[value.index()] |= tables.peers(cell);
            }
        }
        let filled = placed.iter().fold(0, |filled, placed| filled | placed);
        let mut cells = [0; SIDE];
        for ((cells, placed), seen) in cells.iter_mut().zip(placed).zip(seen) {
            if placed & seen != 0 {
                return ControlFlow::Break(Contradiction);
            }
            *cells = placed | tables.all & !filled & !seen;
        }
        ControlFlow::Continue(CellState {
            cells,
            open: tables.all & !filled,
        })
    }

    fn propagate(&mut self, tables: &CellTables) -> Possible {
        loop {
            let singles = self.once()? & self.open;
            if singles != 0 {
                self.place_naked(tables, singles)?;
            } else if self.open == 0 || !self.place_hidden(tables)? {
                return ControlFlow::Continue(());
            }
        }
    }

    fn choose(&self) -> Option<(usize, usize)> {
        if self.open == 0 {
            return None;
        }
        // For each count, the open cells with so many values or fewer.
        let mut least = [self.open; SIDE];
        for cells in self.cells {
            // From the most down: a cell that has this value, too, now belongs where it had one fewer.
            for count in (1..SIDE).rev() {
                least[count] &= !(cells & !least[count - 1]);
            }
            least[0] &= !cells;
        }
        // No cell among these: all of them have all values.
        let fewest = least.iter().find(|cells| **cells != 0);
        let fewest = fewest.unwrap_or(&self.open);
        let cell = fewest.trailing_zeros() as usize;
        let value = self.cells.iter().position(|cells| cells >> cell & 1 == 1)?;
        Some((cell, value))
    }

    fn assign(&mut self, tables: &CellTables, cell: usize, value: usize) -> Possible {
        self.place_value(tables, 1 << cell, value)
    }

    fn strike(&mut self, _: &CellTables, cell: usize, value: usize) {
        self.cells[value] &= !(1 << cell);
    }

    fn solution(&self) -> Vec<Value> {
        let mut values = vec![Value::at(0); SIDE * SIDE];
        for (value, cells) in self.cells.iter().enumerate() {
            for cell in bits(*cells) {
                values[cell] = Value::at(value);
            }
        }
        values
    }
}
