//! Settings of a reader.

use std::path::PathBuf;

use serde::Serialize;

use crate::decode::DecodeConfig;
use crate::vision::{Backend, DetectConfig, LocateConfig};

/// Settings of a [`Reader`](super::Reader): everything that shapes what it reads in an opened photo.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReaderConfig {
    /// Folder of the digit network (`weights`, `card.json`); the built-in one where there is none.
    #[serde(skip)]
    pub model: Option<PathBuf>,
    /// Which grid detector.
    pub backend: Backend,
    /// How grids are looked for.
    pub detect: DetectConfig,
    /// How boards are taken from a photo.
    pub locate: LocateConfig,
    /// How posteriors become a puzzle.
    pub decode: DecodeConfig,
    /// Name of a complete solver; the fastest one where there is none.
    pub solver: Option<String>,
    /// What is believed of a reading.
    pub trust: TrustConfig,
}

/// When a reading is believed, when it gets a second chance, and when the board is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrustConfig {
    /// Readings of a smaller confidence are refused: they are `unreadable`.
    pub confidence: f32,
    /// Readings of a smaller confidence get a second chance: the other quarter turns, then the other
    /// detections of their place.
    pub second_chance_below: f32,
    /// A board that has a solution as it stands is turned only if its cells together are this much
    /// short of certain, in nats: the wrong way up costs more.
    pub turned_beyond: f32,
    /// How much less likely a board is that does not stand upright, in nats.
    pub turn_cost: f32,
    /// Smallest probability with which a cell counts as decided.
    pub decided: f32,
    /// Fewest cells decided to be a digit that a Sudoku has. A puzzle with one solution has 17
    /// givens or more; some may be unclear in the photo.
    pub min_digits: usize,
    /// Most undecided cells that a Sudoku has.
    pub max_undecided: usize,
    /// Most digits that stand twice in a house, as a share of how many would if digits were drawn at
    /// random: a chess board or a calendar read as digits is no misread Sudoku.
    pub max_repeats: f32,
    /// Fewest digits, decided or not, for which a board beside the main one gets a second chance.
    pub min_digits_beside: usize,
}

impl Default for TrustConfig {
    fn default() -> TrustConfig {
        TrustConfig {
            confidence: 0.5,
            second_chance_below: 0.9,
            turned_beyond: 4.0,
            turn_cost: 3.0,
            decided: 0.7,
            min_digits: 12,
            max_undecided: 26,
            max_repeats: 0.9,
            min_digits_beside: 15,
        }
    }
}
