//! What would leave several solutions: loops of cells with two digits alone, and a few candidates too many.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet, Cell, CellSet, Digit, DigitSet, House, HouseSet};
use crate::logic::deduction::Pattern;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate, held};
use crate::logic::technique_id::{LoopShape, TechniqueId};

/// Unique rectangles and loops, types 1 to 4: a loop of cells that visits each of its houses twice.
/// If two digits filled it, swapping them would give a second solution, so one of the cells takes
/// another digit.
///
/// Which loops are found, and in which order, is as in Sudoku Explainer (Nicolas Juillerat).
#[derive(Clone, Copy, Debug)]
pub struct UniqueLoop;

impl Technique for UniqueLoop {
    fn id(&self) -> TechniqueId {
        TechniqueId::UniqueLoop(LoopShape {
            kind: 1,
            cells: 4,
            subset: 0,
        })
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let two = grid.with_at_most(2).difference(grid.with_at_most(1));
        for start in two {
            let digits = grid.candidates(start);
            let mut places = digits.into_iter().map(|digit| grid.places(digit));
            let (Some(one), Some(other)) = (places.next(), places.next()) else {
                continue;
            };
            let mut walk = Walk {
                grid,
                digits,
                places: one.intersection(other),
                cells: Vec::new(),
                visited: CellSet::EMPTY,
                sink,
            };
            walk.enter(start, 2, DigitSet::EMPTY, None)?;
        }
        ControlFlow::Continue(())
    }
}

/// A walk over cells that hold both digits.
struct Walk<'a, 'b, 'c> {
    grid: &'a State,
    digits: DigitSet,
    /// The cells that hold both.
    places: CellSet,
    cells: Vec<Cell>,
    visited: CellSet,
    sink: &'b mut Sink<'c>,
}

/// Block, row, column.
fn homes(cell: Cell) -> [House; 3] {
    let [row, column, block] = cell.houses();
    [block, row, column]
}

impl Walk<'_, '_, '_> {
    /// Goes on from this cell. So many more cells may have candidates besides the digits, or any
    /// number if these are the same one; the last step was within a house of kind `last`.
    ///
    /// What `others` collects it keeps when it turns to the next cell, as the program does.
    fn enter(
        &mut self,
        cell: Cell,
        allowed: i8,
        mut others: DigitSet,
        last: Option<usize>,
    ) -> ControlFlow<()> {
        self.cells.push(cell);
        self.visited = self.visited.with(cell);
        for (kind, house) in homes(cell).into_iter().enumerate() {
            if last == Some(kind) {
                continue;
            }
            for next in self.places.intersection(house.cells()) {
                if next == self.cells[0] && self.cells.len() >= 4 {
                    self.closed()?;
                    continue;
                }
                if self.visited.contains(next) {
                    continue;
                }
                let beyond = self.grid.candidates(next).difference(self.digits);
                others = others.union(beyond);
                if beyond.is_empty() || others.len() == 1 || allowed > 0 {
                    let left = allowed - i8::from(!beyond.is_empty());
                    self.enter(next, left, others, Some(kind))?;
                }
            }
        }
        self.visited = self.visited.without(cell);
        self.cells.pop();
        ControlFlow::Continue(())
    }

    /// Whether every house of the cells is visited twice, once by every other cell.
    fn is_even(&self) -> bool {
        let mut visited = [HouseSet::EMPTY; 2];
        for (at, &cell) in self.cells.iter().enumerate() {
            for house in homes(cell) {
                if visited[at % 2].contains(house) {
                    return false;
                }
                visited[at % 2] = visited[at % 2].with(house);
            }
        }
        visited[0] == visited[1]
    }

    fn closed(&mut self) -> ControlFlow<()> {
        if !self.is_even() {
            return ControlFlow::Continue(());
        }
        let grid = self.grid;
        let beyond = |cell: &Cell| grid.candidates(*cell).len() > 2;
        let roof: Vec<Cell> = self.cells.iter().copied().filter(beyond).collect();
        let extras = grid.candidates_of(roof.iter().copied().collect());
        let extras = extras.difference(self.digits);
        match *roof.as_slice() {
            [] => ControlFlow::Continue(()),
            [cell] => {
                let eliminated = all(self.digits, CellSet::only(cell));
                self.show(1, (0, CellSet::EMPTY), eliminated)
            }
            [first, second] => {
                if let Some(extra) = extras.single() {
                    self.common(extra, &roof)?;
                } else {
                    self.subsets(extras, [first, second])?;
                }
                self.confined([first, second])
            }
            _ => match extras.into_iter().next() {
                Some(extra) => self.common(extra, &roof),
                None => ControlFlow::Continue(()),
            },
        }
    }

    fn show(
        &mut self,
        kind: u8,
        (added, subset): (u8, CellSet),
        eliminated: CandidateSet,
    ) -> ControlFlow<()> {
        let shape = LoopShape {
            kind,
            cells: self.cells.len() as u8,
            subset: added,
        };
        let (cells, digits) = (&self.cells, self.digits);
        eliminate(
            TechniqueId::UniqueLoop(shape),
            eliminated,
            self.sink,
            || Pattern::UniqueLoop {
                cells: cells.clone(),
                digits,
                subset,
            },
        )
    }

    /// Type 2: the only other digit, eliminated from all that see the cells that have it.
    fn common(&mut self, extra: Digit, roof: &[Cell]) -> ControlFlow<()> {
        let seen = roof.iter().map(|cell| cell.peers());
        let seen = seen.fold(self.grid.places(extra), CellSet::intersection);
        self.show(2, (0, CellSet::EMPTY), CandidateSet::of(extra, seen))
    }

    /// Type 3: the other candidates of two cells make a subset with cells of a house that both are
    /// in, a naked one or one that hides the digits of the loop.
    fn subsets(&mut self, extras: DigitSet, roof: [Cell; 2]) -> ControlFlow<()> {
        let blanks = self.grid.blanks();
        for degree in extras.len()..=7 {
            for house in homes(roof[0]) {
                if !house.cells().contains(roof[1]) {
                    continue;
                }
                let blank = blanks.intersection(house.cells());
                if degree * 2 <= blank.len() {
                    self.naked(degree, extras, roof, blank)?;
                }
                if degree * 2 < blank.len() {
                    self.hidden(degree, extras, roof, blank)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn naked(
        &mut self,
        degree: usize,
        extras: DigitSet,
        roof: [Cell; 2],
        blank: CellSet,
    ) -> ControlFlow<()> {
        let beside = blank.without(roof[0]).without(roof[1]);
        let shared = roof.map(|cell| self.grid.candidates(cell));
        let shared = extras.intersection(shared[0]).intersection(shared[1]);
        for chosen in beside.subsets().filter(|chosen| chosen.len() == degree - 1) {
            let own = self.grid.candidates_of(chosen);
            let single = chosen.intersection(self.grid.naked_singles());
            if own.union(shared).len() != degree
                || own.union(extras).len() != degree
                || !single.is_empty()
            {
                continue;
            }
            let digits = own.union(extras);
            let eliminated = held(self.grid, beside.difference(chosen), digits);
            self.show(3, (degree as u8 - 1, chosen), eliminated)?;
        }
        ControlFlow::Continue(())
    }

    fn hidden(
        &mut self,
        degree: usize,
        extras: DigitSet,
        roof: [Cell; 2],
        blank: CellSet,
    ) -> ControlFlow<()> {
        let others = DigitSet::ALL.difference(extras).difference(self.digits);
        if others.is_empty() || degree - 2 > others.len() {
            return ControlFlow::Continue(());
        }
        for hidden in others.subsets().filter(|hidden| hidden.len() == degree - 2) {
            let digits = hidden.union(self.digits);
            let places = |digit| {
                let places = self.grid.places(digit).intersection(blank);
                places.without(roof[1])
            };
            let all = digits.into_iter().map(places);
            let cells = all.clone().fold(CellSet::EMPTY, CellSet::union);
            if cells.len() != degree || all.into_iter().any(CellSet::is_empty) {
                continue;
            }
            let cells = cells.without(roof[0]);
            let eliminated = held(self.grid, cells, DigitSet::ALL.difference(digits));
            let added = (cells.len() as u8).saturating_sub(1);
            self.show(3, (added, cells), eliminated)?;
        }
        ControlFlow::Continue(())
    }

    /// Type 4: in a house of two cells one of the digits has no other place, so the other one is in
    /// neither.
    fn confined(&mut self, roof: [Cell; 2]) -> ControlFlow<()> {
        let both = CellSet::only(roof[0]).with(roof[1]);
        for digit in self.digits {
            let confined = |house: &House| {
                let places = self.grid.places(digit).intersection(house.cells());
                places.difference(both).is_empty()
            };
            let mut shared = homes(roof[0])
                .into_iter()
                .filter(|house| house.cells().contains(roof[1]));
            if shared.any(|house| confined(&house)) {
                let eliminated = all(self.digits.without(digit), both);
                return self.show(4, (0, CellSet::EMPTY), eliminated);
            }
        }
        ControlFlow::Continue(())
    }
}

/// These digits in these cells.
fn all(digits: DigitSet, cells: CellSet) -> CandidateSet {
    let of = |cell| Candidate::in_cell(cell, digits);
    cells.into_iter().flat_map(of).collect()
}

/// Bivalue universal grave, types 1 to 4: without some extra candidates every blank cell would have
/// two, and every digit two places in each house, so that the grid had no or several solutions. One
/// of the extra candidates is right.
///
/// Found as by Sudoku Explainer (Nicolas Juillerat).
#[derive(Clone, Copy, Debug)]
pub struct Bug;

/// The extra candidates.
struct Grave<'a> {
    grid: &'a State,
    cells: Vec<Cell>,
    extra: CandidateSet,
    digits: DigitSet,
    /// The cells that see all cells with extra candidates.
    seen: CellSet,
}

/// Blocks, rows, columns.
fn houses() -> impl Iterator<Item = House> {
    House::all().skip(18).chain(House::all().take(18))
}

impl Technique for Bug {
    fn id(&self) -> TechniqueId {
        TechniqueId::Bug(1, 0)
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Some(grave) = Grave::find(grid) else {
            return ControlFlow::Continue(());
        };
        match (grave.cells.len(), grave.digits.len()) {
            (0, _) => ControlFlow::Continue(()),
            (1, _) => grave.one_cell(sink),
            (cells, 1) => {
                grave.one_digit(sink)?;
                if cells == 2 {
                    grave.confined(sink)
                } else {
                    ControlFlow::Continue(())
                }
            }
            (cells, _) if !grave.seen.is_empty() => {
                if cells == 2 {
                    grave.confined(sink)?;
                }
                grave.subsets(sink)
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Grave<'_> {
    fn find(grid: &State) -> Option<Grave<'_>> {
        let blanks = grid.blanks();
        let more = blanks.difference(grid.with_at_most(2));
        let mut grave = Grave {
            grid,
            cells: Vec::new(),
            extra: CandidateSet::EMPTY,
            digits: DigitSet::EMPTY,
            seen: CellSet::ALL,
        };
        for house in houses() {
            for digit in Digit::ALL {
                let places = grid.places(digit).intersection(house.cells());
                let places = places.intersection(blanks);
                if matches!(places.len(), 0 | 2) {
                    continue;
                }
                let mut wide = places.intersection(more).into_iter();
                let cell = wide.next()?;
                if wide.next().is_some() {
                    continue;
                }
                if !grave.cells.contains(&cell) {
                    grave.cells.push(cell);
                }
                grave.extra = grave.extra.with(Candidate { cell, digit });
                grave.digits = grave.digits.with(digit);
                grave.seen = grave.seen.intersection(cell.peers());
                for &cell in &grave.cells {
                    grave.seen = grave.seen.without(cell);
                }
                if grave.cells.len() > 1 && grave.digits.len() > 1 && grave.seen.is_empty() {
                    return None;
                }
            }
        }
        let left = |digit| {
            let places = grid.places(digit).intersection(blanks);
            places.difference(grave.extra.places(digit))
        };
        let two_each = |cell: Cell| {
            let held = Digit::ALL.into_iter().filter(|&d| left(d).contains(cell));
            held.count() == 2
        };
        let even = |house: House| {
            let mut digits = Digit::ALL.into_iter();
            digits.all(|d| matches!(left(d).intersection(house.cells()).len(), 0 | 2))
        };
        let is_grave = blanks.into_iter().all(two_each) && House::all().all(even);
        is_grave.then_some(grave)
    }

    fn extras_of(&self, cell: Cell) -> DigitSet {
        let digits = Digit::ALL.into_iter();
        digits
            .filter(|&digit| self.extra.contains(Candidate { cell, digit }))
            .collect()
    }

    fn show(
        &self,
        kind: u8,
        (size, subset): (u8, CellSet),
        eliminated: CandidateSet,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let extra = self.extra;
        eliminate(TechniqueId::Bug(kind, size), eliminated, sink, || {
            Pattern::Bug { extra, subset }
        })
    }

    /// Type 1: the digits of one cell.
    fn one_cell(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let cell = self.cells[0];
        let others = self.grid.candidates(cell).difference(self.digits);
        let eliminated = Candidate::in_cell(cell, others).collect();
        self.show(1, (0, CellSet::EMPTY), eliminated, sink)
    }

    /// Type 2: one digit in several cells.
    fn one_digit(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Some(digit) = self.digits.single() else {
            return ControlFlow::Continue(());
        };
        let eliminated = self.grid.places(digit).intersection(self.seen);
        self.show(
            2,
            (0, CellSet::EMPTY),
            CandidateSet::of(digit, eliminated),
            sink,
        )
    }

    /// Houses of all cells with extra candidates.
    fn shared_houses(&self) -> impl Iterator<Item = House> {
        let cells: CellSet = self.cells.iter().copied().collect();
        houses().filter(move |house| cells.difference(house.cells()).is_empty())
    }

    /// Type 4: two cells of a house share one other digit, which one of them takes.
    fn confined(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let held = self.cells.iter().map(|&cell| self.grid.candidates(cell));
        let common = held.fold(DigitSet::ALL, DigitSet::intersection);
        let Some(shared) = common.difference(self.digits).single() else {
            return ControlFlow::Continue(());
        };
        if self.shared_houses().next().is_none() {
            return ControlFlow::Continue(());
        }
        let mut eliminated = CandidateSet::EMPTY;
        for &cell in &self.cells {
            let others = self.grid.candidates(cell).difference(self.extras_of(cell));
            for digit in others.without(shared) {
                eliminated = eliminated.with(Candidate { cell, digit });
            }
        }
        self.show(4, (0, CellSet::EMPTY), eliminated, sink)
    }

    /// Type 3: the extra digits make a naked subset with other cells of a house.
    fn subsets(&self, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for house in self.shared_houses() {
            let cells = self.seen.intersection(house.cells());
            let blank = cells.intersection(self.grid.blanks());
            for degree in 2..=6_usize.min(cells.len()) {
                for chosen in blank.subsets().filter(|chosen| chosen.len() == degree - 1) {
                    let digits = self.grid.candidates_of(chosen);
                    if digits.len() == degree && self.digits.difference(digits).is_empty() {
                        let eliminated = held(self.grid, blank.difference(chosen), digits);
                        self.show(3, (degree as u8, chosen), eliminated, sink)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
