//! Unique loops, graves and aligned exclusions in words.

use crate::grid::{CandidateGrid, CandidateSet, Cell, CellSet, DigitSet, House, HouseSet};
use crate::logic::technique_id::{LoopShape, TechniqueId};
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
    let wide = |cell: &Cell| grid.candidates(*cell).len() > 2;
    let roof: CellSet = all.into_iter().filter(wide).collect();
    let extras = digits_of(grid, roof).difference(digits);
    let (rest, house) = match technique {
        TechniqueId::UniqueLoop(LoopShape { kind: 2, .. }) => {
            (format!("So one of {} is {}.", and(roof), and(extras)), None)
        }
        TechniqueId::UniqueLoop(LoopShape { kind: 3, .. }) => {
            let (others, house) = with_subset(roof, subset);
            (
                format!("So one of {} is {}. {others}", and(roof), or(extras)),
                house,
            )
        }
        TechniqueId::UniqueLoop(LoopShape { kind: 4, .. }) => {
            let house = confining(grid, roof, digits);
            let named = house.map_or_else(String::new, |house| format!(" in {house}"));
            let others = format!(
                "So one of {} is another digit, and one of {} has no other place{named}.",
                and(roof),
                or(digits)
            );
            (others, house)
        }
        _ => (format!("So {} is another digit.", and(roof)), None),
    };
    Told {
        look: format!("the places of {}", and(digits)),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(all)),
        reason: format!(
            "If {} filled {} alone, they could be swapped there for a second solution; so, if the \
             puzzle has only one, they do not. {rest}",
            and(digits),
            and(all)
        ),
        houses: house.into_iter().collect(),
        parts: vec![
            part("loop", held(grid, all, digits)),
            part("others", held(grid, roof, extras)),
            part("subset", held(grid, subset, DigitSet::ALL)),
        ],
    }
}

fn digits_of(grid: &CandidateGrid, cells: CellSet) -> DigitSet {
    let digits = cells.into_iter().map(|cell| grid.candidates(cell));
    digits.fold(DigitSet::EMPTY, DigitSet::union)
}

/// What cells of a house make of the digits that one of these cells takes.
fn with_subset(cells: CellSet, subset: CellSet) -> (String, Option<House>) {
    let house = house_of(cells.union(subset));
    let named = house.map_or_else(String::new, |house| format!(" in {house}"));
    (
        format!("With {} that makes a subset{named}.", and(subset)),
        house,
    )
}

/// A house in which one of the digits has no place but these cells.
fn confining(grid: &CandidateGrid, cells: CellSet, digits: DigitSet) -> Option<House> {
    House::all().find(|house| {
        let confined = |digit| {
            let places = grid.places(digit).intersection(house.cells());
            places.difference(cells).is_empty()
        };
        cells.difference(house.cells()).is_empty() && digits.into_iter().any(confined)
    })
}

pub(in crate::logic) fn bug(extra: &CandidateSet, subset: CandidateSet) -> Told {
    let cells: CellSet = extra.iter().map(|candidate| candidate.cell).collect();
    let digits: DigitSet = extra.iter().map(|candidate| candidate.digit).collect();
    let mut reason = format!(
        "Without {} in {} every blank cell would have two candidates, and every digit two places in \
         each house where it is missing. A grid like that never has just one solution. So, if the \
         puzzle has only one, one of these is right.",
        and(digits),
        and(cells)
    );
    let mut house = None;
    if !subset.is_empty() {
        let cells_of_subset = subset.iter().map(|candidate| candidate.cell).collect();
        let (others, shared) = with_subset(cells, cells_of_subset);
        reason.push_str(&format!(" {others}"));
        house = shared;
    }
    Told {
        look: format!("{} and the number of candidates", short_cells(cells)),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(cells)),
        reason,
        houses: house.into_iter().collect(),
        parts: vec![part("extra", *extra), part("subset", subset)],
    }
}

pub(in crate::logic) fn aligned_exclusion(
    grid: &CandidateGrid,
    cells: CellSet,
    excluders: CellSet,
) -> Told {
    Told {
        look: short_cells(cells),
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
