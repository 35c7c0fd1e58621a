//! What is known of puzzles before their lines are read, and what comes of a line.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::alphabet::Alphabet;
use super::layout::{Boxes, Layout};
use super::puzzle::VariantPuzzle;
use super::value::Value;

/// What is known of puzzles before they are read: the rules that their lines do not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "SavedReading", try_from = "SavedReading")]
pub struct Reading {
    /// The boxes; without them, and without regions, boxes are square.
    pub boxes: Option<Boxes>,
    /// The regions of all puzzles: what cells are in a region together. Its other rules are not looked at.
    pub regions: Option<Arc<Layout>>,
    /// Whether both diagonals have all values.
    pub diagonals: bool,
    /// Whether there are the extra boxes of a windoku.
    pub windows: bool,
    /// How values are written, where that is not to be concluded from the lines.
    pub symbols: Option<Alphabet>,
}

/// A [`Reading`] in a file.
#[derive(Serialize, Deserialize)]
struct SavedReading {
    boxes: Option<Boxes>,
    /// The region of each cell.
    regions: Option<Vec<u32>>,
    diagonals: bool,
    windows: bool,
    /// Name of the alphabet.
    symbols: Option<String>,
}

impl From<Reading> for SavedReading {
    fn from(reading: Reading) -> SavedReading {
        let regions = reading.regions.map(|layout| {
            let regions = (0..layout.cells()).map(|cell| layout.region(cell) as u32);
            regions.collect()
        });
        SavedReading {
            boxes: reading.boxes,
            regions,
            diagonals: reading.diagonals,
            windows: reading.windows,
            symbols: reading.symbols.map(|alphabet| alphabet.name().to_owned()),
        }
    }
}

impl TryFrom<SavedReading> for Reading {
    type Error = String;

    fn try_from(saved: SavedReading) -> Result<Reading, String> {
        let regions = saved.regions.map(|regions| Layout::jigsaw(&regions));
        let regions = regions.transpose().map_err(|error| error.to_string())?;
        let symbols = saved.symbols.map(|name| name.parse::<Alphabet>());
        Ok(Reading {
            boxes: saved.boxes,
            regions: regions.map(Arc::new),
            diagonals: saved.diagonals,
            windows: saved.windows,
            symbols: symbols.transpose().map_err(|error| error.to_string())?,
        })
    }
}

/// A puzzle of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantEntry {
    /// The puzzle.
    pub puzzle: VariantPuzzle,
    /// The full board that the line gives as the solution: it keeps the givens, but may break the rules.
    pub expected: Option<Vec<Value>>,
    /// How its values are written.
    pub alphabet: Alphabet,
    /// Whether a 0 was taken for a blank.
    pub has_blank_zeros: bool,
    /// All other text of the line.
    pub note: String,
}
