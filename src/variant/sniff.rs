//! Whether a corpus holds classic puzzles or those of other sizes and shapes.

use std::io::{self, BufRead, Cursor, Read};

use super::corpus;
use super::line::{has_own_form, split_line};
use super::rows::{is_board, row_length};
use crate::corpus::source;
use crate::corpus::{Header, LONGEST_LINE, Table};
use crate::grid::{Cell, Puzzle};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A word longer than this is no classic board, even with a few cells too many.
const FAR_TOO_MANY: usize = 100;

/// Whether the first puzzle of a text is one for [`VariantCorpus`](super::VariantCorpus): anything other than a line of
/// 81 digits and blanks without rules after it, and than nine lines of nine cells. Looks at the first bytes of the
/// unpacked text, 64 KiB of which are enough. Of a table, `column` has the puzzles, or else one with a usual name.
pub fn is_variant(head: &[u8], column: Option<&str>) -> bool {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let mut first = FirstPuzzle::of(column);
    let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.find_map(|line| first.look_at(line)).unwrap_or(false)
}

/// [`is_variant`] of a reader, and a reader of the whole unpacked text: nothing of it is lost, and no more is waited for
/// than the first puzzle.
///
/// # Errors
/// Where the first bytes cannot be read, or are UTF-16 text.
pub fn sniff(
    reader: impl Read + Send + 'static,
    column: Option<&str>,
) -> io::Result<(bool, Box<dyn Read + Send>)> {
    let (_, mut text) = source::unwrap(Box::new(reader))?;
    let (mut head, mut failed) = (Vec::new(), None);
    let mut first = FirstPuzzle::of(column);
    let mut known = None;
    while known.is_none() && head.len() < LONGEST_LINE {
        let start = head.len();
        let mut line = text.by_ref().take((LONGEST_LINE - start) as u64);
        match line.read_until(b'\n', &mut head) {
            Ok(0) => break,
            // Old files end their lines with a carriage return alone.
            Ok(_) => {
                let mut lines = head[start..].split(|byte| matches!(byte, b'\n' | b'\r'));
                known = lines.find_map(|line| {
                    first.look_at(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line))
                });
            }
            // A damaged archive says so when the rest is read, after the lines before the damage.
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    let text = Cursor::new(head).chain(Failing(failed)).chain(text);
    Ok((known.unwrap_or(false), Box::new(text)))
}

/// The lines of a text up to its first puzzle.
struct FirstPuzzle<'a> {
    column: Option<&'a str>,
    table: Option<Table>,
    /// The length and the number of rows so far, where the puzzle stands row by row.
    rows: Option<(usize, usize)>,
}

impl<'a> FirstPuzzle<'a> {
    fn of(column: Option<&'a str>) -> FirstPuzzle<'a> {
        FirstPuzzle {
            column,
            table: None,
            rows: None,
        }
    }

    /// Whether the next line is a puzzle that is not classic; nothing, if it is no puzzle.
    fn look_at(&mut self, line: &[u8]) -> Option<bool> {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b'#' {
            return None;
        }
        if let Some(table) = self.table {
            return Some(corpus::row(table, line).is_ok_and(|text| is_variant_line(&text)));
        }
        let text = String::from_utf8_lossy(line);
        let length = row_length(&text).filter(|length| !is_board(*length));
        match (self.rows, length) {
            (None, None) => {}
            (Some((first, count)), Some(length)) if first == length => {
                self.rows = Some((length, count + 1));
                return (count + 1 == length).then_some(true);
            }
            (None, Some(length)) => {
                self.rows = Some((length, 1));
                return None;
            }
            (Some(_), _) => return Some(false),
        }
        if text.starts_with('[') && text.ends_with(']') {
            return None;
        }
        match Header::of(line, self.column) {
            Header::Table(table) => {
                self.table = Some(table);
                None
            }
            Header::Foreign(_) | Header::None => Some(is_variant_line(&text)),
        }
    }
}

/// An error that is said once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn is_variant_line(text: &str) -> bool {
    let is_drawn = text.chars().all(|character| character == '-');
    if is_drawn || text.starts_with('[') {
        return false;
    }
    let Ok(parts) = split_line(text) else {
        if has_own_form(text) {
            return true;
        }
        let word = text.split([' ', '\t', ',', ';', '#']).next();
        return word.is_some_and(|word| word.len() > FAR_TOO_MANY);
    };
    let cells = text.bytes().take_while(|byte| Puzzle::is_cell(*byte));
    let word = text.split([' ', '\t', ',', ';', '#']).next();
    // Letters may be the values of a board that has nothing else; among digits they are mistakes.
    let has_classic_values = word.is_some_and(|word| {
        word.len() == Cell::COUNT && word.bytes().any(|byte| byte.is_ascii_digit())
    });
    let is_classic = has_classic_values || cells.count() == Cell::COUNT;
    parts.rules.are_any() || parts.rules.side != Some(9) || !is_classic
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    /// Gives a line at a time, and counts them.
    struct Slowly(Cursor<Vec<u8>>, Arc<AtomicUsize>);

    impl Read for Slowly {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let rest = &self.0.get_ref()[self.0.position() as usize..];
            let line = rest.iter().position(|byte| *byte == b'\n');
            let length = line.map_or(rest.len(), |end| end + 1).min(buffer.len());
            let read = self.0.read(&mut buffer[..length])?;
            self.1
                .fetch_add(usize::from(buffer[..read].ends_with(b"\n")), Relaxed);
            Ok(read)
        }
    }

    #[test]
    fn only_the_first_puzzle_is_read() {
        let text = "# 4x4\n1...............\n2...............\n".to_owned();
        let lines = Arc::default();
        let slowly = Slowly(Cursor::new(text.clone().into_bytes()), Arc::clone(&lines));
        let (is_variant, mut rest) = sniff(slowly, None).unwrap();
        assert!(is_variant);
        assert_eq!(lines.load(Relaxed), 2);
        let mut read = String::new();
        rest.read_to_string(&mut read).unwrap();
        assert_eq!(read, text);
    }

    #[test]
    fn the_first_puzzle_decides() {
        let classic = ".".repeat(81);
        for (text, expected) in [
            (String::new(), false),
            ("# nothing\n".to_owned(), false),
            (classic.clone(), false),
            (format!("5X{}", &classic[2..]), false),
            (format!("AX{}", &classic[2..]), true),
            (format!("{classic} a note\n"), false),
            ("1...............\n".to_owned(), true),
            (format!("puzzle,solution\n{classic},\n"), false),
            (format!("\u{feff}{}\r\n", ".".repeat(256)), true),
            (format!("{classic}\n{}\n", ".".repeat(16)), false),
            ("3x3:damaged".to_owned(), true),
            ("SumoCueV1=1".to_owned(), true),
            ("9=r1".to_owned(), true),
        ] {
            assert_eq!(is_variant(text.as_bytes(), None), expected, "{text:?}");
            let (sniffed, _) = sniff(Cursor::new(text.clone().into_bytes()), None).unwrap();
            assert_eq!(sniffed, expected, "{text:?}");
        }
    }
}
