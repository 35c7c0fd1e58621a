//! Solving as people do: one technique after another, each step with its reason.

mod argument;
mod deduction;
mod explanation;
mod ladder;
mod position;
mod search;
mod size;
mod solver;
mod technique;
mod techniques;
mod tight;
mod wording;

pub use argument::{Argument, HintLevel, Part};
pub use deduction::{Deduction, Effect, Pattern, TechniqueId};
pub use explanation::{Explanation, Step};
pub use ladder::LADDER;
pub use position::Position;
pub use search::LogicSearch;
pub use size::Size;
pub use solver::{LogicSolver, Path};
pub use technique::Technique;
pub use techniques::{
    BasicFish, HiddenSingle, HiddenSubset, Locked, LockedCandidates, NakedSingle, NakedSubset,
    TurbotFish, XyWing,
};
pub use wording::eliminations;
