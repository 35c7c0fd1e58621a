//! The profile `hodoku-2.2`: the order, the levels and the scores of HoDoKu 2.2 by Bernhard Hobiger,
//! as it comes.

use super::scores::score_of;
use super::search::HodokuSearch;
use super::simple::house_rank;
use super::singles_queue::SinglesQueue;
use crate::grid::Cell;
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::fish_shape::FishKind::{Finned, Plain, Sashimi};
use crate::logic::profile::{Entry, Key, Profile};
use crate::logic::state::State;
use crate::logic::technique_id::SubsetSize::{Four, Three, Two};
use crate::logic::techniques::{
    BugPlusOne, HiddenSubset, Locked, LockedCandidates, MultiColors, SimpleColors, SueDeCoq, WWing,
    XyWing, XyzWing,
};

/// Rectangles and BUG+1 assume that there is only one solution.
pub const HODOKU: Profile = Profile {
    name: "hodoku-2.2",
    techniques: TECHNIQUES,
    scale: score_of,
    guess: middle,
    history: Some(SinglesQueue::start),
};

/// Singles come from the queue before any of these.
const TECHNIQUES: &[Entry] = &[
    Entry::first(&HodokuSearch::LockedSubset(Two)),
    Entry::first(&HodokuSearch::LockedSubset(Three)),
    Entry::least(&LockedCandidates(Locked::Pointing), locked),
    Entry::least(&LockedCandidates(Locked::Claiming), locked),
    Entry::first(&HodokuSearch::NakedSubset(Two)),
    Entry::first(&HodokuSearch::NakedSubset(Three)),
    Entry::least(&HiddenSubset(Two), hidden),
    Entry::least(&HiddenSubset(Three), hidden),
    Entry::first(&HodokuSearch::NakedSubset(Four)),
    Entry::least(&HiddenSubset(Four), hidden),
    Entry::first(&HodokuSearch::Fish(Two, Plain)),
    Entry::first(&HodokuSearch::Fish(Three, Plain)),
    Entry::first(&HodokuSearch::Fish(Four, Plain)),
    Entry::first(&HodokuSearch::RemotePair),
    Entry::first(&BugPlusOne),
    Entry::first(&HodokuSearch::Skyscraper),
    Entry::first(&HodokuSearch::TwoStringKite),
    Entry::first(&HodokuSearch::TurbotFish),
    Entry::first(&HodokuSearch::EmptyRectangle),
    Entry::least(&WWing, w_wing),
    Entry::least(&XyWing, xy_wing),
    Entry::least(&XyzWing, xyz_wing),
    Entry::first(&HodokuSearch::UniqueRectangle),
    Entry::first(&HodokuSearch::AvoidableRectangle),
    Entry::first(&HodokuSearch::Fish(Two, Finned)),
    Entry::first(&HodokuSearch::Fish(Two, Sashimi)),
    Entry::first(&HodokuSearch::Fish(Three, Finned)),
    Entry::first(&HodokuSearch::Fish(Three, Sashimi)),
    Entry::first(&HodokuSearch::Fish(Four, Finned)),
    Entry::first(&HodokuSearch::Fish(Four, Sashimi)),
    Entry::first(&SueDeCoq),
    Entry::first(&SimpleColors),
    Entry::first(&MultiColors),
    Entry::first(&HodokuSearch::XChain),
    Entry::first(&HodokuSearch::XyChain),
    Entry::first(&HodokuSearch::NiceLoop),
    Entry::first(&HodokuSearch::GroupedNiceLoop),
    Entry::first(&HodokuSearch::AlmostLockedSets),
    Entry::first(&HodokuSearch::FrankenFish(Two, Plain)),
    Entry::first(&HodokuSearch::FrankenFish(Three, Plain)),
    Entry::first(&HodokuSearch::FrankenFish(Two, Finned)),
    Entry::first(&HodokuSearch::FrankenFish(Three, Finned)),
    Entry::first(&HodokuSearch::ForcingChain),
    Entry::first(&HodokuSearch::ForcingNet),
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

/// The cells in reading order, then the digit that is eliminated.
fn w_wing(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::WWing { ends, digit, .. } => {
            let [a, b] = ends.map(|cell| cell.index() as u32);
            [a, b, digit.index() as u32, 0, 0, 0]
        }
        _ => Key::default(),
    }
}

/// HoDoKu guesses in the middle of all blank cells.
fn middle(state: &State) -> Option<Cell> {
    let blanks = state.blanks();
    blanks.into_iter().nth(blanks.len() / 2)
}
