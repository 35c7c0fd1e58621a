//! The profile `native`: our own order, by what a step costs to find and to follow.

use crate::logic::ladder::LADDER;
use crate::logic::profile::{Profile, Scale};

/// No step assumes that there is only one solution, so what it solves is proven to be unique.
pub const NATIVE: Profile = Profile {
    name: "native",
    rungs: LADDER,
    scale: Scale::Rank(|step| (step.technique.name(), 0)),
};
