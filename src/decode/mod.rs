//! Where reading meets reasoning: posteriors of 81 cells to the most probable puzzle that the rules
//! of Sudoku allow.

mod config;
mod decoded;
mod map;
mod search;

pub use config::{DecodeConfig, DecodeMode};
pub use decoded::Decoded;
pub use map::decode;
