//! Arrays in NumPy's format, version 1.0 (NumPy Enhancement Proposal 1).

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::ExportError;
use crate::files::WholeFile;

/// Bytes of the header, whatever it says: the number of rows is known only at the end.
const HEADER: usize = 128;

/// The type of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Byte,
    /// 32 bits, little-endian.
    Int,
}

/// An array that is written row by row.
pub(super) struct NpyFile {
    path: PathBuf,
    file: WholeFile,
    element: Element,
    rows: u64,
}

impl NpyFile {
    pub(super) fn create(path: PathBuf, element: Element) -> Result<NpyFile, ExportError> {
        let create = |path: &Path| {
            let mut file = WholeFile::create(path)?;
            file.write_all(&[0; HEADER])?;
            Ok(file)
        };
        Ok(NpyFile {
            file: create(&path).map_err(ExportError::of(&path))?,
            path,
            element,
            rows: 0,
        })
    }

    /// Adds a row of bytes.
    pub(super) fn add_bytes(&mut self, row: &[u8]) -> Result<(), ExportError> {
        debug_assert!(self.element == Element::Byte);
        self.rows += 1;
        self.file
            .write_all(row)
            .map_err(ExportError::of(&self.path))
    }

    /// Adds a number to an array of one dimension.
    pub(super) fn add_int(&mut self, number: i32) -> Result<(), ExportError> {
        debug_assert!(self.element == Element::Int);
        self.rows += 1;
        let bytes = number.to_le_bytes();
        self.file
            .write_all(&bytes)
            .map_err(ExportError::of(&self.path))
    }

    /// Completes the file and returns its path. `columns` is the number of elements of each row; none where the array has
    /// one dimension only.
    pub(super) fn finish(mut self, columns: Option<usize>) -> Result<PathBuf, ExportError> {
        let header = header(self.element, self.rows, columns);
        let finish = |mut file: WholeFile| -> io::Result<()> {
            file.replace_start(&header)?;
            file.finish()
        };
        finish(self.file).map_err(ExportError::of(&self.path))?;
        Ok(std::mem::take(&mut self.path))
    }
}

/// Magic, version, length, and a literal of Python, padded with spaces and ended by a line feed.
fn header(element: Element, rows: u64, columns: Option<usize>) -> [u8; HEADER] {
    let descr = match element {
        Element::Byte => "|u1",
        Element::Int => "<i4",
    };
    let shape = match columns {
        Some(columns) => format!("({rows}, {columns})"),
        None => format!("({rows},)"),
    };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut header = [b' '; HEADER];
    header[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
    header[8..10].copy_from_slice(&((HEADER - 10) as u16).to_le_bytes());
    // The longest, with twenty digits of rows, has some ninety bytes.
    header[10..10 + text.len()].copy_from_slice(text.as_bytes());
    header[HEADER - 1] = b'\n';
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_matches_numpy() {
        let written = header(Element::Int, 3, None);
        let text = std::str::from_utf8(&written[10..]).unwrap();
        assert!(text.starts_with("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), } "));
        assert!(text.ends_with(" \n"));
        assert_eq!(&written[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let longest = header(Element::Byte, u64::MAX, Some(81));
        assert_eq!(longest[HEADER - 2..], *b" \n");
    }

    #[test]
    fn rows_follow_the_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/ints.npy");
        let mut file = NpyFile::create(path.clone(), Element::Int).unwrap();
        for number in [0, 1, -2] {
            file.add_int(number).unwrap();
        }
        assert!(!path.exists());
        assert_eq!(file.finish(None).unwrap(), path);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes[..HEADER], header(Element::Int, 3, None));
        assert_eq!(
            bytes[HEADER..],
            *b"\x00\x00\x00\x00\x01\x00\x00\x00\xfe\xff\xff\xff"
        );
    }
}
