//! Kinds of cells: blank, pencil marks, a printed digit or a written one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::logits::softmax;
use crate::grid::{Digit, DigitSet};

/// Kind of a cell's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellKind {
    /// No content that belongs to the puzzle.
    Blank,
    /// Pencil marks: candidates that somebody noted, and no digit.
    Marks,
    /// A digit in print.
    Printed,
    /// A digit written by hand.
    Written,
}

/// Number of kinds.
pub(crate) const KINDS: usize = CellKind::ALL.len();

/// Outputs of the second head: a logit per kind, then one per candidate.
pub(crate) const KIND_OUTPUTS: usize = KINDS + Digit::ALL.len();

/// Outputs of the second head for one crop.
pub(crate) type KindLogits = [f32; KIND_OUTPUTS];

impl CellKind {
    /// All kinds, in the order of the network's outputs.
    pub const ALL: [CellKind; 4] = [
        CellKind::Blank,
        CellKind::Marks,
        CellKind::Printed,
        CellKind::Written,
    ];

    /// Returns the name in manifests and cards.
    pub const fn name(self) -> &'static str {
        match self {
            CellKind::Blank => "blank",
            CellKind::Marks => "marks",
            CellKind::Printed => "printed",
            CellKind::Written => "written",
        }
    }

    /// Returns the kind of this name.
    pub fn of_name(name: &str) -> Option<CellKind> {
        CellKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns whether a cell of this kind holds a digit.
    pub const fn is_digit(self) -> bool {
        matches!(self, CellKind::Printed | CellKind::Written)
    }

    /// Returns the position in [`CellKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for CellKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Probabilities of the kinds of a cell, which sum to 1, and for each candidate the probability
/// that it is among its pencil marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindPosterior {
    kinds: [f32; KINDS],
    candidates: [f32; 9],
}

impl KindPosterior {
    /// The probabilities of a cell without ink.
    pub(crate) const BLANK: KindPosterior = KindPosterior {
        kinds: [1.0, 0.0, 0.0, 0.0],
        candidates: [0.0; 9],
    };

    /// Returns the probabilities of these logits; `None` where they are not finite.
    pub(crate) fn of_logits(logits: &KindLogits) -> Option<KindPosterior> {
        let (kinds, candidates) = logits.split_first_chunk()?;
        let candidates: &[f32; 9] = candidates.try_into().ok()?;
        let posterior = KindPosterior {
            kinds: softmax(kinds, 1.0),
            candidates: candidates.map(logistic),
        };
        let mut values = posterior.kinds.iter().chain(&posterior.candidates);
        values.all(|value| value.is_finite()).then_some(posterior)
    }

    /// Returns the probability of a kind.
    pub const fn of(&self, kind: CellKind) -> f32 {
        self.kinds[kind.index()]
    }

    /// Returns the most probable kind; among equals the first.
    pub fn best(&self) -> CellKind {
        let better = |best, kind| match self.of(kind) > self.of(best) {
            true => kind,
            false => best,
        };
        CellKind::ALL.into_iter().fold(CellKind::Blank, better)
    }

    /// Returns the candidates that are more likely marked than not.
    pub fn candidates(&self) -> DigitSet {
        let marked = |digit: &Digit| self.candidates[digit.index()] >= 0.5;
        Digit::ALL.into_iter().filter(marked).collect()
    }
}

/// Returns the logistic function of a logit.
fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_parsed_from_their_names() {
        for kind in CellKind::ALL {
            assert_eq!(CellKind::of_name(kind.name()), Some(kind));
            assert_eq!(CellKind::ALL[kind.index()], kind);
        }
        assert_eq!(CellKind::of_name("pencil"), None);
    }

    #[test]
    fn logits_become_probabilities_and_nan_is_refused() {
        let mut logits = [0.0; KIND_OUTPUTS];
        logits[CellKind::Marks.index()] = 3.0;
        (logits[4 + 2], logits[4 + 6], logits[4 + 8]) = (2.0, 0.1, -1.0);
        let posterior = KindPosterior::of_logits(&logits).unwrap();
        assert_eq!(posterior.best(), CellKind::Marks);
        let sum: f32 = CellKind::ALL.iter().map(|kind| posterior.of(*kind)).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        let expected: DigitSet = [1, 2, 3, 4, 5, 6, 7]
            .into_iter()
            .filter_map(Digit::new)
            .collect();
        assert_ne!(posterior.candidates(), expected);
        assert!(posterior.candidates().contains(Digit::ALL[2]));
        assert!(!posterior.candidates().contains(Digit::ALL[8]));
        for odd in [f32::NAN, f32::INFINITY] {
            for place in [0, 7] {
                let mut logits = logits;
                logits[place] = odd;
                let posterior = KindPosterior::of_logits(&logits);
                // A candidate with an infinite logit is certain, which is valid.
                assert_eq!(
                    posterior.is_some(),
                    place == 7 && odd.is_infinite(),
                    "{odd}"
                );
            }
        }
    }
}
