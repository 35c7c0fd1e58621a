//! Lists of paths.

use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

/// Longest path of a list, in bytes: longer than any system takes.
const LONGEST: u64 = 64 << 10;

/// Reads a list of paths: one a line, or with `nul` one before each NUL byte. Empty entries are
/// skipped, a carriage return before a line feed is not part of the path.
///
/// # Errors
/// What stops the reader, and an entry that is too long for a path.
pub fn read_list(reader: impl Read, nul: bool) -> io::Result<Vec<PathBuf>> {
    let separator = if nul { 0 } else { b'\n' };
    let mut reader = BufReader::new(reader);
    let mut paths = Vec::new();
    let mut entry = Vec::new();
    loop {
        entry.clear();
        let piece = Read::take(&mut reader, LONGEST).read_until(separator, &mut entry)?;
        if piece == 0 {
            return Ok(paths);
        }
        let path = match entry.strip_suffix(&[separator]) {
            Some(path) => path,
            None if piece as u64 == LONGEST => {
                let ends = if nul { "NUL byte" } else { "end of line" };
                let why = format!("no {ends} within {LONGEST} bytes: it is no list of paths");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            None => &entry,
        };
        let path = match path {
            [path @ .., b'\r'] if !nul => path,
            path => path,
        };
        if !path.is_empty() {
            paths.push(path_from_bytes(path));
        }
    }
}

#[cfg(unix)]
pub(super) fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_at_newlines_or_nul() {
        let lines = read_list(&b"a b.jpg\r\n\nc,d.jpg"[..], false).unwrap();
        assert_eq!(lines, [PathBuf::from("a b.jpg"), PathBuf::from("c,d.jpg")]);
        let nul = read_list(&b"a\nb.jpg\0c.jpg\0"[..], true).unwrap();
        assert_eq!(nul, [PathBuf::from("a\nb.jpg"), PathBuf::from("c.jpg")]);
    }

    #[test]
    fn an_overlong_path_is_refused_before_it_fills_memory() {
        for (byte, nul) in [(0, false), (b'x', false), (b'\n', true)] {
            let error = read_list(io::repeat(byte), nul).unwrap_err();
            assert!(error.to_string().contains("no list of paths"), "{error}");
        }
    }
}
