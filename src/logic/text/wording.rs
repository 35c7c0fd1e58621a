//! The words of a pattern, and the helpers that write them: sets in short and in a sentence.

use std::fmt::Display;

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet};

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

/// Cells in short, those of a row or a column together: `r1c25,r3c4`.
pub(super) fn short_cells(cells: CellSet) -> String {
    let by_rows = grouped(cells, Cell::row, Cell::column);
    let by_columns = grouped(cells, Cell::column, Cell::row);
    let name = |(rows, columns): (String, String)| format!("r{rows}c{columns}");
    let names: Vec<String> = if by_rows.len() <= by_columns.len() {
        by_rows.into_iter().map(name).collect()
    } else {
        let turned = by_columns
            .into_iter()
            .map(|(columns, rows)| (rows, columns));
        turned.map(name).collect()
    };
    names.join(",")
}

/// Lines of one kind that hold cells, with where they hold them, both as digits; lines that hold
/// them in the same places share an entry.
fn grouped(
    cells: CellSet,
    line: fn(Cell) -> usize,
    place: fn(Cell) -> usize,
) -> Vec<(String, String)> {
    let mut groups: Vec<(String, String)> = Vec::new();
    for at in 0..9 {
        let held = cells.into_iter().filter(|&cell| line(cell) == at);
        let places: String = held.map(|cell| (place(cell) + 1).to_string()).collect();
        if places.is_empty() {
            continue;
        }
        let same = groups.iter_mut().find(|(_, others)| *others == places);
        match same {
            Some((lines, _)) => lines.push_str(&(at + 1).to_string()),
            None => groups.push(((at + 1).to_string(), places)),
        }
    }
    groups
}

/// A house in short: `r4`, `c7`, `b9`.
pub(super) fn short_house(house: House) -> String {
    let name = house.to_string();
    let number = name.split(' ').next_back().unwrap_or_default();
    format!("{}{number}", &name[..1])
}

/// Houses in short, those of a kind together: `r47`, `r4b3`.
pub(super) fn short_houses(houses: impl Iterator<Item = House>) -> String {
    let by_kind = by_kind(houses).into_iter();
    by_kind
        .map(|(kind, numbers)| format!("{}{}", &kind[..1], numbers.concat()))
        .collect()
}

/// The kinds of houses that follow each other, with their numbers.
fn by_kind(houses: impl Iterator<Item = House>) -> Vec<(String, Vec<String>)> {
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    for house in houses {
        let name = house.to_string();
        let (kind, number) = name.split_once(' ').unwrap_or_default();
        match kinds.last_mut() {
            Some((last, numbers)) if last == kind => numbers.push(number.to_owned()),
            _ => kinds.push((kind.to_owned(), vec![number.to_owned()])),
        }
    }
    kinds
}

/// Digits in short: `8,9`.
pub(super) fn short_digits(digits: DigitSet, between: &str) -> String {
    let digits: Vec<String> = digits.into_iter().map(|digit| digit.to_string()).collect();
    digits.join(between)
}

/// Candidates to eliminate, digit by digit: `r3c24<>1,r3c2<>8`.
pub fn eliminations(eliminated: &CandidateSet) -> String {
    let texts = by_digit(eliminated)
        .map(|(digit, cells)| format!("{}<>{digit}", short_cells(cells)))
        .collect::<Vec<_>>();
    texts.join(",")
}

/// What follows from a placement or from eliminations, as the end of an argument.
pub(super) fn is(candidate: Candidate) -> String {
    format!("{} is {}", candidate.cell, candidate.digit)
}

/// As [`is`], of candidates that are none; digits that leave the same cells are named together.
pub(super) fn cannot_be(eliminated: &CandidateSet) -> String {
    let mut groups: Vec<(CellSet, DigitSet)> = Vec::new();
    for (digit, cells) in by_digit(eliminated) {
        match groups.iter_mut().find(|(others, _)| *others == cells) {
            Some((_, digits)) => *digits = digits.with(digit),
            None => groups.push((cells, DigitSet::only(digit))),
        }
    }
    let texts = groups
        .into_iter()
        .map(|(cells, digits)| format!("{} cannot be {}", and(cells), or(digits)))
        .collect::<Vec<_>>();
    texts.join(", and ")
}

fn by_digit(candidates: &CandidateSet) -> impl Iterator<Item = (Digit, CellSet)> {
    let digits = Digit::ALL.into_iter();
    let with_places = digits.map(|digit| (digit, candidates.places(digit)));
    with_places.filter(|(_, cells)| !cells.is_empty())
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn and<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    list(items, "and")
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn or<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    list(items, "or")
}

fn list<T: Display>(items: impl IntoIterator<Item = T>, word: &str) -> String {
    let mut items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.pop() {
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} {word} {last}", items.join(", ")),
        None => String::new(),
    }
}

/// Houses, each kind named once: `rows 4 and 7`, `row 4`, `rows 4 and 7 and block 3`.
pub(super) fn and_houses(houses: impl Iterator<Item = House>) -> String {
    let kinds = by_kind(houses).into_iter().map(|(kind, numbers)| {
        let plural = if numbers.len() > 1 { "s" } else { "" };
        format!("{kind}{plural} {}", and(numbers))
    });
    and(kinds)
}

/// Numbers that patterns have, in words.
pub(super) fn number(count: usize) -> String {
    let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    words
        .get(count)
        .map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The cells that a short name stands for.
    fn spelled_out(text: &str) -> CellSet {
        let groups = text.split(',').filter(|group| !group.is_empty());
        groups
            .flat_map(|group| {
                let (rows, columns) = group[1..].split_once('c').unwrap();
                let digit = |byte: u8| usize::from(byte - b'1');
                let pairs = rows
                    .bytes()
                    .flat_map(|r| columns.bytes().map(move |c| (r, c)));
                let cells = pairs.map(|(r, c)| Cell::at(digit(r), digit(c)).unwrap());
                cells.collect::<Vec<_>>()
            })
            .collect()
    }

    proptest! {
        #[test]
        fn short_names_name_the_cells(indices in prop::collection::vec(0..81_usize, 0..9)) {
            let cells: CellSet = indices.into_iter().filter_map(Cell::new).collect();
            prop_assert_eq!(spelled_out(&short_cells(cells)), cells);
        }
    }

    #[test]
    fn short_names_are_the_usual_ones() {
        for name in ["r5c25", "r123c4", "r1c57,r3c8", "r25c39", ""] {
            assert_eq!(short_cells(spelled_out(name)), name);
        }
        let houses = [3, 6].map(|index| House::new(index).unwrap());
        assert_eq!(short_houses(houses.into_iter()), "r47");
        assert_eq!(and_houses(houses.into_iter()), "rows 4 and 7");
        let mixed = [3, 6, 20].map(|index| House::new(index).unwrap());
        assert_eq!(short_houses(mixed.into_iter()), "r47b3");
        assert_eq!(and_houses(mixed.into_iter()), "rows 4 and 7 and block 3");
        assert_eq!(and_houses(House::new(20).into_iter()), "block 3");
    }

    #[test]
    fn lists_read_as_english() {
        assert_eq!(or([1]), "1");
        assert_eq!(or([1, 2]), "1 or 2");
        assert_eq!(and([1, 2, 3]), "1, 2 and 3");
    }
}
