//! A candidate (a digit in a cell) and sets of candidates.

use std::fmt;

use super::cell::{Cell, CellSet};
use super::digit::{Digit, DigitSet};

/// A digit in a cell; there are 729.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// Its cell.
    pub cell: Cell,
    /// Its digit.
    pub digit: Digit,
}

/// Writes the cell, then the digit: `r4c7=5`.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.cell, self.digit)
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Candidate {
    /// Returns these digits in this cell, ascending.
    pub fn in_cell(cell: Cell, digits: DigitSet) -> impl Iterator<Item = Candidate> + Clone {
        digits
            .into_iter()
            .map(move |digit| Candidate { cell, digit })
    }

    /// Returns this digit in these cells, in reading order.
    pub fn in_cells(digit: Digit, cells: CellSet) -> impl Iterator<Item = Candidate> + Clone {
        cells.into_iter().map(move |cell| Candidate { cell, digit })
    }
}

/// A set of candidates: for each digit a set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CandidateSet([CellSet; 9]);

impl CandidateSet {
    /// The empty set.
    pub const EMPTY: CandidateSet = CandidateSet([CellSet::EMPTY; 9]);

    /// Returns the set that holds just this candidate.
    pub const fn only(candidate: Candidate) -> CandidateSet {
        CandidateSet::of(candidate.digit, CellSet::only(candidate.cell))
    }

    /// Returns this digit in all these cells.
    pub const fn of(digit: Digit, cells: CellSet) -> CandidateSet {
        let mut set = CandidateSet::EMPTY;
        set.0[digit.index()] = cells;
        set
    }

    /// Returns the cells that hold this digit.
    pub const fn places(&self, digit: Digit) -> CellSet {
        self.0[digit.index()]
    }

    /// Returns the number of candidates in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|cells| cells.len()).sum()
    }

    /// Returns whether the set holds no candidate.
    pub fn is_empty(&self) -> bool {
        *self == CandidateSet::EMPTY
    }

    /// Returns whether the set holds this candidate.
    pub const fn contains(&self, candidate: Candidate) -> bool {
        self.places(candidate.digit).contains(candidate.cell)
    }

    /// Returns this set with that candidate added.
    #[must_use]
    pub fn with(mut self, candidate: Candidate) -> CandidateSet {
        let places = &mut self.0[candidate.digit.index()];
        *places = places.with(candidate.cell);
        self
    }

    /// Returns the candidates in either set.
    #[must_use]
    pub fn union(&self, other: &CandidateSet) -> CandidateSet {
        CandidateSet(std::array::from_fn(|d| self.0[d].union(other.0[d])))
    }

    /// Returns the candidates in both sets.
    #[must_use]
    pub fn intersection(&self, other: &CandidateSet) -> CandidateSet {
        CandidateSet(std::array::from_fn(|d| self.0[d].intersection(other.0[d])))
    }

    /// Returns the candidates of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &CandidateSet) -> CandidateSet {
        CandidateSet(std::array::from_fn(|d| self.0[d].difference(other.0[d])))
    }

    /// Returns the candidates, digit by digit, the cells of each in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Candidate> {
        Digit::ALL
            .into_iter()
            .zip(self.0)
            .flat_map(|(digit, cells)| cells.into_iter().map(move |cell| Candidate { cell, digit }))
    }
}

impl FromIterator<Candidate> for CandidateSet {
    fn from_iter<I: IntoIterator<Item = Candidate>>(candidates: I) -> CandidateSet {
        candidates
            .into_iter()
            .fold(CandidateSet::EMPTY, CandidateSet::with)
    }
}

impl fmt::Debug for CandidateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn candidates() -> impl Strategy<Value = BTreeSet<Candidate>> {
        let candidate = (0..81_usize, 0..9_usize).prop_map(|(cell, digit)| Candidate {
            cell: Cell::new(cell).unwrap(),
            digit: Digit::ALL[digit],
        });
        prop::collection::btree_set(candidate, 0..200)
    }

    fn set(candidates: impl IntoIterator<Item = Candidate>) -> CandidateSet {
        candidates.into_iter().collect()
    }

    proptest! {
        #[test]
        fn sets_agree_with_the_standard_library(a in candidates(), b in candidates()) {
            let (x, y) = (set(a.clone()), set(b.clone()));
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!((x.len(), x.is_empty()), (a.len(), a.is_empty()));
            prop_assert_eq!(x.union(&y), set(a.union(&b).copied()));
            prop_assert_eq!(x.intersection(&y), set(a.intersection(&b).copied()));
            prop_assert_eq!(x.difference(&y), set(a.difference(&b).copied()));
            for candidate in a.union(&b) {
                prop_assert_eq!(x.contains(*candidate), a.contains(candidate));
                let single = CandidateSet::only(*candidate);
                prop_assert_eq!(single, set([*candidate]));
                prop_assert_eq!(single.places(candidate.digit), CellSet::only(candidate.cell));
            }
        }
    }

    #[test]
    fn candidates_are_written_in_players_notation() {
        let candidate = Candidate {
            cell: Cell::at(3, 6).unwrap(),
            digit: Digit::ALL[4],
        };
        assert_eq!(candidate.to_string(), "r4c7=5");
    }
}
