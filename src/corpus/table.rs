//! CSV: a header that names the puzzle's column, then a row a puzzle.

use std::io;

use csv_core::{ReadFieldResult, ReaderBuilder};

use super::entry::{BadLine, NoColumn};
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

    /// Whether a line has as many fields as the header.
    pub(super) fn fit(&self, line: &[u8]) -> bool {
        fields(line, self.separator).len() == self.names.len()
    }

    /// Why a file with these columns is not read.
    pub(crate) fn refusal(&self, wanted: Option<&str>) -> io::Error {
        let found = self.names.join(", ");
        let why = match wanted {
            Some(wanted) => format!(
                "there is no column `{wanted}`, which --puzzle-column names; its columns are {found}"
            ),
            None => format!(
                "none of its columns ({found}) is known to hold puzzles; name the one that does with \
                 --puzzle-column"
            ),
        };
        io::Error::new(io::ErrorKind::InvalidData, NoColumn(why))
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

/// Names of columns that hold puzzles, the surest first; those of a single column may as well be the title of a grid.
const PUZZLE_NAMES: [&str; 14] = [
    "puzzle",
    "puzzles",
    "quiz",
    "quizzes",
    "question",
    "questions",
    "sudoku",
    "sudokus",
    "problem",
    "unsolved",
    "board",
    "grid",
    "clues",
    "givens",
];
/// How many of them are taken for the name of a single column, too.
const SURE_NAMES: usize = 4;
/// Not `solved`, which in what `rate` writes says whether logic was enough.
const SOLUTION_NAMES: [&str; 4] = ["solution", "solutions", "answer", "answers"];
/// Longer names are no names, but notes or puzzles.
const LONGEST_NAME: usize = 40;

/// What the first line of a text is.
pub(crate) enum Header {
    /// The header of a table with puzzles.
    Table(Table),
    /// What looks like a header, but has no column that is known to hold puzzles.
    Foreign(Columns),
    /// A line of text.
    None,
}

impl Header {
    /// Looks at the first line. A table has a column `wanted` or, where none is wanted, one of the usual names
    /// of a column of puzzles, and perhaps one of solutions; in any case, separated by commas, semicolons or tabs.
    pub(crate) fn of(line: &[u8], wanted: Option<&str>) -> Header {
        let tables = |separator| Some((separator, names(line, separator)));
        let mut tables = b",;\t".iter().copied().filter_map(tables);
        let wanted = wanted.map(str::to_lowercase);
        let found = tables.clone().find_map(|(separator, names)| {
            let place = |known: &[&str]| {
                let mut known = known.iter();
                known.find_map(|known| names.iter().position(|name| name == known))
            };
            let known = if names.len() == 1 {
                &PUZZLE_NAMES[..SURE_NAMES]
            } else {
                &PUZZLE_NAMES
            };
            let puzzle = match &wanted {
                Some(name) => place(&[name]),
                None => place(known),
            }?;
            Some(Table {
                separator,
                puzzle,
                solution: place(&SOLUTION_NAMES).filter(|solution| *solution != puzzle),
            })
        });
        if let Some(table) = found {
            return Header::Table(table);
        }
        let is_header =
            |names: &[String]| names.len() > 1 && names.iter().all(|name| is_name(name));
        match tables.find(|(_, names)| is_header(names)) {
            Some((separator, names)) => Header::Foreign(Columns {
                header: line.into(),
                separator,
                names,
            }),
            None => Header::None,
        }
    }
}

/// Whether a text may be the name of a column: short, and in words.
fn is_name(text: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || " _-()/%#".contains(it);
    text.len() <= LONGEST_NAME
        && text.chars().next().is_some_and(char::is_alphabetic)
        && text.chars().all(is_part)
}

impl Table {
    /// The header of this table in full.
    pub(crate) fn columns(&self, header: &[u8]) -> Columns {
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

    fn table(header: &str, wanted: Option<&str>) -> Option<(u8, usize, Option<usize>)> {
        match Header::of(header.as_bytes(), wanted) {
            Header::Table(table) => Some((table.separator, table.puzzle, table.solution)),
            _ => None,
        }
    }

    #[test]
    fn column_names_are_recognized_in_many_spellings() {
        for (header, expected) in [
            ("quizzes,solutions", Some((b',', 0, Some(1)))),
            ("id,Puzzle,note", Some((b',', 1, None))),
            ("\"solution\";\"puzzle\"", Some((b';', 1, Some(0)))),
            ("puzzle", Some((b',', 0, None))),
            ("source,question,answer,rating", Some((b',', 1, Some(2)))),
            ("id,sudoku,answers", Some((b',', 1, Some(2)))),
            ("puzzle,givens,solved", Some((b',', 0, None))),
            ("clues,puzzle,givens", Some((b',', 1, None))),
            ("Board\tSolution", Some((b'\t', 0, Some(1)))),
            ("sudoku", None),
            ("puzzled,solved", None),
            ("answer,solution", None),
            ("", None),
        ] {
            assert_eq!(table(header, None), expected, "{header}");
        }
    }

    #[test]
    fn only_the_requested_column_is_used() {
        let header = "puzzle,Start position,solution";
        assert_eq!(
            table(header, Some("start position")),
            Some((b',', 1, Some(2)))
        );
        assert_eq!(table(header, Some("solution")), Some((b',', 2, None)));
        assert_eq!(table(header, Some("quiz")), None);
        assert_eq!(table("mine", Some("mine")), Some((b',', 0, None)));
    }

    #[test]
    fn only_rows_of_names_count_as_unknown_headers() {
        let is_foreign =
            |line: &str| matches!(Header::of(line.as_bytes(), None), Header::Foreign(_));
        assert!(is_foreign("id,start,end (solved)"));
        let long = "a".repeat(LONGEST_NAME);
        assert!(is_foreign(&format!("{long},b")));
        assert!(!is_foreign(&format!("{long}a,b")));
        let boards = [
            "AB..............,easy",
            "1...,easy",
            "title",
            "[Puzzle],a",
            "",
        ];
        for line in boards {
            assert!(!is_foreign(line), "{line}");
        }
    }

    #[test]
    fn a_row_is_its_puzzle_and_the_rest() {
        let Header::Table(table) = Header::of(b"id,puzzle,note", None) else {
            panic!("no table");
        };
        let texts = |row: &str| table.texts(row.as_bytes());
        let whole = Ok(("12".to_owned(), vec!["7".to_owned(), "a,b".to_owned()]));
        assert_eq!(texts("7, 12 ,\"a,b\""), whole);
        assert_eq!(texts("7,12"), Ok(("12".to_owned(), vec!["7".to_owned()])));
        assert_eq!(texts("7"), Err(BadLine::Field { field: 2, found: 1 }));
    }

    #[test]
    fn quoted_fields_may_contain_separators_and_quotes() {
        let row = b"a,\"b,\"\"c\"\"\",,\"d\"";
        let fields = fields(row, b',');
        let texts: Vec<_> = fields.iter().map(|field| &field.text[..]).collect();
        assert_eq!(texts, [&b"a"[..], b"b,\"c\"", b"", b"d"]);
        let starts: Vec<_> = fields.iter().map(|field| field.start).collect();
        assert_eq!(starts, [0, 3, 12, 14]);
    }
}
