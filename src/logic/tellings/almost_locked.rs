//! Almost locked sets and Sue de Coq in words.

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet};
use crate::logic::almost_locked::AlmostLockedSet;
use crate::logic::told::{Told, held, house_of, part};
use crate::logic::wording::{and, number, or, short_cells, short_digits};

/// The digits that are struck anywhere.
fn struck_digits(struck: &CandidateSet) -> DigitSet {
    let digits = Digit::ALL.into_iter();
    digits
        .filter(|&digit| !struck.places(digit).is_empty())
        .collect()
}

/// The house of a set of several cells.
fn home(set: &AlmostLockedSet) -> Option<House> {
    house_of(set.cells).filter(|_| set.cells.len() > 1)
}

/// `r1c1 and r1c2 in row 1, with the candidates 1, 2 and 3`.
fn told(set: &AlmostLockedSet) -> String {
    let within = home(set).map_or_else(String::new, |house| format!(" in {house}"));
    format!("{}{within}, with {}", and(set.cells), and(set.digits))
}

fn short(set: &AlmostLockedSet) -> String {
    format!(
        "{} {{{}}}",
        short_cells(set.cells),
        short_digits(set.digits, "")
    )
}

pub(in crate::logic) fn als_chain(
    grid: &CandidateGrid,
    sets: &[AlmostLockedSet],
    joints: &[Digit],
    struck: &CandidateSet,
) -> Told {
    let names: Vec<char> = ('A'..).take(sets.len()).collect();
    let (first, last) = (names[0], names[names.len() - 1]);
    let each = sets.iter().zip(&names);
    let each = each.map(|(set, name)| format!("{name} is {}.", told(set)));
    let mut reason = format!(
        "{} Each of these has one digit more than cells: if it lacks one, it has all others.",
        each.collect::<Vec<_>>().join(" ")
    );
    if joints.len() == sets.len() {
        reason.push_str(&format!(
            " Not both have {0}, as all places of {0} in {first} see those in {last}; and the same \
             holds for {1}. So one of them lacks {0} and the other one {1}, and both have all their \
             other digits. No cell is {0} or {1} that sees all its places in both, nor another digit \
             of {first} or of {last} that sees all its places there.",
            joints[0], joints[1]
        ));
    } else {
        let digits = struck_digits(struck);
        let (it, lacks) = match digits.single() {
            Some(digit) => (digit.to_string(), digit.to_string()),
            None => ("it".to_owned(), format!("one of {}, say,", or(digits))),
        };
        reason.push_str(&format!(" If {first} lacks {lacks}"));
        for (joint, pair) in joints.iter().zip(names.windows(2)) {
            let [one, next] = [pair[0], pair[1]];
            reason.push_str(&format!(
                " then {one} has {joint}, so {next} lacks it, as all its places there see those in \
                 {one};"
            ));
        }
        reason.push_str(&format!(
            " then {last} has {it}. So {first} or {last} has {it}, and no cell that sees all its \
             places in both is {it}."
        ));
        if digits.len() > 1 {
            reason = reason.replace("is it.", "has it.");
        }
    }
    let homes = sets.iter().filter_map(home);
    let cells = sets.iter().map(|set| (set.cells, set.digits));
    let roles = ["set A", "set B", "set C", "set D", "set E", "set F"];
    Told {
        look: format!("the candidates of {}", or(sets[0].cells)),
        short: format!(
            "{} by {}",
            sets.iter().map(short).collect::<Vec<_>>().join(", "),
            and(joints)
        ),
        reason,
        houses: homes.collect(),
        parts: cells
            .enumerate()
            .map(|(at, (cells, digits))| {
                let role = roles.get(at).copied().unwrap_or("further set");
                part(role, held(grid, cells, digits))
            })
            .collect(),
    }
}

pub(in crate::logic) fn death_blossom(
    grid: &CandidateGrid,
    stem: Cell,
    petals: &[AlmostLockedSet],
    struck: &CandidateSet,
) -> Told {
    let candidates = grid.candidates(stem);
    let digits = struck_digits(struck);
    let ways = candidates.into_iter().zip(petals).map(|(digit, petal)| {
        let places = petal.places(digit, grid);
        format!(
            "If it is {digit}, then {} is not; so {} {} all their other digits, {} among them.",
            or(places),
            told(petal),
            "take",
            and(digits)
        )
    });
    let ways: Vec<String> = ways.collect();
    let end = match digits.single() {
        Some(digit) => format!(
            "In each case one of these has {digit}, so no cell is {digit} that sees all the places of \
             {digit} in them."
        ),
        None => format!(
            "In each case one of these has {}, so no cell is one of them that sees all its places \
             there.",
            and(digits)
        ),
    };
    let stem_part = held(grid, CellSet::only(stem), DigitSet::ALL);
    let petal_part = petals
        .iter()
        .map(|petal| held(grid, petal.cells, petal.digits))
        .fold(CandidateSet::EMPTY, |all, some| all.union(&some));
    Told {
        look: format!("the candidates of {stem}, and what each would do"),
        short: format!(
            "{stem}, {}",
            petals.iter().map(short).collect::<Vec<_>>().join(", ")
        ),
        reason: format!(
            "{stem} is {}, and sees all the places named. {} {end}",
            or(candidates),
            ways.join(" ")
        ),
        houses: petals.iter().filter_map(home).collect(),
        parts: vec![part("stem", stem_part), part("petals", petal_part)],
    }
}

pub(in crate::logic) fn sue_de_coq(
    grid: &CandidateGrid,
    [line, block]: [House; 2],
    center: CellSet,
    [in_line, in_block]: [CellSet; 2],
) -> Told {
    let of = |cells: CellSet| {
        let held = cells.into_iter().map(|cell| grid.candidates(cell));
        held.fold(DigitSet::EMPTY, DigitSet::union)
    };
    let (by_line, by_block) = (of(in_line), of(in_block));
    let twice = by_line.intersection(by_block);
    let cells = center.union(in_line).union(in_block);
    let all = of(cells);
    let once = all.difference(twice);
    let mut counts = format!("{} can stand there only once each", and(once));
    if !twice.is_empty() {
        let each = if twice.len() > 1 { " each" } else { "" };
        counts = format!(
            "{counts}, and {} twice{each}, once in {line} and once in {block}",
            and(twice)
        );
    }
    let houses: HouseSet = [line, block].into_iter().collect();
    Told {
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
            "{} lie in {line} and in {block}. With {} of {line} and {} of {block} they are {} cells. \
             {counts}: just enough. So all of these stand there: {} of {line}, and {} of {block}. No \
             other cell of {line} is one of the former, and no other one of {block} one of the \
             latter.",
            and(center),
            and(in_line),
            and(in_block),
            number(cells.len()),
            and(all.difference(by_block).union(twice)).to_string() + " are those",
            and(all.difference(by_line).union(twice)).to_string() + " those",
        ),
        houses,
        parts: vec![
            part("center", held(grid, center, DigitSet::ALL)),
            part("in the line", held(grid, in_line, DigitSet::ALL)),
            part("in the block", held(grid, in_block, DigitSet::ALL)),
        ],
    }
}
