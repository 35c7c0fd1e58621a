//! The profile `hodoku-2.2`: the order, the levels and the scores of HoDoKu 2.2 by Bernhard Hobiger,
//! as it comes.

use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::fish_shape::FishKind::{Finned, Plain, Sashimi};
use crate::logic::hodoku::{HodokuSearch, SCORES, house_rank};
use crate::logic::profile::{Key, Profile, Rung, Scale};
use crate::logic::size::Size::{Four, Three, Two};
use crate::logic::state::State;
use crate::logic::techniques::{HiddenSubset, Locked, LockedCandidates, XyWing, XyzWing};

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
    Rung::least(
        &LockedCandidates {
            kind: Locked::Pointing,
        },
        locked,
    ),
    Rung::least(
        &LockedCandidates {
            kind: Locked::Claiming,
        },
        locked,
    ),
    Rung::first(&HodokuSearch::NakedSubset(Two)),
    Rung::first(&HodokuSearch::NakedSubset(Three)),
    Rung::least(&HiddenSubset { size: Two }, hidden),
    Rung::least(&HiddenSubset { size: Three }, hidden),
    Rung::first(&HodokuSearch::NakedSubset(Four)),
    Rung::least(&HiddenSubset { size: Four }, hidden),
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
    Rung::least(&XyWing, xy_wing),
    Rung::least(&XyzWing, xyz_wing),
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

/// House by house, digit by digit.
fn locked(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::LockedCandidates { digit, from, .. } => {
            [from.index() as u32, digit.index() as u32, 0, 0, 0, 0]
        }
        _ => Key::default(),
    }
}

/// Blocks before rows before columns.
fn hidden(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::Subset { house, .. } => [house_rank(house), 0, 0, 0, 0, 0],
        _ => Key::default(),
    }
}

/// The three cells in reading order, then which of them is the pivot.
fn xy_wing(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::XyWing { pivot, pincers, .. } => {
            let mut cells = [pivot, pincers[0], pincers[1]];
            cells.sort_unstable();
            let [a, b, c] = cells.map(|cell| cell.index() as u32);
            let before = pincers.iter().filter(|&&pincer| pincer < pivot).count();
            [a, b, c, before as u32, 0, 0]
        }
        _ => Key::default(),
    }
}

/// The pivot, then the pincers in reading order.
fn xyz_wing(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::XyzWing { pivot, pincers, .. } => {
            let mut pincers = pincers;
            pincers.sort_unstable();
            let [p, q] = pincers.map(|cell| cell.index() as u32);
            [pivot.index() as u32, p, q, 0, 0, 0]
        }
        _ => Key::default(),
    }
}
