//! What a corpus holds: puzzles, and lines that are none.

use std::fmt;
use std::io;
use std::sync::Arc;

use thiserror::Error;

use crate::grid::Puzzle;

/// A puzzle of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Where it starts.
    pub place: Place,
    /// Text after the puzzle on its line, without the `#` or comma that sets it off; else empty.
    pub note: String,
    /// The solution that the corpus gives, as written: it may be wrong.
    pub expected: Option<Puzzle>,
    /// Its line as it stands in the corpus, if [`Corpus::keep_rows`](super::Corpus::keep_rows) asked for it; of a
    /// puzzle on nine lines, its 81 cells.
    pub row: Option<Box<[u8]>>,
}

/// A line of a corpus; written `FILE:LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it; `<stdin>` for the standard input.
    pub file: Arc<str>,
    /// Line in the (decompressed) file, from 1.
    pub line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a table has no column of puzzles.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct NoColumn(pub(super) String);

/// Why something in a corpus is not an [`Entry`].
#[derive(Debug, Error)]
pub enum CorpusError {
    /// The file does not open, or is no file of puzzles.
    #[error("cannot read {file}: {source}")]
    Unreadable {
        /// The file as the user named it.
        file: Arc<str>,
        /// What the system says.
        source: io::Error,
    },
    /// The file opens, but not all of it can be read; every entry before this line was given.
    #[error("{place}: {why}; the lines before it are kept")]
    Broken {
        /// The first line that is lost.
        place: Place,
        /// What is wrong with the data.
        why: String,
    },
    /// A line that is not a puzzle; the lines after it are not affected.
    #[error("{place}: {why}")]
    BadLine {
        /// The line.
        place: Place,
        /// What is wrong with it.
        why: BadLine,
    },
}

impl CorpusError {
    /// Whether it is about one line, and not about a whole file.
    pub fn is_of_line(&self) -> bool {
        matches!(self, CorpusError::BadLine { .. })
    }

    /// Whether it is about a table of which it is not known which column has the puzzles.
    pub fn lacks_column(&self) -> bool {
        match self {
            CorpusError::Unreadable { source, .. } => {
                let why = source.get_ref();
                why.is_some_and(|why| why.is::<NoColumn>())
            }
            CorpusError::Broken { .. } | CorpusError::BadLine { .. } => false,
        }
    }
}

/// Why a line is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadLine {
    /// Too few or too many cells.
    #[error("expected {expected} cells, found {found}")]
    Length {
        /// 81, or 9 for a row of a grid.
        expected: usize,
        /// Cells on the line.
        found: usize,
    },
    /// A character that is neither a digit nor a blank.
    #[error("column {column}: {} is neither a digit nor a blank", shown(*character))]
    Character {
        /// Place on the line, in characters from 1.
        column: usize,
        /// What stands there.
        character: char,
    },
    /// A grid that ends before its ninth row.
    #[error("expected a grid of 9 rows, found {rows}")]
    Rows {
        /// Rows found.
        rows: usize,
    },
    /// A table row without the field that holds the puzzle.
    #[error("expected a puzzle in field {field} of the row, found {found} fields")]
    Field {
        /// Field of the puzzle, from 1.
        field: usize,
        /// Fields of the row.
        found: usize,
    },
    /// A solution that cannot be read, beside a puzzle that can.
    #[error("in the solution, {0}")]
    Solution(Box<BadLine>),
    /// A puzzle of another board, among classic ones.
    #[error(
        "the line has {rules}, and this file is read as classic puzzles, as the first one is: put boards with \
         other rules into a file of their own"
    )]
    OtherRules {
        /// What makes it another board.
        rules: &'static str,
    },
    /// A line longer than any puzzle with its note.
    #[error("the line is longer than {limit} bytes")]
    TooLong {
        /// The longest line that is read.
        limit: usize,
    },
}

/// A character in quotes; invisible ones escaped.
fn shown(character: char) -> String {
    match character {
        char::REPLACEMENT_CHARACTER => "a byte that is not UTF-8 text".to_owned(),
        _ => format!("{character:?}"),
    }
}
