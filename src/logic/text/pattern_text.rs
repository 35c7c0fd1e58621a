//! Explains what is particular to a pattern,.

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, DigitSet, House, HouseSet};

/// What the words for a pattern say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatternText {
    /// Where to look, as in "Look at row 4".
    pub(super) look: String,
    /// The pattern in short, as `8,9 in r5c25`.
    pub(super) short: String,
    /// Sentences up to the conclusion.
    pub(super) reason: String,
    /// The houses that the sentences name.
    pub(super) houses: HouseSet,
    /// The candidates by the part they play; the sentences name the cells of all of them.
    pub(super) parts: Vec<Part>,
}

/// Candidates that play the same part in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What they are called: `pivot`, `pincers`, …
    pub role: &'static str,
    /// The candidates.
    pub candidates: CandidateSet,
}

pub(super) fn part(role: &'static str, candidates: CandidateSet) -> Part {
    Part { role, candidates }
}

/// The candidates of these cells that are one of these digits.
pub(super) fn held(grid: &CandidateGrid, cells: CellSet, digits: DigitSet) -> CandidateSet {
    let of_digits = digits.into_iter().map(|digit| {
        let places = grid.places(digit).intersection(cells);
        CandidateSet::of(digit, places)
    });
    of_digits.fold(CandidateSet::EMPTY, |all, some| all.union(&some))
}

/// A house that holds both cells, a line before a block.
pub(super) fn shared_house(one: Cell, other: Cell) -> Option<House> {
    house_of(CellSet::only(one).with(other))
}

/// The text with a capital at its beginning.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(characters).collect()
}

/// A house that holds all of these cells, a line before a block.
pub(super) fn house_of(cells: CellSet) -> Option<House> {
    House::all().find(|house| cells.difference(house.cells()).is_empty())
}
