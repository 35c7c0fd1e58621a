//! What is still possible on a board: the values of each cell, and the places of each value in each house,
//! kept in step. Candidates struck go to a trail, so that a branch is undone without copies.

use std::ops::ControlFlow;

use super::super::mask::{Mask, bits};
use super::super::puzzle::VariantPuzzle;
use super::super::value::Value;
use super::geometry::Geometry;

/// Where a contradiction came up: the search weighs houses by how often they fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    Cell(usize),
    House(usize),
}

/// Whether the board may still have a solution.
pub(super) type Possible = ControlFlow<Conflict>;

/// Numbers to look at again, each once; none where nobody looks at them.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    is_used: bool,
    items: Vec<u16>,
    listed: Vec<bool>,
}

impl Agenda {
    /// Empties it, for numbers below `count`.
    fn reset(&mut self, count: usize, is_used: bool) {
        self.is_used = is_used;
        self.items.clear();
        if is_used {
            self.listed.clear();
            self.listed.resize(count, false);
        }
    }

    #[inline]
    pub(super) fn add(&mut self, item: usize) {
        if self.is_used && !std::mem::replace(&mut self.listed[item], true) {
            self.items.push(item as u16);
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let item = usize::from(self.items.pop()?);
        self.listed[item] = false;
        Some(item)
    }

    fn clear(&mut self) {
        while self.next().is_some() {}
    }
}

/// Candidates left, and what has to be looked at since they changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    /// For each cell, its values.
    pub(super) values: Vec<Mask>,
    /// For each slot, the places of its value in its house.
    pub(super) places: Vec<Mask>,
    /// Candidates struck, oldest first: `cell * side + value`.
    trail: Vec<u16>,
    /// Cells that came down to one value, which is not yet struck from their houses.
    pub(super) naked: Vec<u16>,
    /// Slots that came down to one place.
    pub(super) hidden: Vec<u16>,
    /// Slots that changed.
    pub(super) slots: Agenda,
    /// Houses that changed.
    pub(super) houses: Agenda,
    /// Sums of which a cell changed.
    pub(super) sums: Agenda,
}

impl Board {
    /// Makes this the state after the givens.
    pub(super) fn load(&mut self, geometry: &Geometry, puzzle: &VariantPuzzle) -> Possible {
        let side = geometry.side;
        self.trail.clear();
        self.naked.clear();
        self.hidden.clear();
        self.slots
            .reset(geometry.houses * side, geometry.is_locked());
        self.houses.reset(geometry.houses, geometry.is_matched());
        self.sums.reset(geometry.sums.len(), true);
        let mut taken = [0; MOST_HOUSES];
        for (cell, given) in puzzle.givens().iter().enumerate() {
            if let Some(value) = given {
                let bit = 1 << value.index();
                for member in geometry.memberships(cell) {
                    let taken: &mut Mask = &mut taken[usize::from(member.house)];
                    if *taken & bit != 0 {
                        return ControlFlow::Break(Conflict::Cell(cell));
                    }
                    *taken |= bit;
                }
            }
        }
        self.values.clear();
        self.places.clear();
        self.places.resize(geometry.houses * side, 0);
        for (cell, given) in puzzle.givens().iter().enumerate() {
            let members = geometry.memberships(cell);
            let values = given.map_or_else(
                || {
                    let seen = members
                        .iter()
                        .map(|member| taken[usize::from(member.house)]);
                    geometry.full() & !seen.fold(0, |all, taken| all | taken)
                },
                |value| 1 << value.index(),
            );
            if values == 0 {
                return ControlFlow::Break(Conflict::Cell(cell));
            }
            if given.is_none() && values.is_power_of_two() {
                self.naked.push(cell as u16);
            }
            self.values.push(values);
            for member in members {
                let first = usize::from(member.house) * side;
                for value in bits(values) {
                    self.places[first + value] |= 1 << member.place;
                }
            }
        }
        for slot in 0..self.places.len() {
            let places = self.places[slot];
            if places == 0 {
                return ControlFlow::Break(Conflict::House(slot / side));
            }
            if places.is_power_of_two() {
                let cell = geometry.cell_at(slot / side, places.trailing_zeros() as usize);
                if !self.values[cell].is_power_of_two() {
                    self.hidden.push(slot as u16);
                }
            } else {
                self.slots.add(slot);
            }
        }
        for house in 0..geometry.houses {
            self.houses.add(house);
        }
        for sum in 0..geometry.sums.len() {
            self.sums.add(sum);
        }
        ControlFlow::Continue(())
    }

    /// Strikes a value from a cell.
    #[inline]
    pub(super) fn strike(&mut self, geometry: &Geometry, cell: usize, value: usize) -> Possible {
        let bit = 1 << value;
        let values = self.values[cell];
        if values & bit == 0 {
            return ControlFlow::Continue(());
        }
        let values = values ^ bit;
        if values == 0 {
            return ControlFlow::Break(Conflict::Cell(cell));
        }
        self.values[cell] = values;
        self.trail.push((cell * geometry.side + value) as u16);
        if values.is_power_of_two() {
            self.naked.push(cell as u16);
        }
        for &sum in geometry.sums_of(cell) {
            self.sums.add(usize::from(sum));
        }
        for member in geometry.memberships(cell) {
            let house = usize::from(member.house);
            let slot = house * geometry.side + value;
            let places = self.places[slot] & !(1 << member.place);
            self.places[slot] = places;
            self.houses.add(house);
            if places & places.wrapping_sub(1) != 0 {
                self.slots.add(slot);
            } else if places == 0 {
                return ControlFlow::Break(Conflict::House(house));
            } else {
                let last = geometry.cell_at(house, places.trailing_zeros() as usize);
                if !self.values[last].is_power_of_two() {
                    self.hidden.push(slot as u16);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Strikes all other values from a cell.
    pub(super) fn assign(&mut self, geometry: &Geometry, cell: usize, value: usize) -> Possible {
        self.keep(geometry, cell, 1 << value)
    }

    /// Strikes the values from a cell that are not among these.
    pub(super) fn keep(&mut self, geometry: &Geometry, cell: usize, kept: Mask) -> Possible {
        for value in bits(self.values[cell] & !kept) {
            self.strike(geometry, cell, value)?;
        }
        if self.values[cell] & kept == 0 {
            return ControlFlow::Break(Conflict::Cell(cell));
        }
        ControlFlow::Continue(())
    }

    /// How many candidates were struck so far.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Puts back the candidates that were struck since a mark, and forgets what was to be looked at.
    pub(super) fn undo(&mut self, geometry: &Geometry, mark: usize) {
        for candidate in self.trail.drain(mark..) {
            let (cell, value) = (
                usize::from(candidate) / geometry.side,
                usize::from(candidate) % geometry.side,
            );
            self.values[cell] |= 1 << value;
            for member in geometry.memberships(cell) {
                let slot = usize::from(member.house) * geometry.side + value;
                self.places[slot] |= 1 << member.place;
            }
        }
        self.naked.clear();
        self.hidden.clear();
        self.slots.clear();
        self.houses.clear();
        self.sums.clear();
    }

    /// The value of each cell, where each has one.
    pub(super) fn solution(&self) -> Vec<Value> {
        let values = self.values.iter();
        values
            .map(|values| Value::at(values.trailing_zeros() as usize))
            .collect()
    }
}

/// The most houses of a layout: 36 rows, columns and regions, two diagonals and 25 windows.
const MOST_HOUSES: usize = 3 * 36 + 2 + 25;
