//! The techniques, by family.

mod almost_locked;
mod chain;
mod coloring;
mod fish;
mod forcing_net;
mod intersections;
mod single_digit;
mod singles;
mod subsets;
mod uniqueness;
mod wings;

pub use almost_locked::{AlsChain, DeathBlossom};
pub use chain::{Chain, RefutingChain};
pub use coloring::{MultiColors, RemotePair, SimpleColors};
pub use fish::{BasicFish, Fish};
pub use forcing_net::ForcingNet;
pub use intersections::{Locked, LockedCandidates, SueDeCoq};
pub use single_digit::{DualTwoStringKite, EmptyRectangle, Templates, TurbotFish};
pub use singles::{FullHouse, HiddenSingle, NakedSingle};
pub use subsets::{HiddenSubset, LockedSubset, NakedSubset};
pub use uniqueness::{BugPlusOne, Rectangles};
pub use wings::{WWing, XyWing, XyzWing};
