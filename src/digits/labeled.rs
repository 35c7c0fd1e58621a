//! A crop with its ground truth.

use super::kind::CellKind;
use crate::grid::{Digit, DigitSet};
use crate::vision::CellCrop;

/// A crop with its ground truth.
#[derive(Clone, Debug, PartialEq)]
pub struct LabeledCrop {
    /// The crop.
    pub crop: CellCrop,
    /// Its content; `None` is a blank.
    pub label: Option<Digit>,
    /// Its kind; `None` where it is not known.
    pub kind: Option<CellKind>,
    /// The candidates marked in it, where they are known.
    pub marks: Option<DigitSet>,
    /// Name of the photo it was cut from, unique in its folder; may be empty.
    pub photo: String,
    /// Identifier of the puzzle by its content, the same in all photos and folders; may be empty.
    pub puzzle: String,
    /// Its source; may be empty.
    pub source: String,
}

impl LabeledCrop {
    /// Returns the class of the label: 0 for a blank, else the digit.
    pub(crate) fn class(&self) -> usize {
        self.label.map_or(0, |digit| digit.value() as usize)
    }

    /// Returns the source without its last part: `set-train` for `set-train-7`.
    pub(crate) fn source_group(&self) -> &str {
        self.source
            .rsplit_once('-')
            .map_or(&*self.source, |(group, _)| group)
    }
}
