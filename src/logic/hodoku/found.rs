//! How the searches show what they find.

use crate::grid::{Candidate, CandidateSet, CellSet, Digit};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::technique_id::TechniqueId;

/// A step that strikes these, if there are any.
pub(super) fn strike(
    technique: TechniqueId,
    struck: Vec<Candidate>,
    pattern: impl FnOnce() -> Pattern,
) -> Option<Deduction> {
    if struck.is_empty() {
        return None;
    }
    let set = struck
        .iter()
        .fold(CandidateSet::EMPTY, |set, &one| set.with(one));
    Some(Deduction {
        technique,
        effect: Effect::Eliminate(set),
        pattern: pattern(),
    })
}

/// A step that places a digit.
pub(super) fn place(technique: TechniqueId, candidate: Candidate, pattern: Pattern) -> Deduction {
    Deduction {
        technique,
        effect: Effect::Place(candidate),
        pattern,
    }
}

/// This digit in these cells, in reading order.
pub(super) fn marks(digit: Digit, cells: CellSet) -> impl Iterator<Item = Candidate> {
    cells.into_iter().map(move |cell| Candidate { cell, digit })
}
