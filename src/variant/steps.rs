//! Steps of a person on a board of any layout: singles and subsets, each with its reason.
//!
//! A cage counts as cells whose values differ; that they add up to its sum is not used.

use super::alphabet::Alphabet;
use super::describe::symbol;
use super::layout::{HouseKind, Layout};
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
}

/// Cells whose values differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A house: what it is, and its number among those of its kind, from 0.
    House(HouseKind, usize),
    /// The cage with this first cell.
    Cage(usize),
}

/// How far singles and subsets lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantExplanation {
    /// The steps, in order.
    pub steps: Vec<VariantStep>,
    /// What is known of each cell at the end.
    pub placed: Vec<Option<Value>>,
    /// Whether a cell or a value has no place left.
    pub is_contradiction: bool,
}

impl VariantExplanation {
    /// Goes from the givens as far as singles and subsets lead, always by the first of the easiest steps.
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

    /// Whether a blank cell has no value left, or a value has no cell left in a house.
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
    }

    fn next_step(&self) -> Option<VariantStep> {
        let hidden = || self.hidden(1);
        let mut subsets =
            (2..=MOST_SUBSET).map(|size| self.naked(size).or_else(|| self.hidden(size)));
        self.naked_single()
            .or_else(hidden)
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
        }
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
