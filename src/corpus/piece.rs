//! Pieces of files.

use std::io;
use std::path::PathBuf;

use super::lines::Position;
use super::source;
use crate::files::hash_reader;

/// A piece of a file: see [`Corpus::open_piece`](super::Corpus::open_piece).
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
}
