//! Cages as text: `9=r1c1,r1c2,r2c1 8=r1c3,r2c3`.

use super::error::FormatError;
use super::layout::{Cage, Layout, LayoutError};
use super::value::MOST_SIDE;

/// A cage whose cells are rows and columns from 0: those of a text that does not tell the side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlacedCage {
    pub(super) sum: u32,
    pub(super) cells: Vec<(usize, usize)>,
}

impl PlacedCage {
    /// The cage on a board of this side.
    pub(super) fn on(&self, side: usize) -> Result<Cage, FormatError> {
        let cell = |&(row, column): &(usize, usize)| {
            let is_inside = row < side && column < side;
            is_inside.then_some(row * side + column)
        };
        let cells: Option<Vec<usize>> = self.cells.iter().map(cell).collect();
        Ok(Cage {
            sum: self.sum,
            cells: cells.ok_or(LayoutError::CageOutside)?,
        })
    }
}

/// The side of the smallest board that has all these cells.
pub(super) fn least_side(cages: &[PlacedCage]) -> usize {
    let cells = cages.iter().flat_map(|cage| &cage.cells);
    cells
        .map(|(row, column)| row.max(column) + 1)
        .max()
        .unwrap_or(0)
}

/// Whether a text looks like cages: a number, then `=r`.
pub(super) fn is_start(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && (rest.starts_with("=r") || rest.starts_with("=R"))
}

/// Where the words end that are cages, in a text that begins with them.
pub(super) fn end(text: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    for word in text.split([' ', ';']) {
        if !word.is_empty() {
            if !is_start(word) {
                break;
            }
            end = at + word.len();
        }
        at += word.len() + 1;
    }
    end
}

/// The cages of a text that stands after so many characters of its line.
pub(super) fn parse(text: &str, column: usize) -> Result<Vec<PlacedCage>, FormatError> {
    let mut cages = Vec::new();
    let mut at = column;
    for word in text.split([' ', ';']) {
        if !word.is_empty() {
            cages.push(cage(word).map_err(|(index, expected)| FormatError::Part {
                what: "the cages",
                column: at + word[..index].chars().count() + 1,
                expected,
            })?);
        }
        at += word.chars().count() + 1;
    }
    Ok(cages)
}

/// The cage of a word, or the byte where it goes wrong and what should stand there.
fn cage(word: &str) -> Result<PlacedCage, (usize, &'static str)> {
    const SUM: &str = "a sum and then cells, as in 9=r1c1,r1c2";
    const CELL: &str = "a cell, as in r1c2";
    let Some((sum, cells)) = word.split_once('=') else {
        return Err((0, SUM));
    };
    let sum_of = sum.parse().ok().filter(|_| sum.len() <= 4);
    let mut cage = PlacedCage {
        sum: sum_of.ok_or((0, SUM))?,
        cells: Vec::new(),
    };
    let mut at = sum.len() + 1;
    for text in cells.split(',') {
        cage.cells.push(cell(text).ok_or((at, CELL))?);
        at += text.len() + 1;
    }
    Ok(cage)
}

/// The row and the column, from 0, of `r1c2`.
fn cell(text: &str) -> Option<(usize, usize)> {
    let (row, column) = text.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
    let number = |text: &str| {
        let is_number = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text
            .parse()
            .ok()
            .filter(|number| (1..=MOST_SIDE).contains(number));
        number.filter(|_| is_number).map(|number| number - 1)
    };
    Some((number(row)?, number(column)?))
}

/// The cages of a layout as text.
pub(super) fn write(layout: &Layout) -> String {
    let side = layout.side();
    let cage = |cage: &Cage| {
        let cell = |cell: &usize| format!("r{}c{}", cell / side + 1, cell % side + 1);
        let cells: Vec<String> = cage.cells.iter().map(cell).collect();
        format!("{}={}", cage.sum, cells.join(","))
    };
    let cages: Vec<String> = layout.cages().iter().map(cage).collect();
    cages.join(" ")
}
