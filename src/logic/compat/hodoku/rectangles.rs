//! Unique and avoidable rectangles, in HoDoKu's order.
//!
//! All rectangles of a board are looked at once, from cells of two candidates on. HoDoKu knows a
//! rectangle again by a number that some rectangles share; of such ones only the first is seen.

use std::collections::HashSet;

use super::board::{Board, eliminate};
use crate::grid::{Candidate, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::technique_id::TechniqueId;

/// Two cells of a block in one line, then the two opposite ones in the same order.
type Corners = [Cell; 4];

/// All steps of unique and hidden rectangles, in the order they are found.
pub(super) fn unique(board: Board<'_>) -> Vec<Deduction> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for first in board.with_count(2) {
        let digits = board.marks(first);
        let allowed: Vec<CellSet> = digits.into_iter().map(|d| board.allowed(d)).collect();
        let [one, both] = [allowed[0], allowed[0].intersection(allowed[1])];
        for corners in rectangles(first) {
            let [_, second, third, fourth] = corners;
            let open = both.contains(second) && one.contains(third) && both.contains(fourth);
            if open && seen.insert(number(corners)) {
                Rectangle::new(board, corners, digits).search(&mut found);
            }
        }
    }
    found
}

/// All steps of avoidable rectangles, in the order they are found.
pub(super) fn avoidable(board: Board<'_>) -> Vec<Deduction> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let state = board.state();
    let solved = state.placed().difference(state.givens());
    let placed = |cell: Cell| {
        state
            .candidates(cell)
            .single()
            .filter(|_| solved.contains(cell))
    };
    for first in solved {
        let Some(one) = placed(first) else { continue };
        for corners in rectangles(first) {
            let [_, second, third, fourth] = corners;
            let Some(two) = placed(second) else { continue };
            let takes = |cell: Cell, digit: Digit| {
                let marks = board.marks(cell);
                marks.len() == 2 && marks.contains(digit)
            };
            let [third_fits, fourth_fits] = [takes(third, two), takes(fourth, one)];
            let open = placed(third) == Some(two) && fourth_fits
                || placed(fourth) == Some(one) && third_fits
                || third_fits && fourth_fits;
            if open && seen.insert(number(corners)) {
                found.extend(avoided(board, corners, [one, two]));
            }
        }
    }
    found
}

/// All rectangles from this cell on: the second cell in reading order, then the lines.
fn rectangles(first: Cell) -> impl Iterator<Item = Corners> {
    let [row, column, block] = first.houses();
    let seconds = block.cells().without(first).into_iter();
    let seconds = seconds
        .filter(move |second| row.cells().contains(*second) || column.cells().contains(*second));
    seconds.flat_map(move |second| {
        let in_row = row.cells().contains(second);
        let beyond = if in_row { column } else { row };
        let beyond = beyond.cells().difference(block.cells()).into_iter();
        beyond.filter_map(move |third| {
            let fourth = if in_row {
                Cell::at(third.row(), second.column())
            } else {
                Cell::at(second.row(), third.column())
            };
            Some([first, second, third, fourth?])
        })
    })
}

/// By what a rectangle is known again; not all have numbers of their own.
fn number(corners: Corners) -> usize {
    let mut cells = corners.map(Cell::index);
    cells.sort_unstable();
    cells.into_iter().fold(0, |number, cell| number * 10 + cell)
}

fn pattern(corners: Corners, digits: DigitSet, subset: CellSet) -> Pattern {
    let mut corners = corners;
    corners.sort_unstable();
    Pattern::Rectangle {
        corners,
        digits,
        subset,
    }
}

fn avoided(board: Board<'_>, corners: Corners, [one, two]: [Digit; 2]) -> Option<Deduction> {
    let [_, _, third, fourth] = corners;
    let pattern = || pattern(corners, DigitSet::only(one).with(two), CellSet::EMPTY);
    let placed = board.state().placed();
    if placed.contains(third) || placed.contains(fourth) {
        let (cell, digit) = if placed.contains(third) {
            (fourth, one)
        } else {
            (third, two)
        };
        let eliminated = vec![Candidate { cell, digit }];
        return eliminate(TechniqueId::AvoidableRectangle(1), eliminated, pattern);
    }
    let extra = board.marks(third).without(two).single()?;
    if !board.marks(fourth).contains(extra) {
        return None;
    }
    let seen = third.peers().intersection(fourth.peers());
    let eliminated = Candidate::in_cells(extra, board.places(extra).intersection(seen)).collect();
    eliminate(TechniqueId::AvoidableRectangle(2), eliminated, pattern)
}

struct Rectangle<'a> {
    board: Board<'a>,
    corners: Corners,
    cells: CellSet,
    digits: [Digit; 2],
    /// The corners without other candidates.
    floor: CellSet,
    /// The others.
    roof: CellSet,
    /// These in reading order.
    tops: Vec<Cell>,
}

impl Rectangle<'_> {
    fn new(board: Board<'_>, corners: Corners, digits: DigitSet) -> Rectangle<'_> {
        let cells: CellSet = corners.into_iter().collect();
        let plain = |cell: &Cell| board.marks(*cell).difference(digits).is_empty();
        let floor: CellSet = cells.into_iter().filter(plain).collect();
        let roof = cells.difference(floor);
        let mut of = digits.into_iter();
        let first = of.next().unwrap_or(Digit::ALL[0]);
        Rectangle {
            board,
            corners,
            cells,
            digits: [first, of.next().unwrap_or(first)],
            floor,
            roof,
            tops: roof.into_iter().collect(),
        }
    }

    fn set(&self) -> DigitSet {
        self.digits.into_iter().collect()
    }

    /// Those of these candidates that are there.
    fn there(&self, wanted: impl IntoIterator<Item = (Cell, Digit)>) -> Vec<Candidate> {
        let wanted = wanted.into_iter();
        let there = wanted.filter(|&(cell, digit)| self.board.marks(cell).contains(digit));
        there
            .map(|(cell, digit)| Candidate { cell, digit })
            .collect()
    }

    fn show(&self, technique: TechniqueId, eliminated: Vec<Candidate>, found: &mut Vec<Deduction>) {
        found.extend(eliminate(technique, eliminated, || {
            pattern(self.corners, self.set(), CellSet::EMPTY)
        }));
    }

    fn search(&self, found: &mut Vec<Deduction>) {
        let [one, two] = self.digits;
        let line = |at: usize| {
            let mut houses = self.tops.iter().map(|cell| cell.houses()[at]);
            let first = houses.next();
            first.filter(|&first| houses.all(|house| house == first))
        };
        if self.floor.len() == 3 {
            let cell = self.tops[0];
            let eliminated = self.there([(cell, one), (cell, two)]);
            self.show(TechniqueId::UniqueRectangle(1), eliminated, found);
        }
        if matches!(self.floor.len(), 1 | 2) {
            self.common(line(0).or(line(1)).is_some(), found);
        }
        if self.floor.len() == 2 {
            for at in 0..3 {
                if let Some(house) = line(at) {
                    let mut chosen = CellSet::EMPTY;
                    self.subsets(house, 0, &mut chosen, found);
                }
            }
            if line(0).or(line(1)).is_some() {
                self.confined(found);
            } else {
                self.crossed(found);
            }
        }
        let diagonal = self.floor.len() == 2 && line(0).or(line(1)).is_none();
        if self.floor.len() == 1 || diagonal {
            for corner in self.floor {
                self.hidden(corner, found);
            }
        }
    }

    /// Types 2 and 5: a single other candidate.
    fn common(&self, in_line: bool, found: &mut Vec<Deduction>) {
        let extras = self.board.marks_of(self.roof).difference(self.set());
        let Some(digit) = extras.single() else {
            return;
        };
        let seen = self.roof.common_peers();
        let eliminated =
            Candidate::in_cells(digit, self.board.places(digit).intersection(seen)).collect();
        let kind = if in_line && self.tops.len() == 2 {
            2
        } else {
            5
        };
        self.show(TechniqueId::UniqueRectangle(kind), eliminated, found);
    }

    /// Type 3: all choices of cells of the house without the two digits.
    fn subsets(&self, house: House, from: usize, chosen: &mut CellSet, found: &mut Vec<Deduction>) {
        let free = house.cells().difference(self.cells).into_iter();
        let free = free.filter(|&cell| {
            let marks = self.board.marks(cell);
            !marks.is_empty() && marks.intersection(self.set()).is_empty()
        });
        let free: Vec<Cell> = free.collect();
        for (at, &cell) in free.iter().enumerate().skip(from) {
            let before = *chosen;
            *chosen = chosen.with(cell);
            self.subset(house, *chosen, found);
            self.subsets(house, at + 1, chosen, found);
            *chosen = before;
        }
    }

    fn subset(&self, house: House, chosen: CellSet, found: &mut Vec<Deduction>) {
        let cells = chosen.union(self.roof);
        let held = self.board.marks_of(cells).difference(self.set());
        let one_house = |at: usize| {
            let first = self.tops[0].houses()[at];
            cells.difference(first.cells()).is_empty().then_some(first)
        };
        let in_block = house.index() >= 18;
        let in_line = one_house(0).or(one_house(1)).is_some();
        if in_block && in_line || held.len() + 1 != cells.len() {
            return;
        }
        let eliminates = |house: House| {
            let beside = house.cells().difference(cells);
            let held = |cell| self.board.marks(cell).intersection(held);
            let all = beside
                .into_iter()
                .flat_map(|cell| Candidate::in_cell(cell, held(cell)));
            all.collect::<Vec<Candidate>>()
        };
        let mut eliminated = eliminates(house);
        if eliminated.is_empty() {
            return;
        }
        if let (false, Some(block)) = (in_block, one_house(2)) {
            eliminated.extend(eliminates(block));
        }
        found.extend(eliminate(
            TechniqueId::UniqueRectangle(3),
            eliminated,
            || pattern(self.corners, self.set(), chosen),
        ));
    }

    /// Type 4: one of the digits is in no other cell that sees both.
    fn confined(&self, found: &mut Vec<Deduction>) {
        let seen = self.tops[0].peers().intersection(self.tops[1].peers());
        let [one, two] = self.digits;
        let free = |digit: Digit| self.board.places(digit).intersection(seen).is_empty();
        let eliminated = match (free(one), free(two)) {
            (true, _) => two,
            (false, true) => one,
            _ => return,
        };
        let eliminated = self.there(self.tops.iter().map(|&cell| (cell, eliminated)));
        self.show(TechniqueId::UniqueRectangle(4), eliminated, found);
    }

    /// Type 6: one of the digits has no other place in all four lines.
    fn crossed(&self, found: &mut Vec<Deduction>) {
        let lines = self.tops.iter().flat_map(|cell| {
            let [row, column, _] = cell.houses();
            [row, column]
        });
        let around = lines.fold(CellSet::EMPTY, |all, line| all.union(line.cells()));
        let around = around.difference(self.cells);
        let mut digits = self.digits.into_iter();
        let free = |digit: &Digit| self.board.places(*digit).intersection(around).is_empty();
        let Some(digit) = digits.find(free) else {
            return;
        };
        let eliminated = self.there(self.tops.iter().map(|&cell| (cell, digit)));
        self.show(TechniqueId::UniqueRectangle(6), eliminated, found);
    }

    /// The lines of the corner opposite to this one.
    fn hidden(&self, corner: Cell, found: &mut Vec<Deduction>) {
        let other = |line: fn(Cell) -> usize| {
            let lines = self.tops.iter().map(|&cell| line(cell));
            let mut lines = lines.take(2).filter(|&found| found != line(corner));
            lines.next()
        };
        let (Some(row), Some(column)) = (other(Cell::row), other(Cell::column)) else {
            return;
        };
        let Some(target) = Cell::at(row, column) else {
            return;
        };
        let [one, two] = self.digits;
        for (held, eliminated) in [(one, two), (two, one)] {
            let [row, column, _] = target.houses();
            let lines = row.cells().union(column.cells());
            let places = self.board.places(held).intersection(lines);
            if places.difference(self.cells).is_empty() {
                let eliminated = self.there([(target, eliminated)]);
                self.show(TechniqueId::HiddenRectangle, eliminated, found);
            }
        }
    }
}
