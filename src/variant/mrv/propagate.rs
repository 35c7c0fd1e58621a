//! What follows from a state: singles, locked candidates, Hall sets of houses, and sums.

use std::ops::ControlFlow;

use super::super::mask::{Mask, bits};
use super::super::value::MOST_SIDE;
use super::all_different;
use super::board::{Board, Conflict, Possible};
use super::geometry::Geometry;

/// Draws conclusions; keeps the matchings of the houses from one state to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Propagator {
    /// For each house, a value for each cell.
    matchings: Vec<u8>,
}

impl Propagator {
    /// Gets ready for a layout.
    pub(super) fn prepare(&mut self, geometry: &Geometry) {
        self.matchings.clear();
        self.matchings.resize(geometry.houses * geometry.side, 0);
    }

    /// Strikes candidates until nothing more follows. The cheap conclusions come first, the dear ones only
    /// where those are at an end.
    pub(super) fn run(&mut self, geometry: &Geometry, board: &mut Board) -> Possible {
        self.strike_all(geometry, board, geometry.is_matched())
    }

    /// The same without the Hall sets of the houses, which take longest: for states that are only probed.
    pub(super) fn run_cheaply(&mut self, geometry: &Geometry, board: &mut Board) -> Possible {
        self.strike_all(geometry, board, false)
    }

    fn strike_all(&mut self, geometry: &Geometry, board: &mut Board, matched: bool) -> Possible {
        loop {
            place_singles(geometry, board)?;
            if let Some(sum) = board.sums.next() {
                filter_sum(geometry, board, sum)?;
            } else if let Some(slot) = board.slots.next() {
                lock(geometry, board, slot)?;
            } else if let Some(house) = board.houses.next().filter(|_| matched) {
                self.filter_house(geometry, board, house)?;
            } else {
                return ControlFlow::Continue(());
            }
        }
    }

    fn filter_house(&mut self, geometry: &Geometry, board: &mut Board, house: usize) -> Possible {
        let side = geometry.side;
        let mut values: [Mask; MOST_SIDE] = [0; MOST_SIDE];
        let cells = geometry.cells_of(house);
        for (values, cell) in values.iter_mut().zip(cells) {
            *values = board.values[usize::from(*cell)];
        }
        let matched = &mut self.matchings[house * side..][..side];
        if all_different::filter(&mut values[..side], matched).is_err() {
            return ControlFlow::Break(Conflict::House(house));
        }
        for (kept, cell) in values.iter().zip(cells) {
            board.keep(geometry, usize::from(*cell), *kept)?;
        }
        ControlFlow::Continue(())
    }
}

/// Places naked and hidden singles until there are none.
fn place_singles(geometry: &Geometry, board: &mut Board) -> Possible {
    loop {
        if let Some(cell) = board.naked.pop() {
            let cell = usize::from(cell);
            let value = board.values[cell].trailing_zeros() as usize;
            for member in geometry.memberships(cell) {
                let house = usize::from(member.house);
                let places = board.places[house * geometry.side + value] & !(1 << member.place);
                for place in bits(places) {
                    board.strike(geometry, geometry.cell_at(house, place), value)?;
                }
            }
        } else if let Some(slot) = board.hidden.pop() {
            let (house, value) = (
                usize::from(slot) / geometry.side,
                usize::from(slot) % geometry.side,
            );
            let place = board.places[usize::from(slot)].trailing_zeros() as usize;
            board.assign(geometry, geometry.cell_at(house, place), value)?;
        } else {
            return ControlFlow::Continue(());
        }
    }
}

/// Locked candidates: if a value's places in a house all lie in another house, it has no others there.
fn lock(geometry: &Geometry, board: &mut Board, slot: usize) -> Possible {
    let (house, value) = (slot / geometry.side, slot % geometry.side);
    let places = board.places[slot];
    for overlap in geometry.overlaps(house) {
        if places & !overlap.shared == 0 {
            let other = usize::from(overlap.house);
            let there = board.places[other * geometry.side + value] & !overlap.shared_there;
            for place in bits(there) {
                board.strike(geometry, geometry.cell_at(other, place), value)?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn filter_sum(geometry: &Geometry, board: &mut Board, number: usize) -> Possible {
    let sum = &geometry.sums[number];
    let mut values: [Mask; MOST_SIDE] = [0; MOST_SIDE];
    let values = &mut values[..sum.cells.len()];
    for (values, cell) in values.iter_mut().zip(&sum.cells) {
        *values = board.values[usize::from(*cell)];
    }
    let conflict = Conflict::Cell(sum.cells.first().map_or(0, |cell| usize::from(*cell)));
    let Ok(required) = sum.filter(values) else {
        return ControlFlow::Break(conflict);
    };
    for (kept, cell) in values.iter().zip(&sum.cells) {
        board.keep(geometry, usize::from(*cell), *kept)?;
    }
    for value in bits(required) {
        lock_in_sum(geometry, board, &sum.cells, value)?;
    }
    ControlFlow::Continue(())
}

/// If all cells of a sum that may have a value it needs lie in one house, no other cell of the house has it.
fn lock_in_sum(geometry: &Geometry, board: &mut Board, cells: &[u16], value: usize) -> Possible {
    let has = |cell: &usize| board.values[*cell] >> value & 1 == 1;
    let mut holders = cells.iter().map(|cell| usize::from(*cell)).filter(has);
    let Some(first) = holders.next() else {
        return ControlFlow::Continue(());
    };
    let others: Vec<usize> = holders.collect();
    for member in geometry.memberships(first) {
        let mut inside: Mask = 1 << member.place;
        let all = others.iter().all(|other| {
            let there = geometry.memberships(*other).iter();
            let shared = there.clone().find(|other| other.house == member.house);
            inside |= shared.map_or(0, |other| 1 << other.place);
            shared.is_some()
        });
        if all {
            let house = usize::from(member.house);
            let outside = board.places[house * geometry.side + value] & !inside;
            for place in bits(outside) {
                board.strike(geometry, geometry.cell_at(house, place), value)?;
            }
        }
    }
    ControlFlow::Continue(())
}
