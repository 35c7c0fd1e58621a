//! Complete solvers: puzzle in, verdict out, with the effort it took.

mod mrv;
mod search_state;
mod solver;

pub use mrv::{Enumeration, Mrv};
pub use solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
