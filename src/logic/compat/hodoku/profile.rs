//! The profile `hodoku-2.2`: the order, the levels and the scores of HoDoKu 2.2 by Bernhard Hobiger,
//! as it comes.

use super::search::HodokuSearch;
use super::simple::house_rank;
use super::singles_queue::SinglesQueue;
use crate::grid::Cell;
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::profile::{Entry, Key, Profile};
use crate::logic::scale::{Level, Measure, PathStep, hardest};
use crate::logic::state::State;
use crate::logic::technique_id::FishKind::{Finned, Plain, Sashimi};
use crate::logic::technique_id::FishShape::{Basic, Franken};
use crate::logic::technique_id::SubsetSize::{Four, Three, Two};
use crate::logic::technique_id::{
    ChainName, FishKind, FishShape, ForcingName, SubsetSize, TechniqueId as Id,
};
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
    Entry::first(&HodokuSearch(Id::LockedSubset(Two))),
    Entry::first(&HodokuSearch(Id::LockedSubset(Three))),
    Entry::least(&LockedCandidates(Locked::Pointing), locked),
    Entry::least(&LockedCandidates(Locked::Claiming), locked),
    Entry::first(&HodokuSearch(Id::NakedSubset(Two))),
    Entry::first(&HodokuSearch(Id::NakedSubset(Three))),
    Entry::least(&HiddenSubset(Two), hidden),
    Entry::least(&HiddenSubset(Three), hidden),
    Entry::first(&HodokuSearch(Id::NakedSubset(Four))),
    Entry::least(&HiddenSubset(Four), hidden),
    Entry::first(&HodokuSearch(Id::BasicFish(Two))),
    Entry::first(&HodokuSearch(Id::BasicFish(Three))),
    Entry::first(&HodokuSearch(Id::BasicFish(Four))),
    Entry::first(&HodokuSearch(Id::RemotePair)),
    Entry::first(&BugPlusOne),
    Entry::first(&HodokuSearch(Id::Skyscraper)),
    Entry::first(&HodokuSearch(Id::TwoStringKite)),
    Entry::first(&HodokuSearch(Id::TurbotFish)),
    Entry::first(&HodokuSearch(Id::EmptyRectangle)),
    Entry::least(&WWing, w_wing),
    Entry::least(&XyWing, xy_wing),
    Entry::least(&XyzWing, xyz_wing),
    Entry::first(&HodokuSearch(Id::UniqueRectangle(1))),
    Entry::first(&HodokuSearch(Id::AvoidableRectangle(1))),
    Entry::first(&HodokuSearch(fish(2, Basic, Finned))),
    Entry::first(&HodokuSearch(fish(2, Basic, Sashimi))),
    Entry::first(&HodokuSearch(fish(3, Basic, Finned))),
    Entry::first(&HodokuSearch(fish(3, Basic, Sashimi))),
    Entry::first(&HodokuSearch(fish(4, Basic, Finned))),
    Entry::first(&HodokuSearch(fish(4, Basic, Sashimi))),
    Entry::first(&SueDeCoq),
    Entry::first(&SimpleColors),
    Entry::first(&MultiColors),
    Entry::first(&HodokuSearch(Id::Chain(ChainName::XChain))),
    Entry::first(&HodokuSearch(Id::Chain(ChainName::XyChain))),
    Entry::first(&HodokuSearch(Id::Chain(ChainName::DiscontinuousLoop))),
    Entry::first(&HodokuSearch(Id::Chain(
        ChainName::GroupedDiscontinuousLoop,
    ))),
    Entry::first(&HodokuSearch(Id::Chain(ChainName::AlsXz))),
    Entry::first(&HodokuSearch(fish(2, Franken, Plain))),
    Entry::first(&HodokuSearch(fish(3, Franken, Plain))),
    Entry::first(&HodokuSearch(fish(2, Franken, Finned))),
    Entry::first(&HodokuSearch(fish(3, Franken, Finned))),
    Entry::first(&HodokuSearch(Id::Forcing(ForcingName::ChainContradiction))),
    Entry::first(&HodokuSearch(Id::Forcing(ForcingName::NetContradiction))),
];

const fn fish(size: u8, shape: FishShape, kind: FishKind) -> Id {
    Id::Fish {
        size,
        shape,
        kind,
        siamese: false,
    }
}

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

/// Of a digit that is guessed where no technique has a step.
const GUESS: (&str, Level, u32) = ("BRUTE_FORCE", Level::Extreme, 10_000);

/// Each level but the last with the score that a puzzle of it may have at most.
const LIMITS: [(Level, u32); 4] = [
    (Level::Easy, 800),
    (Level::Medium, 1000),
    (Level::Hard, 1600),
    (Level::Unfair, 1800),
];

/// The scale: the sum of the steps, and the level of the hardest step or the one that the sum calls for.
pub(super) fn score_of(path: &[PathStep], _: bool) -> (Option<&'static str>, Measure) {
    let graded = path.iter().map(|step| match step {
        Some((_, step)) => {
            let (level, score) = score(step.technique);
            (step.technique.spelling(), level, score)
        }
        None => GUESS,
    });
    let score = graded.clone().map(|(_, _, score)| score).sum();
    let top = hardest(graded.map(|(name, level, score)| (name, (level, score))));
    let of_steps = top.map_or(Level::Easy, |(_, (level, _))| level);
    let within = LIMITS.iter().find(|&&(_, most)| score <= most);
    let of_score = within.map_or(Level::Extreme, |&(level, _)| level);
    let level = of_steps.max(of_score);
    (top.map(|(name, _)| name), Measure::Score { level, score })
}

/// The level and the score of a technique. Those that HoDoKu does not look for by itself count as
/// what they are closest to.
const fn score(technique: Id) -> (Level, u32) {
    use Level::{Easy, Extreme, Hard, Medium, Unfair};
    match technique {
        Id::FullHouse | Id::NakedSingle => (Easy, 4),
        Id::HiddenSingle => (Easy, 14),
        Id::LockedSubset(SubsetSize::Two) => (Medium, 40),
        Id::LockedSubset(_) => (Medium, 60),
        Id::Pointing | Id::Claiming | Id::DirectPointing | Id::DirectClaiming => (Medium, 50),
        Id::NakedSubset(SubsetSize::Two) => (Medium, 60),
        Id::NakedSubset(SubsetSize::Three) => (Medium, 80),
        Id::NakedSubset(SubsetSize::Four) => (Hard, 120),
        Id::HiddenSubset(SubsetSize::Two) | Id::DirectHiddenSubset(SubsetSize::Two) => (Medium, 70),
        Id::HiddenSubset(SubsetSize::Three) | Id::DirectHiddenSubset(_) => (Medium, 100),
        Id::HiddenSubset(SubsetSize::Four) => (Hard, 150),
        Id::BasicFish(SubsetSize::Two) => (Hard, 140),
        Id::BasicFish(SubsetSize::Three) => (Hard, 150),
        Id::BasicFish(SubsetSize::Four) => (Hard, 160),
        Id::Fish {
            size, shape, kind, ..
        } => fish_score(size, shape, kind),
        Id::RemotePair => (Hard, 110),
        Id::BugPlusOne
        | Id::UniqueRectangle(_)
        | Id::HiddenRectangle
        | Id::UniqueLoop(_)
        | Id::Bug(..)
        | Id::AvoidableRectangle(_) => (Hard, 100),
        Id::Skyscraper => (Hard, 130),
        Id::TwoStringKite | Id::DualTwoStringKite => (Hard, 150),
        Id::TurbotFish | Id::EmptyRectangle | Id::DualEmptyRectangle => (Hard, 120),
        Id::WWing => (Hard, 150),
        Id::XyWing => (Hard, 160),
        Id::XyzWing => (Hard, 180),
        Id::SueDeCoq => (Unfair, 250),
        Id::SimpleColorsTrap | Id::SimpleColorsWrap => (Hard, 150),
        Id::MultiColors1 | Id::MultiColors2 => (Hard, 200),
        Id::Chain(name) => (Unfair, chain_score(name)),
        Id::AlignedExclusion(_) => (Unfair, 300),
        Id::DeathBlossom => (Unfair, 360),
        Id::Forcing(ForcingName::ChainContradiction | ForcingName::ChainVerity) => (Extreme, 500),
        Id::Forcing(ForcingName::NetContradiction | ForcingName::NetVerity) | Id::RatedChain(_) => {
            (Extreme, 700)
        }
        Id::TemplateSet | Id::TemplateDelete => (Extreme, 10_000),
    }
}

const fn chain_score(name: ChainName) -> u32 {
    match name {
        ChainName::XChain | ChainName::XyChain => 260,
        ChainName::DiscontinuousLoop | ChainName::ContinuousLoop | ChainName::Aic => 280,
        ChainName::GroupedDiscontinuousLoop
        | ChainName::GroupedContinuousLoop
        | ChainName::GroupedAic
        | ChainName::AlsXz => 300,
        ChainName::AlsXyWing => 320,
        ChainName::AlsChain => 340,
    }
}

const fn fish_score(size: u8, shape: FishShape, kind: FishKind) -> (Level, u32) {
    use FishKind::{Finned, Plain, Sashimi};
    use Level::{Extreme, Hard, Unfair};
    match (shape, kind, size) {
        (FishShape::Basic, Plain, 2) => (Hard, 140),
        (FishShape::Basic, Plain, 3) => (Hard, 150),
        (FishShape::Basic, Plain, 4) => (Hard, 160),
        (FishShape::Basic, Finned, 2) => (Hard, 130),
        (FishShape::Basic, Finned, 3) => (Unfair, 200),
        (FishShape::Basic, Finned, 4) => (Unfair, 250),
        (FishShape::Basic, Sashimi, 2) => (Hard, 150),
        (FishShape::Basic, Sashimi, 3) => (Unfair, 240),
        (FishShape::Basic, Sashimi, 4) => (Unfair, 260),
        (_, Plain, 2) => (Unfair, 300),
        (_, Plain, 3) => (Unfair, 350),
        (_, _, 2) => (Unfair, 390),
        (_, _, 3) => (Unfair, 410),
        // Too large for HoDoKu to look for by itself.
        _ => (Extreme, 470),
    }
}
