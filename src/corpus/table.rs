//! CSV: a header that names the puzzle's column, then a row a puzzle.

use csv_core::{ReadFieldResult, ReaderBuilder};

use super::entry::BadLine;
use super::line;
use super::other_rules::rules_of_field;
use crate::grid::Puzzle;

/// Where a table keeps what we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    separator: u8,
    puzzle: usize,
    solution: Option<usize>,
}

/// The header of a table: the names of its columns, and what stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    header: Box<[u8]>,
    separator: u8,
    names: Vec<String>,
}

impl Columns {
    /// Returns the line of the header, as it stands in the file.
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// Returns the place of a column, in any case of its letters.
    pub fn place(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        self.names.iter().position(|known| *known == name)
    }

    /// Returns the names of the columns, in small letters.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the text of a row's field; `None` where the row ends before it.
    pub fn field(&self, row: &[u8], place: usize) -> Option<String> {
        let field = fields(row, self.separator).into_iter().nth(place)?;
        Some(String::from_utf8_lossy(&field.text).trim().to_owned())
    }
}

/// A field of a row: its text, and the byte of the row where that starts.
struct Field {
    text: Vec<u8>,
    start: usize,
}

impl Table {
    /// The table that this header announces, if it is one: a column `puzzle` or `quizzes`, and
    /// perhaps `solution` or `solutions`, in any case, separated by commas, semicolons or tabs.
    pub(crate) fn from_header(header: &[u8]) -> Option<Table> {
        b",;\t".iter().find_map(|&separator| {
            let fields = names(header, separator);
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

    /// The header of this table in full.
    pub(super) fn columns(&self, header: &[u8]) -> Columns {
        Columns {
            header: header.into(),
            separator: self.separator,
            names: names(header, self.separator),
        }
    }

    /// The text of a row's puzzle, and those of its other fields in their order.
    pub(crate) fn texts(&self, row: &[u8]) -> Result<(String, Vec<String>), BadLine> {
        let fields = fields(row, self.separator);
        let found = fields.len();
        let mut texts: Vec<String> = fields
            .iter()
            .map(|field| String::from_utf8_lossy(&field.text).trim().to_owned())
            .collect();
        if self.puzzle < found {
            let puzzle = texts.remove(self.puzzle);
            Ok((puzzle, texts))
        } else {
            let field = self.puzzle + 1;
            Err(BadLine::Field { field, found })
        }
    }

    /// The puzzle of a row and the solution it gives.
    pub(super) fn row(&self, row: &[u8]) -> Result<(Puzzle, Option<Puzzle>), BadLine> {
        let fields = fields(row, self.separator);
        let puzzle = fields.get(self.puzzle).ok_or(BadLine::Field {
            field: self.puzzle + 1,
            found: fields.len(),
        })?;
        let puzzle = board(row, puzzle)?;
        let others = (fields.iter().enumerate())
            .filter(|(place, _)| *place != self.puzzle && Some(*place) != self.solution);
        for (_, field) in others {
            if let Some(rules) = rules_of_field(field.text.trim_ascii()) {
                return Err(BadLine::OtherRules { rules });
            }
        }
        let solution = self
            .solution
            .and_then(|place| fields.get(place))
            .filter(|field| !field.text.trim_ascii().is_empty())
            .map(|field| board(row, field).map_err(|why| BadLine::Solution(Box::new(why))))
            .transpose()?;
        Ok((puzzle, solution))
    }
}

/// The names of the columns that a header has, in small letters.
fn names(header: &[u8], separator: u8) -> Vec<String> {
    fields(header, separator)
        .iter()
        .map(|field| String::from_utf8_lossy(&field.text).trim().to_lowercase())
        .collect()
}

/// The board that a field holds and nothing else.
fn board(row: &[u8], field: &Field) -> Result<Puzzle, BadLine> {
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
fn fields(row: &[u8], separator: u8) -> Vec<Field> {
    let mut reader = ReaderBuilder::new().delimiter(separator).build();
    let mut fields = Vec::new();
    let mut output = vec![0; row.len()];
    let (mut start, mut read, mut written) = (0, 0, 0);
    loop {
        // At the end of the row the rest is empty, which ends the last field.
        let (result, more_read, more_written) =
            reader.read_field(&row[read..], &mut output[written..]);
        read += more_read;
        written += more_written;
        match result {
            ReadFieldResult::InputEmpty => {}
            ReadFieldResult::Field { record_end } => {
                let is_quoted = row.get(start) == Some(&b'"');
                fields.push(Field {
                    text: output[..written].to_vec(),
                    start: start + usize::from(is_quoted),
                });
                if record_end {
                    return fields;
                }
                (start, written) = (read, 0);
            }
            ReadFieldResult::OutputFull | ReadFieldResult::End => return fields,
        }
    }
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
        let fields = fields(row, b',');
        let texts: Vec<_> = fields.iter().map(|field| &field.text[..]).collect();
        assert_eq!(texts, [&b"a"[..], b"b,\"c\"", b"", b"d"]);
        let starts: Vec<_> = fields.iter().map(|field| field.start).collect();
        assert_eq!(starts, [0, 3, 12, 14]);
    }
}
