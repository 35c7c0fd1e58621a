//! What HoDoKu's steps count for, and how its techniques are spelled.

use crate::logic::chain_name::ChainName;
use crate::logic::deduction::Deduction;
use crate::logic::fish_shape::{FishKind, FishShape};
use crate::logic::forcing_name::ForcingName;
use crate::logic::profile::{Level, Scores};
use crate::logic::rated_chain::{DynamicName, RatedName};
use crate::logic::size::Size;
use crate::logic::technique_id::TechniqueId;

/// HoDoKu's own settings.
pub(in crate::logic) static SCORES: Scores = Scores {
    of,
    guess: ("BRUTE_FORCE", Level::Extreme, 10_000),
    limits: [
        (Level::Easy, 800),
        (Level::Medium, 1000),
        (Level::Hard, 1600),
        (Level::Unfair, 1800),
    ],
};

fn of(step: &Deduction) -> (&'static str, Level, u32) {
    let (level, score) = score(step.technique);
    (spelling(step.technique), level, score)
}

/// The level and the score of a technique. Those that HoDoKu does not look for by itself count as
/// what they are closest to.
const fn score(technique: TechniqueId) -> (Level, u32) {
    use Level::{Easy, Extreme, Hard, Medium, Unfair};
    use TechniqueId as Id;
    match technique {
        Id::FullHouse | Id::NakedSingle => (Easy, 4),
        Id::HiddenSingle => (Easy, 14),
        Id::LockedSubset(Size::Two) => (Medium, 40),
        Id::LockedSubset(_) => (Medium, 60),
        Id::Pointing | Id::Claiming | Id::DirectPointing | Id::DirectClaiming => (Medium, 50),
        Id::NakedSubset(Size::Two) => (Medium, 60),
        Id::NakedSubset(Size::Three) => (Medium, 80),
        Id::NakedSubset(Size::Four) => (Hard, 120),
        Id::HiddenSubset(Size::Two) | Id::DirectHiddenSubset(Size::Two) => (Medium, 70),
        Id::HiddenSubset(Size::Three) | Id::DirectHiddenSubset(_) => (Medium, 100),
        Id::HiddenSubset(Size::Four) => (Hard, 150),
        Id::BasicFish(Size::Two) => (Hard, 140),
        Id::BasicFish(Size::Three) => (Hard, 150),
        Id::BasicFish(Size::Four) => (Hard, 160),
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

/// The spelling of a technique; techniques that HoDoKu does not know are spelled alike.
pub(in crate::logic) const fn spelling(technique: TechniqueId) -> &'static str {
    use TechniqueId as Id;
    match technique {
        Id::FullHouse => "FULL_HOUSE",
        Id::NakedSingle => "NAKED_SINGLE",
        Id::HiddenSingle => "HIDDEN_SINGLE",
        Id::Pointing | Id::DirectPointing => "LOCKED_CANDIDATES_1",
        Id::Claiming | Id::DirectClaiming => "LOCKED_CANDIDATES_2",
        Id::LockedSubset(Size::Two) => "LOCKED_PAIR",
        Id::LockedSubset(_) => "LOCKED_TRIPLE",
        Id::NakedSubset(Size::Two) => "NAKED_PAIR",
        Id::NakedSubset(Size::Three) => "NAKED_TRIPLE",
        Id::NakedSubset(Size::Four) => "NAKED_QUADRUPLE",
        Id::HiddenSubset(Size::Two) | Id::DirectHiddenSubset(Size::Two) => "HIDDEN_PAIR",
        Id::HiddenSubset(Size::Three) | Id::DirectHiddenSubset(_) => "HIDDEN_TRIPLE",
        Id::HiddenSubset(Size::Four) => "HIDDEN_QUADRUPLE",
        Id::BasicFish(Size::Two) => "X_WING",
        Id::BasicFish(Size::Three) => "SWORDFISH",
        Id::BasicFish(Size::Four) => "JELLYFISH",
        Id::Fish {
            size, shape, kind, ..
        } => fish(size, shape, kind),
        Id::XyWing => "XY_WING",
        Id::Skyscraper => "SKYSCRAPER",
        Id::TwoStringKite => "TWO_STRING_KITE",
        Id::TurbotFish => "TURBOT_FISH",
        Id::XyzWing => "XYZ_WING",
        Id::WWing => "W_WING",
        Id::EmptyRectangle => "EMPTY_RECTANGLE",
        Id::DualEmptyRectangle => "DUAL_EMPTY_RECTANGLE",
        Id::DualTwoStringKite => "DUAL_TWO_STRING_KITE",
        Id::SimpleColorsTrap => "SIMPLE_COLORS_TRAP",
        Id::SimpleColorsWrap => "SIMPLE_COLORS_WRAP",
        Id::MultiColors1 => "MULTI_COLORS_1",
        Id::MultiColors2 => "MULTI_COLORS_2",
        Id::BugPlusOne => "BUG_PLUS_1",
        Id::HiddenRectangle => "HIDDEN_RECTANGLE",
        Id::SueDeCoq => "SUE_DE_COQ",
        Id::TemplateSet => "TEMPLATE_SET",
        Id::TemplateDelete => "TEMPLATE_DEL",
        Id::Chain(name) => chain(name),
        Id::RemotePair => "REMOTE_PAIR",
        Id::DeathBlossom => "DEATH_BLOSSOM",
        Id::UniqueRectangle(1) => "UNIQUENESS_1",
        Id::UniqueRectangle(2) => "UNIQUENESS_2",
        Id::UniqueRectangle(3) => "UNIQUENESS_3",
        Id::UniqueRectangle(4) => "UNIQUENESS_4",
        Id::UniqueRectangle(5) => "UNIQUENESS_5",
        Id::UniqueRectangle(_) => "UNIQUENESS_6",
        Id::AvoidableRectangle(1) => "AVOIDABLE_RECTANGLE_1",
        Id::AvoidableRectangle(_) => "AVOIDABLE_RECTANGLE_2",
        Id::UniqueLoop(_) => "UNIQUE_LOOP",
        Id::Bug(..) => "BUG",
        Id::AlignedExclusion(2) => "ALIGNED_PAIR_EXCLUSION",
        Id::AlignedExclusion(_) => "ALIGNED_TRIPLE_EXCLUSION",
        Id::RatedChain(chain) => rated(chain.name),
        Id::Forcing(ForcingName::ChainContradiction) => "FORCING_CHAIN_CONTRADICTION",
        Id::Forcing(ForcingName::ChainVerity) => "FORCING_CHAIN_VERITY",
        Id::Forcing(ForcingName::NetContradiction) => "FORCING_NET_CONTRADICTION",
        Id::Forcing(ForcingName::NetVerity) => "FORCING_NET_VERITY",
    }
}

const fn rated(name: RatedName) -> &'static str {
    match name {
        RatedName::GeneralizedXWing | RatedName::XCycle | RatedName::YCycle | RatedName::Cycle => {
            "CONTINUOUS_NICE_LOOP"
        }
        RatedName::TurbotFish => "TURBOT_FISH",
        RatedName::ForcingXChain => "X_CHAIN",
        RatedName::ForcingChain => "AIC",
        RatedName::Nishio => "FORCING_CHAIN_CONTRADICTION",
        RatedName::Cell | RatedName::Region => "FORCING_CHAIN_VERITY",
        RatedName::Dynamic(DynamicName::Contradiction, _) => "FORCING_NET_CONTRADICTION",
        RatedName::Dynamic(..) => "FORCING_NET_VERITY",
    }
}

const fn chain(name: ChainName) -> &'static str {
    match name {
        ChainName::XChain => "X_CHAIN",
        ChainName::XyChain => "XY_CHAIN",
        ChainName::DiscontinuousLoop => "DISCONTINUOUS_NICE_LOOP",
        ChainName::ContinuousLoop => "CONTINUOUS_NICE_LOOP",
        ChainName::Aic => "AIC",
        ChainName::GroupedDiscontinuousLoop => "GROUPED_DISCONTINUOUS_NICE_LOOP",
        ChainName::GroupedContinuousLoop => "GROUPED_CONTINUOUS_NICE_LOOP",
        ChainName::GroupedAic => "GROUPED_AIC",
        ChainName::AlsXz => "ALS_XZ",
        ChainName::AlsXyWing => "ALS_XY_WING",
        ChainName::AlsChain => "ALS_XY_CHAIN",
    }
}

const fn fish(size: u8, shape: FishShape, kind: FishKind) -> &'static str {
    macro_rules! sizes {
        ($prefix:literal) => {
            match size {
                0..=2 => concat!($prefix, "X_WING"),
                3 => concat!($prefix, "SWORDFISH"),
                4 => concat!($prefix, "JELLYFISH"),
                5 => concat!($prefix, "SQUIRMBAG"),
                6 => concat!($prefix, "WHALE"),
                _ => concat!($prefix, "LEVIATHAN"),
            }
        };
    }
    match (shape, kind) {
        (FishShape::Basic, FishKind::Plain) => sizes!(""),
        (FishShape::Basic, FishKind::Finned) => sizes!("FINNED_"),
        (FishShape::Basic, FishKind::Sashimi) => sizes!("SASHIMI_"),
        (FishShape::Franken, FishKind::Plain) => sizes!("FRANKEN_"),
        (FishShape::Franken, _) => sizes!("FINNED_FRANKEN_"),
        (FishShape::Mutant, FishKind::Plain) => sizes!("MUTANT_"),
        (FishShape::Mutant, _) => sizes!("FINNED_MUTANT_"),
    }
}
