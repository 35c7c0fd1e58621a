//! Solvers: puzzle in, verdict out, with the effort it took.

mod elimination;
mod generate;
mod mrv;
mod regions;
mod search;
mod search_state;
mod solver;

pub use elimination::{Clock, Halt, by_elimination};
pub use generate::{GenerateConfig, Generator, Kind, random_symmetry};
pub use mrv::Mrv;
pub use regions::Regions;
pub use search::{End, Ledger, Search};
pub use solver::{Budget, Effort, Goal, Limits, Outcome, Solver, Verdict};
