//! Finds the pictures of a TIFF file by its directories.

use std::collections::HashSet;
use std::io::{Cursor, Read, Seek, SeekFrom};

/// A TIFF file and the offsets of the directories of its pages.
#[derive(Debug)]
pub(super) struct TiffFile {
    bytes: Vec<u8>,
    directories: Vec<u32>,
}

/// Tags of a picture's purpose: the current one, and the older one.
const NEW_SUBFILE_TYPE: u16 = 254;
const SUBFILE_TYPE: u16 = 255;
/// Bits of the current tag: a smaller copy of another picture, and a mask.
const REDUCED_OR_MASK: u16 = 0b101;
/// Value of the older tag: a smaller copy.
const REDUCED: u16 = 2;
/// Bytes per entry of a directory.
const ENTRY: usize = 12;

impl TiffFile {
    pub(super) fn is_one(head: &[u8]) -> bool {
        head.len() >= 8 && (head.starts_with(b"II*\0") || head.starts_with(b"MM\0*"))
    }

    pub(super) fn open(bytes: Vec<u8>) -> TiffFile {
        let directories = directories(&mut Cursor::new(&bytes));
        TiffFile { bytes, directories }
    }

    pub(super) fn pages(&self) -> usize {
        self.directories.len()
    }

    /// Returns the file with this page as its first one.
    pub(super) fn picture(&self, place: usize) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let directory = self.directories[place];
        let directory = match bytes.starts_with(b"I") {
            true => directory.to_le_bytes(),
            false => directory.to_be_bytes(),
        };
        bytes[4..8].copy_from_slice(&directory);
        bytes
    }
}

/// Follows the directories of a file, and returns the offsets of those of pages. One beyond the end
/// of the file is a page that cannot be read, and the last.
pub(super) fn directories(file: &mut (impl Read + Seek)) -> Vec<u32> {
    let mut directories = Vec::new();
    let mut seen = HashSet::new();
    let Some(head) = part(file, 0, 8) else {
        return directories;
    };
    let order = Order {
        is_little: head.starts_with(b"I"),
    };
    let mut next = order.long(&head, 4);
    while let Some(place) = next.filter(|&place| place != 0 && seen.insert(place)) {
        let count = part(file, place, 2).and_then(|bytes| order.short(&bytes, 0));
        let length = count.map(|count| 2 + ENTRY * usize::from(count) + 4);
        let directory = length.and_then(|length| part(file, place, length));
        if directory.as_ref().is_none_or(|it| order.is_page(it)) {
            directories.push(place);
        }
        next = directory.and_then(|it| order.long(&it, it.len() - 4));
    }
    directories
}

/// Returns bytes of a file, all of them or none.
fn part(file: &mut (impl Read + Seek), place: u32, length: usize) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(place.into())).ok()?;
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// Byte order of numbers.
#[derive(Clone, Copy)]
struct Order {
    is_little: bool,
}

impl Order {
    fn short(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(match self.is_little {
            true => u16::from_le_bytes(bytes),
            false => u16::from_be_bytes(bytes),
        })
    }

    fn long(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(match self.is_little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        })
    }

    /// Returns whether a directory is of a page, and not of a thumbnail or a mask.
    fn is_page(self, directory: &[u8]) -> bool {
        let mut entries = directory[2..].chunks_exact(ENTRY);
        !entries.any(|entry| {
            // A value of 16 bits stands in the first bytes of its field, one of 32 in all of it.
            let is_short = self.short(entry, 2) == Some(3);
            let value = match is_short {
                true => self.short(entry, 8),
                false => self.long(entry, 8).map(|value| value as u16),
            };
            match (self.short(entry, 0), value) {
                (Some(NEW_SUBFILE_TYPE), Some(bits)) => bits & REDUCED_OR_MASK != 0,
                (Some(SUBFILE_TYPE), Some(kind)) => kind == REDUCED,
                _ => false,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of directories without pictures, each with a subfile type and the place of the next one.
    fn file(little: bool, directories: &[(u16, u32)]) -> Vec<u8> {
        let short = |value: u16| match little {
            true => value.to_le_bytes(),
            false => value.to_be_bytes(),
        };
        let long = |value: u32| match little {
            true => value.to_le_bytes(),
            false => value.to_be_bytes(),
        };
        let mut bytes = if little {
            b"II".to_vec()
        } else {
            b"MM".to_vec()
        };
        bytes.extend(short(42));
        bytes.extend(long(8));
        for &(kind, next) in directories {
            bytes.extend(short(1));
            bytes.extend(short(NEW_SUBFILE_TYPE));
            bytes.extend(short(4));
            bytes.extend(long(1));
            bytes.extend(long(kind.into()));
            bytes.extend(long(next));
        }
        bytes
    }

    /// Where the directories of [`file`] lie.
    const PLACES: [u32; 3] = [8, 26, 44];

    #[test]
    fn pages_are_found_in_both_byte_orders_without_thumbnails() {
        for little in [true, false] {
            let bytes = file(little, &[(2, PLACES[1]), (1, PLACES[2]), (0, 0)]);
            let tiff = TiffFile::open(bytes);
            assert_eq!(tiff.directories, [PLACES[0], PLACES[2]]);
            for (page, place) in [(0, PLACES[0]), (1, PLACES[2])] {
                assert_eq!(directories(&mut Cursor::new(tiff.picture(page)))[0], place);
            }
        }
    }

    #[test]
    fn directory_loops_end_and_one_beyond_the_file_is_still_a_page() {
        let round = file(true, &[(0, PLACES[1]), (0, PLACES[0])]);
        assert_eq!(TiffFile::open(round).directories, PLACES[..2]);
        let cut = file(true, &[(0, 4_000_000_000)]);
        assert_eq!(TiffFile::open(cut).directories, [8, 4_000_000_000]);
        let empty = file(false, &[]);
        assert_eq!(TiffFile::open(empty[..8].to_vec()).directories, [8]);
    }
}
