//! The profile `hodoku-2.2`: the order, the levels and the scores of HoDoKu 2.2 by Bernhard Hobiger,
//! as it comes.

use crate::logic::fish_shape::FishKind::{Finned, Plain, Sashimi};
use crate::logic::hodoku::{HodokuSearch, SCORES};
use crate::logic::profile::{Profile, Rung, Scale};
use crate::logic::size::Size::{Four, Three, Two};

/// Rectangles and BUG+1 assume that there is only one solution.
pub const HODOKU: Profile = Profile {
    name: "hodoku-2.2",
    rungs: RUNGS,
    scale: Scale::Score(&SCORES),
};

const RUNGS: &[Rung] = &[
    Rung::first(&HodokuSearch::FullHouse),
    Rung::first(&HodokuSearch::NakedSingle),
    Rung::first(&HodokuSearch::HiddenSingle),
    Rung::first(&HodokuSearch::LockedSubset(Two)),
    Rung::first(&HodokuSearch::LockedSubset(Three)),
    Rung::first(&HodokuSearch::Pointing),
    Rung::first(&HodokuSearch::Claiming),
    Rung::first(&HodokuSearch::NakedSubset(Two)),
    Rung::first(&HodokuSearch::NakedSubset(Three)),
    Rung::first(&HodokuSearch::HiddenSubset(Two)),
    Rung::first(&HodokuSearch::HiddenSubset(Three)),
    Rung::first(&HodokuSearch::NakedSubset(Four)),
    Rung::first(&HodokuSearch::HiddenSubset(Four)),
    Rung::first(&HodokuSearch::Fish(Two, Plain)),
    Rung::first(&HodokuSearch::Fish(Three, Plain)),
    Rung::first(&HodokuSearch::Fish(Four, Plain)),
    Rung::first(&HodokuSearch::RemotePair),
    Rung::first(&HodokuSearch::BugPlusOne),
    Rung::first(&HodokuSearch::Skyscraper),
    Rung::first(&HodokuSearch::TwoStringKite),
    Rung::first(&HodokuSearch::TurbotFish),
    Rung::first(&HodokuSearch::EmptyRectangle),
    Rung::first(&HodokuSearch::WWing),
    Rung::first(&HodokuSearch::XyWing),
    Rung::first(&HodokuSearch::XyzWing),
    Rung::first(&HodokuSearch::UniqueRectangle),
    Rung::first(&HodokuSearch::AvoidableRectangle),
    Rung::first(&HodokuSearch::Fish(Two, Finned)),
    Rung::first(&HodokuSearch::Fish(Two, Sashimi)),
    Rung::first(&HodokuSearch::Fish(Three, Finned)),
    Rung::first(&HodokuSearch::Fish(Three, Sashimi)),
    Rung::first(&HodokuSearch::Fish(Four, Finned)),
    Rung::first(&HodokuSearch::Fish(Four, Sashimi)),
    Rung::first(&HodokuSearch::SueDeCoq),
    Rung::first(&HodokuSearch::SimpleColors),
    Rung::first(&HodokuSearch::MultiColors),
    Rung::first(&HodokuSearch::XChain),
    Rung::first(&HodokuSearch::XyChain),
    Rung::first(&HodokuSearch::NiceLoop),
    Rung::first(&HodokuSearch::GroupedNiceLoop),
    Rung::first(&HodokuSearch::AlmostLockedSets),
    Rung::first(&HodokuSearch::FrankenFish(Two, Plain)),
    Rung::first(&HodokuSearch::FrankenFish(Three, Plain)),
    Rung::first(&HodokuSearch::FrankenFish(Two, Finned)),
    Rung::first(&HodokuSearch::FrankenFish(Three, Finned)),
    Rung::first(&HodokuSearch::ForcingChain),
    Rung::first(&HodokuSearch::ForcingNet),
];
