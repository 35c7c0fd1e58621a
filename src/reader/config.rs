//! Settings of a reader.

use std::path::PathBuf;

use serde::Serialize;

use crate::decode::{DecodeConfig, FusionConfig};
use crate::vision::{Backend, DetectConfig, LocateConfig, RefineConfig};

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
    /// Boards that are wrong with a greater probability are refused: they are `uncertain`.
    pub max_risk: f32,
    /// The same of boards beside the main one, if it is less. They are printed smaller, and a page with many of them that
    /// is wrong about one is wrong.
    pub max_risk_beside: f32,
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
    /// Fewest digits of a Sudoku of which every cell is decided, and no digit stands twice in a house.
    pub min_clear_digits: usize,
    /// With fewer digits than this it is no puzzle with one solution, and more likely something else: it is a board only
    /// if its blanks are clear.
    pub few_digits: usize,
    /// Most cells of such a board that may be expected to hold a digit where it has none, or none where it has one.
    pub few_blank_doubt: f32,
    /// Most undecided cells that a Sudoku has.
    pub max_undecided: usize,
    /// Most digits that stand twice in a house, as a share of how many would if digits were drawn at
    /// random: a chess board or a calendar read as digits is no misread Sudoku.
    pub max_repeats: f32,
    /// The same of the digits that are decided, on a board that is not accepted although most of its cells are clear: what
    /// is read so is a table, or another puzzle.
    pub max_clear_repeats: f32,
    /// Most undecided cells of a board that is clear in this sense.
    pub max_clear_undecided: usize,
    /// Most digits that are clear and contradict others: where there are more, it is no misprint, but no Sudoku.
    pub max_misprints: usize,
    /// Fewest digits, decided or not, for which a board beside the main one gets a second chance.
    pub min_digits_beside: usize,
}

impl Default for TrustConfig {
    fn default() -> TrustConfig {
        TrustConfig {
            max_risk: 0.25,
            max_risk_beside: 0.02,
            second_chance_below: 0.98,
            turned_beyond: 4.0,
            turn_cost: 3.0,
            decided: 0.7,
            min_digits: 12,
            min_clear_digits: 6,
            few_digits: 17,
            few_blank_doubt: 0.25,
            max_undecided: 26,
            max_repeats: 0.9,
            max_clear_repeats: 0.45,
            max_clear_undecided: 11,
            max_misprints: 2,
            min_digits_beside: 15,
        }
    }
}

/// Settings of a [`Follower`](super::Follower).
#[derive(Clone, Debug)]
pub struct FollowConfig {
    /// How the evidence of frames is summed.
    pub fusion: FusionConfig,
    /// How the sum is decoded: with less patience than a photo gets, since the next frame may settle it.
    pub decode: DecodeConfig,
    /// How lattices are fitted.
    pub locate: LocateConfig,
    /// Least margin at which a reading is sure, in nats. Not its confidence, which is calibrated on single photos: what
    /// frames have in common, their sum takes for evidence.
    pub margin: f32,
    /// Fewest frames that make a reading sure.
    pub min_reads: u32,
    /// Least sum of the weights of these frames.
    pub min_weight: f32,
    /// Frames of which all cells are read, whatever is known already.
    pub full_reads: u32,
    /// Reads in a row that must see the same digit in a cell that was blank until it is believed to be
    /// written there: if it is the digit of the solution, and if it is another one.
    pub written_reads: [u32; 2],
    /// Past the first frames, a board that is not sure is decoded only every so many reads.
    pub decode_every: u32,
    /// Probability from which on a cell of a sure board is read only where its picture changes.
    pub settled: f32,
    /// Change of a sixteenth of a cell, as a share of the board's contrast, that is worth reading it again.
    pub changed: f32,
    /// Cells of a sure board that are read in a frame though nothing changed.
    pub refreshed: usize,
    /// How far from where a board was going its picture must be for that to be believed, in cells.
    pub elsewhere: f32,
    /// Least strength of a followed lattice, as a share of its usual strength.
    pub least_strength: f32,
    /// Frames for which a board that was lost is looked for where it was.
    pub coasting: u64,
    /// Sharpness below which a frame is too blurred to distinguish one board from another.
    pub blurred: f32,
    /// Most frames in a row in which a board is followed by its lines alone, too blurred to be read.
    pub max_blind: u32,
    /// Frames that must show another board before one is believed at the place of a known one.
    pub contradictions: u32,
    /// Frames after which a board that is still not sure is one all the same, with its doubts.
    pub unclear_reads: u32,
    /// Frames for which the place of a board that is lost is remembered.
    pub patience: u64,
    /// Frames for which an outline that held no Sudoku is not looked at again, so that others get their turn.
    pub refused_for: u64,
    /// Beside a board that is followed, a search for others is made every so many frames.
    pub search_every: u64,
    /// Most boards followed at a time.
    pub max_followed: usize,
    /// Most outlines that are taken up in one frame.
    pub max_candidates: usize,
}

impl Default for FollowConfig {
    fn default() -> FollowConfig {
        FollowConfig {
            fusion: FusionConfig::default(),
            decode: DecodeConfig {
                max_boards: 60,
                solver_nodes: 2_000,
                time_limit_ms: None,
                ..DecodeConfig::default()
            },
            locate: LocateConfig {
                refine: RefineConfig {
                    mesh_reaches: vec![0.3, 0.2, 0.17],
                    at_rest: 0.06,
                    is_brief: true,
                    ..RefineConfig::default()
                },
                max_places: 1,
                max_alternatives: 0,
                max_refined: 1,
                ..LocateConfig::default()
            },
            margin: 5.3,
            min_reads: 2,
            min_weight: 0.3,
            full_reads: 6,
            written_reads: [8, 30],
            decode_every: 3,
            settled: 0.999,
            changed: 0.15,
            refreshed: 6,
            elsewhere: 0.25,
            least_strength: 0.65,
            coasting: 10,
            blurred: 0.8,
            max_blind: 5,
            contradictions: 5,
            unclear_reads: 15,
            patience: 60,
            refused_for: 3,
            search_every: 5,
            max_followed: 8,
            max_candidates: 1,
        }
    }
}
