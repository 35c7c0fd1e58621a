//! Complete solvers: puzzle in, verdict out, with the effort it took.

mod generate;
mod mrv;
mod search;
mod search_state;
mod solver;

pub use generate::{GenerateConfig, Generator, Kind, random_symmetry};
pub use mrv::Mrv;
pub use search::{End, Ledger, Search};
pub use solver::{Budget, Effort, Goal, Limits, Outcome, Solver, Verdict};
