//! A step of logic: what it changes, and why it may.

use std::fmt;

use super::almost_locked::AlmostLockedSet;
use super::chain_name::ChainName;
use super::fish_shape::{FishKind, FishShape, fish_name};
use super::forcing::{Branch, ForcingKind, ForcingName};
use super::links::Node;
use super::rated_chain::RatedChain;
use super::size::Size;
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Contradiction, Digit, DigitSet, House,
    HouseSet,
};

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
    LockedSubset(Size),
    /// So many cells of a house have only so many candidates.
    NakedSubset(Size),
    /// So many digits have only so many places in a house.
    HiddenSubset(Size),
    /// In so many parallel lines, a digit is confined to so many lines across.
    BasicFish(Size),
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
    DirectHiddenSubset(Size),
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
            TechniqueId::LockedSubset(Size::Two) => "locked pair",
            TechniqueId::LockedSubset(Size::Three) => "locked triple",
            TechniqueId::LockedSubset(Size::Four) => "locked quad",
            TechniqueId::NakedSubset(Size::Two) => "naked pair",
            TechniqueId::NakedSubset(Size::Three) => "naked triple",
            TechniqueId::NakedSubset(Size::Four) => "naked quad",
            TechniqueId::HiddenSubset(Size::Two) => "hidden pair",
            TechniqueId::HiddenSubset(Size::Three) => "hidden triple",
            TechniqueId::HiddenSubset(Size::Four) => "hidden quad",
            TechniqueId::BasicFish(Size::Two) => "X-wing",
            TechniqueId::BasicFish(Size::Three) => "swordfish",
            TechniqueId::BasicFish(Size::Four) => "jellyfish",
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
            TechniqueId::DirectHiddenSubset(Size::Two) => "direct hidden pair",
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

/// What a step changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// This one is right.
    Place(Candidate),
    /// None of these is right.
    Eliminate(CandidateSet),
}

impl Effect {
    /// Makes the change.
    ///
    /// # Errors
    /// [`Contradiction`], if a cell loses its last candidate or a digit its last place in a house.
    pub fn apply(&self, grid: &mut CandidateGrid) -> Result<(), Contradiction> {
        match self {
            Effect::Place(candidate) => grid.place(*candidate),
            Effect::Eliminate(candidates) => grid.eliminate_all(candidates),
        }
    }
}

/// What was seen on the grid: together with the grid, enough to explain the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The cell of this candidate is the last blank one of the house.
    FullHouse {
        /// The digit that is missing, where it goes.
        candidate: Candidate,
        /// The house.
        house: House,
    },
    /// The cell of this candidate has no other.
    NakedSingle(Candidate),
    /// The digit of this candidate has no other place in the house.
    HiddenSingle {
        /// The only candidate of its digit there.
        candidate: Candidate,
        /// Where it is the only one.
        house: House,
    },
    /// A digit must stand in the cells that two houses share, since one of them has no other place.
    LockedCandidates {
        /// The digit.
        digit: Digit,
        /// Its places in the cells that both houses share.
        cells: CellSet,
        /// The house in which it has no others.
        from: House,
        /// The house from which the others are struck.
        to: House,
    },
    /// These cells of a house share these digits out among themselves, so the digits stand nowhere
    /// else in it (naked subset), and nothing else stands in the cells (hidden subset).
    Subset {
        /// As many cells as digits.
        cells: CellSet,
        /// The digits.
        digits: DigitSet,
        /// The house they are seen in.
        house: House,
    },
    /// So many cells, all in a line and in a block, share these digits out among themselves, so the
    /// digits stand nowhere else in either.
    LockedSubset {
        /// As many cells as digits.
        cells: CellSet,
        /// The digits.
        digits: DigitSet,
        /// The line and the block.
        houses: [House; 2],
    },
    /// In each of the base lines, all places of a digit lie in the cover lines; as there are equally
    /// many, each cover line has its digit from a base line.
    Fish {
        /// The digit.
        digit: Digit,
        /// Parallel lines.
        base: HouseSet,
        /// As many lines across.
        cover: HouseSet,
    },
    /// In the base houses all places of a digit, but for the fins, lie in equally many cover houses:
    /// a fin is right, or each cover house has its digit from a base house.
    FinnedFish {
        /// The digit.
        digit: Digit,
        /// Houses that may share fins only.
        base: HouseSet,
        /// As many other houses.
        cover: HouseSet,
        /// Places in the base outside the cover, or in two base houses; there may be none.
        fins: CellSet,
    },
    /// Whichever candidate the pivot takes, it leaves the digit to one of the pincers.
    XyWing {
        /// Sees both pincers; shares one candidate with each of them.
        pivot: Cell,
        /// The first shares the smaller candidate of the pivot.
        pincers: [Cell; 2],
        /// The candidate that the pincers share.
        digit: Digit,
    },
    /// The first two cells are all places of the digit in a house, and so are the last two; the
    /// middle ones see each other, so the first or the last one is right.
    TurbotFish {
        /// The digit.
        digit: Digit,
        /// From end to end.
        cells: [Cell; 4],
    },
    /// Whichever candidate the pivot takes, it or one of the pincers takes the digit.
    XyzWing {
        /// Has three candidates, and sees both pincers.
        pivot: Cell,
        /// Have the digit and one of the two others.
        pincers: [Cell; 2],
        /// The candidate that all three share.
        digit: Digit,
    },
    /// The two ends hold the same two candidates, and not both can take the linked one.
    WWing {
        /// Each sees one place of the linked digit in the house.
        ends: [Cell; 2],
        /// Has two places for the linked digit.
        house: House,
        /// Which one of the ends does not take.
        linked: Digit,
        /// Which one of the ends takes therefore.
        digit: Digit,
    },
    /// The digit is in the block's part of the first line, so not in the near place of the link but
    /// in the far one, or in the block's part of the second line.
    EmptyRectangle {
        /// The digit.
        digit: Digit,
        /// Its places in this block lie in the two lines.
        block: House,
        /// A row and a column, or the other way round.
        lines: [House; 2],
        /// Near and far: the two places of a line across the first one.
        link: [Cell; 2],
    },
    /// Two patterns of one kind that are seen together.
    Both(Box<[Pattern; 2]>),
    /// In each of the components one of the two colors is right.
    Colors {
        /// The digit.
        digit: Digit,
        /// The places of each color; one component, or two.
        components: Vec<[CellSet; 2]>,
    },
    /// Without this candidate every blank cell would have two, and every digit two places in each
    /// house.
    BugPlusOne(Candidate),
    /// The digits must not fill the corners alone, or they could be swapped.
    Rectangle {
        /// In reading order: in two rows, two columns, two blocks.
        corners: [Cell; 4],
        /// The two digits.
        digits: DigitSet,
        /// In type 3, cells that make a subset with the other candidates of two corners; else none.
        subset: CellSet,
    },
    /// The cells have as many digits together as they are.
    SueDeCoq {
        /// The line and the block.
        houses: [House; 2],
        /// Cells that both hold.
        center: CellSet,
        /// Cells of the line alone, and of the block alone.
        sides: [CellSet; 2],
    },
    /// Claims that are false and true in turn, if the first is false; so the first is true or the
    /// last.
    Chain {
        /// An even number of claims: a strong link joins the first and the second, a weak one the
        /// second and the third, and so on.
        nodes: Vec<Node>,
        /// The almost locked sets that make the strong links between different digits, in order.
        sets: Vec<AlmostLockedSet>,
        /// Whether the last claim excludes the first, or is the first.
        closed: bool,
    },
    /// Almost locked sets in a row: each lacks the digit that joins it to the next, or the next one
    /// lacks it.
    AlsChain {
        /// From end to end.
        sets: Vec<AlmostLockedSet>,
        /// The digits between them; a second one where two sets are joined twice.
        joints: Vec<Digit>,
    },
    /// The two digits alternate along the cells.
    RemotePair {
        /// The candidates of each of the cells.
        digits: DigitSet,
        /// Each sees the next.
        cells: Vec<Cell>,
    },
    /// Whichever candidate the stem takes, it takes it from a petal, which then holds the digit.
    DeathBlossom {
        /// The cell.
        stem: Cell,
        /// For each candidate of the stem, ascending, a set whose places for it the stem sees.
        petals: Vec<AlmostLockedSet>,
        /// What all petals have, and the stem has not.
        digit: Digit,
    },
    /// All ways to fill in this digit.
    Templates {
        /// The digit.
        digit: Digit,
    },
    /// The digits must not fill these cells alone, or they could be swapped all along the loop.
    UniqueLoop {
        /// Each shares a house with the next, and the last with the first.
        cells: Vec<Cell>,
        /// The two digits.
        digits: DigitSet,
        /// In type 3, cells that make a subset with the other candidates of two cells; else none.
        subset: CellSet,
    },
    /// Without these candidates every blank cell would have two, and every digit two places in each
    /// house; so one of them is right.
    Bug {
        /// The candidates.
        extra: CandidateSet,
        /// In type 3, cells that make a subset with them; else none.
        subset: CellSet,
    },
    /// Not every choice of digits for these cells leaves a digit to each cell that sees them all.
    AlignedExclusion {
        /// Two cells or three.
        cells: CellSet,
        /// Cells with few candidates that see them all.
        excluders: CellSet,
    },
    /// What follows from assumptions.
    Forcing {
        /// What the branches show together.
        kind: ForcingKind,
        /// One for each assumption, or two for one that contradicts itself.
        branches: Vec<Branch>,
    },
}

/// One step: it always changes the grid it was found on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// Which technique found it.
    pub technique: TechniqueId,
    /// What it changes.
    pub effect: Effect,
    /// Why.
    pub pattern: Pattern,
}
