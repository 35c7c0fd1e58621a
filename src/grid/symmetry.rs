//! Symmetries of the board: ways to rewrite a puzzle that change nothing about how it is solved.
//!
//! Relabeling the digits, permuting the bands, the rows within a band, the stacks, the columns
//! within a stack, and transposing generate all of them, 9! · 6^8 · 2 in number (Russell and Jarvis,
//! 2006).

use std::fmt;
use std::str::FromStr;

use super::cell::{Cell, CellMap};
use super::digit::{Digit, DigitSet};
use super::puzzle::Puzzle;
use super::puzzle_line::PuzzleLine;
use super::solution::Solution;

/// Turns a puzzle into an equivalent one: same number of solutions, each the image of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// For each cell of the image, the cell its content comes from.
    sources: CellMap<Cell>,
    /// For each digit, by [`Digit::index`], what it becomes.
    labels: [Digit; 9],
}

impl Symmetry {
    /// Changes nothing.
    pub fn identity() -> Symmetry {
        Symmetry {
            sources: CellMap::from_fn(|cell| cell),
            labels: Digit::ALL,
        }
    }

    /// Swaps rows with columns where `transposed`, then permutes rows and columns, then relabels the digits.
    ///
    /// Row `i` of the image, from 0, is row `rows[i]` of the (transposed) original, column `i` is column `columns[i]`,
    /// and each digit becomes the one at its place in `labels`. Every symmetry can be written so, in one way. `None`
    /// unless both orders name each line once and keep the lines of a band or stack together, and the labels are nine
    /// different digits.
    pub fn new(
        transposed: bool,
        rows: [usize; 9],
        columns: [usize; 9],
        labels: [Digit; 9],
    ) -> Option<Symmetry> {
        let different: DigitSet = labels.into_iter().collect();
        if different != DigitSet::ALL || !keeps_thirds(&rows) || !keeps_thirds(&columns) {
            return None;
        }
        let sources = CellMap::from_fn(|cell| {
            let (row, column) = (rows[cell.row()], columns[cell.column()]);
            let source = match transposed {
                true => Cell::at(column, row),
                false => Cell::at(row, column),
            };
            source.expect("the orders hold 0 to 8")
        });
        Some(Symmetry { sources, labels })
    }

    /// Whether rows become columns.
    pub fn is_transposed(&self) -> bool {
        self.source(0, 0).row() != self.source(0, 1).row()
    }

    /// Returns the order of the rows, as [`Symmetry::new`] takes it.
    pub fn row_order(&self) -> [usize; 9] {
        let is_transposed = self.is_transposed();
        std::array::from_fn(|row| {
            let source = self.source(row, 0);
            match is_transposed {
                true => source.column(),
                false => source.row(),
            }
        })
    }

    /// Returns the order of the columns, as [`Symmetry::new`] takes it.
    pub fn column_order(&self) -> [usize; 9] {
        let is_transposed = self.is_transposed();
        std::array::from_fn(|column| {
            let source = self.source(0, column);
            match is_transposed {
                true => source.row(),
                false => source.column(),
            }
        })
    }

    /// Returns what each digit becomes, by [`Digit::index`].
    pub fn labels(&self) -> [Digit; 9] {
        self.labels
    }

    /// The cell that the content of this one comes from.
    fn source(&self, row: usize, column: usize) -> Cell {
        self.sources[Cell::at(row, column).expect("both are below nine")]
    }

    /// Each digit becomes the one at its place in `labels`, if those are nine different digits.
    pub fn relabel(labels: [Digit; 9]) -> Option<Symmetry> {
        let different: DigitSet = labels.into_iter().collect();
        (different == DigitSet::ALL).then_some(Symmetry {
            labels,
            ..Symmetry::identity()
        })
    }

    /// Row `i` of the image, from 0, is row `order[i]` of the original; `None` unless the order
    /// names each row once and keeps the rows of a band together.
    pub fn permute_rows(order: [usize; 9]) -> Option<Symmetry> {
        keeps_thirds(&order).then(|| Symmetry {
            sources: CellMap::from_fn(|cell| {
                Cell::at(order[cell.row()], cell.column()).expect("the order holds 0 to 8")
            }),
            ..Symmetry::identity()
        })
    }

    /// Column `i` of the image, from 0, is column `order[i]` of the original; `None` unless the
    /// order names each column once and keeps the columns of a stack together.
    pub fn permute_columns(order: [usize; 9]) -> Option<Symmetry> {
        let transpose = Symmetry::transpose();
        let rows = Symmetry::permute_rows(order)?;
        Some(transpose.then(&rows).then(&transpose))
    }

    /// Swaps rows with columns.
    pub fn transpose() -> Symmetry {
        Symmetry {
            sources: CellMap::from_fn(|cell| {
                Cell::at(cell.column(), cell.row()).expect("rows and columns are 0 to 8")
            }),
            labels: Digit::ALL,
        }
    }

    /// This symmetry, and the next one on its image.
    #[must_use]
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        Symmetry {
            sources: next.sources.map(|&cell| self.sources[cell]),
            labels: self.labels.map(|digit| next.labels[digit.index()]),
        }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Symmetry {
        let mut inverse = Symmetry::identity();
        for (image, &source) in self.sources.iter() {
            inverse.sources[source] = image;
        }
        for digit in Digit::ALL {
            inverse.labels[self.labels[digit.index()].index()] = digit;
        }
        inverse
    }

    /// The equivalent puzzle.
    pub fn puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        Puzzle::from_givens(self.sources.map(|&source| {
            let given = puzzle.given(source)?;
            Some(self.labels[given.index()])
        }))
    }

    /// Returns the equivalent puzzle as a line, with `.` for blanks.
    pub fn line(&self, line: &PuzzleLine) -> PuzzleLine {
        let mut images = [b'.'; 16];
        for (image, label) in images[1..].iter_mut().zip(&self.labels) {
            *image = label.to_ascii();
        }
        let bytes = line.as_bytes();
        PuzzleLine::of_cells(self.sources.map(|&source| {
            let byte = bytes[source.index()];
            let digit = if byte.is_ascii_digit() { byte & 15 } else { 0 };
            images[usize::from(digit)]
        }))
    }

    /// The image of a solution: it solves the image of every puzzle that the original solves.
    pub fn solution(&self, solution: &Solution) -> Solution {
        let image = self
            .sources
            .map(|&source| self.labels[solution.digit(source).index()]);
        Solution::new(image).expect("houses go to houses, and different digits stay different")
    }
}

/// Writes a symmetry as `r=210345678 c=012345678 d=213456789`, with a `t` before it where rows become columns: the
/// three orders that [`Symmetry::new`] takes.
impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_transposed() {
            f.write_str("t ")?;
        }
        f.write_str("r=")?;
        for row in self.row_order() {
            write!(f, "{row}")?;
        }
        f.write_str(" c=")?;
        for column in self.column_order() {
            write!(f, "{column}")?;
        }
        f.write_str(" d=")?;
        for label in self.labels {
            write!(f, "{label}")?;
        }
        Ok(())
    }
}

/// A text that is no symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSymmetryError;

impl fmt::Display for ParseSymmetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected a symmetry such as `t r=210345678 c=012345678 d=213456789`: orders of rows and columns from 0, \
             which keep bands and stacks together, and what each digit becomes; `t` where rows become columns",
        )
    }
}

impl std::error::Error for ParseSymmetryError {}

/// Reads what [`Symmetry`] writes.
impl FromStr for Symmetry {
    type Err = ParseSymmetryError;

    fn from_str(text: &str) -> Result<Symmetry, ParseSymmetryError> {
        parse(text).ok_or(ParseSymmetryError)
    }
}

fn parse(text: &str) -> Option<Symmetry> {
    let (transposed, text) = match text.strip_prefix("t ") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (rows, text) = nine(text.strip_prefix("r=")?)?;
    let (columns, text) = nine(text.strip_prefix(" c=")?)?;
    let (labels, text) = nine(text.strip_prefix(" d=")?)?;
    let mut digits = Digit::ALL;
    for (digit, label) in digits.iter_mut().zip(labels) {
        *digit = Digit::new(label)?;
    }
    let symmetry = Symmetry::new(
        transposed,
        rows.map(usize::from),
        columns.map(usize::from),
        digits,
    );
    symmetry.filter(|_| text.is_empty())
}

/// The nine decimal digits at the start of a text, and what follows them.
fn nine(text: &str) -> Option<([u8; 9], &str)> {
    let (digits, rest) = text.split_at_checked(9)?;
    let digits: [u8; 9] = digits.as_bytes().try_into().ok()?;
    let is_number = digits.iter().all(u8::is_ascii_digit);
    is_number.then_some((digits.map(|digit| digit - b'0'), rest))
}

/// Whether the order names 0 to 8 once each, and its thirds are those of 0 to 8.
fn keeps_thirds(order: &[usize; 9]) -> bool {
    let mut named = [false; 9];
    for &line in order {
        match named.get_mut(line) {
            Some(named) if !*named => *named = true,
            _ => return false,
        }
    }
    order
        .chunks(3)
        .all(|third| third.iter().all(|line| line / 3 == third[0] / 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_that_split_a_band_repeat_or_leave_the_board_are_refused() {
        assert!(Symmetry::permute_rows([2, 0, 1, 8, 6, 7, 3, 4, 5]).is_some());
        for order in [
            [0, 1, 3, 2, 4, 5, 6, 7, 8],
            [0, 0, 1, 3, 4, 5, 6, 7, 8],
            [0, 1, 9, 3, 4, 5, 6, 7, 8],
        ] {
            assert_eq!(Symmetry::permute_rows(order), None);
            assert_eq!(Symmetry::permute_columns(order), None);
        }
        assert_eq!(Symmetry::relabel([Digit::ALL[0]; 9]), None);
    }

    #[test]
    fn a_symmetry_is_read_as_it_is_written() {
        for text in [
            "r=012345678 c=012345678 d=123456789",
            "r=210345678 c=876210354 d=213456789",
            "t r=012345678 c=012345678 d=123456789",
            "t r=534012687 c=876210354 d=987654312",
        ] {
            let symmetry: Symmetry = text.parse().unwrap();
            assert_eq!(symmetry.to_string(), text);
            assert_eq!(symmetry.is_transposed(), text.starts_with('t'));
            let orders = (symmetry.row_order(), symmetry.column_order());
            let again = Symmetry::new(text.starts_with('t'), orders.0, orders.1, symmetry.labels());
            assert_eq!(again, Some(symmetry));
        }
        for text in [
            "",
            "t",
            "r=012345678 c=012345678",
            "r=012345678 c=012345678 d=123456788",
            "r=012345678 c=012345678 d=012345678",
            "r=013245678 c=012345678 d=123456789",
            "r=012345678 c=0123456789 d=123456789",
            "r=012345678 c=012345678 d=123456789 ",
            "T r=012345678 c=012345678 d=123456789",
            "r=0123é5678 c=012345678 d=123456789",
        ] {
            assert_eq!(text.parse::<Symmetry>(), Err(ParseSymmetryError), "{text}");
        }
    }

    #[test]
    fn orders_of_rows_and_columns_are_those_of_the_transposed_board() {
        let (rows, columns) = ([2, 0, 1, 3, 4, 5, 8, 7, 6], [3, 4, 5, 1, 0, 2, 6, 7, 8]);
        let mut labels = Digit::ALL;
        labels.swap(0, 7);
        let symmetry = Symmetry::new(true, rows, columns, labels).unwrap();
        let steps = Symmetry::transpose()
            .then(&Symmetry::permute_rows(rows).unwrap())
            .then(&Symmetry::permute_columns(columns).unwrap())
            .then(&Symmetry::relabel(labels).unwrap());
        assert_eq!(symmetry, steps);
        let line = PuzzleLine::new(std::array::from_fn(|i| b"12.3405*67_8-9"[i % 14])).unwrap();
        let image = symmetry.line(&line);
        assert_eq!(image, PuzzleLine::from(&symmetry.puzzle(&line.puzzle())));
        assert_eq!(symmetry.inverse().line(&image).puzzle(), line.puzzle());
    }

    #[test]
    fn rows_and_columns_come_from_where_the_order_says() {
        let mut puzzle = Puzzle::empty();
        puzzle.set(Cell::at(2, 4).unwrap(), Some(Digit::ALL[6]));
        let order = [2, 0, 1, 3, 4, 5, 6, 7, 8];
        let rows = Symmetry::permute_rows(order).unwrap().puzzle(&puzzle);
        assert_eq!(rows.given(Cell::at(0, 4).unwrap()), Some(Digit::ALL[6]));
        let turned = Symmetry::transpose().puzzle(&puzzle);
        assert_eq!(turned.given(Cell::at(4, 2).unwrap()), Some(Digit::ALL[6]));
        let columns = Symmetry::permute_columns(order).unwrap().puzzle(&turned);
        assert_eq!(columns, Symmetry::transpose().puzzle(&rows));
    }
}
