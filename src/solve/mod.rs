//! Complete solvers: puzzle in, verdict out, with the effort it took.

mod mrv;
mod solver;

pub use mrv::Mrv;
pub use solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
