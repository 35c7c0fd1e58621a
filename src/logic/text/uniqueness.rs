//! Explains patterns that are right only if there is one solution, and aligned exclusion.

use super::wording::{PatternText, and, and_houses, house_of, or, part, short_cells, short_digits};
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet,
};
use crate::logic::technique::held;
use crate::logic::technique_id::{LoopShape, TechniqueId};

pub(super) fn bug_plus_one(right: Candidate) -> PatternText {
    let Candidate { cell, digit } = right;
    PatternText {
        look: format!("{cell} and the number of its candidates"),
        short: format!("{digit} in {cell}"),
        reason: format!(
            "If {cell} were not {digit}, every blank cell would have two candidates, and every digit \
             two places in each house where it is missing. A grid like that never has just one \
             solution. So, if the puzzle has only one, {cell} is {digit}."
        ),
        houses: HouseSet::EMPTY,
        parts: vec![part("extra", CandidateSet::only(right))],
    }
}

/// The four corners and what is seen of them.
struct Corners<'a> {
    grid: &'a CandidateGrid,
    cells: [Cell; 4],
    digits: DigitSet,
    /// The corners with other candidates, the others, and what is eliminated.
    roof: CellSet,
    floor: CellSet,
    eliminated: &'a CandidateSet,
}

pub(super) fn rectangle(
    grid: &CandidateGrid,
    corners: [Cell; 4],
    digits: DigitSet,
    subset: CellSet,
    technique: TechniqueId,
    eliminated: &CandidateSet,
) -> PatternText {
    let all: CellSet = corners.into_iter().collect();
    let plain = |cell: &Cell| grid.candidates(*cell).difference(digits).is_empty();
    let floor: CellSet = all.into_iter().filter(plain).collect();
    let roof = all.difference(floor);
    let seen = Corners {
        grid,
        cells: corners,
        digits,
        roof,
        floor,
        eliminated,
    };
    let houses: HouseSet = corners.into_iter().flat_map(Cell::houses).collect();
    let (why, more) = match technique {
        TechniqueId::UniqueRectangle(3) => seen.with_subset(subset),
        TechniqueId::UniqueRectangle(4) => seen.confined(),
        TechniqueId::UniqueRectangle(6) => (seen.crossed(), None),
        TechniqueId::HiddenRectangle => (seen.hidden(), None),
        _ => (seen.by_roof(), None),
    };
    let reason = format!(
        "{} lie in {}, and none of them is given. If they held only {}, these could be swapped for \
         a second solution; so, if the puzzle has only one, they do not. {why}",
        and(corners),
        and_houses(houses.iter()),
        and(digits)
    );
    let mut parts = vec![part("rectangle", held(grid, all, digits))];
    let extra = held(grid, roof, DigitSet::ALL.difference(digits));
    if !extra.is_empty() {
        parts.push(part("extra", extra));
    }
    if !subset.is_empty() {
        parts.push(part("subset", held(grid, subset, DigitSet::ALL)));
    }
    let rows = houses.iter().filter(|house| house.index() < 9);
    PatternText {
        look: format!("the candidates {} in {}", and(digits), and_houses(rows)),
        short: format!("{} in {}", short_digits(digits, "/"), short_cells(all)),
        reason,
        houses: houses.iter().chain(more).collect(),
        parts,
    }
}

impl Corners<'_> {
    /// `r1c1 and r1c2 have no other candidates`.
    fn floor_is_plain(&self) -> String {
        let no_other = match self.floor.len() {
            1 => "has no other candidate",
            _ => "have no other candidates",
        };
        format!("{} {no_other}", and(self.floor))
    }

    fn extras(&self) -> DigitSet {
        self.grid.candidates_of(self.roof).difference(self.digits)
    }

    /// The digit of the two that is eliminated, and the other one.
    fn eliminated_first(&self) -> [String; 2] {
        let is_eliminated = |digit: &Digit| !self.eliminated.places(*digit).is_empty();
        let eliminated: DigitSet = self.digits.into_iter().filter(is_eliminated).collect();
        [eliminated, self.digits.difference(eliminated)].map(|digits| short_digits(digits, ""))
    }

    fn by_roof(&self) -> String {
        let roof = self.roof;
        let only = format!("{}, so", self.floor_is_plain());
        match self.extras().single() {
            _ if roof.len() == 1 => format!("{only} {} is another digit.", and(roof)),
            Some(digit) => {
                let only = if self.floor.is_empty() {
                    "So".to_owned()
                } else {
                    only
                };
                format!(
                    "{only} one of {} is another digit, and {digit} is the only one they can be. No \
                     cell that sees all of them is {digit}.",
                    and(roof)
                )
            }
            None => String::new(),
        }
    }

    fn with_subset(&self, subset: CellSet) -> (String, Option<House>) {
        let held = self.extras().union(self.grid.candidates_of(subset));
        let homes = House::all().filter(|house| {
            let both = self.roof.union(subset);
            both.difference(house.cells()).is_empty()
        });
        let homes: HouseSet = homes.collect();
        let text = format!(
            "{}, so {} is one of the further digits, {}. With {}, also in {}, it \
             shares out {}, as many digits as cells: these stand nowhere else there.",
            self.floor_is_plain(),
            or(self.roof),
            or(self.extras()),
            and(subset),
            and_houses(homes.iter()),
            and(held)
        );
        (text, homes.iter().next())
    }

    fn confined(&self) -> (String, Option<House>) {
        let [eliminated, other] = self.eliminated_first();
        let house = House::all().find(|house| {
            let confined = |digit: Digit| {
                let places = self.grid.places(digit).intersection(house.cells());
                places.difference(self.roof).is_empty()
            };
            let mut kept = self.digits.into_iter();
            self.roof.difference(house.cells()).is_empty()
                && kept.any(|digit| digit.to_string() == other && confined(digit))
        });
        let within = house.map_or_else(String::new, |house| format!("In {house}, "));
        let text = format!(
            "{within}only {} can be {other}. If the other one of them were {eliminated}, all four would \
             be {other} or {eliminated}, as {}.",
            or(self.roof),
            self.floor_is_plain()
        );
        (text, house)
    }

    fn crossed(&self) -> String {
        let [eliminated, other] = self.eliminated_first();
        let [first, _, _, last] = self.cells.map(Cell::houses);
        let digit = self
            .digits
            .into_iter()
            .find(|d| d.to_string() == eliminated);
        let corners: CellSet = self.cells.into_iter().collect();
        let confined = |line: House| {
            let places = digit.map_or(CellSet::EMPTY, |digit| self.grid.places(digit));
            let places = places.intersection(line.cells());
            places.difference(corners).is_empty()
        };
        let rows = [first[0], last[0]];
        let lines = if rows.into_iter().all(confined) {
            rows
        } else {
            [first[1], last[1]]
        };
        format!(
            "In {}, only these four can be {eliminated}. If one of {} were {eliminated}, then {}, which see \
             it and have no other candidates, would be {other}; so the other one of the two would be \
             {eliminated} as well.",
            and_houses(lines.into_iter()),
            and(self.roof),
            and(self.floor)
        )
    }

    fn hidden(&self) -> String {
        let [eliminated, other] = self.eliminated_first();
        let opposite = self
            .eliminated
            .iter()
            .map(|candidate| candidate.cell)
            .next()
            .unwrap_or(self.cells[0]);
        let beside = |cell: &&Cell| opposite.sees(**cell);
        let near: CellSet = self.cells.iter().filter(beside).copied().collect();
        let far = self.cells.into_iter().filter(|&cell| cell != opposite);
        let far: CellSet = far.collect::<CellSet>().difference(near);
        let [row, column, _] = opposite.houses();
        format!(
            "In {}, only these four can be {other}. If {opposite} were {eliminated}, then {} would both \
             be {other}, and {}, which sees them and has no other candidate, would be {eliminated}.",
            and_houses([row, column].into_iter()),
            and(near),
            and(far)
        )
    }
}

pub(super) fn unique_loop(
    grid: &CandidateGrid,
    cells: &[Cell],
    digits: DigitSet,
    subset: CellSet,
    technique: TechniqueId,
) -> PatternText {
    let all: CellSet = cells.iter().copied().collect();
    let wide = |cell: &Cell| grid.candidates(*cell).len() > 2;
    let roof: CellSet = all.into_iter().filter(wide).collect();
    let extras = grid.candidates_of(roof).difference(digits);
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
    PatternText {
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

pub(super) fn bug(extra: &CandidateSet, subset: CandidateSet) -> PatternText {
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
    PatternText {
        look: format!("{} and the number of candidates", short_cells(cells)),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(cells)),
        reason,
        houses: house.into_iter().collect(),
        parts: vec![part("extra", *extra), part("subset", subset)],
    }
}

pub(super) fn aligned_exclusion(
    grid: &CandidateGrid,
    cells: CellSet,
    excluders: CellSet,
) -> PatternText {
    PatternText {
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
