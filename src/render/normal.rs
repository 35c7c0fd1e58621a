//! Normal values for everything that is rendered.

use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

/// Returns a value of the standard normal distribution.
pub(super) fn normal(rng: &mut impl Rng) -> f32 {
    rng.sample(StandardNormal)
}
