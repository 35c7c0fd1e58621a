//! The complete solver `sat`: a board as clauses, answered by conflict-driven clause learning.

mod encoding;
mod solver;

pub use solver::VariantSat;
