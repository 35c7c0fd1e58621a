//! Random numbers and hashes for images.

use crate::grid::PuzzleLine;

/// A random number at an addition and two multiplications, the same on every machine (G. Steele, D. Lea and
/// C. Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Debug, Clone)]
pub(super) struct SplitMix(u64);

impl SplitMix {
    pub(super) fn new(seed: u64) -> SplitMix {
        // So that seeds that follow each other do not give the same numbers one place apart.
        SplitMix(mixed(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below a bound that is small against 2⁶⁴.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

fn mixed(mut number: u64) -> u64 {
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// A hash of a line: products of pairs of words, folded (the idea of Wang Yi's `wyhash`).
pub(super) fn hash_of_line(line: &PuzzleLine) -> u64 {
    const KEYS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];
    let folded = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let (pairs, last) = line.as_bytes().as_chunks::<16>();
    let mut hash = folded(u64::from(last[0]) ^ KEYS[0], KEYS[1]);
    for (i, pair) in pairs.iter().enumerate() {
        let pair = u128::from_le_bytes(*pair);
        let keys = KEYS.map(|key| key.rotate_left(11 * i as u32));
        hash ^= folded(pair as u64 ^ keys[0], (pair >> 64) as u64 ^ keys[1]);
    }
    mixed(hash)
}
