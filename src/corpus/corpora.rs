//! Several corpora, one after the other.

use std::path::PathBuf;

use super::entry::{CorpusError, Entry};
use super::piece::Piece;
use super::reader::Corpus;
use crate::grid::PuzzleLine;

/// Files that are opened one after the other.
pub type Files<F> = Box<dyn Iterator<Item = Result<F, CorpusError>> + Send>;

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
        Corpora::of(pieces.into_iter().map(|piece| Corpus::open_piece(&piece)))
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
