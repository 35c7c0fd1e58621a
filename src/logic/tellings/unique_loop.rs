//! Unique loops, graves and aligned exclusions in words.

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, HouseSet};
use crate::logic::deduction::TechniqueId;
use crate::logic::told::{Told, held, house_of, part};
use crate::logic::wording::{and, or, short_cells, short_digits};

pub(in crate::logic) fn unique_loop(
    grid: &CandidateGrid,
    cells: &[Cell],
    digits: DigitSet,
    subset: CellSet,
    technique: TechniqueId,
) -> Told {
    let all: CellSet = cells.iter().copied().collect();
    let wide = all
        .into_iter()
        .filter(|&cell| grid.candidates(cell).len() > 2);
    let roof: CellSet = wide.collect();
    let extras = roof.into_iter().map(|cell| grid.candidates(cell));
    let extras = extras.fold(DigitSet::EMPTY, DigitSet::union);
    let extras = extras.difference(digits);
    let why = match technique {
        TechniqueId::UniqueLoop(shape) => shape.kind,
        _ => 1,
    };
    let mut houses = HouseSet::EMPTY;
    let rest = match why {
        1 => format!("Only {} can take another digit, so it does.", and(roof)),
        2 => format!("So {} of {} is {}.", one(roof), and(roof), and(extras)),
        3 => {
            let house = house_of(roof.union(subset));
            houses = house.into_iter().collect();
            let house = house.map_or_else(String::new, |house| format!(" in {house}"));
            format!(
                "So {} takes one of {}, and with {}{house} that makes a subset.",
                or(roof),
                and(extras),
                and(subset)
            )
        }
        _ => {
            let house = house_of(roof);
            houses = house.into_iter().collect();
            let house = house.map_or_else(String::new, |house| format!(" of {house}"));
            format!(
                "So not both of {} take {}, and one of these digits has no other place{house}.",
                and(roof),
                or(digits)
            )
        }
    };
    Told {
        look: format!("{}", and(all)),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(all)),
        reason: format!(
            "If {} filled {} alone, they could be swapped there, and the puzzle would have two \
             solutions. {rest}",
            and(digits),
            and(all)
        ),
        houses,
        parts: vec![
            part("loop", held(grid, all, digits)),
            part("others", held(grid, roof, extras)),
            part("subset", held(grid, subset, DigitSet::ALL)),
        ],
    }
}

fn one(cells: CellSet) -> &'static str {
    if cells.len() > 2 {
        "at least one"
    } else {
        "one"
    }
}

pub(in crate::logic) fn bug(grid: &CandidateGrid, extra: &CandidateSet, subset: CellSet) -> Told {
    let cells: CellSet = extra.iter().map(|candidate| candidate.cell).collect();
    let digits = Digit::ALL.into_iter();
    let digits: DigitSet = digits.filter(|&d| !extra.places(d).is_empty()).collect();
    let mut houses = HouseSet::EMPTY;
    let mut reason = format!(
        "Without {} in {} every blank cell would have two candidates and every digit two places in \
         each house, and the grid no solution or several. So one of them is right.",
        and(digits),
        and(cells)
    );
    if !subset.is_empty() {
        let house = house_of(cells.union(subset));
        houses = house.into_iter().collect();
        let house = house.map_or_else(String::new, |house| format!(" in {house}"));
        reason.push_str(&format!(
            " With {}{house} that makes a subset.",
            and(subset)
        ));
    }
    Told {
        look: and(cells),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(cells)),
        reason,
        houses,
        parts: vec![
            part("extra", *extra),
            part("subset", held(grid, subset, DigitSet::ALL)),
        ],
    }
}

pub(in crate::logic) fn aligned_exclusion(
    grid: &CandidateGrid,
    cells: CellSet,
    excluders: CellSet,
) -> Told {
    Told {
        look: and(cells),
        short: format!("{} seen by {}", short_cells(cells), short_cells(excluders)),
        reason: format!(
            "Each of {} sees all of {}. The digits of these must leave a candidate to each of \
             those, and differ where they see each other; not every candidate is in such a choice.",
            and(excluders),
            and(cells)
        ),
        houses: HouseSet::EMPTY,
        parts: vec![
            part("cells", held(grid, cells, DigitSet::ALL)),
            part("excluders", held(grid, excluders, DigitSet::ALL)),
        ],
    }
}
