//! Settings of a reader.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::Serialize;

use crate::decode::{DecodeConfig, FusionConfig};
use crate::vision::{Backend, DetectConfig, LocateConfig, RefineConfig};

/// Settings of a [`Reader`](super::Reader): everything that affects its readings of an opened
/// photo.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReaderConfig {
    /// Folder of the digit network (`weights`, `card.json`); `None` for the built-in one.
    #[serde(skip)]
    pub model: Option<PathBuf>,
    /// The grid detector.
    pub backend: Backend,
    /// Settings of the detector.
    pub detect: DetectConfig,
    /// Settings of locating boards in a photo.
    pub locate: LocateConfig,
    /// Settings of decoding.
    pub decode: DecodeConfig,
    /// Name of a complete solver; `None` for the fastest one.
    pub solver: Option<String>,
    /// Thresholds for trusting a reading.
    pub trust: TrustConfig,
}

/// Thresholds for trusting a reading, for second attempts, and for rejecting what is no Sudoku.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrustConfig {
    /// Probability of an error above which a board is refused as `uncertain`.
    pub max_risk: f32,
    /// The same for boards beside the main one, if it is less: they may be printed too small to be
    /// read.
    pub max_risk_beside: f32,
    /// Least width of a board beside the main one for `max_risk` to be enough, relative to the
    /// smallest board of the photo that `max_risk_beside` accepts: print of its size can be read.
    pub legible_from: f32,
    /// Confidence below which a reading gets a second attempt: the other quarter turns, the other
    /// detections of its place, a look slightly aside, and a reading in the style of its page or its
    /// own. More than what boards beside the main one need, so that one that just reaches it is
    /// looked at again, too.
    pub second_chance_below: f32,
    /// Nats by which the cells of a board with a solution must fall short of certainty before it is
    /// turned: a wrong orientation costs more.
    pub turned_beyond: f32,
    /// Cost of an orientation that is not upright, in nats.
    pub turn_cost: f32,
    /// What the lines of a lattice of full strength add to an attempt, in nats per digit.
    pub weight_of_lines: f32,
    /// Probability from which on a cell counts as decided.
    pub decided: f32,
    /// Fewest cells of a Sudoku decided to be a digit. A puzzle with one solution has 17 givens or
    /// more; some may be unclear in the photo.
    pub min_digits: usize,
    /// Fewest digits of a Sudoku of which every cell is decided, and no digit occurs twice in a
    /// house.
    pub min_clear_digits: usize,
    /// Number of digits below which the blanks must be clear: it is no puzzle with one solution,
    /// and more likely something else.
    pub few_digits: usize,
    /// Largest `blank_doubt` of such a board. A plain blank adds 0.004.
    pub few_blank_doubt: f32,
    /// Largest probability that a cell of such a board is a digit instead of a blank, or a blank instead of a digit.
    pub few_cell_doubt: f32,
    /// Largest number of cells of such a board that are black all over.
    pub few_black_cells: usize,
    /// Largest number of cells of such a board that hold something else than a digit.
    pub few_inked_cells: usize,
    /// Least strength of the lattice of such a board, 0 to 1: where digits are few, lines must make it a Sudoku.
    pub few_strength: f32,
    /// Largest number of digits overruled in a board that is to be trusted.
    pub max_overruled: usize,
    /// The same for a turned board: beyond that, it may as well be upright and badly read.
    pub max_overruled_turned: usize,
    /// Largest confidence in a board of which more are overruled: of 17, 15 were right.
    pub confidence_overruled: f32,
    /// Largest number of undecided cells of a Sudoku.
    pub max_undecided: usize,
    /// Largest number of digits repeated in a house, relative to that of random digits: a chess
    /// board or a calendar read as digits is no misread Sudoku.
    pub max_repeats: f32,
    /// The same for the decided digits of a board that is not accepted although most of its cells
    /// are clear: a table, or another puzzle.
    pub max_clear_repeats: f32,
    /// Largest number of undecided cells of a board that is clear in this sense.
    pub max_clear_undecided: usize,
    /// Largest number of clear digits that contradict others: beyond that it is no misprint, but no
    /// Sudoku.
    pub max_misprints: usize,
    /// More solutions than a misprinted puzzle has without the digits that contradict others.
    pub many_solutions: NonZeroUsize,
    /// Fewest digits decided in the 17 cells with most ink for the others to be read, too, in another orientation or by
    /// another detection.
    pub min_digits_in_sample: usize,
    /// Fewest decided digits for a second attempt at a board beside the main one; puzzles upside down had 13 or more.
    pub min_digits_beside: usize,
}

impl Default for TrustConfig {
    fn default() -> TrustConfig {
        TrustConfig {
            max_risk: 0.1,
            max_risk_beside: 0.02,
            legible_from: 0.8,
            second_chance_below: 0.99,
            turned_beyond: 4.0,
            turn_cost: 3.0,
            weight_of_lines: 0.1,
            decided: 0.7,
            min_digits: 12,
            min_clear_digits: 7,
            few_digits: 17,
            few_blank_doubt: 0.4,
            few_cell_doubt: 0.05,
            few_black_cells: 2,
            few_inked_cells: 6,
            few_strength: 0.6,
            max_overruled: 22,
            max_overruled_turned: 8,
            confidence_overruled: 0.85,
            max_undecided: 26,
            max_repeats: 0.9,
            max_clear_repeats: 0.45,
            max_clear_undecided: 11,
            max_misprints: 2,
            many_solutions: NonZeroUsize::MIN.saturating_add(999),
            min_digits_in_sample: 5,
            min_digits_beside: 8,
        }
    }
}

/// Settings of a [`Follower`](super::Follower).
#[derive(Clone, Debug)]
pub struct FollowConfig {
    /// Settings of summing the evidence of frames.
    pub fusion: FusionConfig,
    /// Settings of decoding the sum, with smaller limits than for a photo, since the next frame may
    /// settle it.
    pub decode: DecodeConfig,
    /// Settings of fitting lattices.
    pub locate: LocateConfig,
    /// Margin from which on a reading is sure, in nats. Not its confidence, which is calibrated on
    /// single photos: the errors that frames share would count as evidence.
    pub margin: f32,
    /// Fewest frames for a sure reading.
    pub min_reads: u32,
    /// Least sum of the weights of these frames.
    pub min_weight: f32,
    /// Number of first frames of which all cells are read.
    pub full_reads: u32,
    /// Consecutive reads that must see the same digit in a blank cell before it is believed to be
    /// written there: for the digit of the solution, and for another one.
    pub written_reads: [u32; 2],
    /// After the first frames, number of reads between two decodings of a board that is not sure.
    pub decode_every: u32,
    /// Probability from which on a cell of a sure board is read only where its picture changes.
    pub settled: f32,
    /// Change of a sixteenth of a cell, relative to the board's contrast, from which on it is read
    /// again.
    pub changed: f32,
    /// Number of unchanged cells of a sure board that are read per frame.
    pub refreshed: usize,
    /// Distance from the predicted place of a board beyond which its picture is believed, in cells.
    pub elsewhere: f32,
    /// Least strength of a followed lattice, relative to its usual strength.
    pub least_strength: f32,
    /// Number of frames for which a lost board is looked for at its last place.
    pub coasting: u64,
    /// Sharpness below which a frame is too blurred to distinguish boards.
    pub blurred: f32,
    /// Largest number of consecutive frames in which a board is followed by its lines alone,
    /// because they are too blurred to be read.
    pub max_blind: u32,
    /// Number of frames that must show another board before it replaces a known one at its place.
    pub contradictions: u32,
    /// Number of frames after which a board that is still not sure is reported all the same.
    pub unclear_reads: u32,
    /// Number of frames for which the place of a lost board is remembered.
    pub patience: u64,
    /// Number of frames for which an outline without a Sudoku is not looked at again, so that
    /// others get their turn.
    pub refused_for: u64,
    /// Number of frames between two searches for further boards beside one that is followed.
    pub search_every: u64,
    /// Largest number of boards followed at a time.
    pub max_followed: usize,
    /// Largest number of new outlines per frame.
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
                max_refined_in_doubt: 1,
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
