//! What the decoder believes before it sees a photo.

use serde::Serialize;

use crate::grid::Puzzle;

/// Whether the rules may overrule a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DecodeMode {
    /// The most probable puzzle that has a solution.
    Rules,
    /// Each cell by itself: its most probable content.
    Argmax,
}

/// Prior beliefs and limits of the decoder. Costs are in nats: negative natural logarithms of
/// probability ratios, so that they add up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecodeConfig {
    /// Whether the rules may overrule a cell.
    pub mode: DecodeMode,
    /// Smallest probability a content can have: no posterior is surer than the network deserves.
    pub probability_floor: f32,
    /// Share of blanks among the cells that the network was trained on: what its posteriors take for
    /// granted before they see a cell. No free setting, but a fact of the model:
    /// [`Reader::new`](crate::reader::Reader::new) takes it from the model's card.
    pub trained_blanks: f32,
    /// Cost of a puzzle with more than one solution, and enough givens for one: about one printed puzzle in twenty.
    pub multiple_cost: f32,
    /// Boards with at least this many filled cells may be filled in by hand: there, a digit may be
    /// a person's mistake.
    pub filled_from: usize,
    /// Cost of taking one filled cell for a person's mistake, on a board filled in by hand.
    pub mistake_cost: f32,
    /// Cost of taking any other board for one that has no solution as it stands, since whoever printed or typed
    /// it made mistakes. With one such digit, about one board in 150 of what people photograph.
    pub misprint_cost: f32,
    /// Cost of taking one digit of such a board for a mistake.
    pub misprinted_digit_cost: f32,
    /// The search for the next best board stops this far behind the best one, in nats.
    pub margin_cap: f32,
    /// Boards that are looked at before the search gives up.
    pub max_boards: usize,
    /// Search nodes that the solver may spend on one board. A board on which it spends them is passed
    /// over.
    pub solver_nodes: u64,
    /// Milliseconds on the clock before the search gives up, looked at between boards and by the
    /// solver; `None` for no limit. Whether a board that takes about as long is settled depends on
    /// the machine, so the default is far beyond what boards of photos take.
    pub time_limit_ms: Option<u64>,
}

/// The settings for the built-in model.
impl Default for DecodeConfig {
    fn default() -> DecodeConfig {
        DecodeConfig {
            mode: DecodeMode::Rules,
            probability_floor: 1e-6,
            trained_blanks: 0.4,
            multiple_cost: 3.0,
            filled_from: 36,
            mistake_cost: 7.0,
            misprint_cost: 1.0,
            misprinted_digit_cost: 4.0,
            margin_cap: 10.0,
            max_boards: 1000,
            solver_nodes: 20_000,
            time_limit_ms: Some(2_000),
        }
    }
}

impl DecodeConfig {
    /// Whether a board that was read so may be filled in by hand.
    pub(super) fn is_by_hand(&self, givens: &Puzzle) -> bool {
        givens.given_count() >= self.filled_from
    }
}
