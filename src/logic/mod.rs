//! Solving as people do: one technique after another, each step with its reason.

mod catalog;
mod chaining;
mod compat;
mod deduction;
mod explanation;
mod fish_shape;
mod forcing;
mod hall;
mod implications;
mod links;
mod native;
mod net;
mod profile;
mod rated_chain;
mod rating;
mod run;
mod search;
mod solver;
mod spelling;
mod state;
mod technique;
mod technique_id;
mod techniques;
mod text;

pub use catalog::{ALL, PROFILES, find_all, technique_names};
pub use chaining::{NetKind, RatedLoops, RatedNets};
pub use compat::{
    AlignedExclusion, Bug, DirectHiddenSubset, DirectLocked, EXPLAINER, HODOKU, HodokuSearch,
    UniqueLoop,
};
pub use deduction::{Deduction, Effect, Pattern, Unsound};
pub use explanation::{Explanation, Step};
pub use fish_shape::{FishKind, FishShape};
pub use forcing::{Branch, Claim, ForcingKind, Implication, Reason};
pub use links::{AlmostLockedSet, LinkKind, Node};
pub use native::{CHEAP_TECHNIQUES, NATIVE};
pub use profile::{Entry, Key, Level, Order, Profile, Scale, Scores};
pub use rated_chain::{DynamicName, RatedChain, RatedName};
pub use rating::{Measure, Rated, Rater, Rating, RatingError, rate};
pub use run::{History, Position, Run};
pub use search::LogicSearch;
pub use solver::{LogicSolver, Path};
pub use state::State;
pub use technique::{Sink, Technique};
pub use technique_id::{ChainName, ForcingName, LoopShape, SubsetSize, TechniqueId};
pub use techniques::{
    AlsChain, BasicFish, BugPlusOne, Chain, DeathBlossom, DualTwoStringKite, EmptyRectangle, Fish,
    ForcingNet, FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, LockedSubset,
    MultiColors, NakedSingle, NakedSubset, Rectangles, RefutingChain, RemotePair, SimpleColors,
    SueDeCoq, Templates, TurbotFish, WWing, XyWing, XyzWing,
};
pub use text::{Argument, HintLevel, Part, eliminations};
