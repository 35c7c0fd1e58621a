//! Complete solvers: puzzle in, verdict out, with the effort it took.

mod solver;

pub use solver::{Budget, Effort, Goal, Outcome, Solver, Verdict};
