//! The techniques, one algorithm a file.

mod basic_fish;
mod full_house;
mod hidden_single;
mod hidden_subset;
mod locked_candidates;
mod locked_subset;
mod naked_single;
mod naked_subset;
mod turbot_fish;
mod xy_wing;

pub use basic_fish::BasicFish;
pub use full_house::FullHouse;
pub use hidden_single::HiddenSingle;
pub use hidden_subset::HiddenSubset;
pub use locked_candidates::{Locked, LockedCandidates};
pub use locked_subset::LockedSubset;
pub use naked_single::NakedSingle;
pub use naked_subset::NakedSubset;
pub use turbot_fish::TurbotFish;
pub use xy_wing::XyWing;
