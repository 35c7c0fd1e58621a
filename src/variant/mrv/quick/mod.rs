//! Boards without cages so small that all their cells are looked at in a few instructions.
//!
//! There are two representations. Up to 64 cells, a word for each value has a bit for each cell. Up to 100 cells, a
//! value has a lane for each house, with a bit for each of its cells; there, guesses are dear enough to also strike what
//! locked candidates and the law of leftovers rule out.

mod cells;
mod houses;
mod search;
mod state;

pub(super) use search::QuickSearch;
pub use search::is_quick;
