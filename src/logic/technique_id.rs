//! Which techniques there are, and what players call them.

use std::fmt;

use crate::grid::HouseKind::{Block, Column, Row};
use crate::grid::{House, HouseKind, HouseSet};

/// Which technique made a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TechniqueId {
    /// A house has one blank cell left.
    FullHouse,
    /// A cell has one candidate left.
    NakedSingle,
    /// A digit has one place left in a house.
    HiddenSingle,
    /// In a block, a digit is confined to a line.
    Pointing,
    /// In a line, a digit is confined to a block.
    Claiming,
    /// So many cells that a line and a block share have only so many candidates.
    LockedSubset(SubsetSize),
    /// So many cells of a house have only so many candidates.
    NakedSubset(SubsetSize),
    /// So many digits have only so many places in a house.
    HiddenSubset(SubsetSize),
    /// In so many parallel lines, a digit is confined to so many lines across.
    BasicFish(SubsetSize),
    /// A fish with fins, or with blocks among its houses, or both.
    Fish {
        /// How many base houses, 2 to 7.
        size: u8,
        /// Which houses.
        shape: FishShape,
        /// Which fins.
        kind: FishKind,
        /// Two of the same base at once.
        siamese: bool,
    },
    /// Three cells of two candidates, two of which see the third.
    XyWing,
    /// Two parallel lines with two places each for a digit, two of them in one line across.
    Skyscraper,
    /// A row and a column with two places each for a digit, two of them in one block.
    TwoStringKite,
    /// Two houses with two places each for a digit, joined by places that see each other.
    TurbotFish,
    /// A cell of three candidates that sees two cells with two of these each.
    XyzWing,
    /// Two cells of the same two candidates, joined by a house with two places for one.
    WWing,
    /// A block whose places for a digit lie in a row and a column, and a line with two places.
    EmptyRectangle,
    /// Two empty rectangles of one block.
    DualEmptyRectangle,
    /// Two 2-string kites that meet in the same cells.
    DualTwoStringKite,
    /// A place of a digit sees both colors of others.
    SimpleColorsTrap,
    /// Two places of one color see each other.
    SimpleColorsWrap,
    /// Colors of two components see each other.
    MultiColors1,
    /// A color sees both colors of another component.
    MultiColors2,
    /// One candidate too many for a grid with several solutions.
    BugPlusOne,
    /// A rectangle that two digits must not fill, one of them confined to it.
    HiddenRectangle,
    /// A line and a block that share out the digits of the cells where they cross.
    SueDeCoq,
    /// A cell in all ways to fill in a digit.
    TemplateSet,
    /// Cells in none of the ways to fill in a digit.
    TemplateDelete,
    /// Strong and weak links in turn.
    Chain(ChainName),
    /// Cells of the same two candidates, each of which sees the next.
    RemotePair,
    /// A cell, and for each of its candidates an almost locked set that it would lock.
    DeathBlossom,
    /// A rectangle that two digits must not fill: type 1 to 6.
    UniqueRectangle(u8),
    /// The same, with corners that are placed already: type 1 or 2.
    AvoidableRectangle(u8),
    /// What follows from assumptions, one of which is true, or that none is.
    Forcing(ForcingName),
    /// A digit confined to a line in a block is left with one place in a block beside it.
    DirectPointing,
    /// A digit confined to a block in a line is left with one place in a line beside it.
    DirectClaiming,
    /// A hidden subset leaves another digit with one place in the house.
    DirectHiddenSubset(SubsetSize),
    /// A loop of cells that two digits must not fill, with types 1 to 4: so many cells long, and so
    /// many cells in the subset of type 3.
    UniqueLoop(LoopShape),
    /// Some candidates too many for a grid with several solutions: types 1 to 4; the digits of the
    /// subset of type 3.
    Bug(u8, u8),
    /// What cells in a row take together is left by cells that see them all: two, or three.
    AlignedExclusion(u8),
    /// A chain as Sudoku Explainer rates it.
    RatedChain(RatedChain),
}

/// What a unique loop is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopShape {
    /// 1 to 4.
    pub kind: u8,
    /// How many cells it has, 4 for a rectangle.
    pub cells: u8,
    /// In type 3 what a subset adds to the rating in tenths; else none.
    pub subset: u8,
}

impl TechniqueId {
    /// Whether it is right only for puzzles with one solution. What was solved with its help is no
    /// proof that there is only one.
    pub const fn assumes_uniqueness(self) -> bool {
        matches!(
            self,
            TechniqueId::BugPlusOne
                | TechniqueId::HiddenRectangle
                | TechniqueId::UniqueRectangle(_)
                | TechniqueId::AvoidableRectangle(_)
                | TechniqueId::UniqueLoop(_)
                | TechniqueId::Bug(..)
        )
    }

    /// How players call it.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// How it is spelled in tables: as HoDoKu (Bernhard Hobiger) spells it, or what is closest to it there.
    pub(super) const fn spelling(self) -> &'static str {
        self.names()[1]
    }

    const fn names(self) -> [&'static str; 2] {
        use SubsetSize::{Four, Three, Two};
        use TechniqueId as Id;
        match self {
            Id::FullHouse => ["full house", "FULL_HOUSE"],
            Id::NakedSingle => ["naked single", "NAKED_SINGLE"],
            Id::HiddenSingle => ["hidden single", "HIDDEN_SINGLE"],
            Id::Pointing => ["pointing", "LOCKED_CANDIDATES_1"],
            Id::Claiming => ["claiming", "LOCKED_CANDIDATES_2"],
            Id::LockedSubset(Two) => ["locked pair", "LOCKED_PAIR"],
            Id::LockedSubset(Three) => ["locked triple", "LOCKED_TRIPLE"],
            Id::LockedSubset(Four) => ["locked quad", "LOCKED_TRIPLE"],
            Id::NakedSubset(Two) => ["naked pair", "NAKED_PAIR"],
            Id::NakedSubset(Three) => ["naked triple", "NAKED_TRIPLE"],
            Id::NakedSubset(Four) => ["naked quad", "NAKED_QUADRUPLE"],
            Id::HiddenSubset(Two) => ["hidden pair", "HIDDEN_PAIR"],
            Id::HiddenSubset(Three) => ["hidden triple", "HIDDEN_TRIPLE"],
            Id::HiddenSubset(Four) => ["hidden quad", "HIDDEN_QUADRUPLE"],
            Id::BasicFish(Two) => ["X-wing", "X_WING"],
            Id::BasicFish(Three) => ["swordfish", "SWORDFISH"],
            Id::BasicFish(Four) => ["jellyfish", "JELLYFISH"],
            Id::Fish {
                size,
                shape,
                kind,
                siamese,
            } => fish_names(size, shape, kind, siamese),
            Id::XyWing => ["XY-wing", "XY_WING"],
            Id::Skyscraper => ["skyscraper", "SKYSCRAPER"],
            Id::TwoStringKite => ["2-string kite", "TWO_STRING_KITE"],
            Id::TurbotFish => ["turbot fish", "TURBOT_FISH"],
            Id::XyzWing => ["XYZ-wing", "XYZ_WING"],
            Id::WWing => ["W-wing", "W_WING"],
            Id::EmptyRectangle => ["empty rectangle", "EMPTY_RECTANGLE"],
            Id::DualEmptyRectangle => ["dual empty rectangle", "DUAL_EMPTY_RECTANGLE"],
            Id::DualTwoStringKite => ["dual 2-string kite", "DUAL_TWO_STRING_KITE"],
            Id::SimpleColorsTrap => ["simple colors trap", "SIMPLE_COLORS_TRAP"],
            Id::SimpleColorsWrap => ["simple colors wrap", "SIMPLE_COLORS_WRAP"],
            Id::MultiColors1 => ["multi-colors 1", "MULTI_COLORS_1"],
            Id::MultiColors2 => ["multi-colors 2", "MULTI_COLORS_2"],
            Id::BugPlusOne => ["BUG+1", "BUG_PLUS_1"],
            Id::HiddenRectangle => ["hidden rectangle", "HIDDEN_RECTANGLE"],
            Id::SueDeCoq => ["Sue de Coq", "SUE_DE_COQ"],
            Id::TemplateSet => ["template set", "TEMPLATE_SET"],
            Id::TemplateDelete => ["template delete", "TEMPLATE_DEL"],
            Id::Chain(chain) => chain.names(),
            Id::RemotePair => ["remote pair", "REMOTE_PAIR"],
            Id::DeathBlossom => ["death blossom", "DEATH_BLOSSOM"],
            Id::UniqueRectangle(1) => ["unique rectangle 1", "UNIQUENESS_1"],
            Id::UniqueRectangle(2) => ["unique rectangle 2", "UNIQUENESS_2"],
            Id::UniqueRectangle(3) => ["unique rectangle 3", "UNIQUENESS_3"],
            Id::UniqueRectangle(4) => ["unique rectangle 4", "UNIQUENESS_4"],
            Id::UniqueRectangle(5) => ["unique rectangle 5", "UNIQUENESS_5"],
            Id::UniqueRectangle(_) => ["unique rectangle 6", "UNIQUENESS_6"],
            Id::AvoidableRectangle(1) => ["avoidable rectangle 1", "AVOIDABLE_RECTANGLE_1"],
            Id::AvoidableRectangle(_) => ["avoidable rectangle 2", "AVOIDABLE_RECTANGLE_2"],
            Id::Forcing(forcing) => forcing.names(),
            Id::DirectPointing => ["direct pointing", "LOCKED_CANDIDATES_1"],
            Id::DirectClaiming => ["direct claiming", "LOCKED_CANDIDATES_2"],
            Id::DirectHiddenSubset(Two) => ["direct hidden pair", "HIDDEN_PAIR"],
            Id::DirectHiddenSubset(_) => ["direct hidden triple", "HIDDEN_TRIPLE"],
            Id::UniqueLoop(LoopShape { kind: 1, .. }) => ["unique loop 1", "UNIQUE_LOOP"],
            Id::UniqueLoop(LoopShape { kind: 2, .. }) => ["unique loop 2", "UNIQUE_LOOP"],
            Id::UniqueLoop(LoopShape { kind: 3, .. }) => ["unique loop 3", "UNIQUE_LOOP"],
            Id::UniqueLoop(_) => ["unique loop 4", "UNIQUE_LOOP"],
            Id::Bug(1, _) => ["BUG 1", "BUG"],
            Id::Bug(2, _) => ["BUG 2", "BUG"],
            Id::Bug(3, _) => ["BUG 3", "BUG"],
            Id::Bug(..) => ["BUG 4", "BUG"],
            Id::AlignedExclusion(2) => ["aligned pair exclusion", "ALIGNED_PAIR_EXCLUSION"],
            Id::AlignedExclusion(_) => ["aligned triple exclusion", "ALIGNED_TRIPLE_EXCLUSION"],
            Id::RatedChain(chain) => [chain.name.name(), chain.name.spelling()],
        }
    }
}

impl fmt::Display for TechniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a chain or a loop, by what it is made of and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainName {
    /// Candidates of one digit.
    XChain,
    /// Cells of two candidates.
    XyChain,
    /// A loop with one candidate where two links of a kind meet.
    DiscontinuousLoop,
    /// A loop whose links alternate all around.
    ContinuousLoop,
    /// An alternating inference chain: all candidates.
    Aic,
    /// The same with groups or almost locked sets.
    GroupedDiscontinuousLoop,
    /// The same with groups or almost locked sets.
    GroupedContinuousLoop,
    /// The same with groups or almost locked sets.
    GroupedAic,
    /// Two almost locked sets.
    AlsXz,
    /// Three almost locked sets.
    AlsXyWing,
    /// Four almost locked sets or more.
    AlsChain,
}

impl ChainName {
    /// As players write it, and as it is spelled in tables.
    const fn names(self) -> [&'static str; 2] {
        match self {
            ChainName::XChain => ["X-chain", "X_CHAIN"],
            ChainName::XyChain => ["XY-chain", "XY_CHAIN"],
            ChainName::DiscontinuousLoop => ["discontinuous nice loop", "DISCONTINUOUS_NICE_LOOP"],
            ChainName::ContinuousLoop => ["continuous nice loop", "CONTINUOUS_NICE_LOOP"],
            ChainName::Aic => ["AIC", "AIC"],
            ChainName::GroupedDiscontinuousLoop => [
                "grouped discontinuous nice loop",
                "GROUPED_DISCONTINUOUS_NICE_LOOP",
            ],
            ChainName::GroupedContinuousLoop => [
                "grouped continuous nice loop",
                "GROUPED_CONTINUOUS_NICE_LOOP",
            ],
            ChainName::GroupedAic => ["grouped AIC", "GROUPED_AIC"],
            ChainName::AlsXz => ["ALS-XZ", "ALS_XZ"],
            ChainName::AlsXyWing => ["ALS-XY-wing", "ALS_XY_WING"],
            ChainName::AlsChain => ["ALS chain", "ALS_XY_CHAIN"],
        }
    }
}

/// What forcing chains and nets are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForcingName {
    /// An assumption comes to a contradiction, each claim following from one.
    ChainContradiction,
    /// One of several assumptions is true, and all come to the same, each claim following from one.
    ChainVerity,
    /// An assumption comes to a contradiction, some claim following from several.
    NetContradiction,
    /// One of several assumptions is true, and all come to the same, some claim following from
    /// several.
    NetVerity,
}

impl ForcingName {
    /// As players write it, and as it is spelled in tables.
    const fn names(self) -> [&'static str; 2] {
        match self {
            ForcingName::ChainContradiction => {
                ["forcing chain contradiction", "FORCING_CHAIN_CONTRADICTION"]
            }
            ForcingName::ChainVerity => ["forcing chain verity", "FORCING_CHAIN_VERITY"],
            ForcingName::NetContradiction => {
                ["forcing net contradiction", "FORCING_NET_CONTRADICTION"]
            }
            ForcingName::NetVerity => ["forcing net verity", "FORCING_NET_VERITY"],
        }
    }
}

/// The size of a subset or a fish. Larger ones are never needed: the cells, digits or lines that
/// are left over make a pattern of four or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubsetSize {
    /// A pair, or an X-wing.
    Two,
    /// A triple, or a swordfish.
    Three,
    /// A quad, or a jellyfish.
    Four,
}

impl SubsetSize {
    /// All sizes, ascending.
    pub const ALL: [SubsetSize; 3] = [SubsetSize::Two, SubsetSize::Three, SubsetSize::Four];

    /// 2, 3 or 4.
    pub const fn get(self) -> usize {
        match self {
            SubsetSize::Two => 2,
            SubsetSize::Three => 3,
            SubsetSize::Four => 4,
        }
    }
}

/// A chain as Sudoku Explainer (Nicolas Juillerat) names and rates it: the longer, the higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RatedChain {
    /// What it is called.
    pub name: RatedName,
    /// The rating in tenths.
    pub tenths: u16,
}

/// What chains are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RatedName {
    /// A cycle of one digit over four cells.
    GeneralizedXWing,
    /// A cycle of one digit.
    XCycle,
    /// A cycle with strong links within cells only.
    YCycle,
    /// A cycle of both.
    Cycle,
    /// A digit in a cell comes to its contrary over two strong links.
    TurbotFish,
    /// The same over more links.
    ForcingXChain,
    /// Over links of one digit and within cells.
    ForcingChain,
    /// A digit in a cell comes to a contradiction in places of the digit.
    Nishio,
    /// All candidates of a cell come to the same.
    Cell,
    /// All places of a digit in a house come to the same.
    Region,
    /// Where a claim may follow from several.
    Dynamic(DynamicName, u8),
}

/// What a dynamic chain shows, up to which level: from 1 on also by locked candidates, pairs and
/// X-wings, from 2 on by chains inside the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DynamicName {
    /// An assumption comes to a contradiction.
    Contradiction,
    /// A claim and its contrary come to the same.
    Double,
    /// All candidates of a cell.
    Cell,
    /// All places of a digit in a house.
    Region,
}

/// The names of a dynamic chain by its level.
macro_rules! dynamic {
    ($shown:literal) => {
        dynamic!($shown, "" " (+)" " (+ Forcing Chains)" " (+ Multiple Forcing Chains)"
            " (+ Dynamic Forcing Chains)" " (+ Dynamic Forcing Chains (+ Forcing Chains))")
    };
    ($shown:literal, $($inside:literal)*) => {
        [$(concat!("Dynamic ", $shown, " Forcing Chains", $inside)),*]
    };
}

/// By what the chains show, then by level.
const DYNAMIC: [[&str; 6]; 4] = [
    dynamic!("Contradiction"),
    dynamic!("Double"),
    dynamic!("Cell"),
    dynamic!("Region"),
];

impl RatedName {
    /// What HoDoKu calls a chain like it.
    const fn spelling(self) -> &'static str {
        match self {
            RatedName::GeneralizedXWing
            | RatedName::XCycle
            | RatedName::YCycle
            | RatedName::Cycle => "CONTINUOUS_NICE_LOOP",
            RatedName::TurbotFish => "TURBOT_FISH",
            RatedName::ForcingXChain => "X_CHAIN",
            RatedName::ForcingChain => "AIC",
            RatedName::Nishio => "FORCING_CHAIN_CONTRADICTION",
            RatedName::Cell | RatedName::Region => "FORCING_CHAIN_VERITY",
            RatedName::Dynamic(DynamicName::Contradiction, _) => "FORCING_NET_CONTRADICTION",
            RatedName::Dynamic(..) => "FORCING_NET_VERITY",
        }
    }

    /// The name as Sudoku Explainer spells it.
    pub const fn name(self) -> &'static str {
        match self {
            RatedName::GeneralizedXWing => "Generalized X-Wing",
            RatedName::XCycle => "Bidirectional X-Cycle",
            RatedName::YCycle => "Bidirectional Y-Cycle",
            RatedName::Cycle => "Bidirectional Cycle",
            RatedName::TurbotFish => "Turbot Fish",
            RatedName::ForcingXChain => "Forcing X-Chain",
            RatedName::ForcingChain => "Forcing Chain",
            RatedName::Nishio => "Nishio Forcing Chains",
            RatedName::Cell => "Cell Forcing Chains",
            RatedName::Region => "Region Forcing Chains",
            RatedName::Dynamic(name, level) => {
                let level = if level > 5 { 5 } else { level as usize };
                DYNAMIC[name as usize][level]
            }
        }
    }
}

/// The houses of a fish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FishShape {
    /// Rows and columns, or the other way round.
    Basic,
    /// The same with blocks among them, on either side.
    Franken,
    /// Rows and columns on the same side.
    Mutant,
}

/// Whether a fish has fins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FishKind {
    /// None.
    Plain,
    /// Some.
    Finned,
    /// Some, without which a base house has fewer than two places.
    Sashimi,
}

impl FishShape {
    /// What the base and the cover houses may be taken from.
    pub(super) fn sides(self) -> Vec<(HouseSet, HouseSet)> {
        let pick = |kinds: &[HouseKind]| -> HouseSet {
            let of_kind = |house: &House| kinds.contains(&house.kind());
            House::all().filter(of_kind).collect()
        };
        let sides = match self {
            FishShape::Basic => [pick(&[Row]), pick(&[Column])],
            FishShape::Franken => [pick(&[Row, Block]), pick(&[Column, Block])],
            FishShape::Mutant => return vec![(House::all().collect(), House::all().collect())],
        };
        vec![(sides[0], sides[1]), (sides[1], sides[0])]
    }

    /// The shape of a fish.
    pub(super) fn of(base: HouseSet, cover: HouseSet) -> FishShape {
        let has = |side: HouseSet, kind| side.iter().any(|house| house.kind() == kind);
        let mixed = |side| has(side, Row) && has(side, Column);
        let same = [Row, Column]
            .iter()
            .any(|&kind| has(base, kind) && has(cover, kind));
        if mixed(base) || mixed(cover) || same {
            FishShape::Mutant
        } else if has(base, Block) || has(cover, Block) {
            FishShape::Franken
        } else {
            FishShape::Basic
        }
    }
}

/// The name and the spelling of a fish with so many base houses, 2 to 7.
const fn fish_names(
    size: u8,
    shape: FishShape,
    kind: FishKind,
    siamese: bool,
) -> [&'static str; 2] {
    macro_rules! sizes {
        ($siamese:literal $name:literal $spelling:literal) => {
            match size {
                0..=2 => sizes!($siamese $name "X-wing", $spelling "X_WING"),
                3 => sizes!($siamese $name "swordfish", $spelling "SWORDFISH"),
                4 => sizes!($siamese $name "jellyfish", $spelling "JELLYFISH"),
                5 => sizes!($siamese $name "squirmbag", $spelling "SQUIRMBAG"),
                6 => sizes!($siamese $name "whale", $spelling "WHALE"),
                _ => sizes!($siamese $name "leviathan", $spelling "LEVIATHAN"),
            }
        };
        ($($name:literal)*, $($spelling:literal)*) => {
            [concat!($($name),*), concat!($($spelling),*)]
        };
    }
    macro_rules! named {
        ($siamese:literal) => {
            match (shape, kind) {
                (FishShape::Basic, FishKind::Plain) => sizes!($siamese "" ""),
                (FishShape::Basic, FishKind::Finned) => sizes!($siamese "finned " "FINNED_"),
                (FishShape::Basic, FishKind::Sashimi) => sizes!($siamese "sashimi " "SASHIMI_"),
                (FishShape::Franken, FishKind::Plain) => sizes!($siamese "Franken " "FRANKEN_"),
                (FishShape::Franken, _) => sizes!($siamese "finned Franken " "FINNED_FRANKEN_"),
                (FishShape::Mutant, FishKind::Plain) => sizes!($siamese "mutant " "MUTANT_"),
                (FishShape::Mutant, _) => sizes!($siamese "finned mutant " "FINNED_MUTANT_"),
            }
        };
    }
    if siamese {
        named!("Siamese ")
    } else {
        named!("")
    }
}
