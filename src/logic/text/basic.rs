//! Explains singles, locked candidates, subsets and fish.

use super::wording::{
    PatternText, and, and_houses, number, or, part, sentence, short_cells, short_digits,
    short_house, short_houses,
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

pub(super) fn fish(
    grid: &CandidateGrid,
    digit: Digit,
    base: HouseSet,
    cover: HouseSet,
) -> PatternText {
    let places = grid.places(digit).intersection(base.cells());
    let count = number(base.len());
    let (base_lines, cover_lines) = (and_houses(base.iter()), and_houses(cover.iter()));
    let reason = format!(
        "{}: all of these lie in {cover_lines}. The {count} {digit}s of \
         {base_lines} stand in different ones of the {count}, so {cover_lines} have their {digit}s \
         there and nowhere else.",
        each_house(digit, places, base)
    );
    PatternText {
        look: format!("all places of {digit}"),
        short: format!(
            "{digit} {} {}",
            short_houses(base.iter()),
            short_houses(cover.iter())
        ),
        reason: sentence(&reason),
        houses: base.iter().chain(cover.iter()).collect(),
        parts: vec![part("fish", CandidateSet::of(digit, places))],
    }
}

/// `in row 1 only r1c1 or r1c2 can be 3, and in row 4 only r4c1`.
fn each_house(digit: Digit, places: CellSet, base: HouseSet) -> String {
    let each = base.iter().map(|house: House| {
        let places = places.intersection(house.cells());
        format!("in {house} only {}", or(places))
    });
    format!("{} can be {digit}", and(each))
}

/// A fish with fins, or with blocks among its houses; it eliminates these cells.
pub(super) fn finned_fish(
    grid: &CandidateGrid,
    digit: Digit,
    [base, cover]: [HouseSet; 2],
    fins: CellSet,
    eliminated: CellSet,
) -> PatternText {
    let places = grid.places(digit).intersection(base.cells());
    let body = places.difference(fins);
    let count = number(base.len());
    let (bases, covers) = (and_houses(base.iter()), and_houses(cover.iter()));
    let twice = |cell: Cell| {
        let over = cover.iter().filter(|house| house.cells().contains(cell));
        over.count() > 1 && fins.difference(cell.peers()).is_empty()
    };
    let within: CellSet = eliminated
        .intersection(body)
        .into_iter()
        .filter(|&cell| twice(cell))
        .collect();
    let mut reason = format!(
        "{}. The {count} {digit}s of {bases} stand in {count} different cells, one in each of \
         {covers}; so these have their {digit}s there and nowhere else.",
        sentence(&each_house(digit, places, base))
    );
    if !fins.is_empty() {
        let (fins_are, all) = match fins.len() {
            1 => (format!("the fin {} is", and(fins)), "it"),
            _ => (format!("one of the fins {} is", and(fins)), "all fins"),
        };
        reason = format!(
            "{}. If {fins_are} {digit}, no cell that sees {all} is. If not, the {count} {digit}s of \
             {bases} stand in {count} different cells, one in each of {covers}; so these have their \
             {digit}s there and nowhere else. Either way, no other cell of {covers} that sees {all} \
             is {digit}.",
            sentence(&each_house(digit, places, base))
        );
    }
    if !within.is_empty() {
        reason = format!(
            "{reason} Nor is {}, where two of these houses meet: a {digit} there would serve both of \
             them, and the other {digit}s would be too many for the houses that are left.",
            or(within)
        );
    }
    let mark = |fin: Cell| {
        let bases = base.iter().filter(|house| house.cells().contains(fin));
        let kind = if bases.count() > 1 { "ef" } else { "f" };
        format!(" {kind}{fin}")
    };
    let fin_marks: String = fins.into_iter().map(mark).collect();
    let mut parts = vec![part("fish", CandidateSet::of(digit, body))];
    if !fins.is_empty() {
        parts.push(part("fins", CandidateSet::of(digit, fins)));
    }
    PatternText {
        look: format!("all places of {digit}"),
        short: format!(
            "{digit} {} {}{fin_marks}",
            short_houses(base.iter()),
            short_houses(cover.iter())
        ),
        reason,
        houses: base.iter().chain(cover.iter()).collect(),
        parts,
    }
}
