//! Why a step is right: in short, in sentences, in hints, and as the parts of its pattern.
//!
//! The short notation is that of HoDoKu (Bernhard Hobiger), which players know.

use super::deduction::{Deduction, Effect, Pattern, TechniqueId};
use super::wording::{
    and, and_houses, cannot_be, eliminations, is, number, or, short_cells, short_digits,
    short_house, short_houses,
};
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet,
};

/// The reason of a step, told by the grid it was found on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Which technique found it.
    pub technique: TechniqueId,
    /// What it changes.
    pub effect: Effect,
    told: Told,
}

/// What is particular to a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    /// Where to look, as in "Look at row 4".
    look: String,
    /// The pattern in short, as `8,9 in r5c25`.
    short: String,
    /// Sentences up to the conclusion.
    reason: String,
    houses: HouseSet,
    parts: Vec<Part>,
}

/// Candidates that play the same part in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What they are called: `pivot`, `pincers`, …
    pub role: &'static str,
    /// The candidates.
    pub candidates: CandidateSet,
}

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintLevel {
    /// Where to look.
    Where,
    /// Which technique, and where it is.
    Technique,
    /// The whole argument.
    Argument,
}

impl Argument {
    /// Tells why this step, found on this grid, is right.
    pub fn new(grid: &CandidateGrid, step: &Deduction) -> Argument {
        Argument {
            technique: step.technique,
            effect: step.effect,
            told: tell(grid, &step.pattern),
        }
    }

    /// The candidates it is made of, by the part they play; all of them are on the grid.
    pub fn parts(&self) -> &[Part] {
        &self.told.parts
    }

    /// The houses it is seen in.
    pub fn houses(&self) -> HouseSet {
        self.told.houses
    }

    /// The step in short: `Naked pair: 8,9 in r5c25 => r5c4<>8`, `Hidden single: r3c2=1`.
    pub fn notation(&self) -> String {
        let name = self.title();
        match &self.effect {
            Effect::Place(candidate) => format!("{name}: {candidate}"),
            Effect::Eliminate(struck) => {
                format!("{name}: {} => {}", self.told.short, eliminations(struck))
            }
        }
    }

    /// The whole argument in sentences. It names every cell and house it uses.
    pub fn text(&self) -> String {
        let conclusion = match &self.effect {
            Effect::Place(candidate) => is(*candidate),
            Effect::Eliminate(struck) => cannot_be(struck),
        };
        format!("{} So {conclusion}.", self.told.reason)
    }

    /// The step as a hint of this level.
    pub fn hint(&self, level: HintLevel) -> String {
        match level {
            HintLevel::Where => format!("Look at {}.", self.told.look),
            HintLevel::Technique => format!("{}: {}.", self.title(), self.told.short),
            HintLevel::Argument => format!("{}. {}", self.notation(), self.text()),
        }
    }

    /// The name of the technique as the beginning of a line.
    fn title(&self) -> String {
        let name = self.technique.name();
        let (first, rest) = name.split_at(1);
        first.to_uppercase() + rest
    }
}

/// Every pattern has its arm here; all else follows from what it says.
fn tell(grid: &CandidateGrid, pattern: &Pattern) -> Told {
    match pattern {
        Pattern::NakedSingle(candidate) => naked_single(grid, *candidate),
        Pattern::HiddenSingle { candidate, house } => hidden_single(grid, *candidate, *house),
        Pattern::LockedCandidates {
            digit,
            cells,
            from,
            to,
        } => locked_candidates(*digit, *cells, [*from, *to]),
        Pattern::Subset {
            cells,
            digits,
            house,
        } => subset(grid, *cells, *digits, *house),
        Pattern::Fish { digit, base, cover } => fish(grid, *digit, *base, *cover),
        Pattern::XyWing {
            pivot,
            pincers,
            digit,
        } => xy_wing(grid, *pivot, *pincers, *digit),
        Pattern::TurbotFish { digit, cells } => turbot_fish(grid, *digit, *cells),
    }
}

fn naked_single(grid: &CandidateGrid, Candidate { cell, digit }: Candidate) -> Told {
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
    Told {
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
        text = format!("{text}{between}{} {are} struck already", and(left));
    }
    (text, houses)
}

fn hidden_single(grid: &CandidateGrid, Candidate { cell, digit }: Candidate, house: House) -> Told {
    let others = grid.blanks().intersection(house.cells()).without(cell);
    let reason = if others.is_empty() {
        format!("{cell} is the only blank cell of {house}, and {digit} is missing there.")
    } else {
        format!(
            "{house} needs a {digit}, and only {cell} can take it: no other blank cell of {house} \
             has the candidate {digit}."
        )
    };
    Told {
        look: house.to_string(),
        short: format!("{digit} in {}", short_house(house)),
        reason: sentence(&reason),
        houses: [house].into_iter().collect(),
        parts: vec![part("cell", CandidateSet::of(digit, CellSet::only(cell)))],
    }
}

fn locked_candidates(digit: Digit, cells: CellSet, [from, to]: [House; 2]) -> Told {
    Told {
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

fn subset(grid: &CandidateGrid, cells: CellSet, digits: DigitSet, house: House) -> Told {
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
    Told {
        look: house.to_string(),
        short: format!("{} in {}", short_digits(digits, ","), short_cells(cells)),
        reason,
        houses: [house].into_iter().collect(),
        parts: vec![part("subset", held(grid, cells, digits))],
    }
}

fn fish(grid: &CandidateGrid, digit: Digit, base: HouseSet, cover: HouseSet) -> Told {
    let places = grid.places(digit).intersection(base.cells());
    let count = number(base.len());
    let (base_lines, cover_lines) = (and_houses(base.iter()), and_houses(cover.iter()));
    let each = base.iter().map(|line| {
        let places = places.intersection(line.cells());
        format!("in {line} only {}", or(places))
    });
    let reason = format!(
        "{} can be {digit}: all of these lie in {cover_lines}. The {count} {digit}s of \
         {base_lines} stand in different ones of the {count}, so {cover_lines} have their {digit}s \
         there and nowhere else.",
        and(each)
    );
    Told {
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

fn xy_wing(grid: &CandidateGrid, pivot: Cell, pincers: [Cell; 2], digit: Digit) -> Told {
    let both: CellSet = pincers.into_iter().collect();
    let [first, second] = pincers;
    let other = |pincer: Cell| grid.candidates(pincer).without(digit);
    let (x, y) = (
        short_digits(other(first), ""),
        short_digits(other(second), ""),
    );
    let [house, other_house] = pincers.map(|pincer| shared_house(pivot, pincer));
    let see = |house: Option<House>| house.map_or_else(String::new, |house| format!(" in {house}"));
    Told {
        look: format!("the cells with two candidates that {pivot} sees"),
        short: format!(
            "{x}/{y}/{digit} in {},{}",
            short_cells(CellSet::only(pivot)),
            short_cells(both)
        ),
        reason: format!(
            "{pivot} is {x} or {y}. If it is {x}, then {first}, which it sees{}, is {digit}; if it \
             is {y}, then {second}, which it sees{}, is {digit}. Either way {first} or {second} is \
             {digit}, so no cell that sees both of them is.",
            see(house),
            see(other_house),
        ),
        houses: [house, other_house].into_iter().flatten().collect(),
        parts: vec![
            part("pivot", held(grid, CellSet::only(pivot), DigitSet::ALL)),
            part("pincers", held(grid, both, DigitSet::ALL)),
        ],
    }
}

fn turbot_fish(grid: &CandidateGrid, digit: Digit, cells: [Cell; 4]) -> Told {
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
    Told {
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

fn part(role: &'static str, candidates: CandidateSet) -> Part {
    Part { role, candidates }
}

/// The candidates of these cells that are one of these digits.
fn held(grid: &CandidateGrid, cells: CellSet, digits: DigitSet) -> CandidateSet {
    let of_digits = digits.into_iter().map(|digit| {
        let places = grid.places(digit).intersection(cells);
        CandidateSet::of(digit, places)
    });
    of_digits.fold(CandidateSet::EMPTY, |all, some| all.union(&some))
}

/// A house that holds both cells, a line before a block.
fn shared_house(one: Cell, other: Cell) -> Option<House> {
    let mut houses = one.houses().into_iter();
    houses.find(|house| house.cells().contains(other))
}

/// The text with a capital at its beginning.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(characters).collect()
}
