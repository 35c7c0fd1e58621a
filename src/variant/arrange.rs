//! The order of the rows and columns of a board, so that boxes, diagonals and windows stand in their places.

use std::sync::Arc;

use super::layout::{HouseKind, Layout};
use super::puzzle::VariantPuzzle;
use super::symmetry::VariantSymmetry;
use super::value::Value;

/// Rows that may be tried in places before the rules are found to have no board: boards need a few for each row.
const MOST_TRIED: u32 = 100_000;

/// How the rows, or the columns, of an image may be permuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineMoves {
    /// Bands may change places.
    pub(super) bands: bool,
    /// Rows may change places in their band.
    pub(super) lines: bool,
}

impl LineMoves {
    const ALL: LineMoves = LineMoves {
        bands: true,
        lines: true,
    };
}

/// Returns the image of a puzzle whose rows and columns follow this order of its cells and houses: as they come, as far as
/// the rows of boxes stay together, and diagonals and windows stay in their places. The image depends on nothing but
/// which rules and givens the order has at which place. Returns `None` if no image is found.
pub(super) fn arranged(puzzle: &VariantPuzzle, order: &[u32]) -> Option<VariantPuzzle> {
    let layout = puzzle.layout();
    let board = Board::of(layout, order, [LineMoves::ALL; 2])?;
    // Where boxes cannot stand together, they are scattered regions.
    let lines = board.lines(true).or_else(|| board.lines(false))?;
    let symmetry = board.symmetry(lines);
    let image = symmetry.layout(layout).ok()?;
    VariantPuzzle::new(Arc::new(image), symmetry.givens(puzzle)).ok()
}

/// Returns the symmetry to the image whose rows and columns follow this order, with the same boxes, diagonals and windows;
/// no value is relabeled. Returns `None` if none is found.
///
/// In an order that is random, all symmetries are equally likely: they are a group, so that in each place, either all or none
/// of the lines that could have stood in an earlier one are possible, and their order there tells nothing of that here.
pub(super) fn arrangement(
    layout: &Layout,
    order: &[u32],
    moves: [LineMoves; 2],
) -> Option<VariantSymmetry> {
    let board = Board::of(layout, order, moves)?;
    Some(board.symmetry(board.lines(true)?))
}

/// A board with its rows and columns in their canonical order, perhaps transposed.
struct Board {
    side: usize,
    /// The numbers of rows and columns on the board that was given, or of its columns and rows.
    lines: [Vec<usize>; 2],
    is_transposed: bool,
    /// What the places of rows and columns say of them.
    marks: [Vec<Marks>; 2],
    diagonals: Option<Diagonals>,
    has_windows: bool,
    /// How rows and columns may move.
    moves: [LineMoves; 2],
}

/// What a row or column crosses, as sets of houses.
#[derive(Clone, Copy)]
struct Marks {
    regions: u64,
    windows: u64,
}

/// Where the diagonals are.
struct Diagonals {
    /// The column in which the first diagonal crosses each row.
    column: Vec<usize>,
    /// The row that crosses the first diagonal in the column where each row crosses the second one.
    mirror: Vec<usize>,
}

impl Board {
    fn of(layout: &Layout, order: &[u32], moves: [LineMoves; 2]) -> Option<Board> {
        let (side, cells) = (layout.side(), layout.cells());
        let mut ranked: Vec<(HouseKind, usize)> = Vec::new();
        for vertex in order {
            let house = (*vertex as usize).checked_sub(cells);
            if let Some(house) = house.and_then(|house| layout.houses().get(house)) {
                ranked.push((house.kind, house.number));
            }
        }
        let of_kind = |kind: HouseKind| -> Vec<usize> {
            let houses = ranked.iter().filter(|(it, _)| *it == kind);
            houses.map(|(_, number)| *number).collect()
        };
        let is_line = |kind: HouseKind| matches!(kind, HouseKind::Row | HouseKind::Column);
        let (first, _) = ranked.iter().find(|(kind, _)| is_line(*kind))?;
        let is_transposed = *first == HouseKind::Column;
        let (rows, columns) = (of_kind(HouseKind::Row), of_kind(HouseKind::Column));
        let lines = if is_transposed {
            [columns, rows]
        } else {
            [rows, columns]
        };
        let mut board = Board {
            side,
            lines,
            is_transposed,
            marks: [Vec::new(), Vec::new()],
            diagonals: None,
            has_windows: layout.has_windows(),
            moves,
        };
        let mut windows = vec![0_u64; cells];
        for house in layout.houses() {
            if house.kind == HouseKind::Window {
                for cell in &house.cells {
                    windows[*cell] |= 1 << house.number;
                }
            }
        }
        let marks = |cells: &mut dyn Iterator<Item = usize>| {
            let mut marks = Marks {
                regions: 0,
                windows: 0,
            };
            for cell in cells {
                marks.regions |= 1 << layout.region(cell);
                marks.windows |= windows[cell];
            }
            marks
        };
        let row = |row| marks(&mut (0..side).map(|column| board.cell(row, column)));
        let column = |column| marks(&mut (0..side).map(|row| board.cell(row, column)));
        board.marks = [
            (0..side).map(row).collect(),
            (0..side).map(column).collect(),
        ];
        if let [first, second] = of_kind(HouseKind::Diagonal)[..] {
            board.diagonals = Some(board.diagonals(first, second)?);
        }
        Some(board)
    }

    /// The cell of a row and a column.
    fn cell(&self, row: usize, column: usize) -> usize {
        let (row, column) = (self.lines[0][row], self.lines[1][column]);
        if self.is_transposed {
            column * self.side + row
        } else {
            row * self.side + column
        }
    }

    fn diagonals(&self, first: usize, second: usize) -> Option<Diagonals> {
        let crosses = |row: usize, diagonal: usize| {
            (0..self.side).find(|column| {
                let cell = self.cell(row, *column);
                let (row, column) = (cell / self.side, cell % self.side);
                if diagonal == 0 {
                    row == column
                } else {
                    row + column == self.side - 1
                }
            })
        };
        let columns = |diagonal| -> Option<Vec<usize>> {
            (0..self.side).map(|row| crosses(row, diagonal)).collect()
        };
        let (column, other) = (columns(first)?, columns(second)?);
        let mirror = other.iter().map(|at| column.iter().position(|it| it == at));
        let mirror = mirror.collect::<Option<_>>()?;
        Some(Diagonals { column, mirror })
    }

    /// The symmetry that these rows and columns, in the order of the image, are of.
    fn symmetry(&self, (rows, columns): (Vec<usize>, Vec<usize>)) -> VariantSymmetry {
        let original = |line: usize, numbers: Vec<usize>| -> Vec<usize> {
            let numbers = numbers.into_iter();
            numbers.map(|number| self.lines[line][number]).collect()
        };
        VariantSymmetry {
            is_transposed: self.is_transposed,
            rows: original(0, rows),
            columns: original(1, columns),
            labels: (1..=self.side as u8).filter_map(Value::new).collect(),
        }
    }

    /// The rows and columns in the order of the image.
    fn lines(&self, has_boxes: bool) -> Option<(Vec<usize>, Vec<usize>)> {
        let bands = self.marks.each_ref().map(|marks| band(marks));
        let bands = if has_boxes { bands } else { [None, None] };
        let agrees = |line: usize, one: (usize, usize), other: (usize, usize)| {
            let [(here, at), (there, to)] =
                [one, other].map(|(number, place)| (self.marks[line][number], place));
            let in_band = bands[line]
                .is_none_or(|band| (here.regions == there.regions) == (at / band == to / band));
            let is_move = bands[line].is_none_or(|band| {
                let (original, moves) = (self.lines[line][one.0], self.moves[line]);
                (moves.bands || original / band == at / band)
                    && (moves.lines || original % band == at % band)
            });
            let in_window = !self.has_windows || {
                let (at, to) = (self.window(at), self.window(to));
                (here.windows == 0) == at.is_none() && (here.windows == there.windows) == (at == to)
            };
            in_band && is_move && in_window
        };
        let Some(diagonals) = &self.diagonals else {
            let places: Vec<usize> = (0..self.side).collect();
            let rows = placed(&places, |one, other| agrees(0, one, other))?;
            let columns = placed(&places, |one, other| agrees(1, one, other))?;
            return Some((rows, columns));
        };
        // From both ends to the middle: the row at one end determines that at the other.
        let places: Vec<usize> = (0..self.side)
            .map(|number| match number % 2 {
                0 => number / 2,
                _ => self.side - 1 - number / 2,
            })
            .collect();
        let column = |(row, place): (usize, usize)| (diagonals.column[row], place);
        let rows = placed(&places, |one, other| {
            let are_mirrored = diagonals.mirror[one.0] == other.0;
            are_mirrored == (one.1 + other.1 == self.side - 1)
                && agrees(0, one, other)
                && agrees(1, column(one), column(other))
        })?;
        let columns = rows.iter().map(|row| diagonals.column[*row]).collect();
        Some((rows, columns))
    }

    /// The number of the windows that cross the row or column at this place.
    fn window(&self, place: usize) -> Option<usize> {
        let across = self.side.isqrt() + 1;
        (!place.is_multiple_of(across)).then_some(place / across)
    }
}

/// How many rows or columns cross the same regions; `None` if that differs.
fn band(marks: &[Marks]) -> Option<usize> {
    let alike = |mark: &Marks| {
        let same = marks.iter().filter(|other| other.regions == mark.regions);
        same.count()
    };
    let mut sizes = marks.iter().map(alike);
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}

/// Returns the numbers in their places: at each place in turn, the least one that agrees with itself and with those
/// placed before, and leaves the others a place.
fn placed(
    places: &[usize],
    agrees: impl Fn((usize, usize), (usize, usize)) -> bool,
) -> Option<Vec<usize>> {
    let side = places.len();
    // The number at each of the places, in the order of these.
    let mut chosen: Vec<usize> = Vec::with_capacity(side);
    let mut next = 0;
    let mut tried = 0;
    while chosen.len() < side {
        let place = places[chosen.len()];
        let fits = |number: usize| {
            let mut before = chosen.iter().zip(places);
            !chosen.contains(&number)
                && agrees((number, place), (number, place))
                && before.all(|(other, at)| agrees((number, place), (*other, *at)))
        };
        tried += 1;
        match (next..side).find(|number| fits(*number)) {
            Some(number) => {
                chosen.push(number);
                next = 0;
            }
            None => next = chosen.pop()? + 1,
        }
        if tried > MOST_TRIED {
            return None;
        }
    }
    let mut lines = vec![0; side];
    for (place, number) in places.iter().zip(chosen) {
        lines[*place] = number;
    }
    Some(lines)
}
