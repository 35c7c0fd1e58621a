//! Profiles that take the very steps of other programs, for their ratings.

mod explainer;
mod hodoku;

pub use explainer::{
    AlignedExclusion, Bug, DirectHiddenSubset, DirectLocked, EXPLAINER, UniqueLoop,
    explainer_below, explainer_rating,
};
pub use hodoku::{HODOKU, HodokuSearch};
