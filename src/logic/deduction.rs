//! A step of logic: what it changes, and why it may.

use std::fmt;

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
    /// Three cells of two candidates, two of which see the third.
    XyWing,
    /// Two parallel lines with two places each for a digit, two of them in one line across.
    Skyscraper,
    /// A row and a column with two places each for a digit, two of them in one block.
    TwoStringKite,
    /// Two houses with two places each for a digit, joined by places that see each other.
    TurbotFish,
}

impl TechniqueId {
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
            TechniqueId::XyWing => "XY-wing",
            TechniqueId::Skyscraper => "skyscraper",
            TechniqueId::TwoStringKite => "2-string kite",
            TechniqueId::TurbotFish => "turbot fish",
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
