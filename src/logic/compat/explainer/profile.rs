//! The profile `se-1.2.1`: the order and the ratings of Sudoku Explainer 1.2.1 by Nicolas Juillerat.
//!
//! The order of its search, and which of several hints it takes, were learned from the build of the
//! player 1to9only, which gives the ratings that the players' forum publishes.

use super::aligned_exclusion::AlignedExclusion;
use super::direct::{DirectHiddenSubset, DirectLocked};
use super::uniqueness::{Bug, UniqueLoop};
use crate::grid::{CellSet, House, HouseKind};
use crate::logic::chaining::{NetKind, RatedLoops, RatedNets};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::profile::{Entry, Key, Profile, fewest_candidates};
use crate::logic::scale::{Measure, PathStep, hardest};
use crate::logic::state::State;
use crate::logic::technique_id::SubsetSize::{self, Four, Three, Two};
use crate::logic::technique_id::{LoopShape, TechniqueId};
use crate::logic::techniques::{
    BasicFish, FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, NakedSingle,
    NakedSubset, XyWing, XyzWing,
};

/// Ratings in tenths, by the technique and, for chains, their length.
pub const EXPLAINER: Profile = Profile {
    name: "se-1.2.1",
    techniques: TECHNIQUES,
    scale: tenths,
    guess: fewest_candidates,
    history: None,
};

const POINTING: Locked = Locked::Pointing;
const CLAIMING: Locked = Locked::Claiming;

const TECHNIQUES: &[Entry] = &[
    Entry::first(&FullHouse),
    Entry::least(&HiddenSingle, single),
    Entry::least(&DirectLocked(POINTING), locked),
    Entry::least(&DirectLocked(CLAIMING), locked),
    Entry::least(&DirectHiddenSubset(Two), hidden),
    Entry::first(&NakedSingle),
    Entry::least(&DirectHiddenSubset(Three), hidden),
    Entry::least(&LockedCandidates(POINTING), locked),
    Entry::least(&LockedCandidates(CLAIMING), locked),
    Entry::least(&NakedSubset(Two), naked),
    Entry::least(&BasicFish(Two), fish),
    Entry::least(&HiddenSubset(Two), hidden),
    Entry::least(&NakedSubset(Three), naked),
    Entry::least(&BasicFish(Three), fish),
    Entry::least(&HiddenSubset(Three), hidden),
    Entry::least(&XyWing, wing),
    Entry::least(&XyzWing, wing),
    Entry::least(&UniqueLoop, unique_loop),
    Entry::least(&NakedSubset(Four), naked),
    Entry::least(&BasicFish(Four), fish),
    Entry::least(&HiddenSubset(Four), hidden),
    Entry::first(&Bug),
    Entry::first(&AlignedExclusion(2)),
    Entry::first(&RatedLoops),
    Entry::first(&AlignedExclusion(3)),
    Entry::first(&RatedNets(NetKind::Nishio)),
    Entry::first(&RatedNets(NetKind::Multiple)),
    Entry::first(&RatedNets(NetKind::Dynamic(0))),
    Entry::first(&RatedNets(NetKind::Dynamic(1))),
    Entry::first(&RatedNets(NetKind::Dynamic(2))),
    Entry::first(&RatedNets(NetKind::Dynamic(3))),
    Entry::first(&RatedNets(NetKind::Dynamic(4))),
    Entry::first(&RatedNets(NetKind::Dynamic(5))),
];

/// What a step of each entry is rated at least, in tenths.
const LEAST: [u16; TECHNIQUES.len()] = [
    10, 12, 17, 19, 20, 23, 25, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 45, 50, 52, 54, 56, 62, 65,
    75, 75, 80, 85, 90, 95, 100, 105, 110,
];

/// [`EXPLAINER`] with only those techniques that have steps which are rated below this, in tenths. Where it is at a
/// loss, the next step of the whole profile is rated so or higher.
pub fn explainer_below(tenths: u16) -> Profile {
    let count = LEAST.partition_point(|&least| least < tenths);
    Profile {
        techniques: &TECHNIQUES[..count],
        ..EXPLAINER
    }
}

/// Blocks before columns before rows, each from the top left.
fn house_key(house: House) -> u32 {
    let kind = match house.kind() {
        HouseKind::Block => 0,
        HouseKind::Column => 1,
        HouseKind::Row => 2,
    };
    9 * kind + house.number() as u32
}

fn places(house: House, cells: CellSet) -> u32 {
    let places = cells.into_iter().map(|cell| 1 << house.place_of(cell));
    places.sum()
}

fn single(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::HiddenSingle { candidate, house } => {
            let digit = candidate.digit.index() as u32;
            [house_key(house), digit, 0, 0, 0, 0]
        }
        _ => Key::default(),
    }
}

/// Columns before rows, then the confining house, the other house, the digit.
fn locked(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::LockedCandidates {
            digit, from, to, ..
        } => {
            let row = [from, to]
                .iter()
                .any(|house| house.kind() == HouseKind::Row);
            let [from, to] = [from, to].map(|house| house.index() as u32);
            [u32::from(row), from, to, digit.index() as u32, 0, 0]
        }
        _ => Key::default(),
    }
}

fn naked(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::Subset { cells, house, .. } => {
            [house_key(house), places(house, cells), 0, 0, 0, 0]
        }
        _ => Key::default(),
    }
}

fn hidden(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::Subset { digits, house, .. } => {
            [house_key(house), u32::from(digits.bits()), 0, 0, 0, 0]
        }
        _ => Key::default(),
    }
}

/// Columns before rows, then the lines, then the digit.
fn fish(_: &State, step: &Deduction) -> Key {
    match step.pattern {
        Pattern::Fish { digit, base, .. } => {
            let lines = base.iter().map(|house| 1 << house.number());
            let rows = base.iter().any(|house| house.kind() == HouseKind::Row);
            let digit = digit.index() as u32;
            [u32::from(rows), lines.sum(), digit, 0, 0, 0]
        }
        _ => Key::default(),
    }
}

/// The pivot, then the pincers by block, row, column.
fn wing(_: &State, step: &Deduction) -> Key {
    let (pivot, pincers) = match step.pattern {
        Pattern::XyWing { pivot, pincers, .. } | Pattern::XyzWing { pivot, pincers, .. } => {
            (pivot, pincers)
        }
        _ => return Key::default(),
    };
    let mut ranks = pincers.map(|cell| {
        let kind = if cell.block() == pivot.block() {
            0
        } else if cell.row() == pivot.row() {
            1
        } else {
            2
        };
        81 * kind + cell.index() as u32
    });
    ranks.sort_unstable();
    [pivot.index() as u32, ranks[0], ranks[1], 0, 0, 0]
}

/// The rating, with the program's rounding errors, then the type.
fn unique_loop(_: &State, step: &Deduction) -> Key {
    match step.technique {
        TechniqueId::UniqueLoop(shape) => {
            let bits = loop_difficulty(shape).to_bits();
            [
                (bits >> 32) as u32,
                bits as u32,
                u32::from(shape.kind),
                0,
                0,
                0,
            ]
        }
        _ => Key::default(),
    }
}

fn loop_difficulty(shape: LoopShape) -> f64 {
    let longer = match shape.cells {
        ..6 => 4.5,
        6..8 => 4.5 + 0.1,
        8..10 => 4.5 + 0.2,
        _ => 4.5 + 0.3 + 0.2,
    };
    longer + f64::from(shape.subset) * 0.1
}

/// Unique rectangles and loops by type; the program adds the number of cells to those of eight or
/// more.
const RECTANGLES: [&str; 4] = [
    "Unique Rectangle type 1",
    "Unique Rectangle type 2",
    "Unique Rectangle type 3",
    "Unique Rectangle type 4",
];
const LOOPS: [&str; 4] = [
    "Unique Loop type 1",
    "Unique Loop type 2",
    "Unique Loop type 3",
    "Unique Loop type 4",
];

/// The scale: ratings of the hardest step, of the hardest up to the first placement, and of the first.
fn tenths(path: &[PathStep], solved: bool) -> (Option<&'static str>, Measure) {
    let most = |steps: &[u16]| steps.iter().max().copied();
    let certain = path.iter().map_while(Option::as_ref);
    let certain: Vec<u16> = certain.map(|(_, step)| explainer_rating(step).1).collect();
    let placement = path.iter().position(|step| {
        let is_placement = |(_, step): &(usize, Deduction)| matches!(step.effect, Effect::Place(_));
        step.as_ref().is_some_and(is_placement)
    });
    let measure = Measure::Tenths {
        er: most(&certain).filter(|_| solved),
        ep: placement.and_then(|at| most(certain.get(..=at)?)),
        ed: certain.first().copied(),
    };
    let steps = path
        .iter()
        .flatten()
        .map(|(_, step)| explainer_rating(step));
    (hardest(steps).map(|(name, _)| name), measure)
}

/// What Sudoku Explainer calls the technique of a step, and its rating in tenths.
pub fn explainer_rating(step: &Deduction) -> (&'static str, u16) {
    match step.technique {
        TechniqueId::FullHouse => ("Hidden Single", 10),
        TechniqueId::HiddenSingle => match step.pattern {
            Pattern::HiddenSingle { house, .. } if house.index() >= 18 => ("Hidden Single", 12),
            _ => ("Hidden Single", 15),
        },
        TechniqueId::DirectPointing => ("Direct Pointing", 17),
        TechniqueId::DirectClaiming => ("Direct Claiming", 19),
        TechniqueId::DirectHiddenSubset(SubsetSize::Two) => ("Direct Hidden Pair", 20),
        TechniqueId::NakedSingle => ("Naked Single", 23),
        TechniqueId::DirectHiddenSubset(_) => ("Direct Hidden Triplet", 25),
        TechniqueId::Pointing => ("Pointing", 26),
        TechniqueId::Claiming => ("Claiming", 28),
        TechniqueId::NakedSubset(SubsetSize::Two) => ("Naked Pair", 30),
        TechniqueId::BasicFish(SubsetSize::Two) => ("X-Wing", 32),
        TechniqueId::HiddenSubset(SubsetSize::Two) => ("Hidden Pair", 34),
        TechniqueId::NakedSubset(SubsetSize::Three) => ("Naked Triplet", 36),
        TechniqueId::BasicFish(SubsetSize::Three) => ("Swordfish", 38),
        TechniqueId::HiddenSubset(SubsetSize::Three) => ("Hidden Triplet", 40),
        TechniqueId::XyWing => ("XY-Wing", 42),
        TechniqueId::XyzWing => ("XYZ-Wing", 44),
        TechniqueId::UniqueLoop(shape) => {
            let names = match shape.cells {
                ..6 => &RECTANGLES,
                _ => &LOOPS,
            };
            let name = names[usize::from(shape.kind.clamp(1, 4)) - 1];
            (name, (loop_difficulty(shape) * 10.0).round() as u16)
        }
        TechniqueId::NakedSubset(SubsetSize::Four) => ("Naked Quad", 50),
        TechniqueId::BasicFish(SubsetSize::Four) => ("Jellyfish", 52),
        TechniqueId::HiddenSubset(SubsetSize::Four) => ("Hidden Quad", 54),
        TechniqueId::Bug(1, _) => ("BUG type 1", 56),
        TechniqueId::Bug(2, _) => ("BUG type 2", 57),
        TechniqueId::Bug(3, size) => ("BUG type 3", 56 + u16::from(size)),
        TechniqueId::Bug(..) => ("BUG type 4", 57),
        TechniqueId::AlignedExclusion(2) => ("Aligned Pair Exclusion", 62),
        TechniqueId::AlignedExclusion(_) => ("Aligned Triplet Exclusion", 75),
        TechniqueId::RatedChain(chain) => (chain.name.name(), chain.tenths),
        other => (other.name(), 0),
    }
}
