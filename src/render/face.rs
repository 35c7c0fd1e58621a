//! A face of a font, as its digits; and why it may be unusable.

use std::fmt;
use std::path::PathBuf;

use ab_glyph::FontVec;

use crate::grid::Digit;

/// The mask of one digit, cut to its bounding box.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GlyphMask {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Rows between the baseline and the top of the box.
    pub rise: i32,
    /// Coverage, 0 to 255, row by row.
    pub shares: Vec<u8>,
}

/// One usable face.
#[derive(Clone, Debug)]
pub struct Face {
    /// Name of the file without its extension.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The nine digits at one scale, the tallest 64 pixels high.
    pub masks: [GlyphMask; 9],
}

impl Face {
    /// Opens the font, for setting text.
    pub(crate) fn open(&self) -> Option<FontVec> {
        FontVec::try_from_vec(std::fs::read(&self.path).ok()?).ok()
    }
}

/// Why a face is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The file is not a readable font.
    Unreadable,
    /// The name says that it holds pictures.
    Pictures,
    /// This digit has no ink.
    Missing(Digit),
    /// This digit is a box or a tile.
    Tile(Digit),
    /// These two digits look the same.
    Alike(Digit, Digit),
    /// Old-style figures: some reach below the baseline.
    OldStyle,
    /// The digits have very different heights.
    Uneven,
    /// These digits look like other digits, or like none.
    Unlike(Vec<Digit>),
    /// The digits are the same as those of another face.
    SameAs(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unreadable => write!(f, "not a readable font"),
            Unusable::Pictures => write!(f, "pictures instead of figures"),
            Unusable::Missing(digit) => write!(f, "no ink for {digit}"),
            Unusable::Tile(digit) => write!(f, "{digit} is a box or a tile"),
            Unusable::Alike(a, b) => write!(f, "{a} and {b} look alike"),
            Unusable::OldStyle => write!(f, "old-style figures"),
            Unusable::Uneven => write!(f, "digits of very different heights"),
            Unusable::Unlike(digits) => write!(f, "does not look like its digits: {digits:?}"),
            Unusable::SameAs(name) => write!(f, "same digits as {name}"),
        }
    }
}
