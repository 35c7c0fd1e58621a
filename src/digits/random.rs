//! Seeds and normal values.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Two numbers into one seed (the finalizer of SplitMix64, Steele et al. 2014).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a ^ b.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A value of the standard normal distribution (Box and Muller 1958).
pub(crate) fn normal(rng: &mut ChaCha8Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.random::<f32>()).ln()).sqrt();
    radius * (std::f32::consts::TAU * rng.random::<f32>()).cos()
}

/// About a standard normal value, cheaply: four bytes added up (Irwin and Hall).
pub(crate) fn rough_normal(rng: &mut ChaCha8Rng) -> f32 {
    let bytes = rng.random::<u32>().to_le_bytes();
    let sum: u32 = bytes.iter().map(|&byte| u32::from(byte)).sum();
    // Four uniform bytes have the mean 510 and the deviation 147.8.
    (sum as f32 - 510.0) / 147.8
}
