//! Decoding: from posteriors of 81 cells to the most probable puzzle that the rules of Sudoku
//! allow.

mod confidence;
mod config;
mod decoded;
mod filled;
mod fusion;
mod limit;
mod map;
mod search;

pub use config::{DecodeConfig, DecodeMode};
pub use decoded::Decoded;
pub use fusion::{Fusion, FusionConfig, sharpness};
pub use limit::Limit;
pub use map::decode;
