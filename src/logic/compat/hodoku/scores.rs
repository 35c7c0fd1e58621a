//! What HoDoKu's steps count for.

use crate::logic::fish_shape::{FishKind, FishShape};
use crate::logic::scale::{Level, Measure, PathStep, hardest};
use crate::logic::spelling::spelling;
use crate::logic::technique_id::{ChainName, ForcingName, SubsetSize, TechniqueId};

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
            (spelling(step.technique), level, score)
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
const fn score(technique: TechniqueId) -> (Level, u32) {
    use Level::{Easy, Extreme, Hard, Medium, Unfair};
    use TechniqueId as Id;
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
