//! Which houses make a fish, and what players call it.

use crate::grid::HouseKind::{Block, Column, Row};
use crate::grid::{House, HouseKind, HouseSet};

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

/// The name of a fish with so many base houses, 2 to 7.
pub(super) const fn fish_name(
    size: u8,
    shape: FishShape,
    kind: FishKind,
    siamese: bool,
) -> &'static str {
    macro_rules! sizes {
        ($($prefix:literal)*) => {
            match size {
                0..=2 => concat!($($prefix,)* "X-wing"),
                3 => concat!($($prefix,)* "swordfish"),
                4 => concat!($($prefix,)* "jellyfish"),
                5 => concat!($($prefix,)* "squirmbag"),
                6 => concat!($($prefix,)* "whale"),
                _ => concat!($($prefix,)* "leviathan"),
            }
        };
    }
    macro_rules! named {
        ($siamese:literal) => {
            match (shape, kind) {
                (FishShape::Basic, FishKind::Plain) => sizes!($siamese),
                (FishShape::Basic, FishKind::Finned) => sizes!($siamese "finned "),
                (FishShape::Basic, FishKind::Sashimi) => sizes!($siamese "sashimi "),
                (FishShape::Franken, FishKind::Plain) => sizes!($siamese "Franken "),
                (FishShape::Franken, _) => sizes!($siamese "finned Franken "),
                (FishShape::Mutant, FishKind::Plain) => sizes!($siamese "mutant "),
                (FishShape::Mutant, _) => sizes!($siamese "finned mutant "),
            }
        };
    }
    if siamese {
        named!("Siamese ")
    } else {
        named!("")
    }
}
