//! A step together with the order in which it strikes.

use crate::grid::{Candidate, CandidateSet, CellSet, Digit};
use crate::logic::deduction::{Deduction, Effect, Pattern, TechniqueId};

/// A step that HoDoKu would take.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// What it changes, and why.
    pub(super) deduction: Deduction,
    /// What it strikes, in order; empty if it places a digit.
    pub(super) struck: Vec<Candidate>,
}

impl Found {
    /// A step that strikes these, if there are any.
    pub(super) fn strike(
        technique: TechniqueId,
        struck: Vec<Candidate>,
        pattern: impl FnOnce() -> Pattern,
    ) -> Option<Found> {
        if struck.is_empty() {
            return None;
        }
        let set = struck
            .iter()
            .fold(CandidateSet::EMPTY, |set, &one| set.with(one));
        Some(Found {
            deduction: Deduction {
                technique,
                effect: Effect::Eliminate(set),
                pattern: pattern(),
            },
            struck,
        })
    }

    /// A step that places a digit.
    pub(super) fn place(technique: TechniqueId, candidate: Candidate, pattern: Pattern) -> Found {
        Found {
            deduction: Deduction {
                technique,
                effect: Effect::Place(candidate),
                pattern,
            },
            struck: Vec::new(),
        }
    }
}

/// This digit in these cells, in reading order.
pub(super) fn marks(digit: Digit, cells: CellSet) -> impl Iterator<Item = Candidate> {
    cells.into_iter().map(move |cell| Candidate { cell, digit })
}
