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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn random_numbers_match_published_values() {
        let mut random = SplitMix::new(0);
        assert_eq!(random.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.next(), 0x6e78_9e6a_a1b9_65f4);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }

    #[test]
    fn lines_that_differ_in_one_cell_or_two_have_different_hashes() {
        let mut hashes = HashSet::new();
        let mut count = 0;
        for first in 0..81 {
            for second in first..81 {
                for digits in [b"12", b"21", b"99"] {
                    let mut bytes = [b'.'; 81];
                    bytes[first] = digits[0];
                    bytes[second] = digits[1];
                    hashes.insert(hash_of_line(&PuzzleLine::new(bytes).unwrap()));
                    count += usize::from(first < second);
                }
            }
        }
        // Of one cell, the second digit stands: three lines for each.
        assert_eq!(hashes.len(), count + 3 * 81);
    }
}
