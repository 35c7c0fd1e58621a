//! Normally distributed values.

use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

/// Draws a value of the standard normal distribution.
pub(super) fn normal(rng: &mut impl Rng) -> f32 {
    rng.sample(StandardNormal)
}
