//! Corpora whose lines are to be written again: each entry with its row, under one header.

use std::io;
use std::path::PathBuf;

use super::corpora::Corpora;
use super::entry::{CorpusError, Entry, Place};
use super::reader::Corpus;
use super::table::Columns;
use crate::grid::Puzzle;

/// A puzzle, and the line that it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Where it stands.
    pub place: Place,
    /// The solution that the corpus gives, as written: it may be wrong.
    pub expected: Option<Puzzle>,
    /// The line without its end, with all of its columns or its note.
    pub text: Box<[u8]>,
}

/// The rows of several files, in the order of the files. All of them have the columns of the first one, or none;
/// a file that has others is an error, and its rows are left out.
pub struct Rows {
    corpora: Corpora,
    columns: Option<Columns>,
    current: Option<Corpus>,
    /// What was read to get at the header.
    first: Option<Result<Entry, CorpusError>>,
}

impl Rows {
    /// Opens the first file, and reads to its first puzzle; `-` is the standard input.
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
        let mut rows = Rows {
            corpora,
            columns: None,
            current: None,
            first: None,
        };
        if let Some(corpus) = rows.corpora.open_next() {
            let mut corpus = corpus?;
            corpus.keep_rows();
            rows.first = corpus.next();
            rows.columns = corpus.columns().cloned();
            rows.current = Some(corpus);
        }
        Ok(rows)
    }

    /// Returns the columns of the files, if they are tables.
    pub fn columns(&self) -> Option<&Columns> {
        self.columns.as_ref()
    }

    /// The next entry of the file that is open, or of the next one.
    fn entry(&mut self) -> Option<Result<Entry, CorpusError>> {
        loop {
            if let Some(first) = self.first.take() {
                return Some(first);
            }
            if let Some(entry) = self.current.as_mut().and_then(Corpus::next) {
                return Some(entry);
            }
            self.current = None;
            let mut corpus = match self.corpora.open_next()? {
                Ok(corpus) => corpus,
                Err(error) => return Some(Err(error)),
            };
            corpus.keep_rows();
            self.first = corpus.next();
            if self.first.is_some() && corpus.columns() != self.columns.as_ref() {
                self.first = None;
                return Some(Err(CorpusError::Unreadable {
                    file: corpus.file(),
                    source: io::Error::new(
                        io::ErrorKind::InvalidData,
                        "its columns are not those of the first file: give files of one kind",
                    ),
                }));
            }
            self.current = Some(corpus);
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Row, CorpusError>;

    fn next(&mut self) -> Option<Result<Row, CorpusError>> {
        let entry = self.entry()?;
        Some(entry.map(|entry| {
            Row {
                text: entry
                    .row
                    .unwrap_or_else(|| entry.puzzle.to_line().into_bytes().into()),
                puzzle: entry.puzzle,
                place: entry.place,
                expected: entry.expected,
            }
        }))
    }
}
