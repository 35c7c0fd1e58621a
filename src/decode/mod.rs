//! Where reading meets reasoning: posteriors of 81 cells to the most probable puzzle that the rules
//! of Sudoku allow.

mod config;
mod decoded;
mod limit;
mod map;
mod search;

pub use config::{DecodeConfig, DecodeMode};
pub use decoded::Decoded;
pub use limit::Limit;
pub use map::decode;
