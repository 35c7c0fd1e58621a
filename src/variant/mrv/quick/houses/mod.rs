//! Boards of up to 100 cells: for each value a lane for each house, with a bit for each of its cells.
//!
//! A hidden single is a lane with one bit; that is found in all houses at once, and a value is struck from all houses
//! of a cell at once. Both are loops over lanes that compilers make vectors of.

mod cell_set;
mod lanes;
mod leftovers;
mod state;
mod tables;

pub(super) use state::HouseState;
pub(super) use tables::HouseTables;
