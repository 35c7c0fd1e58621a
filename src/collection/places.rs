//! Places of many rows in little memory.

use std::sync::Arc;

use crate::corpus::Place;

/// A [`Place`] in eight bytes, which [`Places::place`] turns back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShortPlace(u64);

/// Bits of the line number: room for 2^44 lines in each of 2^20 files.
const LINE_BITS: u32 = 44;

/// The files that places are in.
#[derive(Debug, Default)]
pub(super) struct Places {
    files: Vec<Arc<str>>,
}

impl Places {
    /// Returns the short form of a place. Rows come file by file.
    pub(super) fn shorten(&mut self, place: &Place) -> ShortPlace {
        if self.files.last() != Some(&place.file) {
            self.files.push(Arc::clone(&place.file));
        }
        let file = self.files.len() as u64 - 1;
        ShortPlace(file << LINE_BITS | place.line & ((1 << LINE_BITS) - 1))
    }

    /// Returns the place that was shortened to this.
    pub(super) fn place(&self, short: ShortPlace) -> Place {
        Place {
            file: Arc::clone(&self.files[(short.0 >> LINE_BITS) as usize]),
            line: short.0 & ((1 << LINE_BITS) - 1),
        }
    }
}
