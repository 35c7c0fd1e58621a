//! Sudoku Explainer 1.2.1 by Nicolas Juillerat: its order, its ratings, and what only it looks for.

mod aligned_exclusion;
mod bug;
mod direct;
mod profile;
mod unique_loop;

pub use aligned_exclusion::AlignedExclusion;
pub use bug::Bug;
pub use direct::{DirectHiddenSubset, DirectLocked};
pub use profile::{EXPLAINER, explainer_below, explainer_rating};
pub use unique_loop::UniqueLoop;
