//! The cheap techniques in the order they are tried.

use super::profile::Rung;
use super::size::Size;
use super::techniques::{
    BasicFish, HiddenSingle, HiddenSubset, Locked, LockedCandidates, NakedSingle, NakedSubset,
    TurbotFish, XyWing,
};

/// Techniques that take microseconds, the simplest first. None of them assumes that there is only
/// one solution, so what they solve is proven to be unique.
pub const LADDER: &[Rung] = &[
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
];
