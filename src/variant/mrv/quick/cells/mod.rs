//! Boards of up to 64 cells: a word for each value, a bit for each cell. Singles are all that is propagated.

mod state;
mod tables;

pub(super) use state::CellState;
pub(super) use tables::CellTables;
