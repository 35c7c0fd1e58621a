//! The techniques in the order they are tried, and how they are climbed.

use super::deduction::Deduction;
use super::size::Size;
use super::technique::Technique;
use super::techniques::{
    BasicFish, HiddenSingle, HiddenSubset, Locked, LockedCandidates, NakedSingle, NakedSubset,
    TurbotFish, XyWing,
};
use crate::grid::CandidateGrid;
use crate::solve::{Clock, Halt};

/// The techniques, the simplest first. None of them assumes that there is only one solution, so
/// what they solve is proven to be unique.
pub const LADDER: &[&dyn Technique] = &[
    &NakedSingle,
    &HiddenSingle,
    &LockedCandidates {
        kind: Locked::Pointing,
    },
    &LockedCandidates {
        kind: Locked::Claiming,
    },
    &NakedSubset { size: Size::Two },
    &HiddenSubset { size: Size::Two },
    &NakedSubset { size: Size::Three },
    &HiddenSubset { size: Size::Three },
    &BasicFish { size: Size::Two },
    &BasicFish { size: Size::Three },
    &XyWing,
    &TurbotFish,
];

/// Applies the first deduction of the lowest technique that has one, until none has; each is shown
/// before it is applied.
///
/// # Errors
/// [`Halt`], if there is no solution, or the clock says so.
pub(super) fn climb(
    grid: &mut CandidateGrid,
    clock: Clock,
    mut show: impl FnMut(&Deduction),
) -> Result<(), Halt> {
    while let Some(deduction) = LADDER.iter().find_map(|technique| technique.find(grid)) {
        clock.check()?;
        show(&deduction);
        deduction.effect.apply(grid)?;
    }
    Ok(())
}
