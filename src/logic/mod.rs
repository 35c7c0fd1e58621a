//! Solving as people do: one technique after another, each step with its reason.

mod almost_locked;
mod argument;
mod chain_name;
mod deduction;
mod explanation;
mod fish_shape;
mod ladder;
mod links;
mod position;
mod search;
mod size;
mod solver;
mod technique;
mod techniques;
mod tellings;
mod tight;
mod told;
mod wording;

pub use almost_locked::AlmostLockedSet;
pub use argument::{Argument, HintLevel};
pub use chain_name::ChainName;
pub use deduction::{Deduction, Effect, Pattern, TechniqueId};
pub use explanation::{Explanation, Step};
pub use fish_shape::{FishKind, FishShape};
pub use ladder::LADDER;
pub use links::{LinkKind, Node};
pub use position::Position;
pub use search::LogicSearch;
pub use size::Size;
pub use solver::{LogicSolver, Path};
pub use technique::{Sink, Technique};
pub use techniques::{
    AlsChain, BasicFish, BugPlusOne, Chain, DeathBlossom, DualTwoStringKite, EmptyRectangle, Fish,
    FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, LockedSubset, MultiColors,
    NakedSingle, NakedSubset, Rectangles, RemotePair, SimpleColors, SueDeCoq, Templates,
    TurbotFish, WWing, XyWing, XyzWing,
};
pub use told::Part;
pub use wording::eliminations;
