//! Which techniques there are, and what players call them.

use std::fmt;

use super::fish_shape::{FishKind, FishShape, fish_name};

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
        match self {
            TechniqueId::FullHouse => "full house",
            TechniqueId::NakedSingle => "naked single",
            TechniqueId::HiddenSingle => "hidden single",
            TechniqueId::Pointing => "pointing",
            TechniqueId::Claiming => "claiming",
            TechniqueId::LockedSubset(SubsetSize::Two) => "locked pair",
            TechniqueId::LockedSubset(SubsetSize::Three) => "locked triple",
            TechniqueId::LockedSubset(SubsetSize::Four) => "locked quad",
            TechniqueId::NakedSubset(SubsetSize::Two) => "naked pair",
            TechniqueId::NakedSubset(SubsetSize::Three) => "naked triple",
            TechniqueId::NakedSubset(SubsetSize::Four) => "naked quad",
            TechniqueId::HiddenSubset(SubsetSize::Two) => "hidden pair",
            TechniqueId::HiddenSubset(SubsetSize::Three) => "hidden triple",
            TechniqueId::HiddenSubset(SubsetSize::Four) => "hidden quad",
            TechniqueId::BasicFish(SubsetSize::Two) => "X-wing",
            TechniqueId::BasicFish(SubsetSize::Three) => "swordfish",
            TechniqueId::BasicFish(SubsetSize::Four) => "jellyfish",
            TechniqueId::Fish {
                size,
                shape,
                kind,
                siamese,
            } => fish_name(size, shape, kind, siamese),
            TechniqueId::XyWing => "XY-wing",
            TechniqueId::Skyscraper => "skyscraper",
            TechniqueId::TwoStringKite => "2-string kite",
            TechniqueId::TurbotFish => "turbot fish",
            TechniqueId::XyzWing => "XYZ-wing",
            TechniqueId::WWing => "W-wing",
            TechniqueId::EmptyRectangle => "empty rectangle",
            TechniqueId::DualEmptyRectangle => "dual empty rectangle",
            TechniqueId::DualTwoStringKite => "dual 2-string kite",
            TechniqueId::SimpleColorsTrap => "simple colors trap",
            TechniqueId::SimpleColorsWrap => "simple colors wrap",
            TechniqueId::MultiColors1 => "multi-colors 1",
            TechniqueId::MultiColors2 => "multi-colors 2",
            TechniqueId::BugPlusOne => "BUG+1",
            TechniqueId::HiddenRectangle => "hidden rectangle",
            TechniqueId::SueDeCoq => "Sue de Coq",
            TechniqueId::TemplateSet => "template set",
            TechniqueId::TemplateDelete => "template delete",
            TechniqueId::Chain(chain) => chain.name(),
            TechniqueId::RemotePair => "remote pair",
            TechniqueId::DeathBlossom => "death blossom",
            TechniqueId::UniqueRectangle(1) => "unique rectangle 1",
            TechniqueId::UniqueRectangle(2) => "unique rectangle 2",
            TechniqueId::UniqueRectangle(3) => "unique rectangle 3",
            TechniqueId::UniqueRectangle(4) => "unique rectangle 4",
            TechniqueId::UniqueRectangle(5) => "unique rectangle 5",
            TechniqueId::UniqueRectangle(_) => "unique rectangle 6",
            TechniqueId::AvoidableRectangle(1) => "avoidable rectangle 1",
            TechniqueId::AvoidableRectangle(_) => "avoidable rectangle 2",
            TechniqueId::Forcing(forcing) => forcing.name(),
            TechniqueId::DirectPointing => "direct pointing",
            TechniqueId::DirectClaiming => "direct claiming",
            TechniqueId::DirectHiddenSubset(SubsetSize::Two) => "direct hidden pair",
            TechniqueId::DirectHiddenSubset(_) => "direct hidden triple",
            TechniqueId::UniqueLoop(LoopShape { kind: 1, .. }) => "unique loop 1",
            TechniqueId::UniqueLoop(LoopShape { kind: 2, .. }) => "unique loop 2",
            TechniqueId::UniqueLoop(LoopShape { kind: 3, .. }) => "unique loop 3",
            TechniqueId::UniqueLoop(_) => "unique loop 4",
            TechniqueId::Bug(1, _) => "BUG 1",
            TechniqueId::Bug(2, _) => "BUG 2",
            TechniqueId::Bug(3, _) => "BUG 3",
            TechniqueId::Bug(..) => "BUG 4",
            TechniqueId::AlignedExclusion(2) => "aligned pair exclusion",
            TechniqueId::AlignedExclusion(_) => "aligned triple exclusion",
            TechniqueId::RatedChain(chain) => chain.name.name(),
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
    /// As players write it.
    pub const fn name(self) -> &'static str {
        match self {
            ChainName::XChain => "X-chain",
            ChainName::XyChain => "XY-chain",
            ChainName::DiscontinuousLoop => "discontinuous nice loop",
            ChainName::ContinuousLoop => "continuous nice loop",
            ChainName::Aic => "AIC",
            ChainName::GroupedDiscontinuousLoop => "grouped discontinuous nice loop",
            ChainName::GroupedContinuousLoop => "grouped continuous nice loop",
            ChainName::GroupedAic => "grouped AIC",
            ChainName::AlsXz => "ALS-XZ",
            ChainName::AlsXyWing => "ALS-XY-wing",
            ChainName::AlsChain => "ALS chain",
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
    pub(super) const fn name(self) -> &'static str {
        match self {
            ForcingName::ChainContradiction => "forcing chain contradiction",
            ForcingName::ChainVerity => "forcing chain verity",
            ForcingName::NetContradiction => "forcing net contradiction",
            ForcingName::NetVerity => "forcing net verity",
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
