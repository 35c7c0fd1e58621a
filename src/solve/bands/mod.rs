//! The complete solver `bands`: one puzzle on bit boards, for the lowest latency.

mod band_set;
mod board;
mod solver;
mod tables;

pub use solver::Bands;
