//! Solving as people do: one technique after another, each step with its reason.

mod almost_locked;
mod argument;
mod arrivals;
mod chain_name;
mod chaining;
mod checker;
mod climb;
mod deduction;
mod explanation;
mod fish_shape;
mod forcing;
mod forcing_name;
mod hodoku;
mod implications;
mod ladder;
mod links;
mod net;
mod position;
mod profile;
mod profiles;
mod rated_chain;
mod rating;
mod search;
mod size;
mod solver;
mod state;
mod technique;
mod technique_id;
mod techniques;
mod tellings;
mod tight;
mod told;
mod wording;

pub use almost_locked::AlmostLockedSet;
pub use argument::{Argument, HintLevel};
pub use chain_name::ChainName;
pub use chaining::NetKind;
pub use checker::{Unsound, prove};
pub use deduction::{Deduction, Effect, Pattern};
pub use explanation::{Explanation, Step};
pub use fish_shape::{FishKind, FishShape};
pub use forcing::{Branch, Claim, ForcingKind, Implication, Reason};
pub use forcing_name::ForcingName;
pub use hodoku::HodokuSearch;
pub use ladder::LADDER;
pub use links::{LinkKind, Node};
pub use position::Position;
pub use profile::{Key, Level, Order, Profile, Rung, Scale, Scores};
pub use profiles::{EXPLAINER, HODOKU, NATIVE, PROFILES};
pub use rated_chain::{DynamicName, RatedChain, RatedName};
pub use rating::{Measure, Rating, RatingError};
pub use search::LogicSearch;
pub use size::Size;
pub use solver::{LogicSolver, Path};
pub use state::State;
pub use technique::{Sink, Technique};
pub use technique_id::{LoopShape, TechniqueId};
pub use techniques::{
    AlignedExclusion, AlsChain, BasicFish, Bug, BugPlusOne, Chain, DeathBlossom,
    DirectHiddenSubset, DirectLocked, DualTwoStringKite, EmptyRectangle, Fish, ForcingNet,
    FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, LockedSubset, MultiColors,
    NakedSingle, NakedSubset, RatedLoops, RatedNets, Rectangles, RefutingChain, RemotePair,
    SimpleColors, SueDeCoq, Templates, TurbotFish, UniqueLoop, WWing, XyWing, XyzWing,
};
pub use told::Part;
pub use wording::eliminations;
