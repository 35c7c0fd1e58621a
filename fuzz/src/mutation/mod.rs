//! Mutations of seeds. They are blind, so what would stop most of them at the first check is kept intact: JSON stays
//! JSON, and the checksums of a PNG file are recomputed.

mod bytes;
mod json;
mod png;

#[cfg(feature = "libfuzzer")]
use rand::SeedableRng;
use rand::{Rng, RngExt};
#[cfg(feature = "libfuzzer")]
use rand_chacha::ChaCha8Rng;

/// Changes a seed, or crosses it with another.
pub fn mutated(seed: &[u8], other: &[u8], random: &mut impl Rng) -> Vec<u8> {
    // Damaged JSON is worth a few inputs, too.
    if random.random_range(0..4) > 0
        && let Some(mutated) = json::mutated(seed, random)
    {
        return mutated;
    }
    let mut mutated = bytes::mutated(seed, other, random);
    png::mend(&mut mutated);
    mutated
}

/// Changes the first `size` bytes, if they are JSON, to at most `most`; returns how many there are then.
#[cfg(feature = "libfuzzer")]
pub fn mutated_in_place(data: &mut [u8], size: usize, most: usize, seed: u32) -> Option<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed.into());
    let mutated = json::mutated(&data[..size], &mut random)?;
    let place = data
        .get_mut(..mutated.len())
        .filter(|_| mutated.len() <= most)?;
    place.copy_from_slice(&mutated);
    Some(mutated.len())
}
