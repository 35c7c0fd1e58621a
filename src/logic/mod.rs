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
pub use technique::{Sink, Technique};
pub use techniques::{
    BasicFish, FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, LockedSubset,
    NakedSingle, NakedSubset, TurbotFish, XyWing,
};
