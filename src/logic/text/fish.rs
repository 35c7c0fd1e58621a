//! Explains fish.

use super::wording::{PatternText, and, and_houses, number, or, part, sentence, short_houses};
use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, House, HouseSet};

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
