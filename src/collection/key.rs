//! Names of lines by their content.

use std::fmt;

/// The name of a line: 128 bits of its BLAKE3 hash. Two different lines of a million million share one with a
/// probability of one in 10^14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u128);

impl Key {
    /// Returns the name of this text.
    pub fn of(text: &[u8]) -> Key {
        let hash = blake3::hash(text);
        let (first, _) = hash
            .as_bytes()
            .split_first_chunk()
            .expect("a hash has 32 bytes");
        Key(u128::from_be_bytes(*first))
    }

    /// Returns the seed that another seed gives to this name.
    pub fn seed(self, seed: u64) -> u64 {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seed.to_le_bytes());
        hasher.update(&self.0.to_le_bytes());
        let hash = hasher.finalize();
        let (first, _) = hash
            .as_bytes()
            .split_first_chunk()
            .expect("a hash has 32 bytes");
        u64::from_be_bytes(*first)
    }

    /// Returns the number, evenly spread over 0 to 1, that a seed gives to this name.
    pub fn draw(self, seed: u64) -> f64 {
        (self.seed(seed) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The first 80 bits in hexadecimal: an identifier for files.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:020x}", self.0 >> 48)
    }
}
