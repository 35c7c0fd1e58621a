//! The parts that a collection is split into.

use serde::{Deserialize, Serialize};

/// A part of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// What is learned from.
    Train,
    /// What choices are made by.
    Validation,
    /// What is reported.
    Test,
}

impl Part {
    /// All of them, in the order in which groups are dealt out.
    pub const ALL: [Part; 3] = [Part::Train, Part::Validation, Part::Test];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Validation => "validation",
            Part::Test => "test",
        }
    }
}
