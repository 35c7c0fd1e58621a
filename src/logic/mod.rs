//! Solving as people do: one technique after another, each step with its reason.
//!
//! [`Explanation`] is the path of a profile with its arguments, [`rate`] yields ratings, [`find_all`]
//! every instance of a technique on a board, and [`LogicSolver`] is a solver like any other.
//!
//! ```
//! use sudoku_batch::grid::Puzzle;
//! use sudoku_batch::logic::{HODOKU, Measure, rate};
//!
//! // Wikipedia's example.
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzles = [line.parse::<Puzzle>()?];
//! for rated in rate(puzzles, &HODOKU) {
//!     let rating = rated.rating?;
//!     assert_eq!(rating.hardest, Some("NAKED_SINGLE"));
//!     assert!(matches!(rating.measure, Measure::Score { score: 204, .. }));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalog;
mod chaining;
mod compat;
mod deduction;
mod explanation;
mod hall;
mod links;
mod native;
mod profile;
mod rating;
mod run;
mod scale;
mod solver;
mod state;
mod technique;
mod technique_id;
mod techniques;
mod text;

pub use catalog::{ALL, PROFILES, find_all, technique_name, technique_names};
pub use chaining::{NetKind, RatedLoops, RatedNets};
pub use compat::{
    AlignedExclusion, Bug, DirectHiddenSubset, DirectLocked, EXPLAINER, HODOKU, HodokuSearch,
    UniqueLoop, explainer_below, explainer_rating,
};
pub use deduction::{
    AlmostLockedSet, Branch, Claim, Deduction, Effect, ForcingKind, Implication, Node, Pattern,
    Reason, Unsound,
};
pub use explanation::{Explanation, Step};
pub use links::LinkKind;
pub use native::{CHEAP_TECHNIQUES, NATIVE};
pub use profile::{Entry, History, Key, Order, Profile, StartHistory};
pub use rating::{Rated, Rater, Rating, RatingError, rate};
pub use run::Run;
pub use scale::{Level, Measure, PathStep, Scale};
pub use solver::{LogicSearch, LogicSolver};
pub use state::{Position, State};
pub use technique::{Sink, Technique};
pub use technique_id::{
    ChainName, DynamicName, FishKind, FishShape, ForcingName, LoopShape, RatedChain, RatedName,
    SubsetSize, TechniqueId,
};
pub use techniques::{
    AlsChain, BasicFish, BugPlusOne, Chain, DeathBlossom, DualTwoStringKite, EmptyRectangle, Fish,
    ForcingNet, FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, LockedSubset,
    MultiColors, NakedSingle, NakedSubset, Rectangles, RefutingChain, RemotePair, SimpleColors,
    SueDeCoq, Templates, TurbotFish, WWing, XyWing, XyzWing,
};
pub use text::{Argument, HintLevel, Part, eliminations};
