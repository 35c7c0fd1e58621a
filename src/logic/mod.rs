//! Solving as people do: one technique after another, each step with its reason.

mod deduction;
mod ladder;
mod search;
mod size;
mod solver;
mod technique;
mod techniques;
mod tight;

pub use deduction::{Deduction, Effect, Pattern, TechniqueId};
pub use ladder::LADDER;
pub use search::LogicSearch;
pub use size::Size;
pub use solver::{LogicSolver, Path};
pub use technique::Technique;
pub use techniques::{
    BasicFish, HiddenSingle, HiddenSubset, Locked, LockedCandidates, NakedSingle, NakedSubset,
    TurbotFish, XyWing,
};
