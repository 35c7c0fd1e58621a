//! Boards that stand row by row, a line each, as in `.sdk` files: of every side but 9, which is the classic board.

use super::layout::LEAST_SIDE;
use super::value::MOST_SIDE;
use super::written::{is_cell, side_of};

/// The number of cells of a line, if it may be a row of a board: cells and nothing else, as many as a side.
pub(super) fn row_length(line: &str) -> Option<usize> {
    let is_side = (LEAST_SIDE..=MOST_SIDE).contains(&line.len()) && line.len() != 9;
    let is_told = |character: char| character.is_ascii_digit() || character == '.';
    (is_side && line.chars().all(is_cell) && line.contains(is_told)).then_some(line.len())
}

/// Whether lines of so many cells are boards by themselves: 16 cells are one of 4x4.
pub(super) fn is_board(length: usize) -> bool {
    side_of(length).is_some()
}

/// Whether a row has a value that a board of as many cells does not have.
fn exceeds(row: &str) -> bool {
    let side = side_of(row.len()).unwrap_or(0);
    let rank = |character: char| match character.to_digit(10) {
        Some(digit) => digit as usize,
        None if character.is_ascii_alphabetic() => character.to_ascii_uppercase() as usize - 64,
        None => 0,
    };
    row.chars().any(|character| rank(character) > side)
}

/// Rows that may become a board.
#[derive(Debug, Default)]
pub(super) struct RowBlock {
    /// Each with the number of its line.
    rows: Vec<(u64, String)>,
}

impl RowBlock {
    /// Takes the next row, if it belongs to the rows before it, or may be the first one.
    pub(super) fn take(&mut self, number: u64, line: &str) -> bool {
        let is_row = match (row_length(line), self.rows.first()) {
            (None, _) => false,
            (Some(length), Some((_, first))) => first.len() == length,
            (Some(length), None) => !is_board(length) || exceeds(line),
        };
        if is_row {
            self.rows.push((number, line.to_owned()));
        }
        is_row
    }

    /// Whether no row has come.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether there are as many rows as columns.
    pub(super) fn is_complete(&self) -> bool {
        let first = self.rows.first();
        first.is_some_and(|(_, first)| self.rows.len() == first.len())
    }

    /// Returns the board as a line with the number of its first one, or else each row as the line that it then is. Rows
    /// that might be boards are taken for those unless half of them have values that these do not have.
    pub(super) fn finish(&mut self) -> Vec<(u64, String)> {
        let is_square = self.is_complete();
        let rows = std::mem::take(&mut self.rows);
        let exceeding = rows.iter().filter(|(_, row)| exceeds(row)).count();
        let is_grid = |first: &String| !is_board(first.len()) || 2 * exceeding >= rows.len();
        match rows.first() {
            Some((number, first)) if is_square && is_grid(first) => {
                vec![(*number, rows.iter().map(|(_, row)| row.as_str()).collect())]
            }
            _ => rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(lines: &[&str]) -> Vec<(u64, String)> {
        let mut block = RowBlock::default();
        let mut found = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            if !block.take(number as u64, line) {
                found.extend(block.finish());
                found.push((number as u64, (*line).to_owned()));
            } else if block.is_complete() {
                found.extend(block.finish());
            }
        }
        found.extend(block.finish());
        found
    }

    #[test]
    fn rows_form_a_board_if_they_are_as_many_as_columns() {
        let six = ["1.3456", "45.123", "23.564", "5.4231", "312.45", "6.5312"];
        assert_eq!(boards(&six), [(0, six.concat())]);
        let too_few: Vec<(u64, String)> = (0..5).map(|at| (at, six[at as usize].into())).collect();
        assert_eq!(boards(&six[..5]), too_few);
        let twice = [six, six].concat();
        assert_eq!(boards(&twice), [(0, six.concat()), (6, six.concat())]);
    }

    #[test]
    fn lines_that_are_boards_stay_boards() {
        let small = ["1...2...3...4..."; 16];
        assert_eq!(boards(&small).len(), 16);
        // One of them has a wrong value.
        let mut typed = small;
        typed[0] = "15..2...3...4...";
        assert_eq!(boards(&typed).len(), 16);
        let large = ["1..G....7...C..."; 16];
        assert_eq!(boards(&large), [(0, large.concat())]);
        assert_eq!(boards(&["what", "5X......1"]).len(), 2);
    }
}
