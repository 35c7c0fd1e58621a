//! CSV: a header that names the puzzle's column, then a row a puzzle.

use std::borrow::Cow;

use super::entry::BadLine;
use super::line;
use crate::grid::Puzzle;

/// Where a table keeps what we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table {
    separator: u8,
    puzzle: usize,
    solution: Option<usize>,
}

/// A field of a row: its text, and the byte of the row where that starts.
struct Field<'a> {
    text: Cow<'a, [u8]>,
    start: usize,
}

impl Table {
    /// The table that this header announces, if it is one: a column `puzzle` or `quizzes`, and
    /// perhaps `solution` or `solutions`, in any case, separated by commas, semicolons or tabs.
    pub(super) fn from_header(header: &[u8]) -> Option<Table> {
        b",;\t".iter().find_map(|&separator| {
            let fields: Vec<String> = fields(header, separator)
                .map(|field| String::from_utf8_lossy(&field.text).trim().to_lowercase())
                .collect();
            let place = |names: &[&str]| {
                fields
                    .iter()
                    .position(|field| names.contains(&field.as_str()))
            };
            Some(Table {
                separator,
                puzzle: place(&["puzzle", "puzzles", "quiz", "quizzes"])?,
                solution: place(&["solution", "solutions"]),
            })
        })
    }

    /// The puzzle of a row and the solution it gives.
    pub(super) fn row(&self, row: &[u8]) -> Result<(Puzzle, Option<Puzzle>), BadLine> {
        let fields: Vec<Field<'_>> = fields(row, self.separator).collect();
        let puzzle = fields.get(self.puzzle).ok_or(BadLine::Field {
            field: self.puzzle + 1,
            found: fields.len(),
        })?;
        let puzzle = board(row, puzzle)?;
        let solution = self
            .solution
            .and_then(|place| fields.get(place))
            .filter(|field| !field.text.trim_ascii().is_empty())
            .map(|field| board(row, field).map_err(|why| BadLine::Solution(Box::new(why))))
            .transpose()?;
        Ok((puzzle, solution))
    }
}

/// The board that a field holds and nothing else.
fn board(row: &[u8], field: &Field<'_>) -> Result<Puzzle, BadLine> {
    let text = field.text.trim_ascii_end();
    let indent = text.len() - text.trim_ascii_start().len();
    let (board, end) = line::parse(text, indent).map_err(|why| shifted(why, row, field.start))?;
    if end < text.len() {
        return Err(line::character(row, field.start + end));
    }
    Ok(board)
}

/// The same complaint, its column counted from the start of the row.
fn shifted(why: BadLine, row: &[u8], start: usize) -> BadLine {
    match why {
        BadLine::Character { column, character } => BadLine::Character {
            column: column + String::from_utf8_lossy(&row[..start]).chars().count(),
            character,
        },
        why => why,
    }
}

/// Splits a row; a field may stand in double quotes, and two of them in it mean one (RFC 4180). A
/// field does not go on in the next line.
fn fields(row: &[u8], separator: u8) -> impl Iterator<Item = Field<'_>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let rest = &row[start..];
        let quoted = rest.first() == Some(&b'"');
        let mut inside = false;
        let length = rest
            .iter()
            .position(|&byte| {
                inside ^= quoted && byte == b'"';
                byte == separator && !inside
            })
            .unwrap_or(rest.len());
        next = (length < rest.len()).then_some(start + length + 1);
        let text = &rest[..length];
        Some(if quoted {
            let text = text[1..].strip_suffix(b"\"").unwrap_or(&text[1..]);
            Field {
                text: unquoted(text),
                start: start + 1,
            }
        } else {
            Field {
                text: Cow::Borrowed(text),
                start,
            }
        })
    })
}

fn unquoted(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'"') {
        return Cow::Borrowed(text);
    }
    let text = String::from_utf8_lossy(text).replace("\"\"", "\"");
    Cow::Owned(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_their_columns_in_many_ways() {
        let table = |separator, puzzle, solution| Table {
            separator,
            puzzle,
            solution,
        };
        for (header, expected) in [
            ("quizzes,solutions", Some(table(b',', 0, Some(1)))),
            ("id,Puzzle,note", Some(table(b',', 1, None))),
            ("\"solution\";\"puzzle\"", Some(table(b';', 1, Some(0)))),
            ("puzzle", Some(table(b',', 0, None))),
            ("puzzled,solved", None),
            ("", None),
        ] {
            assert_eq!(Table::from_header(header.as_bytes()), expected, "{header}");
        }
    }

    #[test]
    fn quotes_hold_separators_and_quotes() {
        let row = b"a,\"b,\"\"c\"\"\",,\"d\"";
        let texts: Vec<String> = fields(row, b',')
            .map(|field| String::from_utf8_lossy(&field.text).into_owned())
            .collect();
        assert_eq!(texts, ["a", "b,\"c\"", "", "d"]);
    }
}
