//! What the decoder believes before it sees a photo.

use serde::Serialize;

use crate::digits::ModelCard;

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
    /// granted before they see a cell. No free setting, but a fact of the model, from its card: see
    /// [`DecodeConfig::of_model`].
    pub trained_blanks: f32,
    /// Cost of a puzzle with more than one solution. About one printed puzzle in twenty has two.
    pub multiple_cost: f32,
    /// Boards with at least this many filled cells may be filled in by hand: there, a digit may be
    /// a person's mistake.
    pub filled_from: usize,
    /// Cost of taking one filled cell for a person's mistake, on a board filled in by hand.
    pub mistake_cost: f32,
    /// The search for the next best board stops this far behind the best one, in nats.
    pub margin_cap: f32,
    /// Boards that are looked at before the search gives up.
    pub max_boards: usize,
    /// Search nodes that the solver may spend on one board.
    pub solver_nodes: u64,
}

impl DecodeConfig {
    /// Returns the default settings for posteriors of the model with this card.
    pub fn of_model(card: &ModelCard) -> DecodeConfig {
        DecodeConfig {
            trained_blanks: card.trained_blanks,
            ..DecodeConfig::default()
        }
    }
}

/// The settings for the built-in model.
impl Default for DecodeConfig {
    fn default() -> DecodeConfig {
        DecodeConfig {
            mode: DecodeMode::Rules,
            probability_floor: 1e-6,
            trained_blanks: 0.4,
            multiple_cost: 4.0,
            filled_from: 36,
            mistake_cost: 7.0,
            margin_cap: 10.0,
            max_boards: 2000,
            solver_nodes: 20_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::Artifact;

    #[test]
    fn the_share_of_blanks_comes_from_the_card_of_the_model() {
        let built_in = Artifact::built_in().unwrap().card;
        let other = ModelCard {
            trained_blanks: 0.25,
            ..built_in.clone()
        };
        assert_eq!(DecodeConfig::of_model(&built_in), DecodeConfig::default());
        let expected = DecodeConfig {
            trained_blanks: 0.25,
            ..DecodeConfig::default()
        };
        assert_eq!(DecodeConfig::of_model(&other), expected);
        // A card of an older program lacks it.
        let mut card = serde_json::to_value(&other).unwrap();
        card.as_object_mut().unwrap().remove("trained_blanks");
        let card: ModelCard = serde_json::from_value(card).unwrap();
        assert_eq!(DecodeConfig::of_model(&card).trained_blanks, 0.4);
    }
}
