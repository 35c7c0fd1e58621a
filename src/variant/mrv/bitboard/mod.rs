//! Boards of up to 64 cells without cages: a word for each value, a bit for each cell.

mod search;
mod state;
mod tables;

pub(super) use search::BitboardSearch;
pub use search::is_quick;
