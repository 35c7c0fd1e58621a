//! The trait of all techniques.

use std::ops::ControlFlow;

use super::deduction::{Deduction, Effect, Pattern};
use super::state::State;
use super::technique_id::TechniqueId;
use crate::grid::{Candidate, CandidateGrid, CandidateSet, CellSet, DigitSet};

/// Receives steps, and breaks when it has seen enough.
pub type Sink<'a> = dyn FnMut(Deduction) -> ControlFlow<()> + 'a;

/// One way to see that a candidate must be right or cannot be.
///
/// Pure: it reads the grid and changes nothing, and the same grid gets the same answer.
pub trait Technique: Sync {
    /// Which technique it is. Some find patterns that have names of their own: their steps carry
    /// these.
    fn id(&self) -> TechniqueId;

    /// Whether it is right only for puzzles with one solution.
    fn assumes_uniqueness(&self) -> bool {
        self.id().assumes_uniqueness()
    }

    /// Shows every step of its kind to the sink, until it breaks; the same grid gets the same steps
    /// in the same order. Each changes the grid: what it places is blank, and what it eliminates is
    /// there. A pattern that is seen in several ways may be shown several times.
    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()>;

    /// The first step of its kind, if there is one.
    fn first(&self, grid: &State) -> Option<Deduction> {
        let mut first = None;
        let _ = self.search(grid, &mut |step| {
            first = Some(step);
            ControlFlow::Break(())
        });
        first
    }

    /// As [`Technique::first`], of marks that are looked at once.
    fn find(&self, grid: &CandidateGrid) -> Option<Deduction> {
        self.first(&State::new(grid.clone()))
    }

    /// As [`Technique::all`], of marks that are looked at once.
    fn find_all(&self, grid: &CandidateGrid) -> Vec<Deduction> {
        self.all(&State::new(grid.clone()))
    }

    /// All steps of its kind.
    fn all(&self, grid: &State) -> Vec<Deduction> {
        let mut all = Vec::new();
        let _ = self.search(grid, &mut |step| {
            all.push(step);
            ControlFlow::Continue(())
        });
        all
    }
}

/// A step that places a digit.
pub(super) fn place(technique: TechniqueId, candidate: Candidate, pattern: Pattern) -> Deduction {
    Deduction {
        technique,
        effect: Effect::Place(candidate),
        pattern,
    }
}

/// Shows a step that eliminates these candidates, unless there are none to eliminate.
pub(super) fn eliminate(
    technique: TechniqueId,
    eliminated: CandidateSet,
    sink: &mut Sink<'_>,
    pattern: impl FnOnce() -> Pattern,
) -> ControlFlow<()> {
    if eliminated.is_empty() {
        return ControlFlow::Continue(());
    }
    sink(Deduction {
        technique,
        effect: Effect::Eliminate(eliminated),
        pattern: pattern(),
    })
}

/// The candidates of these cells that are one of these digits.
pub(super) fn held(grid: &CandidateGrid, cells: CellSet, digits: DigitSet) -> CandidateSet {
    let places = |digit| CandidateSet::of(digit, grid.places(digit).intersection(cells));
    let sets = digits.into_iter().map(places);
    sets.fold(CandidateSet::EMPTY, |all, some| all.union(&some))
}
