//! How techniques are spelled in tables, as HoDoKu (Bernhard Hobiger) spells them.

use super::fish_shape::{FishKind, FishShape};
use super::technique_id::{
    ChainName, DynamicName, ForcingName, RatedName, SubsetSize, TechniqueId,
};

/// The spelling of a technique; techniques that HoDoKu does not know are spelled alike.
pub(super) const fn spelling(technique: TechniqueId) -> &'static str {
    use TechniqueId as Id;
    match technique {
        Id::FullHouse => "FULL_HOUSE",
        Id::NakedSingle => "NAKED_SINGLE",
        Id::HiddenSingle => "HIDDEN_SINGLE",
        Id::Pointing | Id::DirectPointing => "LOCKED_CANDIDATES_1",
        Id::Claiming | Id::DirectClaiming => "LOCKED_CANDIDATES_2",
        Id::LockedSubset(SubsetSize::Two) => "LOCKED_PAIR",
        Id::LockedSubset(_) => "LOCKED_TRIPLE",
        Id::NakedSubset(SubsetSize::Two) => "NAKED_PAIR",
        Id::NakedSubset(SubsetSize::Three) => "NAKED_TRIPLE",
        Id::NakedSubset(SubsetSize::Four) => "NAKED_QUADRUPLE",
        Id::HiddenSubset(SubsetSize::Two) | Id::DirectHiddenSubset(SubsetSize::Two) => {
            "HIDDEN_PAIR"
        }
        Id::HiddenSubset(SubsetSize::Three) | Id::DirectHiddenSubset(_) => "HIDDEN_TRIPLE",
        Id::HiddenSubset(SubsetSize::Four) => "HIDDEN_QUADRUPLE",
        Id::BasicFish(SubsetSize::Two) => "X_WING",
        Id::BasicFish(SubsetSize::Three) => "SWORDFISH",
        Id::BasicFish(SubsetSize::Four) => "JELLYFISH",
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
