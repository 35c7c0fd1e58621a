//! Everything that shapes the rows of a run.

use serde::Serialize;

use crate::decode::DecodeConfig;
use crate::vision::{Backend, DetectConfig, LocateConfig, PhotoConfig};

/// Everything that shapes the rows; saved in `summary.json`.
#[derive(Clone, Debug, Serialize)]
pub struct RecognizeConfig {
    /// How files are opened.
    pub photo: PhotoConfig,
    /// Largest file that is read, in bytes.
    pub max_file_bytes: u64,
    /// Which grid detector.
    pub backend: Backend,
    /// How grids are looked for.
    pub detect: DetectConfig,
    /// How boards are taken from a photo.
    pub locate: LocateConfig,
    /// Name of the digit network and the hash of its weights.
    pub model: String,
    /// How posteriors become a puzzle.
    pub decode: DecodeConfig,
    /// Name of the solver.
    pub solver: String,
    /// What is believed of a reading.
    pub trust: TrustConfig,
    /// Processor time a photo may take, in milliseconds.
    pub time_limit_ms: Option<u64>,
    /// Photos in hand at once: more balance the threads better and cost memory.
    pub chunk: usize,
    /// Boards that the network reads in one call.
    pub boards_a_call: usize,
}

impl Default for RecognizeConfig {
    fn default() -> RecognizeConfig {
        RecognizeConfig {
            photo: PhotoConfig::default(),
            max_file_bytes: 256 << 20,
            backend: Backend::default(),
            detect: DetectConfig::default(),
            locate: LocateConfig::default(),
            model: String::new(),
            decode: DecodeConfig::default(),
            solver: String::new(),
            trust: TrustConfig::default(),
            time_limit_ms: None,
            chunk: 32,
            boards_a_call: 4,
        }
    }
}

/// When a reading is believed, when it gets a second chance, and when the board is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrustConfig {
    /// Readings of a smaller confidence are not stood for: their row is `unreadable`.
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

impl RecognizeConfig {
    /// Hash of all settings and of `build`, which tells one build of the program from another.
    pub fn fingerprint(&self, build: &str) -> String {
        let settings = serde_json::to_string(self).expect("the configuration is plain data");
        let mut hasher = blake3::Hasher::new();
        hasher.update(build.as_bytes());
        hasher.update(b"\0");
        hasher.update(settings.as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }
}
