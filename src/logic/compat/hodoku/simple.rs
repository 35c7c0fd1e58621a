//! Locked and naked subsets, skyscraper, 2-string kite and empty rectangle, in HoDoKu's order.

use std::ops::ControlFlow;

use super::board::{Board, eliminate};
use crate::grid::{Candidate, Cell, CellSet, Digit, DigitSet, House, Lines};
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
fn combination(cells: CellSet) -> Vec<Cell> {
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

/// The lines of this kind with two places for the digit.
fn pairs(board: Board<'_>, digit: Digit, lines: Lines) -> Vec<[Cell; 2]> {
    let places = lines.houses().map(|line| board.places_in(digit, line));
    places.filter_map(CellSet::pair).collect()
}

/// Two parallel lines whose first places, or whose second places, lie in one line across.
pub(super) fn skyscraper(board: Board<'_>) -> Option<Deduction> {
    let both = [(Lines::Rows, Lines::Columns), (Lines::Columns, Lines::Rows)];
    both.into_iter().find_map(|(lines, across)| {
        Digit::ALL.into_iter().find_map(|digit| {
            let pairs = pairs(board, digit, lines);
            let twos = pairs.iter().enumerate().flat_map(|(at, &one)| {
                let others = pairs[at + 1..].iter();
                others.map(move |&other| (one, other))
            });
            twos.into_iter()
                .find_map(|(one, other)| skyscraper_of(board, digit, across, one, other))
        })
    })
}

fn skyscraper_of(
    board: Board<'_>,
    digit: Digit,
    across: Lines,
    one: [Cell; 2],
    other: [Cell; 2],
) -> Option<Deduction> {
    let meets = |at: usize| one[at].line(across) == other[at].line(across);
    let near = (0..2).find(|&at| meets(at))?;
    let far = 1 - near;
    if meets(far) {
        return None;
    }
    let seen = one[far].peers().intersection(other[far].peers());
    let eliminated = board.places(digit).intersection(seen);
    eliminate(
        TechniqueId::Skyscraper,
        Candidate::in_cells(digit, eliminated).collect(),
        || Pattern::TurbotFish {
            digit,
            cells: [one[far], one[near], other[near], other[far]],
        },
    )
}

/// A row and a column that meet in a block. Of the places of a line the one that met the last line
/// is tried first.
pub(super) fn two_string_kite(board: Board<'_>) -> Option<Deduction> {
    Digit::ALL.into_iter().find_map(|digit| {
        let mut rows = pairs(board, digit, Lines::Rows);
        let mut columns = pairs(board, digit, Lines::Columns);
        for row in &mut rows {
            for column in &mut columns {
                let ways = [(0, 0), (0, 1), (1, 0), (1, 1)];
                let meet = |&(r, c): &(usize, usize)| row[r].block() == column[c].block();
                let Some((r, c)) = ways.into_iter().find(meet) else {
                    continue;
                };
                row.swap(0, r);
                column.swap(0, c);
                if row.iter().any(|cell| column.contains(cell)) {
                    continue;
                }
                let [near, far] = *row;
                let [other_near, other_far] = *column;
                let Some(target) = Cell::at(other_far.row(), far.column()) else {
                    continue;
                };
                let eliminated = board.places(digit).intersection(CellSet::only(target));
                let eliminated = Candidate::in_cells(digit, eliminated).collect();
                let found = eliminate(TechniqueId::TwoStringKite, eliminated, || {
                    Pattern::TurbotFish {
                        digit,
                        cells: [far, near, other_near, other_far],
                    }
                });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    })
}

/// Block by block, the lower right corner of the two lines first; not of two places alone.
pub(super) fn empty_rectangle(board: Board<'_>) -> Option<Deduction> {
    Digit::ALL.into_iter().find_map(|digit| {
        House::all().skip(18).find_map(|block| {
            let inside = board.places_in(digit, block);
            if !(2..=5).contains(&inside.len()) {
                return None;
            }
            let corners = (0..9).map(|at| [2 - at / 3, 2 - at % 3]);
            corners.into_iter().find_map(|[row, column]| {
                let first = block.cells().first()?;
                let corner = Cell::at(first.row() + row, first.column() + column)?;
                let [row, column, _] = corner.houses();
                let by_row = inside.intersection(row.cells());
                let by_column = inside.intersection(column.cells());
                let crossed =
                    inside.difference(by_row).is_empty() || inside.difference(by_column).is_empty();
                let loose = !inside.difference(by_row).difference(by_column).is_empty();
                let thin = by_row.len() < 2 && by_column.len() < 2;
                if crossed || loose || thin {
                    return None;
                }
                let ways = [
                    ([row, column], Lines::Columns),
                    ([column, row], Lines::Rows),
                ];
                ways.into_iter()
                    .find_map(|(lines, across)| link(board, digit, block, lines, across))
            })
        })
    })
}

/// A line across the first one with two places, one of them in it.
fn link(
    board: Board<'_>,
    digit: Digit,
    block: House,
    lines: [House; 2],
    across: Lines,
) -> Option<Deduction> {
    let along = match across {
        Lines::Rows => Lines::Columns,
        Lines::Columns => Lines::Rows,
    };
    let entries = board.places_in(digit, lines[0]).difference(block.cells());
    entries.into_iter().find_map(|near| {
        let link = board.places_in(digit, near.line(across));
        let far = link.without(near).single()?;
        let eliminated = board.places_in(digit, far.line(along));
        let eliminated = eliminated
            .intersection(lines[1].cells())
            .difference(block.cells());
        let eliminated = Candidate::in_cells(digit, eliminated).collect();
        eliminate(TechniqueId::EmptyRectangle, eliminated, || {
            Pattern::EmptyRectangle {
                digit,
                block,
                lines,
                link: [near, far],
            }
        })
    })
}
