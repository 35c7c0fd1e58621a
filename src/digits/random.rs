//! Seeds and normally distributed values.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

/// Mixes two numbers into one seed (the finalizer of SplitMix64, Steele et al. 2014).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a ^ b.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Returns a value of the standard normal distribution.
pub(crate) fn normal(rng: &mut ChaCha8Rng) -> f32 {
    rng.sample(StandardNormal)
}
