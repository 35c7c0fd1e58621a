//! The puzzles of a corpus on disk, for programs that read them after our own rows.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use tempfile::NamedTempFile;

use super::feed::Chunk;
use crate::grid::Cell;

/// Puzzles, a line of 81 characters each, and beside them the line each has in its corpus.
pub(super) struct Spool {
    puzzles: BufWriter<NamedTempFile>,
    lines: BufWriter<NamedTempFile>,
}

impl Spool {
    pub(super) fn new() -> io::Result<Spool> {
        Ok(Spool {
            puzzles: BufWriter::new(NamedTempFile::new()?),
            lines: BufWriter::new(NamedTempFile::new()?),
        })
    }

    pub(super) fn push(&mut self, chunk: &Chunk) -> io::Result<()> {
        for (puzzle, line) in chunk.puzzles.iter().zip(&chunk.lines) {
            writeln!(self.puzzles, "{puzzle}")?;
            self.lines.write_all(&line.to_le_bytes())?;
        }
        Ok(())
    }

    /// The text of all puzzles, from the first.
    pub(super) fn text(&mut self) -> io::Result<File> {
        self.puzzles.flush()?;
        self.puzzles.get_ref().reopen()
    }

    /// The puzzles again in chunks, from the first.
    pub(super) fn chunks(&mut self) -> io::Result<SpoolReader> {
        self.lines.flush()?;
        Ok(SpoolReader {
            puzzles: BufReader::new(self.text()?),
            lines: BufReader::new(self.lines.get_ref().reopen()?),
        })
    }
}

/// Reads a [`Spool`].
pub(super) struct SpoolReader {
    puzzles: BufReader<File>,
    lines: BufReader<File>,
}

impl SpoolReader {
    /// The next puzzles, as many as there are up to `length`; none at the end.
    pub(super) fn next_chunk(&mut self, length: usize) -> io::Result<Chunk> {
        let mut chunk = Chunk::default();
        let mut text = String::with_capacity(Cell::COUNT + 1);
        while chunk.len() < length {
            text.clear();
            if self.puzzles.read_line(&mut text)? == 0 {
                break;
            }
            let puzzle = text.trim_end().parse();
            let mut line = [0; 8];
            self.lines.read_exact(&mut line)?;
            chunk.puzzles.push(puzzle.map_err(io::Error::other)?);
            chunk.lines.push(u64::from_le_bytes(line));
        }
        Ok(chunk)
    }
}
