//! Several corpora, one after the other.

use std::io;
use std::path::PathBuf;

use super::entry::{CorpusError, Entry};
use super::lines::Position;
use super::reader::Corpus;
use super::rows::Files;
use super::source;
use crate::files::hash_reader;
use crate::grid::PuzzleLine;

/// A piece of a file: see [`Corpus::open_piece`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The file.
    pub path: PathBuf,
    /// Where it begins.
    pub from: Position,
    /// The byte of the unpacked text before which it ends.
    pub to: u64,
    /// The column that has the puzzles of a table; one with a usual name if there is none.
    pub column: Option<String>,
}

impl Piece {
    /// A file from its beginning to its end; `-` is the standard input.
    pub fn whole(path: PathBuf) -> Piece {
        Piece {
            path,
            from: Position::START,
            to: u64::MAX,
            column: None,
        }
    }

    /// Returns the hash of its unpacked text.
    ///
    /// # Errors
    /// What stops reading it.
    pub fn hash(&self) -> io::Result<String> {
        let (_, text) = source::open_from(&self.path, self.from.byte, self.to)?;
        hash_reader(text)
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`Corpus::open`].
    pub fn open(&self) -> Result<Corpus, CorpusError> {
        Corpus::open_piece(self)
    }
}

/// The entries of several files in the order of the files; each is opened when it is its turn.
pub struct Corpora {
    rest: Files<Corpus>,
    current: Option<Corpus>,
}

impl Corpora {
    /// The files at these paths; `-` is the standard input.
    pub fn new(paths: Vec<PathBuf>) -> Corpora {
        Corpora::of_pieces(paths.into_iter().map(Piece::whole).collect())
    }

    /// These pieces of files.
    pub fn of_pieces(pieces: Vec<Piece>) -> Corpora {
        Corpora::of(pieces.into_iter().map(|piece| piece.open()))
    }

    /// These corpora, each opened when it is its turn.
    pub fn of(
        corpora: impl Iterator<Item = Result<Corpus, CorpusError>> + Send + 'static,
    ) -> Corpora {
        Corpora {
            rest: Box::new(corpora),
            current: None,
        }
    }

    /// Returns the corpora that were not opened yet: all of them, before a puzzle is read.
    pub fn into_files(self) -> Files<Corpus> {
        self.rest
    }

    /// Appends puzzles as [`Corpus::take_lines`] does. Opens no file.
    pub fn take_lines(&mut self, limit: usize, lines: &mut Vec<PuzzleLine>) {
        if let Some(corpus) = &mut self.current {
            corpus.take_lines(limit, lines);
        }
    }
}

impl Iterator for Corpora {
    type Item = Result<Entry, CorpusError>;

    fn next(&mut self) -> Option<Result<Entry, CorpusError>> {
        loop {
            if let Some(item) = self.current.as_mut().and_then(Corpus::next) {
                return Some(item);
            }
            match self.rest.next()? {
                Ok(corpus) => self.current = Some(corpus),
                Err(error) => {
                    self.current = None;
                    return Some(Err(error));
                }
            }
        }
    }
}
