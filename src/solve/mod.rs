//! Solvers: from a puzzle to a verdict and the effort it took.

mod backtracking;
mod backtracking_scan;
mod bands;
mod deadline;
mod elimination;
mod exact_cover;
mod fewest_first;

mod identity;
mod instruction_set;
mod lockstep;
mod mrv;
mod mrv_lcv;
mod random_symmetry;
mod regions;
mod search;
mod search_state;
mod solver;
mod trial;
mod typical;

pub use backtracking::Backtracking;
pub use backtracking_scan::BacktrackingScan;
pub use bands::Bands;
pub use deadline::{Deadline, Halt, Stop};
pub use exact_cover::DancingLinks;
pub use identity::puzzle_id;
pub use instruction_set::InstructionSet;
pub use lockstep::Lockstep;
pub use mrv::Mrv;
pub use mrv_lcv::MrvLcv;
pub use random_symmetry::random_symmetry;
pub use regions::Regions;
pub use search::{End, Found, Ledger, Search, one_by_one};
pub use solver::{Effort, Goal, Limits, Outcome, Solver, Verdict};
pub use trial::Trial;
pub use typical::median_guesses;
