//! Complete solvers: puzzle in, verdict out, with the effort it took.

mod generate;
mod mrv;
mod search_state;
mod solver;

pub use generate::{GenerateConfig, Generator, Kind, random_symmetry};
pub use mrv::{Enumeration, Mrv};
pub use solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
