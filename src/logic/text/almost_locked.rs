//! Explains almost locked sets and Sue de Coq.

use super::wording::{
    Part, PatternText, and, house_of, number, or, part, short_cells, short_digits,
};
use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::AlmostLockedSet;
use crate::logic::technique::held;

/// The digits that are eliminated anywhere.
fn eliminated_digits(eliminated: &CandidateSet) -> DigitSet {
    let digits = Digit::ALL.into_iter();
    digits
        .filter(|&digit| !eliminated.places(digit).is_empty())
        .collect()
}

/// The house of a set of several cells.
fn home(set: &AlmostLockedSet) -> Option<House> {
    house_of(set.cells).filter(|_| set.cells.len() > 1)
}

/// Gives the sets names, `A` first: `A is r1c1 and r1c2 in row 1, with 1, 2 and 3.`
fn introduced(sets: &[AlmostLockedSet]) -> String {
    let each = sets.iter().zip('A'..).map(|(set, name)| {
        let within = home(set).map_or_else(String::new, |house| format!(" in {house}"));
        let (cells, digits) = (and(set.cells), and(set.digits));
        format!("{name} is {cells}{within}, with {digits}.")
    });
    format!(
        "{} Each of these has one digit more than cells: if it lacks one, it has all others.",
        each.collect::<Vec<_>>().join(" ")
    )
}

fn short(sets: &[AlmostLockedSet]) -> String {
    let each = sets.iter().map(|set| {
        let (cells, digits) = (short_cells(set.cells), short_digits(set.digits, ""));
        format!("{cells} {{{digits}}}")
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The sets, each a part.
fn parts(grid: &CandidateGrid, sets: &[AlmostLockedSet]) -> impl Iterator<Item = Part> {
    let roles = ["set A", "set B", "set C", "set D", "set E", "set F"];
    let roles = roles.into_iter().chain(std::iter::repeat("further set"));
    let parts = sets.iter().zip(roles);
    parts.map(|(set, role)| part(role, held(grid, set.cells, set.digits)))
}

/// What a digit that stands in one of these sets for sure eliminates.
fn one_of(names: &str, digits: DigitSet) -> String {
    match digits.single() {
        Some(digit) => format!(
            "So {names} has {digit}, and no cell that sees all places of {digit} in them is {digit}."
        ),
        None => format!(
            "So {names} has it, and no other cell that sees all its places in them does. This holds \
             for {}.",
            and(digits)
        ),
    }
}

/// Almost locked sets, each joined to the next.
pub(super) fn als_chain(
    grid: &CandidateGrid,
    sets: &[AlmostLockedSet],
    joints: &[Digit],
    eliminated: &CandidateSet,
) -> PatternText {
    let names: Vec<char> = ('A'..).take(sets.len()).collect();
    let (first, last) = (names[0], names[names.len() - 1]);
    let argument = if joints.len() == sets.len() {
        let [one, other] = [joints[0], joints[1]];
        format!(
            "All places of {one} in A see those in B, and so do those of {other}: {one} and {other} \
             stand only once each in the two. So one of them lacks {one} and the other one {other}; \
             both have all their further digits. No cell is {one} or {other} that sees all its places \
             in both, or a further digit of A or of B that sees all its places there."
        )
    } else {
        let digits = eliminated_digits(eliminated);
        let (lacks, has) = match digits.single() {
            Some(digit) => (digit.to_string(), digit.to_string()),
            None => (format!("{}, say", or(digits)), "the missing one".to_owned()),
        };
        let links = joints.iter().zip(&names[1..]).enumerate();
        let links = links.map(|(at, (joint, name))| match at {
            0 => format!("it has {joint}, so {name} lacks {joint}"),
            _ => format!(" and has {joint}, so {name} lacks {joint}"),
        });
        format!(
            "If A lacks {lacks}, {} and has {has}: all places of a digit that joins two sets see each \
             other. {}",
            links.collect::<String>(),
            one_of(&format!("{first} or {last}"), digits)
        )
    };
    PatternText {
        look: format!("the candidates of {}", or(sets[0].cells)),
        short: format!("{} by {}", short(sets), and(joints)),
        reason: format!("{} {argument}", introduced(sets)),
        houses: sets.iter().filter_map(home).collect(),
        parts: parts(grid, sets).collect(),
    }
}

pub(super) fn death_blossom(
    grid: &CandidateGrid,
    stem: Cell,
    petals: &[AlmostLockedSet],
    eliminated: &CandidateSet,
) -> PatternText {
    let candidates = grid.candidates(stem);
    let digits = eliminated_digits(eliminated);
    let names: Vec<char> = ('A'..).take(petals.len()).collect();
    let by_name = || candidates.into_iter().zip(&names);
    let sees = by_name().map(|(digit, name)| format!("of {digit} in {name}"));
    let ways = by_name().map(|(digit, name)| {
        format!(
            "if it is {digit}, {name} lacks {digit} and has {}",
            and(digits)
        )
    });
    let stem_part = part("stem", held(grid, CellSet::only(stem), DigitSet::ALL));
    PatternText {
        look: format!("the candidates of {stem}, and what each would do"),
        short: format!("{stem}, {}", short(petals)),
        reason: format!(
            "{stem} is {}. {} {stem} sees all places {}: {}. {}",
            or(candidates),
            introduced(petals),
            and(sees),
            ways.collect::<Vec<_>>().join("; "),
            one_of(&or(&names), digits)
        ),
        houses: petals.iter().filter_map(home).collect(),
        parts: [stem_part].into_iter().chain(parts(grid, petals)).collect(),
    }
}

pub(super) fn sue_de_coq(
    grid: &CandidateGrid,
    [line, block]: [House; 2],
    center: CellSet,
    [in_line, in_block]: [CellSet; 2],
) -> PatternText {
    let of = |cells| grid.candidates_of(cells);
    let (by_line, by_block) = (of(in_line), of(in_block));
    let twice = by_line.intersection(by_block);
    let cells = center.union(in_line).union(in_block);
    let all = of(cells);
    let mut counts = vec![];
    if all != twice {
        counts.push(format!(
            "{} can stand in them only once each",
            and(all.difference(twice))
        ));
    }
    if !twice.is_empty() {
        counts.push(format!(
            "{} only twice, once in {line} and once in {block}",
            and(twice)
        ));
    }
    let kept = [
        (line, all.difference(by_block).union(twice)),
        (block, all.difference(by_line).union(twice)),
    ];
    let kept = kept.into_iter().filter(|(_, digits)| !digits.is_empty());
    let mut ends: Vec<String> = kept
        .map(|(house, digits)| format!("no other cell of {house} is {}", or(digits)))
        .collect();
    if !twice.is_empty() {
        ends.push(format!("none of {} is {}", and(center), or(twice)));
    }
    PatternText {
        look: format!("{line} and {block}"),
        short: format!(
            "{} {{{}}}, {} {{{}}}, {} {{{}}}",
            short_cells(center),
            short_digits(of(center), ""),
            short_cells(in_line),
            short_digits(by_line, ""),
            short_cells(in_block),
            short_digits(by_block, "")
        ),
        reason: format!(
            "{} lie in {line} and in {block}. With {} of {line} and {} of {block} they are {count} \
             cells. {}, which is just enough to fill {count} cells: so none of these is missing there, \
             and {}.",
            and(center),
            and(in_line),
            and(in_block),
            and(counts),
            and(ends),
            count = number(cells.len()),
        ),
        houses: [line, block].into_iter().collect(),
        parts: vec![
            part("center", held(grid, center, DigitSet::ALL)),
            part("in the line", held(grid, in_line, DigitSet::ALL)),
            part("in the block", held(grid, in_block, DigitSet::ALL)),
        ],
    }
}
