//! What the reader believes about one cell.

use crate::grid::Digit;

/// Probabilities of a blank and of each digit: ten non-negative numbers that sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posterior([f32; 10]);

impl Posterior {
    /// Normalizes ten weights, the blank first, then the digits in order. `None` where a weight is
    /// negative or not finite, or all are zero.
    pub fn from_weights(weights: [f32; 10]) -> Option<Posterior> {
        let sum: f32 = weights.iter().sum();
        let valid = weights.iter().all(|&weight| weight >= 0.0) && sum.is_finite() && sum > 0.0;
        valid.then(|| Posterior(weights.map(|weight| weight / sum)))
    }

    /// A cell that is blank with this probability, the rest spread evenly over the digits.
    ///
    /// # Panics
    /// If the probability is not between 0 and 1.
    pub fn blank(probability: f32) -> Posterior {
        assert!((0.0..=1.0).contains(&probability), "a probability");
        let mut weights = [(1.0 - probability) / 9.0; 10];
        weights[0] = probability;
        Posterior(weights)
    }

    /// Probability of this content; `None` is a blank.
    pub fn of(&self, content: Option<Digit>) -> f32 {
        self.0[content.map_or(0, |digit| digit.value() as usize)]
    }

    /// The most probable content; of equals the blank, then the smallest digit.
    pub fn best(&self) -> Option<Digit> {
        let mut best = None;
        for digit in Digit::ALL {
            if self.of(Some(digit)) > self.of(best) {
                best = Some(digit);
            }
        }
        best
    }

    /// The ten probabilities, the blank first.
    pub const fn as_array(&self) -> &[f32; 10] {
        &self.0
    }
}
