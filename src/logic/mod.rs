//! Solving as people do: one technique after another, each step with its reason.

mod deduction;
mod fish_shape;
mod ladder;
mod search;
mod size;
mod solver;
mod technique;
mod techniques;
mod tight;

pub use deduction::{Deduction, Effect, Pattern, TechniqueId};
pub use fish_shape::{FishKind, FishShape};
pub use ladder::LADDER;
pub use search::LogicSearch;
pub use size::Size;
pub use solver::{LogicSolver, Path};
pub use technique::{Sink, Technique};
pub use techniques::{
    BasicFish, BugPlusOne, DualTwoStringKite, EmptyRectangle, Fish, FullHouse, HiddenSingle,
    HiddenSubset, Locked, LockedCandidates, LockedSubset, MultiColors, NakedSingle, NakedSubset,
    Rectangles, SimpleColors, SueDeCoq, Templates, TurbotFish, WWing, XyWing, XyzWing,
};
