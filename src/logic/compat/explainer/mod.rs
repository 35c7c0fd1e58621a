//! Sudoku Explainer 1.2.1 by Nicolas Juillerat: its order, its ratings, and what only it looks for.

mod aligned_exclusion;
mod direct;
mod profile;
mod uniqueness;

pub use aligned_exclusion::AlignedExclusion;
pub use direct::{DirectHiddenSubset, DirectLocked};
pub use profile::{EXPLAINER, explainer_below, explainer_rating};
pub use uniqueness::{Bug, UniqueLoop};
