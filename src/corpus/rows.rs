//! Corpora whose lines are to be written again: each entry with its row, under one header.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::corpora::{Corpora, Files};
use super::entry::{CorpusError, Place};
use super::reader::Corpus;
use super::table::Columns;
use crate::grid::Puzzle;

/// A puzzle, and the line that it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<P = Puzzle> {
    /// The puzzle.
    pub puzzle: P,
    /// Where it stands.
    pub place: Place,
    /// The line without its end, with all of its columns or its note.
    pub text: Box<[u8]>,
}

/// A file of puzzles of one kind of board, read row by row.
pub trait RowFile: Sized + Send + 'static {
    /// A puzzle.
    type Puzzle: Send + Sync + 'static;
    /// Why something in the file is not a row.
    type Error: From<CorpusError> + std::error::Error + Send + Sync + 'static;

    /// Keeps the text of each row. Called before anything is read.
    fn keep_rows(&mut self);

    /// Reads the next row.
    fn next_row(&mut self) -> Option<Result<Row<Self::Puzzle>, Self::Error>>;

    /// Returns the columns of a table, once its first row is read; `None` for text.
    fn columns(&self) -> Option<&Columns>;

    /// Returns the name of the file in [`Place`].
    fn file(&self) -> Arc<str>;

    /// Returns the error of an error that any corpus may have.
    fn corpus_error(error: &Self::Error) -> Option<&CorpusError>;

    /// Returns whether an error is about one line, and not about the whole file.
    fn is_of_line(error: &Self::Error) -> bool {
        Self::corpus_error(error).is_none_or(CorpusError::is_of_line)
    }
}

impl RowFile for Corpus {
    type Puzzle = Puzzle;
    type Error = CorpusError;

    fn keep_rows(&mut self) {
        Corpus::keep_rows(self);
    }

    fn next_row(&mut self) -> Option<Result<Row, CorpusError>> {
        let entry = self.next()?;
        Some(entry.map(|entry| {
            Row {
                text: entry
                    .row
                    .unwrap_or_else(|| entry.puzzle.to_line().into_bytes().into()),
                puzzle: entry.puzzle,
                place: entry.place,
            }
        }))
    }

    fn columns(&self) -> Option<&Columns> {
        Corpus::columns(self)
    }

    fn file(&self) -> Arc<str> {
        Corpus::file(self)
    }

    fn corpus_error(error: &CorpusError) -> Option<&CorpusError> {
        Some(error)
    }
}

/// The rows of several files, in the order of the files. All of them have the columns of the first one, or none;
/// a file that has others is an error, and its rows are left out.
pub struct Rows<F: RowFile = Corpus> {
    files: Files<F>,
    columns: Option<Columns>,
    current: Option<F>,
    /// What was read to get at the header.
    first: Option<Result<Row<F::Puzzle>, F::Error>>,
}

impl Rows {
    /// Opens the first file of classic puzzles, and reads to its first puzzle; `-` is the standard input.
    ///
    /// # Errors
    /// What stops it from being read.
    pub fn open(paths: Vec<PathBuf>) -> Result<Rows, CorpusError> {
        Rows::new(Corpora::new(paths))
    }

    /// The rows of corpora of which nothing is read yet.
    ///
    /// # Errors
    /// As [`Rows::open`].
    pub fn new(corpora: Corpora) -> Result<Rows, CorpusError> {
        Rows::of(corpora.into_files())
    }
}

impl<F: RowFile> Rows<F> {
    /// The rows of files of which nothing is read yet.
    ///
    /// # Errors
    /// As [`Rows::open`].
    pub fn of(files: Files<F>) -> Result<Rows<F>, CorpusError> {
        let mut rows = Rows {
            files,
            columns: None,
            current: None,
            first: None,
        };
        if let Some(file) = rows.files.next() {
            let mut file = file?;
            file.keep_rows();
            rows.first = file.next_row();
            rows.columns = file.columns().cloned();
            rows.current = Some(file);
        }
        Ok(rows)
    }

    /// Returns the columns of the files, if they are tables.
    pub fn columns(&self) -> Option<&Columns> {
        self.columns.as_ref()
    }

    /// Returns the first row, or what stands in its place, until it is taken.
    pub fn first(&self) -> Option<&Result<Row<F::Puzzle>, F::Error>> {
        self.first.as_ref()
    }
}

impl<F: RowFile> Iterator for Rows<F> {
    type Item = Result<Row<F::Puzzle>, F::Error>;

    fn next(&mut self) -> Option<Result<Row<F::Puzzle>, F::Error>> {
        loop {
            if let Some(first) = self.first.take() {
                return Some(first);
            }
            if let Some(row) = self.current.as_mut().and_then(F::next_row) {
                return Some(row);
            }
            self.current = None;
            let mut file = match self.files.next()? {
                Ok(file) => file,
                Err(error) => return Some(Err(error.into())),
            };
            file.keep_rows();
            self.first = file.next_row();
            if self.first.is_some() && file.columns() != self.columns.as_ref() {
                self.first = None;
                let refused = CorpusError::Unreadable {
                    file: file.file(),
                    source: io::Error::new(
                        io::ErrorKind::InvalidData,
                        "its columns are not those of the first file: give files of one kind",
                    ),
                };
                return Some(Err(refused.into()));
            }
            self.current = Some(file);
        }
    }
}
