//! Lines of a file in bounded memory.

use std::io::{self, BufRead};

use memchr::memchr2;
use serde::{Deserialize, Serialize};

use crate::grid::{Cell, PuzzleLine};

/// The longest line that is kept, in bytes: far more than two boards and a note take.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines that end with LF, CR LF or CR, and drops a byte order mark before the first.
pub(crate) struct Lines {
    source: Box<dyn BufRead + Send>,
    text: Vec<u8>,
    number: u64,
    /// Bytes that were taken from the source.
    byte: u64,
    after_carriage_return: bool,
    /// What the source said to [`Lines::take_plain`], for [`Lines::next`] to say: a damaged archive
    /// may call itself ended when it is asked once more.
    error: Option<io::Error>,
}

/// Where a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Bytes of the unpacked text before it.
    pub byte: u64,
    /// Its number, from 1.
    pub line: u64,
}

impl Position {
    /// The beginning of a text.
    pub const START: Position = Position { byte: 0, line: 1 };
}

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: u64,
    /// Without its end; not necessarily UTF-8.
    pub(crate) text: &'a [u8],
    /// Whether `text` is only the first [`LONGEST_LINE`] bytes.
    pub(crate) cut: bool,
}

impl Line<'_> {
    /// The line, if it is a puzzle and nothing else.
    pub(super) fn plain(&self) -> Option<PuzzleLine> {
        PuzzleLine::from_slice(self.text)
    }
}

impl Lines {
    pub(crate) fn new(source: Box<dyn BufRead + Send>) -> Lines {
        Lines {
            source,
            text: Vec::new(),
            number: 0,
            byte: 0,
            after_carriage_return: false,
            error: None,
        }
    }

    /// Counts from this place of a text, which is where the source begins.
    pub(crate) fn begin_at(&mut self, start: Position) {
        self.number = start.line - 1;
        self.byte = start.byte;
    }

    /// Where the next line begins.
    pub(crate) fn position(&mut self) -> Position {
        if self.after_carriage_return
            && let Ok([b'\n', ..]) = self.source.fill_buf()
        {
            self.take(1);
            self.after_carriage_return = false;
        }
        Position {
            byte: self.byte,
            line: self.number + 1,
        }
    }

    fn take(&mut self, bytes: usize) {
        self.source.consume(bytes);
        self.byte += bytes as u64;
    }

    /// Number of the line that [`Lines::next`] reads, or has failed to read.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Takes the lines that stand in the buffer as a whole, for as long as each is a puzzle and
    /// nothing else, until there are `limit` of them.
    pub(super) fn take_plain(&mut self, limit: usize, plain: &mut Vec<PuzzleLine>) {
        let buffer = match self.source.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) => {
                self.error.get_or_insert(error);
                return;
            }
        };
        let mut rest = buffer;
        if self.after_carriage_return && rest.first() == Some(&b'\n') {
            rest = &rest[1..];
        }
        let before = plain.len();
        while plain.len() < limit
            && let Some((line, behind)) = rest.split_first_chunk::<{ Cell::COUNT }>()
        {
            let end = match behind {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                _ => break,
            };
            let Some(line) = PuzzleLine::new(*line) else {
                break;
            };
            plain.push(line);
            rest = &behind[end..];
        }
        let taken = plain.len() - before;
        if taken > 0 {
            let used = buffer.len() - rest.len();
            self.after_carriage_return = false;
            self.number += taken as u64;
            self.take(used);
        }
    }

    /// The line after the last one; `None` at the end.
    ///
    /// # Errors
    /// What the source says. The line it broke in is lost, even if it looked complete.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.text.clear();
        self.number += 1;
        let mut cut = false;
        let mut empty = true;
        loop {
            let filled = match self.error.take() {
                Some(error) => Err(error),
                None => self.source.fill_buf(),
            };
            let buffer = match filled {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if buffer.is_empty() {
                if empty {
                    return Ok(None);
                }
                break;
            }
            if std::mem::take(&mut self.after_carriage_return) && buffer[0] == b'\n' {
                self.take(1);
                continue;
            }
            empty = false;
            let end = memchr2(b'\n', b'\r', buffer);
            let piece = &buffer[..end.unwrap_or(buffer.len())];
            let room = LONGEST_LINE - self.text.len();
            cut |= piece.len() > room;
            self.text.extend_from_slice(&piece[..piece.len().min(room)]);
            self.after_carriage_return = end.is_some_and(|end| buffer[end] == b'\r');
            let used = end.map_or(buffer.len(), |end| end + 1);
            let is_end = end.is_some();
            self.take(used);
            if is_end {
                break;
            }
        }
        let mark = self.number == 1 && self.text.starts_with(BYTE_ORDER_MARK);
        Ok(Some(Line {
            number: self.number,
            text: &self.text[if mark { BYTE_ORDER_MARK.len() } else { 0 }..],
            cut,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    fn read(text: &[u8], buffer: usize) -> Vec<(u64, Vec<u8>, bool)> {
        let source = BufReader::with_capacity(buffer, Cursor::new(text.to_vec()));
        let mut lines = Lines::new(Box::new(source));
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((line.number, line.text.to_vec(), line.cut));
        }
        all
    }

    #[test]
    fn all_line_endings_are_equivalent_for_any_buffer_size() {
        let expected: Vec<(u64, Vec<u8>, bool)> = [&b"a"[..], b"", b"bc", b"d"]
            .iter()
            .zip(1..)
            .map(|(text, number)| (number, text.to_vec(), false))
            .collect();
        for text in [
            &b"a\n\nbc\nd"[..],
            b"a\r\n\r\nbc\r\nd\r\n",
            b"a\r\rbc\rd\r",
            b"\xef\xbb\xbfa\n\nbc\nd\n",
        ] {
            for buffer in [1, 2, 3, 5, 100] {
                assert_eq!(read(text, buffer), expected);
            }
        }
        assert!(read(b"", 8).is_empty());
    }

    #[test]
    fn an_overlong_line_is_cut_and_the_next_one_is_complete() {
        let mut text = vec![b'x'; 10 << 20];
        text.extend_from_slice(b"\nafter\n");
        let lines = read(&text, 4096);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].1.len(), lines[0].2), (LONGEST_LINE, true));
        assert_eq!(lines[1], (2, b"after".to_vec(), false));
        let longest = vec![b'x'; LONGEST_LINE];
        let lines = read(&[&longest[..], b"\nx"].concat(), 4096);
        assert_eq!(lines[0], (1, longest, false));
    }

    /// A source whose first reading is interrupted by a signal.
    struct Interrupted(Option<io::ErrorKind>, Cursor<Vec<u8>>);

    impl io::Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.take() {
                Some(kind) => Err(kind.into()),
                None => self.1.read(buffer),
            }
        }
    }

    #[test]
    fn a_signal_does_not_end_reading_but_an_error_does() {
        let lines = |kind| {
            let source = Interrupted(Some(kind), Cursor::new(b"a\n".to_vec()));
            Lines::new(Box::new(BufReader::new(source)))
        };
        let mut interrupted = lines(io::ErrorKind::Interrupted);
        assert_eq!(interrupted.next().unwrap().unwrap().text, b"a");
        let mut broken = lines(io::ErrorKind::PermissionDenied);
        let error = broken.next().err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }
}
