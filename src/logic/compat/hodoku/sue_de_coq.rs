//! Sue de Coq, in HoDoKu's order: rows, then columns, block by block, cells of the line before those
//! of the block.

use std::ops::ControlFlow;

use super::board::{Board, strike};
use crate::grid::{Candidate, Cell, CellSet, DigitSet, House};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::technique_id::TechniqueId;

pub(super) fn sue_de_coq(board: Board<'_>) -> Option<Deduction> {
    for line in House::all().take(18) {
        for block in House::all().skip(18) {
            let shared = line.cells().intersection(block.cells());
            let shared = shared.intersection(board.blanks());
            let cells: Vec<Cell> = shared.into_iter().collect();
            for center in centers(&cells) {
                let digits = board.marks_of(center);
                if digits.len() < center.len() + 2 {
                    continue;
                }
                let crossing = Crossing {
                    board,
                    line: line.cells().intersection(board.blanks()),
                    block: block.cells().intersection(board.blanks()),
                    houses: [line, block],
                    center,
                    digits,
                };
                if let Some(found) = crossing.search() {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Two of these cells, then these and a third one.
fn centers(cells: &[Cell]) -> Vec<CellSet> {
    let mut all = Vec::new();
    for (i, &one) in cells.iter().enumerate() {
        for (j, &two) in cells.iter().enumerate().skip(i + 1) {
            let pair = CellSet::only(one).with(two);
            all.push(pair);
            all.extend(cells[j + 1..].iter().map(|&three| pair.with(three)));
        }
    }
    all
}

struct Crossing<'a> {
    board: Board<'a>,
    houses: [House; 2],
    line: CellSet,
    block: CellSet,
    center: CellSet,
    digits: DigitSet,
}

impl Crossing<'_> {
    fn search(&self) -> Option<Deduction> {
        let surplus = self.digits.len() - self.center.len();
        let source = self.line.difference(self.center);
        self.each(source, DigitSet::EMPTY, &mut |cells, digits| {
            let extra = digits.difference(self.digits);
            let free = cells
                .len()
                .checked_sub(extra.len())
                .filter(|&free| free > 0);
            let Some(free) = free.filter(|&free| free < surplus) else {
                return ControlFlow::Continue(());
            };
            let source = self.block.difference(self.center).difference(cells);
            let barred = digits.difference(extra);
            let second = self.each(source, barred, &mut |others, more| {
                let extra = more.difference(self.digits);
                if others.len() != extra.len() + surplus - free {
                    return ControlFlow::Continue(());
                }
                match self.step([cells, others], [digits, more]) {
                    Some(found) => ControlFlow::Break(found),
                    None => ControlFlow::Continue(()),
                }
            });
            match second {
                Some(found) => ControlFlow::Break(found),
                None => ControlFlow::Continue(()),
            }
        })
    }

    /// All choices of these cells that share digits with the center, and have none of those that are
    /// barred, depth first.
    fn each(
        &self,
        source: CellSet,
        barred: DigitSet,
        visit: &mut dyn FnMut(CellSet, DigitSet) -> ControlFlow<Deduction>,
    ) -> Option<Deduction> {
        let cells: Vec<Cell> = source.into_iter().collect();
        match self.extend(&cells, barred, CellSet::EMPTY, DigitSet::EMPTY, visit) {
            ControlFlow::Break(found) => Some(found),
            ControlFlow::Continue(()) => None,
        }
    }

    fn extend(
        &self,
        cells: &[Cell],
        barred: DigitSet,
        chosen: CellSet,
        digits: DigitSet,
        visit: &mut dyn FnMut(CellSet, DigitSet) -> ControlFlow<Deduction>,
    ) -> ControlFlow<Deduction> {
        for (at, &cell) in cells.iter().enumerate() {
            let digits = digits.union(self.board.marks(cell));
            if !digits.intersection(barred).is_empty() {
                continue;
            }
            let chosen = chosen.with(cell);
            if !digits.intersection(self.digits).is_empty() {
                visit(chosen, digits)?;
            }
            self.extend(&cells[at + 1..], barred, chosen, digits, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn step(&self, [a, b]: [CellSet; 2], [of_line, of_block]: [DigitSet; 2]) -> Option<Deduction> {
        let both = of_line.intersection(of_block);
        let by_block = self.digits.union(of_block).difference(of_line).union(both);
        let by_line = self.digits.union(of_line).difference(of_block).union(both);
        let beside_block = self.block.difference(b).difference(self.center);
        let beside_line = self.line.difference(a).difference(self.center);
        let within = |cells: CellSet, digits: DigitSet| {
            let all = cells.into_iter().flat_map(move |cell| {
                let digits = self.board.marks(cell).intersection(digits);
                digits
                    .into_iter()
                    .map(move |digit| Candidate { cell, digit })
            });
            all.collect::<Vec<Candidate>>()
        };
        let mut struck = within(beside_block, by_block);
        struck.extend(within(beside_line, by_line));
        strike(TechniqueId::SueDeCoq, struck, || Pattern::SueDeCoq {
            houses: self.houses,
            center: self.center,
            sides: [a, b],
        })
    }
}
