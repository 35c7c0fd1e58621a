//! Settings of the decoder: priors and limits.

use serde::Serialize;

use crate::grid::Puzzle;

/// Whether the rules may overrule a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DecodeMode {
    /// The most probable puzzle that has a solution.
    Rules,
    /// The most probable content of each cell by itself.
    Argmax,
}

/// Priors and limits of the decoder. Costs are in nats: negative natural logarithms of probability
/// ratios, so that they add up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecodeConfig {
    /// Whether the rules may overrule a cell.
    pub mode: DecodeMode,
    /// Least probability of a content, which keeps posteriors from being too sure.
    pub probability_floor: f32,
    /// Share of blanks among the cells that the network was trained on: the prior that its
    /// posteriors contain. A fact of the model rather than a setting:
    /// [`Reader::new`](crate::reader::Reader::new) takes it from the model's card.
    pub trained_blanks: f32,
    /// Cost of a puzzle with more than one solution and enough givens for one: about one printed
    /// puzzle in twenty.
    pub multiple_cost: f32,
    /// Number of filled cells from which on a board may be filled in by hand, so that a digit may
    /// be a person's mistake.
    pub filled_from: usize,
    /// Cost of taking one filled cell for a person's mistake, on a board filled in by hand.
    pub mistake_cost: f32,
    /// Cost of taking any other board for one that has no solution as it stands, because it was
    /// misprinted. With one such digit, about one board in 150 of those that people photograph.
    pub misprint_cost: f32,
    /// Cost of taking one digit of such a board for a mistake.
    pub misprinted_digit_cost: f32,
    /// Nats behind the best board at which the search for the next best one stops.
    pub margin_cap: f32,
    /// Number of boards after which the search gives up.
    pub max_boards: usize,
    /// Number of search nodes of the solver per board. A board that exceeds it is passed over.
    pub solver_nodes: u64,
    /// Wall-clock milliseconds after which the search gives up, checked between boards and by the
    /// solver; `None` for no limit. Whether a board that takes about as long is settled depends on
    /// the machine, so the default is far above what boards of photos take.
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
    /// Returns whether a board with these digits may be filled in by hand.
    pub(super) fn is_by_hand(&self, givens: &Puzzle) -> bool {
        givens.given_count() >= self.filled_from
    }
}
