//! One puzzle a line: 81 characters, then a note.

use super::entry::BadLine;
use crate::grid::{Cell, Puzzle, PuzzleLine};

/// How many cells a text starts with.
pub(super) fn run(text: &[u8]) -> usize {
    text.iter()
        .take_while(|&&byte| Puzzle::is_cell(byte))
        .count()
}

/// The puzzle a line holds after `start` bytes, and how many bytes it and what is before it take.
/// The 81 characters must end where the run of cells ends.
pub(super) fn parse(line: &[u8], start: usize) -> Result<(Puzzle, usize), BadLine> {
    let text = &line[start..];
    let found = run(text);
    if let Some(line) = PuzzleLine::from_slice(&text[..found]) {
        return Ok((line.puzzle(), start + found));
    }
    match text.get(found) {
        // Cells that stop short, at a place where a line may stop.
        None | Some(b' ' | b'\t' | b',' | b';' | b'#' | b'"') if found > 0 || text.is_empty() => {
            Err(BadLine::Length {
                expected: Cell::COUNT,
                found,
            })
        }
        Some(_) if found > Cell::COUNT => Err(BadLine::Length {
            expected: Cell::COUNT,
            found,
        }),
        _ => Err(character(line, start + found)),
    }
}

/// The complaint about the character at this byte of the line.
pub(super) fn character(line: &[u8], at: usize) -> BadLine {
    let before = String::from_utf8_lossy(&line[..at]).chars().count();
    let after = String::from_utf8_lossy(&line[at..]);
    BadLine::Character {
        column: before + 1,
        character: after.chars().next().unwrap_or(' '),
    }
}

/// Text after a puzzle, without what sets it off.
pub(super) fn note(text: &[u8]) -> String {
    if text.is_empty() {
        return String::new();
    }
    String::from_utf8_lossy(text)
        .trim_start_matches([' ', '\t', '#', ',', ';', '|'])
        .trim_end()
        .to_owned()
}
