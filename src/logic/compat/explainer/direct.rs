//! Locked candidates and hidden subsets that leave a hidden single at once.

use std::ops::ControlFlow;

use crate::grid::{Digit, House};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::{SubsetSize, TechniqueId};
use crate::logic::techniques::{HiddenSubset, Locked, LockedCandidates};

/// Direct pointing and claiming: locked candidates whose digit is left with one place in a house of
/// the kind that confines it. Sudoku Explainer (Nicolas Juillerat) rates them apart.
#[derive(Clone, Copy, Debug)]
pub struct DirectLocked(
    /// Pointing or claiming.
    pub Locked,
);

impl Technique for DirectLocked {
    fn id(&self) -> TechniqueId {
        match self.0 {
            Locked::Pointing => TechniqueId::DirectPointing,
            Locked::Claiming => TechniqueId::DirectClaiming,
        }
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        LockedCandidates(self.0).search(grid, &mut |step| {
            let Pattern::LockedCandidates {
                digit, from, to, ..
            } = step.pattern
            else {
                return ControlFlow::Continue(());
            };
            let beside = House::all().any(|house| {
                let places = grid.places(digit).intersection(house.cells());
                house != from
                    && house.kind() == from.kind()
                    && places.len() > 1
                    && places.difference(to.cells()).len() == 1
            });
            rename(beside, step, self.id(), sink)
        })
    }
}

/// Direct hidden pair and triple: hidden subsets that leave another digit with one place in the
/// house. Sudoku Explainer (Nicolas Juillerat) rates them apart.
#[derive(Clone, Copy, Debug)]
pub struct DirectHiddenSubset(
    /// How many digits, and cells.
    pub SubsetSize,
);

impl Technique for DirectHiddenSubset {
    fn id(&self) -> TechniqueId {
        TechniqueId::DirectHiddenSubset(self.0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        HiddenSubset(self.0).search(grid, &mut |step| {
            let Pattern::Subset {
                cells,
                digits,
                house,
            } = step.pattern
            else {
                return ControlFlow::Continue(());
            };
            let mut others = Digit::ALL.into_iter().filter(|&d| !digits.contains(d));
            let leaves_one = others.any(|digit| {
                let places = grid.places(digit).intersection(house.cells());
                places.len() > 1 && places.difference(cells).len() == 1
            });
            rename(leaves_one, step, self.id(), sink)
        })
    }
}

/// Shows a step under another name, if it is one.
fn rename(
    shown: bool,
    step: Deduction,
    technique: TechniqueId,
    sink: &mut Sink<'_>,
) -> ControlFlow<()> {
    if shown {
        sink(Deduction { technique, ..step })
    } else {
        ControlFlow::Continue(())
    }
}
