//! The complete solver `sat`: a board as clauses, answered by conflict-driven clause learning.

mod analysis;
mod encoding;
mod engine;
#[cfg(test)]
mod engine_tests;
mod order;
mod scratch;
mod solver;
mod store;
mod trail;

pub use solver::VariantSat;
