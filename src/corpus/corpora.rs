//! Several corpora, one after the other.

use std::path::PathBuf;

use super::entry::{CorpusError, Entry};
use super::reader::Corpus;
use crate::grid::PuzzleLine;

/// The entries of several files in the order of the files; each is opened when it is its turn.
pub struct Corpora {
    paths: std::vec::IntoIter<PathBuf>,
    current: Option<Corpus>,
}

impl Corpora {
    /// The files at these paths; `-` is the standard input.
    pub fn new(paths: Vec<PathBuf>) -> Corpora {
        Corpora {
            paths: paths.into_iter(),
            current: None,
        }
    }
}

impl Corpora {
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
            match Corpus::open(&self.paths.next()?) {
                Ok(corpus) => self.current = Some(corpus),
                Err(error) => {
                    self.current = None;
                    return Some(Err(error));
                }
            }
        }
    }
}
