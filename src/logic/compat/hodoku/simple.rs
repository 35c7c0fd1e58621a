//! Locked and naked subsets, in HoDoKu's order: blocks, rows, columns.

use std::ops::ControlFlow;

use super::board::{Board, eliminate};
use crate::grid::{Candidate, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Pattern};
use crate::logic::technique::Technique;
use crate::logic::technique_id::{SubsetSize, TechniqueId};
use crate::logic::techniques::NakedSubset;

/// A naked subset in a block, whose digits are eliminated from the block and outside of it.
pub(super) fn locked_subset(board: Board<'_>, size: SubsetSize) -> Option<Deduction> {
    naked(board, size).find_map(|(cells, digits, house)| {
        let line = escape(board, cells, digits).filter(|_| house.index() >= 18)?;
        let technique = TechniqueId::LockedSubset(size);
        eliminate(technique, around(board, cells, digits), || {
            Pattern::LockedSubset {
                cells,
                digits,
                houses: [line, house],
            }
        })
    })
}

/// All others.
pub(super) fn naked_subset(board: Board<'_>, size: SubsetSize) -> Option<Deduction> {
    naked(board, size).find_map(|(cells, digits, house)| {
        if size != SubsetSize::Four && escape(board, cells, digits).is_some() {
            return None;
        }
        let eliminated = around(board, cells, digits);
        eliminate(TechniqueId::NakedSubset(size), eliminated, || {
            Pattern::Subset {
                cells,
                digits,
                house,
            }
        })
    })
}

/// The naked subsets that eliminate something, in blocks, then rows, then columns.
fn naked(board: Board<'_>, size: SubsetSize) -> impl Iterator<Item = (CellSet, DigitSet, House)> {
    let mut all = subsets(board, &NakedSubset(size));
    // A subset in a block eliminates along its line as well: such a one shows up in the line only.
    let in_lines = all.iter().filter_map(|&(cells, digits, house)| {
        let block = cells.first()?.houses()[2];
        let inside = cells.difference(block.cells()).is_empty();
        (inside && house.index() < 18).then_some((cells, digits, block))
    });
    let in_lines: Vec<_> = in_lines.collect();
    for found in in_lines {
        if !all.contains(&found) {
            all.push(found);
        }
    }
    let order =
        |&(cells, _, house): &(CellSet, DigitSet, House)| (house_rank(house), combination(cells));
    all.sort_by_key(order);
    all.into_iter()
}

fn subsets(board: Board<'_>, technique: &dyn Technique) -> Vec<(CellSet, DigitSet, House)> {
    let mut all = Vec::new();
    let _ = technique.search(board.state(), &mut |step| {
        if let Pattern::Subset {
            cells,
            digits,
            house,
        } = step.pattern
        {
            all.push((cells, digits, house));
        }
        ControlFlow::Continue(())
    });
    all
}

/// Blocks before rows before columns.
pub(super) fn house_rank(house: House) -> u32 {
    (house.index() as u32 + 9) % 27
}

/// Combinations of as many cells sort by their first cell, then by their second.
pub(super) fn combination(cells: CellSet) -> Vec<Cell> {
    cells.into_iter().collect()
}

/// The line of these cells, if they share a block as well and the digits occur in the block beside
/// them and in the line outside of it.
fn escape(board: Board<'_>, cells: CellSet, digits: DigitSet) -> Option<House> {
    let [row, column, block] = cells.first()?.houses();
    let held = |cells: CellSet| {
        let hold = |digit: Digit| !board.places(digit).intersection(cells).is_empty();
        digits.into_iter().any(hold)
    };
    let shared = |house: &House| cells.difference(house.cells()).is_empty();
    let line = [row, column].into_iter().find(shared)?;
    let outside = line.cells().difference(block.cells());
    let locked = shared(&block) && held(outside) && held(block.cells().difference(cells));
    locked.then_some(line)
}

/// These digits beside the cells in all houses that they share: row, column, block.
fn around(board: Board<'_>, cells: CellSet, digits: DigitSet) -> Vec<Candidate> {
    let shared = cells.first().map(Cell::houses).into_iter().flatten();
    let shared = shared.filter(|house| cells.difference(house.cells()).is_empty());
    let beside = shared.flat_map(|house| house.cells().difference(cells));
    beside
        .flat_map(|cell| Candidate::in_cell(cell, board.marks(cell).intersection(digits)))
        .collect()
}
