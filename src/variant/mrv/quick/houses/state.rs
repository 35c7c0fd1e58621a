//! What is possible: for each value, the places of each house that may hold it.

use std::ops::ControlFlow;

use super::super::super::super::value::Value;
use super::super::state::{Contradiction, Possible, QuickState};
use super::cell_set::Cells;
use super::lanes::{LANES, Lanes, first, rest};
use super::tables::HouseTables;

const CONTRADICTION: Possible = ControlFlow::Break(Contradiction);

/// A board with this many values.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct HouseState<const SIDE: usize> {
    /// For each value, the places where it may stand.
    places: [Lanes; SIDE],
    /// Places whose value is not yet known.
    open: Lanes,
    /// The values, as bits, that lost a place since locked candidates were last looked for.
    changed: u32,
}

impl<const SIDE: usize> HouseState<SIDE> {
    fn holds(&self, cell: usize, value: usize) -> bool {
        self.places[value].0[cell / SIDE] >> (cell % SIDE) & 1 == 1
    }

    /// Places a value that the cell may hold.
    #[inline]
    fn place(&mut self, tables: &HouseTables, cell: usize, value: usize) {
        let (row, column) = (cell / SIDE, cell % SIDE);
        let but = tables.but(cell);
        let own = self.places[value].and(tables.unseen(cell));
        for (other, places) in self.places.iter_mut().enumerate() {
            self.changed |= u32::from(places.0[row % LANES] >> column & 1) << other;
            *places = places.and(but);
        }
        self.places[value] = own;
        self.open = self.open.and(but);
    }

    /// Places cells with one value left; whether there was any.
    #[inline]
    fn place_naked(&mut self, tables: &HouseTables) -> ControlFlow<Contradiction, bool> {
        let (mut once, mut twice) = (Lanes::NONE, Lanes::NONE);
        for places in self.places {
            twice = twice.or(once.and(places));
            once = once.or(places);
        }
        if !self.open.without(once).is_empty() {
            return ControlFlow::Break(Contradiction);
        }
        let mut singles = once.without(twice).and(self.open);
        // The rows are enough: they have all cells.
        singles.0[SIDE..].fill(0);
        if singles.is_empty() {
            return ControlFlow::Continue(false);
        }
        for (row, column) in singles.places() {
            let cell = row * SIDE + column;
            match (0..SIDE).find(|value| self.holds(cell, *value)) {
                Some(value) => self.place(tables, cell, value),
                // Another single of these has taken the value.
                None => return ControlFlow::Break(Contradiction),
            }
        }
        ControlFlow::Continue(true)
    }

    /// Places each value that has one place left in a house; whether there was any.
    #[inline]
    fn place_hidden(&mut self, tables: &HouseTables) -> ControlFlow<Contradiction, bool> {
        let mut any = false;
        for value in 0..SIDE {
            let places = self.places[value];
            if places.has_empty() {
                return ControlFlow::Break(Contradiction);
            }
            let singles = places.rest().where_empty(places).and(self.open);
            if singles.is_empty() {
                continue;
            }
            any = true;
            for (house, place) in singles.places() {
                if self.places[value].0[house] >> place & 1 == 0 {
                    return ControlFlow::Break(Contradiction);
                }
                // It may be the last place in another house, too.
                if self.open.0[house] >> place & 1 == 1 {
                    self.place(tables, tables.cell_at(house, place), value);
                }
            }
        }
        ControlFlow::Continue(any)
    }

    /// Strikes a changed value from cells by locked candidates and leftovers; whether there was any.
    #[inline]
    fn strike_locked(&mut self, tables: &HouseTables) -> bool {
        while self.changed != 0 {
            let value = self.changed.trailing_zeros() as usize;
            self.changed &= self.changed - 1;
            let cells = self.cells_of(value);
            let mut struck = self.locked(tables, value);
            for leftover in &tables.leftovers {
                if (cells & leftover.one == 0) != (cells & leftover.other == 0) {
                    struck |= leftover.one | leftover.other;
                }
            }
            struck &= cells;
            if struck != 0 {
                while struck != 0 {
                    self.strike(tables, struck.trailing_zeros() as usize, value);
                    struck &= struck - 1;
                }
                return true;
            }
        }
        false
    }

    /// The cells that see all places of the value in some house with two or three of them.
    #[inline]
    fn locked(&self, tables: &HouseTables, value: usize) -> Cells {
        let places = self.places[value];
        let others = places.rest();
        let most_three = others.rest().rest().where_empty(places);
        let few = most_three.without(others.where_empty(places));
        // Collected without a branch for each house, which could not be predicted.
        let (mut houses, mut count) = ([0; LANES], 0);
        for house in 0..tables.houses {
            houses[count] = house;
            count += usize::from(few.0[house] != 0);
        }
        let mut seen = 0;
        for &house in &houses[..count] {
            let one = few.0[house % LANES];
            let two = rest(one);
            let three = if rest(two) == 0 { two } else { rest(two) };
            let peers = |places| tables.peers(tables.cell_at(house, first(places)));
            seen |= peers(one) & peers(two) & peers(three);
        }
        seen
    }

    /// The cells that may hold a value.
    #[inline]
    fn cells_of(&self, value: usize) -> Cells {
        let rows = self.places[value].0[..SIDE].iter().rev();
        rows.fold(0, |cells, row| cells << SIDE | Cells::from(*row))
    }
}

impl<const SIDE: usize> QuickState for HouseState<SIDE> {
    type Tables = HouseTables;

    fn new(
        tables: &HouseTables,
        givens: &[Option<Value>],
    ) -> ControlFlow<Contradiction, HouseState<SIDE>> {
        let mut state = HouseState {
            places: [tables.all; SIDE],
            open: tables.cells,
            changed: (1 << SIDE) - 1,
        };
        for (cell, given) in givens.iter().enumerate() {
            if let Some(given) = given {
                state.assign(tables, cell, given.index())?;
            }
        }
        ControlFlow::Continue(state)
    }

    fn propagate(&mut self, tables: &HouseTables) -> Possible {
        loop {
            if self.place_naked(tables)? {
                continue;
            }
            let is_placed = self.open.is_empty();
            if is_placed || !(self.place_hidden(tables)? || self.strike_locked(tables)) {
                return ControlFlow::Continue(());
            }
        }
    }

    fn choose(&self) -> Option<(usize, usize)> {
        let mut open = self.open;
        open.0[SIDE..].fill(0);
        // For each count, the open cells with so many values or fewer.
        let mut least = [open; SIDE];
        for places in self.places {
            // From the most down: a cell that has this value, too, now belongs where it had one fewer.
            for count in (1..SIDE).rev() {
                least[count] = least[count].without(places.without(least[count - 1]));
            }
            least[0] = least[0].without(places);
        }
        // No cell among these: all of them have all values.
        let fewest = least.iter().find(|cells| !cells.is_empty());
        let (row, column) = fewest.unwrap_or(&open).places().next()?;
        let cell = row * SIDE + column;
        let value = (0..SIDE).find(|value| self.holds(cell, *value))?;
        Some((cell, value))
    }

    fn assign(&mut self, tables: &HouseTables, cell: usize, value: usize) -> Possible {
        if !self.holds(cell, value) {
            return CONTRADICTION;
        }
        self.place(tables, cell, value);
        ControlFlow::Continue(())
    }

    fn strike(&mut self, tables: &HouseTables, cell: usize, value: usize) {
        self.places[value] = self.places[value].and(tables.but(cell));
        self.changed |= 1 << value;
    }

    fn solution(&self) -> Vec<Value> {
        let mut values = vec![Value::at(0); SIDE * SIDE];
        for (value, places) in self.places.iter().enumerate() {
            for (row, column) in places.places().take_while(|(row, _)| *row < SIDE) {
                values[row * SIDE + column] = Value::at(value);
            }
        }
        values
    }
}
