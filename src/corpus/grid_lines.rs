//! One puzzle in nine lines of nine cells, with or without lines drawn between the blocks.

use super::entry::BadLine;
use crate::grid::{Cell, Digit, Puzzle};

/// Cells in a row.
const ROW: usize = 9;

/// More characters than this are no row of a grid, nor a line drawn between rows.
const WIDEST: usize = 40;

/// A grid as far as it was read.
#[derive(Debug)]
pub(super) struct GridLines {
    /// The line of its first row.
    pub(super) first_line: u64,
    rows: usize,
    puzzle: Puzzle,
    bad: Option<(u64, BadLine)>,
    dash_is_a_line: bool,
}

/// What a line is to a grid.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A drawn line.
    Border,
    /// A row; blanks are `None`.
    Row([Option<Digit>; ROW]),
    /// Something that stands where a row should.
    BadRow(BadLine),
    /// Nothing of a grid.
    Other,
}

impl GridLines {
    pub(super) fn new(first_line: u64) -> GridLines {
        GridLines {
            first_line,
            rows: 0,
            puzzle: Puzzle::empty(),
            bad: None,
            dash_is_a_line: false,
        }
    }

    /// Whether an empty line may stand here, between two bands.
    pub(super) fn is_between_bands(&self) -> bool {
        self.rows == 3 || self.rows == 6
    }

    pub(super) fn is_complete(&self) -> bool {
        self.rows == ROW
    }

    /// Takes the next row.
    pub(super) fn push(&mut self, line: u64, part: Part, text: &[u8]) {
        match part {
            Part::Row(row) => {
                for (column, digit) in row.into_iter().enumerate() {
                    if let Some(cell) = Cell::at(self.rows, column) {
                        self.puzzle.set(cell, digit);
                    }
                }
                self.dash_is_a_line |= text.iter().any(|byte| b".0*_".contains(byte));
            }
            Part::BadRow(why) => {
                self.bad.get_or_insert((line, why));
            }
            Part::Border | Part::Other => return,
        }
        self.rows += 1;
    }

    /// The puzzle, or the first line that is wrong.
    pub(super) fn finish(self) -> Result<Puzzle, (u64, BadLine)> {
        match self.bad {
            Some(bad) => Err(bad),
            None if self.rows == ROW => Ok(self.puzzle),
            None => Err((self.first_line, BadLine::Rows { rows: self.rows })),
        }
    }
}

/// What this line is to the grid it may stand in, if one has begun.
pub(super) fn classify(line: &[u8], grid: Option<&GridLines>) -> Part {
    let text = String::from_utf8_lossy(line);
    let text = text.split('#').next().unwrap_or_default();
    let marks: Vec<(usize, char)> = text
        .chars()
        .enumerate()
        .filter(|&(_, character)| !is_separator(character))
        .collect();
    if marks.len() > WIDEST {
        return Part::Other;
    }
    if is_border(&marks, grid.is_some_and(|grid| grid.dash_is_a_line)) {
        return Part::Border;
    }
    let bad = marks
        .iter()
        .find(|(_, character)| !is_cell_char(*character));
    let cells = marks
        .iter()
        .filter(|(_, character)| is_cell_char(*character));
    // Outside of a grid only what looks much like a row may begin one.
    if grid.is_none() && (marks.len() != ROW || cells.count() <= ROW / 2) {
        return Part::Other;
    }
    if let Some(&(index, character)) = bad {
        return Part::BadRow(BadLine::Character {
            column: index + 1,
            character,
        });
    }
    match <[(usize, char); ROW]>::try_from(marks) {
        Ok(row) => Part::Row(row.map(|(_, character)| digit(character))),
        Err(marks) => Part::BadRow(BadLine::Length {
            expected: ROW,
            found: marks.len(),
        }),
    }
}

/// A line drawn with dashes and the like. Nine dashes are nine blanks, unless the grid writes its
/// blanks in another way.
fn is_border(marks: &[(usize, char)], dash_is_a_line: bool) -> bool {
    let mut drawn = marks.iter().map(|(_, character)| *character);
    if !drawn
        .clone()
        .all(|character| "-=+─━═*:.'_".contains(character))
    {
        return false;
    }
    let dashes = drawn.clone().filter(|&character| character == '-').count();
    marks.is_empty()
        || drawn.any(|character| "=+─━═".contains(character))
        || dashes >= 3 && (marks.len() != ROW || dashes == ROW && dash_is_a_line)
}

fn is_separator(character: char) -> bool {
    let box_drawing = ('\u{2500}'..='\u{257f}').contains(&character);
    character.is_whitespace() || character == '|' || box_drawing && !"─━═".contains(character)
}

fn is_cell_char(character: char) -> bool {
    u8::try_from(character).is_ok_and(Puzzle::is_cell)
}

fn digit(character: char) -> Option<Digit> {
    u8::try_from(character).ok().and_then(Digit::from_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_in_many_styles_are_recognized() {
        for line in [
            "*-----------*",
            "|---+---+---|",
            "------+-------+------",
            "-----------",
            "+===+===+===+",
            "├───┼───┼───┤",
            ".-----.-----.-----.",
            "||",
        ] {
            assert_eq!(classify(line.as_bytes(), None), Part::Border, "{line}");
        }
    }

    #[test]
    fn nine_dashes_are_blanks_or_a_border_depending_on_the_grid() {
        let blank = Part::Row([None; ROW]);
        assert_eq!(classify(b"---|---|---", None), blank);
        let mut grid = GridLines::new(1);
        let row = b"1..|...|..2";
        grid.push(1, classify(row, None), row);
        assert_eq!(classify(b"---|---|---", Some(&grid)), Part::Border);
    }

    #[test]
    fn a_border_has_at_most_forty_characters() {
        assert_eq!(classify(&b"-".repeat(WIDEST), None), Part::Border);
        for more in [1, 2, 60] {
            assert_eq!(classify(&b"-".repeat(WIDEST + more), None), Part::Other);
        }
    }

    #[test]
    fn words_do_not_start_a_grid_but_a_malformed_row_does() {
        assert_eq!(classify(b"Sudoku-1.", None), Part::Other);
        let expected = BadLine::Character {
            column: 7,
            character: 'x',
        };
        assert_eq!(classify(b"123|45x78", None), Part::Other);
        assert_eq!(classify(b"123|45x|789", None), Part::BadRow(expected));
    }
}
