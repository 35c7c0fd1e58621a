//! The puzzles that an argument is or names.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use sudoku_batch::corpus::{Corpus, CorpusError, Entry};
use sudoku_batch::grid::{ParsePencilMarksError, PencilMarks};
use sudoku_batch::logic::Position;
use sudoku_batch::variant::{Reading, VariantCorpus, is_variant};

use super::corpora::COLUMN;
use super::error::CliError;

const FORMATS: &str = "PUZZLE is 81 characters (blanks . 0 * _ or -), or 16 (4x4) to 1,296 (36x36), 729 characters of \
                       pencil marks, a game id such as 3x3:…, a file of puzzles, or - for stdin";

/// No pencil marks are longer.
const LONGEST_MARKS: u64 = 1 << 13;

/// What an argument holds.
pub(crate) enum Puzzles {
    One(Position),
    /// Two or more lines, bad ones among them.
    Many(Box<dyn Iterator<Item = Result<Entry, CorpusError>> + Send>),
    /// Boards of other sizes and shapes.
    Other(Box<VariantCorpus>),
}

/// Opens what this argument is or names. Where a reading is given it is not of classic boards.
pub(crate) fn open(
    argument: &str,
    reading: Option<Reading>,
    column: Option<&str>,
) -> Result<Puzzles, CliError> {
    let path = Path::new(argument);
    let (name, reader): (_, io::Result<Box<dyn Read + Send>>) = if argument == "-" {
        ("<stdin>", Ok(Box::new(io::stdin())))
    } else if path.exists() {
        let file = File::open(path);
        (
            argument,
            file.map(|file| Box::new(file) as Box<dyn Read + Send>),
        )
    } else {
        let text = Cursor::new(argument.as_bytes().to_owned());
        ("<argument>", Ok(Box::new(text)))
    };
    let hint = if name == "<argument>" && argument.len() < 81 {
        format!("there is no file {argument:?}; {FORMATS}")
    } else {
        FORMATS.to_owned()
    };
    let cannot_read = |error| CliError::new(format!("cannot read {name}: {error}"));
    let mut reader = reader.map_err(cannot_read)?;
    let mut head = Vec::new();
    let begun = reader.by_ref().take(LONGEST_MARKS).read_to_end(&mut head);
    begun.map_err(cannot_read)?;
    if reading.is_none()
        && let Ok(marks) = std::str::from_utf8(&head).map(str::parse::<PencilMarks>)
    {
        match marks {
            Ok(marks) => return Ok(Puzzles::One(Position::Marks(marks))),
            // Nine puzzles of 81 characters are as long.
            Err(error @ ParsePencilMarksError::Character { .. })
                if !head.trim_ascii().contains(&b'\n') =>
            {
                return Err(CliError::with_hint(format!("{name}: {error}"), hint));
            }
            Err(_) => {}
        }
    }
    if reading.is_some() || is_variant(&head, column) {
        let reader = Cursor::new(head).chain(reader);
        let lines = VariantCorpus::from_reader(name, reader, reading.unwrap_or_default());
        let mut lines = lines.map_err(CliError::new)?;
        lines.take_column(column);
        return Ok(Puzzles::Other(Box::new(lines)));
    }
    let corpus = Corpus::from_reader(name, Cursor::new(head).chain(reader));
    let mut corpus = corpus.map_err(CliError::new)?;
    corpus.take_column(column);
    puzzles(name, &hint, corpus)
}

fn puzzles(name: &str, hint: &str, mut corpus: Corpus) -> Result<Puzzles, CliError> {
    let wrong = |error| CliError::with_hint(error, hint);
    let first = corpus.next();
    let first = first.ok_or_else(|| wrong(format!("no puzzle in {name}")))?;
    match (first, corpus.next()) {
        (Ok(entry), None) => Ok(Puzzles::One(Position::Puzzle(entry.puzzle))),
        (Err(error), None) if error.lacks_column() => Err(CliError::with_hint(error, COLUMN)),
        (Err(error), None) => Err(wrong(error.to_string())),
        (first, Some(second)) => Ok(Puzzles::Many(Box::new(
            [first, second].into_iter().chain(corpus),
        ))),
    }
}
