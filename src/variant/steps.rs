//! Steps of a person on a board of any layout: singles, subsets and the sums of cages, each with its reason.

use super::alphabet::Alphabet;
use super::describe::symbol;
use super::layout::{HouseKind, Layout};
use super::mask::Mask;
use super::mrv::{Lines, Sum, SumOrigin, sums};
use super::puzzle::VariantPuzzle;
use super::value::Value;

/// The largest subset that is looked for.
const MOST_SUBSET: usize = 4;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A cell with one value left.
    NakedSingle,
    /// A value with one cell left in a house.
    HiddenSingle,
    /// As many cells of a house as there are values left in them.
    NakedSubset,
    /// As many values of a house as there are cells left for them.
    HiddenSubset,
    /// Values with which cells cannot add up to their sum.
    Sum,
}

/// A step, and what it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantStep {
    /// What it does.
    pub kind: StepKind,
    /// Where it is seen: the house, or the cage; of a naked single none.
    pub area: Option<Area>,
    /// The cells it is about.
    pub cells: Vec<usize>,
    /// The values it is about.
    pub values: Vec<Value>,
    /// Values that are struck, by cell; of a single none.
    pub struck: Vec<(usize, Vec<Value>)>,
    /// The sum, where the step is about one.
    pub sum: Option<StepSum>,
}

/// A sum of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSum {
    /// Where it comes from.
    pub origin: SumOrigin,
    /// What the values add up to.
    pub total: i32,
    /// The sets of values that the cells can have, where they are few.
    pub ways: Vec<Vec<Value>>,
}

/// More sets of values than that are not listed.
const MOST_WAYS: usize = 4;

/// Cells whose values differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A house: what it is, and its number among those of its kind, from 0.
    House(HouseKind, usize),
    /// The cage with this first cell.
    Cage(usize),
}

/// How far singles, subsets and sums lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantExplanation {
    /// The steps, in order.
    pub steps: Vec<VariantStep>,
    /// What is known of each cell at the end.
    pub placed: Vec<Option<Value>>,
    /// Whether a cell or a value has no place left, or a sum cannot be met.
    pub is_contradiction: bool,
}

impl VariantExplanation {
    /// Goes from the givens as far as singles, subsets and sums lead, always by the first of the easiest steps.
    pub fn new(puzzle: &VariantPuzzle) -> VariantExplanation {
        let mut board = Board::new(puzzle.layout());
        let givens = puzzle.givens().iter().enumerate();
        for (cell, value) in givens.filter_map(|(cell, given)| Some((cell, (*given)?))) {
            board.place(cell, value);
        }
        let mut steps = Vec::new();
        let is_contradiction = loop {
            if puzzle.clash().is_some() || board.is_contradiction() {
                break true;
            }
            let Some(step) = board.next_step() else {
                break false;
            };
            board.apply(&step);
            steps.push(step);
        };
        VariantExplanation {
            steps,
            placed: board.placed,
            is_contradiction,
        }
    }

    /// What is known of each cell after so many steps.
    pub fn after(&self, puzzle: &VariantPuzzle, steps: usize) -> Vec<Option<Value>> {
        let mut cells = puzzle.givens().to_vec();
        for step in self.steps.iter().take(steps) {
            if let (StepKind::NakedSingle | StepKind::HiddenSingle, &[cell], &[value]) =
                (step.kind, &step.cells[..], &step.values[..])
            {
                cells[cell] = Some(value);
            }
        }
        cells
    }

    /// Whether every cell is known.
    pub fn is_solved(&self) -> bool {
        !self.is_contradiction && self.placed.iter().all(Option::is_some)
    }
}

/// Values placed, and those that each other cell may still be, as bits.
struct Board<'a> {
    layout: &'a Layout,
    areas: Vec<(Area, &'a [usize])>,
    sums: Vec<Sum>,
    /// The areas of each cell.
    of_cell: Vec<Vec<usize>>,
    placed: Vec<Option<Value>>,
    left: Vec<u64>,
}

fn bit(value: Value) -> u64 {
    1 << value.index()
}

fn values(mut bits: u64) -> Vec<Value> {
    let mut values = Vec::new();
    while bits != 0 {
        values.push(Value::at(bits.trailing_zeros() as usize));
        bits &= bits - 1;
    }
    values
}

impl Board<'_> {
    fn new(layout: &Layout) -> Board<'_> {
        let houses = layout.houses().iter();
        let houses = houses.map(|it| (Area::House(it.kind, it.number), it.cells.as_slice()));
        let cages = layout.cages().iter();
        let cages = cages.map(|it| (Area::Cage(it.cells[0]), it.cells.as_slice()));
        let areas: Vec<_> = houses.chain(cages).collect();
        let mut of_cell = vec![Vec::new(); layout.cells()];
        for (number, (_, cells)) in areas.iter().enumerate() {
            cells.iter().for_each(|&cell| of_cell[cell].push(number));
        }
        let all = layout.values().map(bit).sum();
        Board {
            layout,
            areas,
            sums: match layout.cages() {
                [] => Vec::new(),
                _ => sums(layout),
            },
            of_cell,
            placed: vec![None; layout.cells()],
            left: vec![all; layout.cells()],
        }
    }

    fn place(&mut self, cell: usize, value: Value) {
        self.placed[cell] = Some(value);
        for &area in &self.of_cell[cell] {
            for &other in self.areas[area].1 {
                self.left[other] &= !bit(value);
            }
        }
        self.left[cell] = 0;
    }

    fn apply(&mut self, step: &VariantStep) {
        match (step.kind, &step.cells[..], &step.values[..]) {
            (StepKind::NakedSingle | StepKind::HiddenSingle, &[cell], &[value]) => {
                self.place(cell, value);
            }
            _ => {
                for (cell, values) in &step.struck {
                    values.iter().for_each(|it| self.left[*cell] &= !bit(*it));
                }
            }
        }
    }

    fn is_blank(&self, cell: usize) -> bool {
        self.placed[cell].is_none()
    }

    /// Whether a blank cell has no value left, a value has no cell left in a house, or a sum cannot be met.
    fn is_contradiction(&self) -> bool {
        let mut cells = 0..self.layout.cells();
        cells.any(|cell| self.is_blank(cell) && self.left[cell] == 0)
            || self.layout.houses().iter().any(|house| {
                let all: u64 = self.layout.values().map(bit).sum();
                let seen = house.cells.iter().fold(0, |seen, &cell| {
                    seen | self.left[cell] | self.placed[cell].map_or(0, bit)
                });
                seen != all
            })
            || (self.sums.iter()).any(|sum| sum.filter(&mut self.values_of(sum)).is_err())
    }

    /// What the cells of a sum may be, known ones included.
    fn values_of(&self, sum: &Sum) -> Vec<Mask> {
        let cells = sum.cells.iter().map(|cell| usize::from(*cell));
        cells
            .map(|cell| self.placed[cell].map_or(self.left[cell], bit))
            .collect()
    }

    /// The first sum that strikes something.
    fn sum(&self) -> Option<VariantStep> {
        self.sums.iter().find_map(|sum| {
            let before = self.values_of(sum);
            let mut after = before.clone();
            sum.filter(&mut after).ok()?;
            let cells: Vec<usize> = sum.cells.iter().map(|cell| usize::from(*cell)).collect();
            let gone = before
                .iter()
                .zip(&after)
                .map(|(before, after)| before & !after);
            let struck: Vec<_> = (cells.iter().copied().zip(gone))
                .filter(|(_, gone)| *gone != 0)
                .map(|(cell, gone)| (cell, values(gone)))
                .collect();
            let ways = sum.ways(&before).filter(|ways| ways.len() <= MOST_WAYS);
            let mut ways: Vec<_> = ways.into_iter().flatten().map(values).collect();
            ways.sort_unstable();
            (!struck.is_empty()).then(|| VariantStep {
                kind: StepKind::Sum,
                area: None,
                cells,
                values: Vec::new(),
                struck,
                sum: Some(StepSum {
                    origin: sum.origin,
                    total: sum.total(),
                    ways,
                }),
            })
        })
    }

    fn next_step(&self) -> Option<VariantStep> {
        let hidden = || self.hidden(1);
        let mut subsets =
            (2..=MOST_SUBSET).map(|size| self.naked(size).or_else(|| self.hidden(size)));
        self.naked_single()
            .or_else(hidden)
            .or_else(|| self.sum())
            .or_else(|| subsets.find_map(|step| step))
    }

    fn naked_single(&self) -> Option<VariantStep> {
        let cell = self.left.iter().position(|left| left.count_ones() == 1)?;
        Some(VariantStep {
            kind: StepKind::NakedSingle,
            area: None,
            cells: vec![cell],
            values: values(self.left[cell]),
            struck: Vec::new(),
            sum: None,
        })
    }

    /// The first naked subset of this size that strikes something.
    fn naked(&self, size: usize) -> Option<VariantStep> {
        self.areas.iter().find_map(|(area, cells)| {
            let blanks = cells.iter().copied().filter(|cell| self.is_blank(*cell));
            let few = blanks
                .clone()
                .filter(|cell| self.left[*cell].count_ones() as usize <= size);
            let few: Vec<usize> = few.collect();
            first_subset(&few, size, &|cell| self.left[cell], &|cells, bits| {
                let others = blanks.clone().filter(|cell| !cells.contains(cell));
                let struck = self.struck(others, bits);
                self.subset(StepKind::NakedSubset, *area, cells.to_vec(), bits, struck)
            })
        })
    }

    /// The first hidden subset of this size that strikes something, or the first hidden single.
    fn hidden(&self, size: usize) -> Option<VariantStep> {
        self.layout.houses().iter().find_map(|house| {
            // The places of a value in the house, as bits.
            let places = |value: usize| {
                let places = house.cells.iter().enumerate();
                let has = |cell: usize| self.left[cell] >> value & 1;
                places.fold(0, |bits, (place, &cell)| bits | has(cell) << place)
            };
            let few = (0..self.layout.side())
                .filter(|&value| (1..=size).contains(&(places(value).count_ones() as usize)));
            let few: Vec<usize> = few.collect();
            first_subset(&few, size, &places, &|chosen, bits| {
                let cells = (0..house.cells.len()).filter(|place| bits >> place & 1 == 1);
                let cells: Vec<usize> = cells.map(|place| house.cells[place]).collect();
                let kept = chosen.iter().fold(0, |kept, value| kept | 1 << value);
                let area = Area::House(house.kind, house.number);
                if size == 1 {
                    return Some(VariantStep {
                        kind: StepKind::HiddenSingle,
                        area: Some(area),
                        cells,
                        values: values(kept),
                        struck: Vec::new(),
                        sum: None,
                    });
                }
                let struck = self.struck(cells.iter().copied(), !kept);
                self.subset(StepKind::HiddenSubset, area, cells, kept, struck)
            })
        })
    }

    /// Which of these values the cells may still be, by cell.
    fn struck(&self, cells: impl Iterator<Item = usize>, bits: u64) -> Vec<(usize, Vec<Value>)> {
        let struck = cells.filter(|cell| self.left[*cell] & bits != 0);
        struck
            .map(|cell| (cell, values(self.left[cell] & bits)))
            .collect()
    }

    fn subset(
        &self,
        kind: StepKind,
        area: Area,
        cells: Vec<usize>,
        bits: u64,
        struck: Vec<(usize, Vec<Value>)>,
    ) -> Option<VariantStep> {
        (!struck.is_empty()).then(|| VariantStep {
            kind,
            area: Some(area),
            cells,
            values: values(bits),
            struck,
            sum: None,
        })
    }
}

/// The first `size` of these, in ascending order, that together have `size` bits and of which `take` makes
/// something.
fn first_subset<T>(
    items: &[usize],
    size: usize,
    bits: &dyn Fn(usize) -> u64,
    take: &dyn Fn(&[usize], u64) -> Option<T>,
) -> Option<T> {
    fn go<T>(
        items: &[usize],
        size: usize,
        bits: &dyn Fn(usize) -> u64,
        take: &dyn Fn(&[usize], u64) -> Option<T>,
        chosen: &mut Vec<usize>,
        union: u64,
    ) -> Option<T> {
        if chosen.len() == size {
            let is_subset = union.count_ones() as usize == size;
            return if is_subset { take(chosen, union) } else { None };
        }
        for (place, &item) in items.iter().enumerate() {
            let with = union | bits(item);
            if with.count_ones() as usize > size {
                continue;
            }
            chosen.push(item);
            let found = go(&items[place + 1..], size, bits, take, chosen, with);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }
    go(items, size, bits, take, &mut Vec::with_capacity(size), 0)
}

impl VariantStep {
    /// What it is called, and what it places.
    pub fn notation(&self, layout: &Layout, alphabet: Alphabet) -> String {
        let name = self.name();
        match (&self.struck[..], &self.cells[..], &self.values[..]) {
            ([], [cell], [value]) => {
                let cell = cell_name(layout, *cell);
                format!("{name}: {cell}={}", symbol(*value, alphabet))
            }
            _ => name,
        }
    }

    /// What it is called.
    pub fn name(&self) -> String {
        let subset = match self.values.len() {
            2 => "pair",
            3 => "triple",
            _ => "quad",
        };
        match self.kind {
            StepKind::NakedSingle => "Naked single".to_owned(),
            StepKind::HiddenSingle => "Hidden single".to_owned(),
            StepKind::NakedSubset => format!("Naked {subset}"),
            StepKind::HiddenSubset => format!("Hidden {subset}"),
            StepKind::Sum => match self.sum.as_ref().map(|sum| sum.origin) {
                Some(SumOrigin::Innies { .. }) => "Innies".to_owned(),
                Some(SumOrigin::Outies { .. }) => "Outies".to_owned(),
                _ => "Cage sum".to_owned(),
            },
        }
    }

    /// The whole argument, in a sentence or two.
    pub fn argument(&self, layout: &Layout, alphabet: Alphabet) -> String {
        let list = |values: &[Value], word| {
            listed(values.iter().map(|value| symbol(*value, alphabet)), word)
        };
        let cells = listed(
            self.cells.iter().map(|cell| cell_name(layout, *cell)),
            "and",
        );
        let area = self
            .area
            .map(|area| area_name(layout, area))
            .unwrap_or_default();
        let values = list(&self.values, "and");
        let struck = self.struck.iter().map(|(cell, values)| {
            format!("{} is not {}", cell_name(layout, *cell), list(values, "or"))
        });
        let struck = listed(struck, "and");
        match self.kind {
            StepKind::NakedSingle => {
                format!("{cells} sees every value but {values}. So {cells} is {values}.")
            }
            StepKind::HiddenSingle => {
                format!("In {area}, {values} has no place but {cells}. So {cells} is {values}.")
            }
            StepKind::NakedSubset => {
                format!("In {area}, {cells} hold {values} in some order. So {struck}.")
            }
            StepKind::HiddenSubset => format!(
                "In {area}, {values} have no places but {cells}, which then hold nothing else. So {struck}."
            ),
            StepKind::Sum => {
                let sum = self.sum.as_ref();
                let reason = sum.map(|sum| sum.reason(layout, alphabet, &cells));
                format!("{}So {struck}.", reason.unwrap_or_default())
            }
        }
    }
}

impl StepSum {
    /// Why these cells have this sum, and how they can meet it.
    fn reason(&self, layout: &Layout, alphabet: Alphabet, cells: &str) -> String {
        let total = self.total;
        let of_houses = |lines: Lines| {
            let side = layout.side();
            lines.count * side * (side + 1) / 2
        };
        let (are, add) = match cells.contains(' ') {
            true => ("are", "add up to"),
            false => ("is", "is"),
        };
        let start = match self.origin {
            SumOrigin::Cage => format!("{cells} {are} a cage with the sum {total}"),
            SumOrigin::Innies { lines, cages } => format!(
                "The values of {} add up to {}, and the cages that lie in there to {cages}: {cells} {add} the rest, \
                 {total}",
                lines_name(layout, lines),
                of_houses(lines)
            ),
            SumOrigin::Outies { lines, cages } => format!(
                "The values of {} add up to {}, and the cages that cover it to {cages}: {cells}, outside of it, {add} \
                 the rest, {total}",
                lines_name(layout, lines),
                of_houses(lines)
            ),
        };
        let ways = self.ways.iter().map(|way| {
            let symbols: Vec<String> = way.iter().map(|value| symbol(*value, alphabet)).collect();
            symbols.join("+")
        });
        match listed(ways, "or") {
            ways if ways.is_empty() || self.ways[0].len() == 1 => start + ". ",
            ways => format!("{start}, which can only be {ways}. "),
        }
    }
}

/// What houses are called.
fn lines_name(layout: &Layout, lines: Lines) -> String {
    let Lines { kind, first, count } = lines;
    match (count, kind) {
        (1, _) => house_name(layout, kind, first),
        (_, HouseKind::Row) => format!("rows {} to {}", first + 1, first + count),
        _ => format!("columns {} to {}", first + 1, first + count),
    }
}

/// A cell by row and column, from 1.
pub(super) fn cell_name(layout: &Layout, cell: usize) -> String {
    let side = layout.side();
    format!("r{}c{}", cell / side + 1, cell % side + 1)
}

fn area_name(layout: &Layout, area: Area) -> String {
    match area {
        Area::House(kind, number) => house_name(layout, kind, number),
        Area::Cage(cell) => format!("the cage at {}", cell_name(layout, cell)),
    }
}

/// What a house is called, its number from 1.
pub(super) fn house_name(layout: &Layout, kind: HouseKind, number: usize) -> String {
    let number_from_1 = number + 1;
    match kind {
        HouseKind::Row => format!("row {number_from_1}"),
        HouseKind::Column => format!("column {number_from_1}"),
        HouseKind::Region if layout.boxes().is_some() => format!("box {number_from_1}"),
        HouseKind::Region => format!("region {number_from_1}"),
        HouseKind::Diagonal if number == 0 => "the falling diagonal".to_owned(),
        HouseKind::Diagonal => "the rising diagonal".to_owned(),
        HouseKind::Window => format!("window {number_from_1}"),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(items: impl Iterator<Item = String>, word: &str) -> String {
    let mut items: Vec<String> = items.collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() {
        last
    } else {
        format!("{} {word} {last}", items.join(", "))
    }
}
