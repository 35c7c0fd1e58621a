//! Explains singles, locked candidates and subsets.

use super::wording::{
    PatternText, and, number, or, part, sentence, short_cells, short_digits, short_house,
};
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet,
};
use crate::logic::technique::held;

pub(super) fn full_house(Candidate { cell, digit }: Candidate, house: House) -> PatternText {
    PatternText {
        look: house.to_string(),
        short: format!("{digit} in {}", short_house(house)),
        reason: format!(
            "{cell} is the only blank cell of {house}, and {digit} the only digit that is missing \
             there."
        ),
        houses: [house].into_iter().collect(),
        parts: vec![part("cell", CandidateSet::of(digit, CellSet::only(cell)))],
    }
}

pub(super) fn naked_single(
    grid: &CandidateGrid,
    Candidate { cell, digit }: Candidate,
) -> PatternText {
    let [row, column, block] = cell.houses();
    let is_last_of = |house: &House| {
        let blanks = grid.blanks().intersection(house.cells());
        blanks == CellSet::only(cell)
    };
    let (reason, houses) = match [row, column, block].into_iter().find(is_last_of) {
        Some(house) => (
            format!(
                "{cell} is the only blank cell of {house}, and {digit} the only digit that is \
                 missing there."
            ),
            [house].into_iter().collect(),
        ),
        None => {
            let (gone, houses) = gone_digits(grid, cell);
            let reason = format!("{cell} has no candidate but {digit}: {gone}.");
            (reason, houses)
        }
    };
    PatternText {
        look: block.to_string(),
        short: format!("one candidate in {cell}"),
        reason,
        houses,
        parts: vec![part("cell", CandidateSet::of(digit, CellSet::only(cell)))],
    }
}

/// Why the other eight digits are gone from a cell with one candidate, and the houses that say so.
fn gone_digits(grid: &CandidateGrid, cell: Cell) -> (String, HouseSet) {
    let mut left = DigitSet::ALL.difference(grid.candidates(cell));
    let mut reasons = Vec::new();
    let mut houses = HouseSet::EMPTY;
    for house in cell.houses() {
        let placed = grid.placed().intersection(house.cells());
        let stands = |digit: &Digit| !grid.places(*digit).intersection(placed).is_empty();
        let here: DigitSet = left.into_iter().filter(stands).collect();
        if !here.is_empty() {
            reasons.push(format!("{} in {house}", and(here)));
            houses = houses.with(house);
            left = left.difference(here);
        }
    }
    let mut text = String::new();
    if !reasons.is_empty() {
        text = format!("it sees {}", reasons.join("; "));
    }
    if !left.is_empty() {
        let between = if text.is_empty() { "" } else { "; " };
        let are = if left.len() == 1 { "is" } else { "are" };
        text = format!("{text}{between}{} {are} eliminated already", and(left));
    }
    (text, houses)
}

pub(super) fn hidden_single(
    grid: &CandidateGrid,
    Candidate { cell, digit }: Candidate,
    house: House,
) -> PatternText {
    let others = grid.blanks().intersection(house.cells()).without(cell);
    let reason = if others.is_empty() {
        format!("{cell} is the only blank cell of {house}, and {digit} is missing there.")
    } else {
        format!(
            "{house} needs a {digit}, and only {cell} can take it: no other blank cell of {house} \
             has the candidate {digit}."
        )
    };
    PatternText {
        look: house.to_string(),
        short: format!("{digit} in {}", short_house(house)),
        reason: sentence(&reason),
        houses: [house].into_iter().collect(),
        parts: vec![part("cell", CandidateSet::of(digit, CellSet::only(cell)))],
    }
}

pub(super) fn locked_candidates(
    digit: Digit,
    cells: CellSet,
    [from, to]: [House; 2],
) -> PatternText {
    PatternText {
        look: format!("{from} and {to}"),
        short: format!("{digit} in {}", short_house(from)),
        reason: format!(
            "In {from}, only {} can be {digit}, and all of these lie in {to} as well. Wherever the \
             {digit} of {from} stands, it is the {digit} of {to} too.",
            or(cells)
        ),
        houses: [from, to].into_iter().collect(),
        parts: vec![part("locked", CandidateSet::of(digit, cells))],
    }
}

pub(super) fn subset(
    grid: &CandidateGrid,
    cells: CellSet,
    digits: DigitSet,
    house: House,
) -> PatternText {
    let count = number(digits.len());
    let is_naked = cells
        .into_iter()
        .all(|cell| grid.candidates(cell).difference(digits).is_empty());
    let reason = if is_naked {
        format!(
            "In {house}, {} have no candidates but {}. These {count} cells share the {count} \
             digits out among themselves, so no other cell of {house} has one of them.",
            and(cells),
            and(digits)
        )
    } else {
        format!(
            "In {house}, only {} have places for {}. These {count} cells take the {count} digits, so \
             nothing else stands there.",
            and(cells),
            and(digits)
        )
    };
    PatternText {
        look: house.to_string(),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(cells)),
        reason,
        houses: [house].into_iter().collect(),
        parts: vec![part("subset", held(grid, cells, digits))],
    }
}

pub(super) fn locked_subset(
    grid: &CandidateGrid,
    cells: CellSet,
    digits: DigitSet,
    [line, block]: [House; 2],
) -> PatternText {
    let count = number(digits.len());
    PatternText {
        look: format!("{line} and {block}"),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(cells)),
        reason: format!(
            "{} have no candidates but {}. These {count} cells share the {count} digits out among \
             themselves. As all of them lie in {line} and in {block} as well, no other cell of \
             either has one of the digits.",
            and(cells),
            and(digits)
        ),
        houses: [line, block].into_iter().collect(),
        parts: vec![part("subset", held(grid, cells, digits))],
    }
}
