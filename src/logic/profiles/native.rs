//! The profile `native`: our own order, by what a step costs to find and to follow.
//!
//! Patterns that people see at a glance come first, then chains, the shortest of a kind before the
//! longer ones, then nets of singles, and at last nets with locked candidates and subsets inside.

use crate::logic::chaining::NetKind;
use crate::logic::hodoku::spelling;
use crate::logic::links::LinkKind;
use crate::logic::profile::{Profile, Rung, Scale};
use crate::logic::size::Size;
use crate::logic::techniques::{
    BasicFish, EmptyRectangle, ForcingNet, HiddenSingle, HiddenSubset, Locked, LockedCandidates,
    NakedSingle, NakedSubset, RatedNets, RefutingChain, TurbotFish, WWing, XyWing, XyzWing,
};

/// No step assumes that there is only one solution, so what it solves is proven to be unique.
pub const NATIVE: Profile = Profile {
    name: "native",
    rungs: RUNGS,
    scale: Scale::Rank(spelling),
};

const RUNGS: &[Rung] = &[
    Rung::first(&NakedSingle),
    Rung::first(&HiddenSingle),
    Rung::first(&LockedCandidates {
        kind: Locked::Pointing,
    }),
    Rung::first(&LockedCandidates {
        kind: Locked::Claiming,
    }),
    Rung::first(&NakedSubset { size: Size::Two }),
    Rung::first(&HiddenSubset { size: Size::Two }),
    Rung::first(&NakedSubset { size: Size::Three }),
    Rung::first(&HiddenSubset { size: Size::Three }),
    Rung::first(&BasicFish { size: Size::Two }),
    Rung::first(&BasicFish { size: Size::Three }),
    Rung::first(&XyWing),
    Rung::first(&TurbotFish),
    Rung::first(&XyzWing),
    Rung::first(&WWing),
    Rung::first(&NakedSubset { size: Size::Four }),
    Rung::first(&HiddenSubset { size: Size::Four }),
    Rung::first(&BasicFish { size: Size::Four }),
    Rung::first(&EmptyRectangle),
    Rung::first(&RefutingChain {
        links: LinkKind::OneDigit,
    }),
    Rung::first(&RefutingChain {
        links: LinkKind::Bivalue,
    }),
    Rung::first(&RefutingChain {
        links: LinkKind::Candidates,
    }),
    Rung::first(&RefutingChain {
        links: LinkKind::Groups,
    }),
    Rung::first(&ForcingNet::Contradiction { rounds: 4 }),
    Rung::first(&ForcingNet::Contradiction { rounds: usize::MAX }),
    Rung::first(&ForcingNet::Verity),
    Rung::first(&RatedNets {
        kind: NetKind::Dynamic(1),
    }),
];
