//! Random numbers that are close to normal, and cheap.

use rand::{Rng, RngExt};

/// A deviate of mean 0 and standard deviation 1: the sum of four uniform ones, so never beyond 3.5.
pub(super) fn normal(rng: &mut impl Rng) -> f32 {
    let sum: f32 = (0..4).map(|_| rng.random::<f32>()).sum();
    (sum - 2.0) * 3f32.sqrt()
}
