//! The techniques, by family.

mod almost_locked;
mod chain;
mod coloring;
mod fish;
mod forcing_net;
mod locked_candidates;
mod single_digit;
mod singles;
mod subsets;
mod sue_de_coq;
mod templates;
mod uniqueness;
mod wings;

pub use almost_locked::{AlsChain, DeathBlossom};
pub use chain::{Chain, RefutingChain};
pub use coloring::{MultiColors, RemotePair, SimpleColors};
pub use fish::{BasicFish, Fish};
pub use forcing_net::ForcingNet;
pub use locked_candidates::{Locked, LockedCandidates};
pub use single_digit::{DualTwoStringKite, EmptyRectangle, TurbotFish};
pub use singles::{FullHouse, HiddenSingle, NakedSingle};
pub use subsets::{HiddenSubset, LockedSubset, NakedSubset};
pub use sue_de_coq::SueDeCoq;
pub use templates::Templates;
pub use uniqueness::{BugPlusOne, Rectangles};
pub use wings::{WWing, XyWing, XyzWing};
