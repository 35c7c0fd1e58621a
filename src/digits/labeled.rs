//! A crop whose content is known.

use super::kind::CellKind;
use crate::grid::{Digit, DigitSet};
use crate::vision::CellCrop;

/// A crop whose content is known.
#[derive(Clone, Debug, PartialEq)]
pub struct LabeledCrop {
    /// The crop.
    pub crop: CellCrop,
    /// What it shows; `None` is a blank.
    pub label: Option<Digit>,
    /// What kind of thing it shows; `None` where nobody knows.
    pub kind: Option<CellKind>,
    /// The candidates that are marked in it, where they are known.
    pub marks: Option<DigitSet>,
    /// Name of the photo it was cut from, unique in its folder; may be empty.
    pub photo: String,
    /// Identity of the puzzle by its content, the same in all photos and folders; may be empty.
    pub puzzle: String,
    /// Where it came from; may be empty.
    pub source: String,
}

impl LabeledCrop {
    /// Class of the label: 0 for a blank, else the digit.
    pub(crate) fn class(&self) -> usize {
        self.label.map_or(0, |digit| digit.value() as usize)
    }

    /// The source without its last part: `set-train` for `set-train-7`.
    pub(crate) fn source_group(&self) -> &str {
        self.source
            .rsplit_once('-')
            .map_or(&*self.source, |(group, _)| group)
    }
}
