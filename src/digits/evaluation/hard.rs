//! The crops that a network reads worst.

use crate::digits::labeled::LabeledCrop;
use crate::grid::Digit;

/// A held-out crop and its reading.
#[derive(Clone, Debug)]
pub struct HardCrop {
    /// The crop and its label.
    pub labeled: LabeledCrop,
    /// The reading; `None` is a blank.
    pub read: Option<Digit>,
    /// Probability of what was read, at the temperature of the card.
    pub confidence: f32,
    /// Negative log-probability of the label in nats, at the temperature of the card.
    pub loss: f32,
}
