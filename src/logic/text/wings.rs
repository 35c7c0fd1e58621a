//! Explains wings, the turbot fish and the empty rectangle.

use super::wording::{PatternText, or, part, shared_house, short_cells, short_digits, short_house};
use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::technique::held;

pub(super) fn turbot_fish(grid: &CandidateGrid, digit: Digit, cells: [Cell; 4]) -> PatternText {
    let [far, near, other_near, other_far] = cells;
    let places = grid.places(digit);
    let strong = |pair: [Cell; 2]| {
        let pair: CellSet = pair.into_iter().collect();
        House::all().find(|house| places.intersection(house.cells()) == pair)
    };
    let links = [
        strong([far, near]),
        shared_house(near, other_near),
        strong([other_near, other_far]),
    ];
    let within =
        |house: Option<House>| house.map_or_else(|| "a house".to_owned(), |h| h.to_string());
    let of = |one: Cell, other: Cell| CandidateSet::of(digit, CellSet::only(one).with(other));
    let [one, middle, other] = links.map(within);
    PatternText {
        look: format!("the houses in which {digit} has two places"),
        short: format!(
            "{digit} {far} ={digit}= {near} -{digit}- {other_near} ={digit}= {other_far}"
        ),
        reason: format!(
            "In {one}, only {far} or {near} can be {digit}; in {other}, only {other_near} or \
             {other_far}. As {near} and {other_near} both lie in {middle}, they are not both \
             {digit}, and so {far} or {other_far} is. No cell that sees both of these is."
        ),
        houses: links.into_iter().flatten().collect(),
        parts: vec![
            part("ends", of(far, other_far)),
            part("link", of(near, other_near)),
        ],
    }
}

/// `, which it sees in row 4,`, and the house.
fn seen_in(one: Cell, other: Cell) -> (String, Option<House>) {
    let house = shared_house(one, other);
    let text = house.map_or_else(String::new, |house| format!(" in {house}"));
    (text, house)
}

pub(super) fn xy_wing(
    grid: &CandidateGrid,
    pivot: Cell,
    pincers: [Cell; 2],
    digit: Digit,
) -> PatternText {
    let [first, second] = pincers;
    let [x, y] = pincers.map(|pincer| short_digits(grid.candidates(pincer).without(digit), ""));
    let so =
        format!("Either way {first} or {second} is {digit}, so no cell that sees both of them is.");
    wing(grid, (pivot, format!("{x} or {y}")), pincers, digit, &so)
}

pub(super) fn xyz_wing(
    grid: &CandidateGrid,
    pivot: Cell,
    pincers: [Cell; 2],
    digit: Digit,
) -> PatternText {
    let [first, second] = pincers;
    let [x, y] = pincers.map(|pincer| short_digits(grid.candidates(pincer).without(digit), ""));
    let so = format!(
        "So {pivot}, {first} or {second} is {digit}, and no cell that sees all three of them is."
    );
    wing(
        grid,
        (pivot, format!("{x}, {y} or {digit}")),
        pincers,
        digit,
        &so,
    )
}

/// A pivot with what it may be, and the pincers, one of which it makes take the digit.
fn wing(
    grid: &CandidateGrid,
    (pivot, choice): (Cell, String),
    pincers: [Cell; 2],
    digit: Digit,
    so: &str,
) -> PatternText {
    let both: CellSet = pincers.into_iter().collect();
    let [first, second] = pincers;
    let [x, y] = pincers.map(|pincer| short_digits(grid.candidates(pincer).without(digit), ""));
    let [(in_one, one), (in_other, other)] = pincers.map(|pincer| seen_in(pivot, pincer));
    PatternText {
        look: format!("the cells with two candidates that {pivot} sees"),
        short: format!("{x}/{y}/{digit} in {pivot},{}", short_cells(both)),
        reason: format!(
            "{pivot} is {choice}. If it is {x}, then {first}, which it sees{in_one}, is {digit}; if it \
             is {y}, then {second}, which it sees{in_other}, is {digit}. {so}"
        ),
        houses: [one, other].into_iter().flatten().collect(),
        parts: vec![
            part("pivot", held(grid, CellSet::only(pivot), DigitSet::ALL)),
            part("pincers", held(grid, both, DigitSet::ALL)),
        ],
    }
}

pub(super) fn w_wing(
    grid: &CandidateGrid,
    ends: [Cell; 2],
    house: House,
    [linked, digit]: [Digit; 2],
) -> PatternText {
    let [first, second] = ends;
    let link = grid.places(linked).intersection(house.cells());
    // Where one end sees both places, the other end decides which is whose.
    let near = |end: Cell, other: Cell| {
        let seen = link.intersection(end.peers());
        let own = seen.difference(other.peers()).first();
        own.or_else(|| seen.first())
    };
    let one = near(first, second).unwrap_or(first);
    let other = link.without(one).first().unwrap_or(second);
    let [(in_one, one_house), (in_other, other_house)] =
        [seen_in(one, first), seen_in(other, second)];
    PatternText {
        look: format!("the cells that can only be {linked} or {digit}"),
        short: format!(
            "{linked}/{digit} in {} connected by {linked} in {}",
            short_cells(ends.into_iter().collect()),
            short_cells(link)
        ),
        reason: format!(
            "{first} and {second} can only be {linked} or {digit}. In {house}, only {one} or {other} \
             can be {linked}. If {one} is, then {first}, which it sees{in_one}, is {digit}; if \
             {other} is, then {second}, which it sees{in_other}, is {digit}. Either way {first} or \
             {second} is {digit}, so no cell that sees both of them is."
        ),
        houses: [Some(house), one_house, other_house]
            .into_iter()
            .flatten()
            .collect(),
        parts: vec![
            part(
                "ends",
                held(grid, ends.into_iter().collect(), DigitSet::ALL),
            ),
            part("link", CandidateSet::of(linked, link)),
        ],
    }
}

pub(super) fn empty_rectangle(
    grid: &CandidateGrid,
    digit: Digit,
    block: House,
    [first, second]: [House; 2],
    [near, far]: [Cell; 2],
) -> PatternText {
    let inside = grid.places(digit).intersection(block.cells());
    let link: CellSet = [near, far].into_iter().collect();
    let along = shared_house(near, far);
    let in_along = along.map_or_else(String::new, |house| format!(" in {house}"));
    PatternText {
        look: format!("the places of {digit} in {block}"),
        short: format!("{digit} in {} ({})", short_house(block), short_cells(link)),
        reason: format!(
            "In {block}, only {} can be {digit}, and all of these lie in {first} or in {second}. If \
             the {digit} of {block} stands in {first}, then {near}, which lies there too, is not \
             {digit}, so {far} is: there is no other place{in_along}. If not, it stands in {second}. \
             Either way, no cell of {second} outside {block} that sees {far} is {digit}.",
            or(inside)
        ),
        houses: [Some(block), Some(first), Some(second), along]
            .into_iter()
            .flatten()
            .collect(),
        parts: vec![
            part("rectangle", CandidateSet::of(digit, inside)),
            part("link", CandidateSet::of(digit, link)),
        ],
    }
}
